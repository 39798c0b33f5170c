"""Long lists, a page at a time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from store_rows import fill
from store_world import ACTOR, MINUTE, START, alert, delivery, look, snapshot, told, tool

from driftwatch.model import AlertKind, AlertState, Severity, Silence
from driftwatch.store import Store
from driftwatch.store.pages import AlertsWanted, Spot, Stretch
from driftwatch.store.records import Wanted

FIRST = snapshot(tool("read"))


def walked(page: Callable[[Spot | None], Stretch], limit: int) -> list[str]:
    """Give the ids of all rows, page by page; every page but the last is full."""
    found: list[str] = []
    after: Spot | None = None
    while True:
        stretch = page(after)
        found += [row.id for row in stretch.rows]
        if stretch.after is None:
            return found
        assert len(stretch.rows) == limit
        after = stretch.after


def opened(store: Store, name: str, **more: object) -> None:
    server = more.pop("server", name)
    store.record_look(look(server, FIRST, alert=(told(alert(name, server=server, **more)),)))


def test_alerts_come_page_by_page_each_once_also_where_many_were_opened_at_one_moment(store: Store) -> None:
    for number in range(7):
        opened(store, f"alr_{number}", opened_at=START + (number // 3) * MINUTE)

    found = walked(lambda after: store.alert_page(AlertsWanted(), after=after, limit=2), 2)

    assert found == ["alr_6", "alr_3", "alr_4", "alr_5", "alr_0", "alr_1", "alr_2"]


def test_an_alert_that_is_opened_meanwhile_moves_no_other_one_to_the_next_page(store: Store) -> None:
    for number in range(4):
        opened(store, f"alr_{number}", opened_at=START + number * MINUTE)
    first = store.alert_page(AlertsWanted(), limit=2)

    opened(store, "alr_new", opened_at=START + 9 * MINUTE)
    second = store.alert_page(AlertsWanted(), after=first.after, limit=2)

    assert [one.id for one in (*first.rows, *second.rows)] == ["alr_3", "alr_2", "alr_1", "alr_0"]


def test_alerts_are_picked_by_state_kind_severity_and_what_they_are_about(store: Store) -> None:
    opened(store, "alr_a", severity=Severity.LOW)
    opened(store, "alr_b", severity=Severity.CRITICAL)
    opened(store, "alr_c", severity=Severity.HIGH)
    store.record_alert(replace(told(replace(store.alert("alr_c"), state=AlertState.RESOLVED)), event=None))
    store.record_alert(told(alert("alr_m", server="", channel="mail", kind=AlertKind.CHANNEL)))

    def names(**wanted: object) -> set[str]:
        return {one.id for one in store.alert_page(AlertsWanted(**wanted), limit=9).rows}

    assert names() == {"alr_a", "alr_b", "alr_c", "alr_m"}
    assert names(severity=Severity.HIGH, kind=AlertKind.DRIFT) == {"alr_b", "alr_c"}
    assert names(states=[AlertState.RESOLVED]) == {"alr_c"}
    assert names(channel="mail") == {"alr_m"}
    assert names(server="alr_a") == {"alr_a"}


def test_messages_come_page_by_page_newest_first_without_what_they_say(store: Store) -> None:
    for number in range(5):
        fill(store, delivery(f"msg_{number}", payload={"text": "long"}), number=number)

    first = store.delivery_page(Wanted(), limit=3)
    second = store.delivery_page(Wanted(), before=first.before, limit=3)

    assert [row.id for row in (*first.rows, *second.rows)] == ["msg_4", "msg_3", "msg_2", "msg_1", "msg_0"]
    assert second.before is None
    assert {len(row.payload) for row in first.rows} == {0}
    assert [row.id for row in store.delivery_page(Wanted(server="git-2"), limit=3).rows] == ["msg_2"]


def test_silences_come_page_by_page_and_those_that_are_over_are_left_out_where_that_is_wanted(store: Store) -> None:
    for number in range(4):
        until = START + (number + 1) * MINUTE
        made = Silence(f"sil_{number}", "git", "", "", Severity.HIGH, "why", "ana", START, until)
        store.add_silence(made, origin=ACTOR.origin)

    everything = walked(lambda after: store.silence_page(after=after, limit=3), 3)
    in_force = walked(lambda after: store.silence_page(at=START + 2 * MINUTE, after=after, limit=1), 1)

    assert everything == ["sil_0", "sil_1", "sil_2", "sil_3"]
    assert in_force == ["sil_2", "sil_3"]


def test_the_alerts_of_a_message_that_tells_of_several_are_had_and_counted_by_state(store: Store) -> None:
    for number, into in enumerate(("msg_all", "msg_all", "")):
        fill(store, delivery(f"msg_{number}", batch=into), number=number)
    store.record_alert(replace(told(replace(store.alert("alr_1"), state=AlertState.RESOLVED)), event=None))
    gathered = AlertsWanted(batch="msg_all")

    assert {one.id for one in store.alert_page(gathered, limit=9).rows} == {"alr_0", "alr_1"}
    assert store.alert_counts(gathered) == {AlertState.OPEN: 1, AlertState.RESOLVED: 1}
    assert store.alert_counts(AlertsWanted()) == {AlertState.OPEN: 2, AlertState.RESOLVED: 1}
    assert store.alert_counts(AlertsWanted(batch="")) == {}
