from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from store_world import MINUTE, START, Clock, alert, delivery, dump, finding, look, review, snapshot, told, tool

from driftwatch.errors import AlertMovedError, BaselineMovedError
from driftwatch.model import AlertKind, AlertState, Decision, DeliveryState, EventKind, Severity, Unreachable
from driftwatch.store import Counts, Store

FIRST = snapshot(tool("read"))
SECOND = snapshot(tool("read", description="More."))


@pytest.fixture
def watched(store: Store) -> Store:
    store.record_look(look("git", FIRST))
    return store


def drifted(**more: object) -> object:
    return look("git", SECOND, baseline=FIRST.digest, **more)


def test_an_alert_comes_back_equal_in_every_field(watched: Store) -> None:
    full = alert(
        baseline_digest=FIRST.digest,
        snapshot_digest=SECOND.digest,
        findings=(finding("b", after="\ud800\x00"), finding("a")),
        told=frozenset({"x", "y"}),
        summary="Two things \u202e changed.",
        reviewed="rejected",
    )

    watched.record_look(drifted(alert=(told(full),)))

    assert watched.open_alert("git", AlertKind.DRIFT) == full
    assert watched.open_alert("git", AlertKind.HEALTH) is None
    assert watched.open_alert("other", AlertKind.DRIFT) is None


def test_a_look_can_write_a_drift_alert_and_end_a_health_alert(watched: Store) -> None:
    sick = alert("alr_h", kind=AlertKind.HEALTH, findings=(), severity=Severity.MEDIUM)
    new = watched.record_failure(
        "git",
        outcome=Unreachable("timeout", "no answer"),
        at=START,
        next_at=None,
        era=None,
        alert=told(sick, delivery("msg_h", "alr_h")),
    )
    well = alert("alr_h", kind=AlertKind.HEALTH, state=AlertState.RESOLVED, findings=(), reason="looked-again")

    newer = watched.record_look(
        drifted(alert=(told(alert(), delivery("msg_d")), told(well, delivery("msg_w", "alr_h"))))
    )

    assert (new, newer) == (("msg_h",), ("msg_d", "msg_w"))
    assert watched.open_alert("git", AlertKind.HEALTH) is None
    assert watched.open_alert("git", AlertKind.DRIFT) == alert()


def test_alerts_are_listed_newest_first_by_server_and_state(watched: Store) -> None:
    watched.record_look(look("other", FIRST))
    old = alert("alr_1", state=AlertState.RESOLVED)
    new = alert("alr_2", opened_at=START + MINUTE)
    else_ = alert("alr_3", server="other", opened_at=START + 2 * MINUTE)
    for each in (old, new, else_):
        watched.record_failure(
            each.server, outcome=Unreachable("dns", ""), at=START, next_at=None, era=None, alert=told(each)
        )

    assert watched.alerts() == [else_, new, old]
    assert watched.alerts(server="git") == [new, old]
    assert watched.alerts(stands=True) == [else_, new]
    assert watched.alerts(limit=1) == [else_]


def test_a_second_open_alert_of_one_kind_is_refused_with_nothing_written(watched: Store, file: Path) -> None:
    watched.record_look(drifted(alert=(told(alert(), delivery()),)))
    before = dump(file)

    with pytest.raises(BaselineMovedError):
        watched.record_look(drifted(alert=(told(alert("alr_2"), delivery("msg_2", "alr_2")),), at=START + MINUTE))

    assert dump(file) == before


def test_an_alert_that_was_resolved_meanwhile_is_not_opened_again(watched: Store, file: Path) -> None:
    watched.record_look(drifted(alert=(told(alert()),)))
    watched.record_look(look("git", FIRST, baseline=FIRST.digest, alert=(told(alert(state=AlertState.RESOLVED)),)))
    before = dump(file)

    with pytest.raises(BaselineMovedError):
        watched.record_look(drifted(alert=(told(alert(updated_at=START + MINUTE), delivery()),)))

    assert dump(file) == before


def test_a_rejection_is_not_written_over_by_a_look_that_had_read_the_alert_before_it(watched: Store) -> None:
    about = alert(snapshot_digest=SECOND.digest)
    watched.record_look(drifted(alert=(told(about),)))
    watched.reject(review(SECOND.digest, decision=Decision.REJECTED))

    with pytest.raises(AlertMovedError):
        watched.record_look(drifted(alert=(replace(told(about, event=None), expected=about),)))

    kept = watched.open_alert("git", AlertKind.DRIFT)
    assert kept is not None
    assert kept.reviewed == "rejected"


def test_a_delivery_is_written_once_however_often_it_is_recorded(watched: Store) -> None:
    first = watched.record_look(drifted(alert=(told(alert(), delivery(), delivery("msg_2", channel="chat")),)))

    again = watched.record_look(drifted(alert=(told(alert(), delivery(payload={"other": True}), delivery("msg_3")),)))

    assert first == ("msg_1", "msg_2")
    assert again == ("msg_3",)
    assert [each.id for each in watched.deliveries()] == ["msg_3", "msg_2", "msg_1"]
    assert watched.deliveries()[-1] == delivery()


def test_a_repeated_record_does_not_make_a_delivered_message_pending(watched: Store) -> None:
    watched.record_look(drifted(alert=(told(alert(), delivery(state=DeliveryState.DELIVERED)),)))

    watched.record_look(drifted(alert=(told(alert(), delivery()),)))

    assert [each.state for each in watched.deliveries()] == [DeliveryState.DELIVERED]


def test_the_channels_that_were_told_of_an_alert_are_known(watched: Store) -> None:
    rows = (delivery("msg_1"), delivery("msg_2", channel="chat"), delivery("msg_3", event=EventKind.UPDATED))

    watched.record_look(drifted(alert=(told(alert(), *rows),)))

    assert watched.channels_told("alr_1") == {"ops", "chat"}
    assert watched.channels_told("alr_2") == frozenset()


def test_a_channel_whose_message_was_given_up_counts_as_not_told(watched: Store) -> None:
    rows = (delivery("msg_1", state=DeliveryState.DEAD), delivery("msg_2", channel="chat"))

    watched.record_look(drifted(alert=(told(alert(), *rows),)))

    assert watched.channels_told("alr_1") == {"chat"}


def test_everything_is_counted(watched: Store, clock: Clock) -> None:
    assert watched.counts() == Counts(1, 1, 1, 0, 0, 0, None)
    rows = (
        delivery("msg_1", created_at=START - MINUTE),
        delivery("msg_2"),
        delivery("msg_3", state=DeliveryState.DEAD, created_at=START - 9 * MINUTE),
    )
    watched.record_look(drifted(alert=(told(alert(), *rows),)))
    clock.later()

    assert watched.counts() == Counts(
        servers=1,
        snapshots=2,
        items=2,
        open_alerts=1,
        deliveries_pending=2,
        deliveries_dead=1,
        oldest_pending=2 * MINUTE,
    )
