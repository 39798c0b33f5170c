"""What a message waits for beside its time: an older one about the same alert, or whoever has it at this moment."""

from __future__ import annotations

from datetime import timedelta

from store_rows import batch, claim, fill, gathered
from store_world import DONE, MINUTE, START, alert, delivery, told

from driftwatch.model import DeliveryState, EventKind
from driftwatch.store import Store
from driftwatch.store.records import Wait

LEASE = timedelta(minutes=2)


def test_a_message_waits_for_the_oldest_before_it_about_the_same_alert_and_channel(store: Store) -> None:
    fill(store, delivery("msg_1"), delivery("msg_2"), delivery("msg_3"), delivery("msg_other", channel="other"))

    assert store.waits(["msg_1", "msg_2", "msg_3", "msg_other"], now=START) == {
        "msg_2": Wait(behind="msg_1"),
        "msg_3": Wait(behind="msg_1"),
    }


def test_what_was_delivered_or_given_up_lets_the_next_go(store: Store) -> None:
    fill(store, delivery("msg_1", state=DeliveryState.DEAD), delivery("msg_2"), delivery("msg_3"))
    store.finish_delivery("msg_2", result=DONE, state=DeliveryState.DELIVERED, next_attempt_at=None, now=START)

    assert store.waits(["msg_1", "msg_2", "msg_3"], now=START) == {}


def test_a_message_that_somebody_has_says_until_when(store: Store) -> None:
    fill(store, delivery("msg_1"), delivery("msg_2"))
    claim(store)

    assert store.waits(["msg_1", "msg_2"], now=START) == {
        "msg_1": Wait(leased_until=START + LEASE),
        "msg_2": Wait(behind="msg_1"),
    }
    assert "msg_1" not in store.waits(["msg_1"], now=START + LEASE + MINUTE)


def test_what_follows_on_a_batch_waits_for_the_batch_and_a_batch_for_what_is_older(store: Store) -> None:
    fill(store, delivery("msg_old"), gathered(1, name="msg_held"))
    fill(store, gathered(2), number=2)
    store.seal(["msg_held", "msg_2"], batch=batch(), now=START)
    late = delivery("msg_late", alert_id="alr_1", server="git-1")
    store.record_alert(told(alert("alr_1", server="git-1"), late, event=EventKind.UPDATED))

    found = store.waits(["msg_old", "msg_batch", "msg_late"], now=START)

    assert found == {"msg_batch": Wait(behind="msg_old"), "msg_late": Wait(behind="msg_old")}
    store.finish_delivery("msg_old", result=DONE, state=DeliveryState.DELIVERED, next_attempt_at=None, now=START)
    assert store.waits(["msg_batch", "msg_late"], now=START) == {"msg_late": Wait(behind="msg_batch")}
