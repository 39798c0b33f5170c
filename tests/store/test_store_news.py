"""What news of alerts does to what was told before: batches that are known or over, and reminders that wait."""

from __future__ import annotations

from dataclasses import replace

import pytest
from store_rows import LEASE, batch, claim, fill, finish, gathered, states
from store_world import ACTOR, START, alert, delivery, told

from driftwatch.model import Acknowledged, Alert, AlertState, Delivery, DeliveryState, EventKind
from driftwatch.store import Store

# Batches


def end(store: Store, number: int) -> Delivery:
    """End an alert, and give the message about that as it is claimed."""
    name, server = f"alr_{number}", f"git-{number}"
    row = delivery(f"msg_over_{number}", name, server=server, event=EventKind.RESOLVED)
    over = alert(name, server=server, state=AlertState.RESOLVED, resolved_at=START, reason="approved")
    store.record_alert(told(over, row, event=EventKind.RESOLVED))
    (claimed,) = store.claim_deliveries(now=START, lease=LEASE, limit=10)
    return claimed


def test_the_last_end_of_a_batch_says_that_the_batch_is_over(store: Store) -> None:
    fill(store, gathered(1), number=1)
    fill(store, gathered(2), number=2)
    store.seal(["msg_1", "msg_2"], batch=batch(), now=START)
    claim(store)
    finish(store, "msg_batch", DeliveryState.DELIVERED)

    first, last = end(store, 1), end(store, 2)

    assert (first.opened_in, first.over, first.alone) == ("msg_batch", (), ())
    assert (last.opened_in, last.over, last.alone) == ("msg_batch", ("msg_batch",), ())


def test_a_batch_of_ends_says_which_were_told_alone_and_which_batches_are_over(store: Store) -> None:
    fill(store, gathered(1), number=1)
    fill(store, gathered(2), number=2)
    fill(store, delivery("msg_3"), number=3)
    store.seal(["msg_1", "msg_2"], batch=batch(), now=START)
    for name in claim(store):
        finish(store, name, DeliveryState.DELIVERED)
    ends = []
    for number in (1, 2, 3):
        server = f"git-{number}"
        row = gathered(number, event=EventKind.RESOLVED, name=f"msg_over_{number}")
        over = alert(f"alr_{number}", server=server, state=AlertState.RESOLVED, resolved_at=START, reason="approved")
        store.record_alert(told(over, replace(row, alert_id=over.id, server=server), event=EventKind.RESOLVED))
        ends.append(row.id)

    store.seal(ends, batch=batch("msg_ends"), now=START)
    (claimed,) = store.claim_deliveries(now=START, lease=LEASE, limit=10)

    assert (claimed.id, claimed.over, claimed.alone) == ("msg_ends", ("msg_batch",), ("alr_3",))


def known_by_ana(store: Store, number: int) -> Alert:
    current = store.alert(f"alr_{number}")
    return replace(current, state=AlertState.ACKNOWLEDGED, acknowledged=Acknowledged("ana", START))


def acknowledge(store: Store, number: int) -> Delivery:
    """Say that somebody knows of an alert, and give the message about that as it is claimed."""
    name, server = f"alr_{number}", f"git-{number}"
    row = delivery(f"msg_known_{number}", name, server=server, event=EventKind.ACKNOWLEDGED)
    store.acknowledge(told(known_by_ana(store, number), row, event=EventKind.ACKNOWLEDGED), by=ACTOR)
    (claimed,) = store.claim_deliveries(now=START, lease=LEASE, limit=10)
    finish(store, claimed.id, DeliveryState.DELIVERED)
    return claimed


def test_a_batch_is_known_once_somebody_knows_of_every_alert_in_it(store: Store) -> None:
    fill(store, gathered(1), number=1)
    fill(store, gathered(2), number=2)
    store.seal(["msg_1", "msg_2"], batch=batch(), now=START)
    claim(store)
    finish(store, "msg_batch", DeliveryState.DELIVERED)

    first, last = acknowledge(store, 1), acknowledge(store, 2)

    assert (first.known, first.over) == ((), ())
    assert (last.known, last.over) == (("msg_batch",), ())


def test_a_batch_is_known_when_what_nobody_knew_of_is_over(store: Store) -> None:
    fill(store, gathered(1), number=1)
    fill(store, gathered(2), number=2)
    store.seal(["msg_1", "msg_2"], batch=batch(), now=START)
    claim(store)
    finish(store, "msg_batch", DeliveryState.DELIVERED)
    acknowledge(store, 1)

    ended = end(store, 2)

    assert (ended.known, ended.over) == (("msg_batch",), ())


def test_a_batch_that_says_what_is_known_says_so_of_the_batches_that_told_of_it(store: Store) -> None:
    for number in (1, 2):
        fill(store, gathered(number), number=number)
    store.seal(["msg_1", "msg_2"], batch=batch(), now=START)
    claim(store)
    finish(store, "msg_batch", DeliveryState.DELIVERED)
    for number in (1, 2):
        row = gathered(number, event=EventKind.ACKNOWLEDGED, name=f"msg_known_{number}")
        known = known_by_ana(store, number)
        store.acknowledge(told(known, replace(row, alert_id=known.id), event=EventKind.ACKNOWLEDGED), by=ACTOR)

    store.seal(["msg_known_1", "msg_known_2"], batch=batch("msg_news"), now=START)
    (claimed,) = store.claim_deliveries(now=START, lease=LEASE, limit=10)

    assert (claimed.id, claimed.known, claimed.over, claimed.alone) == ("msg_news", ("msg_batch",), (), ())


def test_a_batch_is_over_without_the_alerts_that_it_only_had_news_of(store: Store) -> None:
    fill(store, delivery("msg_1"), number=1)
    finish(store, *claim(store), DeliveryState.DELIVERED)
    known = known_by_ana(store, 1)
    news = replace(gathered(1, event=EventKind.ACKNOWLEDGED, name="msg_known"), alert_id="alr_1")
    store.acknowledge(told(known, news, event=EventKind.ACKNOWLEDGED), by=ACTOR)
    fill(store, gathered(2), number=2)
    store.seal(["msg_known", "msg_2"], batch=batch(), now=START)
    finish(store, *claim(store), DeliveryState.DELIVERED)

    ended = end(store, 2)

    assert ended.over == ("msg_batch",)


# Reminders that wait


def test_of_the_reminders_of_an_alert_at_most_one_waits_for_a_channel(store: Store) -> None:
    fill(store, delivery("msg_1"), delivery("msg_2", channel="mail"))
    for name in claim(store):
        finish(store, name, DeliveryState.DELIVERED)
    rows = [delivery(f"msg_{number}", event=EventKind.REMINDED) for number in (3, 4)]
    store.record_alert(told(store.alert("alr_1"), rows[0], replace(rows[0], id="msg_mail", channel="mail"), event=None))

    store.record_alert(told(store.alert("alr_1"), rows[1], event=None))

    assert states(store) == {
        "msg_1": "delivered",
        "msg_2": "delivered",
        "msg_3": "cancelled",
        "msg_mail": "pending",
        "msg_4": "pending",
    }
    assert store.delivery("msg_3").last_result == "a later reminder took its place"
    assert sorted(claim(store)) == ["msg_4", "msg_mail"]


def test_a_reminder_that_is_written_again_stays(store: Store) -> None:
    reminder = delivery("msg_2", event=EventKind.REMINDED)
    fill(store, delivery("msg_1"), reminder)

    store.record_alert(told(store.alert("alr_1"), replace(reminder, server="git-1"), event=None))

    assert states(store) == {"msg_1": "pending", "msg_2": "pending"}


@pytest.mark.parametrize("state", [DeliveryState.PENDING, DeliveryState.HELD])
def test_an_acknowledgement_takes_out_the_reminders_that_wait_and_nothing_else(
    store: Store, state: DeliveryState
) -> None:
    fill(
        store,
        delivery("msg_new"),
        delivery("msg_again", event=EventKind.REMINDED, state=state, route="fleet"),
        delivery("msg_mail", event=EventKind.REMINDED, channel="mail", state=state, route="fleet"),
    )
    fill(store, delivery("msg_other", event=EventKind.REMINDED), number=2)

    store.acknowledge(told(known_by_ana(store, 1), event=EventKind.ACKNOWLEDGED), by=ACTOR)

    assert states(store) == {
        "msg_new": "pending",
        "msg_again": "cancelled",
        "msg_mail": "cancelled",
        "msg_other": "pending",
    }
    assert store.delivery("msg_again").last_result == "somebody acknowledged the alert before this was sent"


def test_the_end_of_an_alert_takes_out_the_reminders_that_wait(store: Store) -> None:
    fill(store, delivery("msg_1"), delivery("msg_2", event=EventKind.REMINDED))
    finish(store, *claim(store), DeliveryState.DELIVERED)

    ended = end(store, 1)

    assert (ended.id, states(store)["msg_2"]) == ("msg_over_1", "cancelled")
    assert store.delivery("msg_2").last_result == "the alert was over before this was sent"


def test_a_reminder_that_arrived_all_the_same_counts_as_delivered(store: Store) -> None:
    fill(store, delivery("msg_1", event=EventKind.REMINDED))
    claim(store)
    store.acknowledge(told(known_by_ana(store, 1), event=EventKind.ACKNOWLEDGED), by=ACTOR)

    finish(store, "msg_1", DeliveryState.DELIVERED)

    assert states(store) == {"msg_1": "delivered"}
