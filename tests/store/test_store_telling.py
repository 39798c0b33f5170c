"""What the store keeps of telling people: order, batches, what a person took out, silences, and how channels do."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from store_rows import FAILED, batch, claim, fill, finish, gathered, states
from store_world import ACTOR, MINUTE, START, delivery, told

from driftwatch.errors import BaselineMovedError, UnknownIdError
from driftwatch.model import (
    DeliveryState,
    EventKind,
)
from driftwatch.store import Store
from driftwatch.store.records import Wanted

# Order


def test_the_end_of_an_alert_waits_until_its_beginning_is_through(store: Store) -> None:
    fill(store, delivery("msg_open"), delivery("msg_over", event=EventKind.RESOLVED))

    first = claim(store)
    failed = finish(store, "msg_open", DeliveryState.PENDING, result=FAILED)
    meanwhile = claim(store)
    again = claim(store, START + MINUTE)
    waited_for = finish(store, "msg_open", DeliveryState.DELIVERED)

    assert (first, failed, meanwhile, again) == (["msg_open"], False, [], ["msg_open"])
    assert waited_for
    assert claim(store, START + MINUTE) == ["msg_over"]


def test_what_waits_for_its_turn_is_nothing_to_wake_up_for(store: Store) -> None:
    fill(store, delivery("msg_open", next_attempt_at=START + 5 * MINUTE), delivery("msg_over"))

    assert store.next_delivery_at() == START + 5 * MINUTE


def test_the_end_goes_when_the_beginning_was_given_up(store: Store) -> None:
    fill(store, delivery("msg_open"), delivery("msg_over", event=EventKind.RESOLVED))
    claim(store)

    assert finish(store, "msg_open", DeliveryState.DEAD, result=FAILED)
    assert claim(store) == ["msg_over"]


def test_one_channel_does_not_wait_for_another(store: Store) -> None:
    fill(store, delivery("msg_open", next_attempt_at=START + MINUTE), delivery("msg_else", channel="mail"))

    assert claim(store) == ["msg_else"]


def test_a_channel_that_is_left_alone_holds_up_no_other(store: Store) -> None:
    fill(store, delivery("msg_ops"), delivery("msg_mail", channel="mail"))

    assert store.next_delivery_at(only={"chat"}) is None
    assert claim(store, only={"mail"}) == ["msg_mail"]


# Batches


def test_held_messages_are_not_sent_before_their_window_ends(store: Store) -> None:
    fill(store, replace(gathered(1), next_attempt_at=START + MINUTE))

    assert claim(store, START + 60 * MINUTE) == []
    assert store.held_groups(START) == []
    assert store.held_groups(START + MINUTE) == [("ops", "fleet")]
    assert store.held_groups(None) == [("ops", "fleet")]


def test_messages_of_one_route_and_channel_are_gathered_with_those_that_came_later(store: Store) -> None:
    fill(store, replace(gathered(1), next_attempt_at=START + MINUTE), number=1)
    fill(store, replace(gathered(2), next_attempt_at=START + 2 * MINUTE), number=2)
    fill(store, replace(gathered(3), channel="mail", next_attempt_at=START + 2 * MINUTE), number=3)

    (group,) = store.held_groups(START + MINUTE)

    assert [one.id for one in store.held(*group)] == ["msg_1", "msg_2"]


def test_a_clock_that_was_set_back_holds_nothing_for_ever(store: Store) -> None:
    fill(store, replace(gathered(1), next_attempt_at=START + MINUTE))

    assert store.held_groups(START - timedelta(days=1)) == [("ops", "fleet")]


@pytest.mark.parametrize("end", [DeliveryState.DELIVERED, DeliveryState.DEAD])
def test_what_went_into_a_batch_shares_its_fate(store: Store, end: DeliveryState) -> None:
    fill(store, gathered(1), number=1)
    fill(store, gathered(2), number=2)

    store.seal(["msg_1", "msg_2"], batch=batch(), now=START)
    sealed = states(store)
    claimed = claim(store)
    finish(store, "msg_batch", end)

    assert sealed == {"msg_1": "batched", "msg_2": "batched", "msg_batch": "pending"}
    assert claimed == ["msg_batch"]
    assert states(store) == {"msg_1": end, "msg_2": end, "msg_batch": end}
    assert [one.id for one in store.deliveries(wanted=Wanted(batch="msg_batch"))] == ["msg_2", "msg_1"]


def test_a_message_that_is_alone_goes_out_by_itself(store: Store) -> None:
    fill(store, gathered(1))

    store.seal(["msg_1"], batch=None, now=START)

    assert claim(store) == ["msg_1"]


def test_a_batch_is_sealed_as_a_whole_or_not_at_all(store: Store) -> None:
    fill(store, gathered(1), number=1)
    fill(store, gathered(2), number=2)
    store.cancel_delivery("msg_2", by=ACTOR, now=START)

    with pytest.raises(BaselineMovedError):
        store.seal(["msg_1", "msg_2"], batch=batch(), now=START)

    assert states(store) == {"msg_1": "held", "msg_2": "cancelled"}


def test_what_follows_on_a_batch_waits_for_it(store: Store) -> None:
    fill(store, gathered(1))
    store.seal(["msg_1"], batch=batch(), now=START)
    store.record_alert(told(store.alert("alr_1"), delivery("msg_over", event=EventKind.RESOLVED), event=None))

    before = claim(store)
    waited_for = finish(store, "msg_batch", DeliveryState.DELIVERED)

    assert (before, waited_for) == (["msg_batch"], True)
    assert claim(store) == ["msg_over"]


def test_a_batch_of_ends_waits_for_the_batch_that_told_of_their_beginnings(store: Store) -> None:
    for number in (1, 2):
        fill(store, gathered(number), number=number)
    store.seal(["msg_1", "msg_2"], batch=batch(), now=START)
    claim(store)
    finish(store, "msg_batch", DeliveryState.PENDING, result=FAILED)
    for number in (1, 2):
        row = replace(gathered(number, event=EventKind.RESOLVED, name=f"msg_over_{number}"), alert_id=f"alr_{number}")
        store.record_alert(told(store.alert(f"alr_{number}"), row, event=None))
    store.seal(["msg_over_1", "msg_over_2"], batch=batch("msg_ends"), now=START)

    meanwhile, due = claim(store), store.next_delivery_at()
    again = claim(store, START + MINUTE)
    waited_for = finish(store, "msg_batch", DeliveryState.DELIVERED)

    assert (meanwhile, due, again, waited_for) == ([], START + MINUTE, ["msg_batch"], True)
    assert claim(store, START + MINUTE) == ["msg_ends"]


def test_a_batch_of_ends_waits_for_beginnings_that_went_alone(store: Store) -> None:
    for number in (1, 2):
        fill(store, delivery(f"msg_{number}", next_attempt_at=START + number * MINUTE), number=number)
        row = replace(gathered(number, event=EventKind.RESOLVED, name=f"msg_over_{number}"), alert_id=f"alr_{number}")
        store.record_alert(told(store.alert(f"alr_{number}"), row, event=None))
    store.seal(["msg_over_1", "msg_over_2"], batch=batch("msg_ends"), now=START)

    order = []
    for minute in (0, 1, 2):
        for name in claim(store, START + minute * MINUTE):
            finish(store, name, DeliveryState.DELIVERED)
            order.append(name)
    order += claim(store, START + 2 * MINUTE)

    assert order == ["msg_1", "msg_2", "msg_ends"]


def test_two_batches_do_not_wait_for_each_other(store: Store) -> None:
    for number in (1, 2):
        fill(store, replace(gathered(number), route=f"route-{number}"), number=number)
        row = replace(gathered(number, event=EventKind.UPDATED, name=f"msg_more_{number}"), alert_id=f"alr_{number}")
        other = replace(row, route=f"route-{3 - number}")
        store.record_alert(told(store.alert(f"alr_{number}"), other, event=None))
    store.seal(["msg_1", "msg_more_2"], batch=replace(batch("msg_one"), route="route-1"), now=START)
    store.seal(["msg_2", "msg_more_1"], batch=replace(batch("msg_two"), route="route-2"), now=START)

    first = claim(store)
    finish(store, "msg_one", DeliveryState.DELIVERED)

    assert first == ["msg_one"]
    assert claim(store) == ["msg_two"]


def test_what_cannot_wait_takes_along_what_waits_of_the_same_alert(store: Store) -> None:
    fill(store, replace(gathered(1), next_attempt_at=START + 60 * MINUTE))

    store.record_alert(told(store.alert("alr_1"), delivery("msg_worse", event=EventKind.UPDATED), event=None))

    assert states(store) == {"msg_1": "pending", "msg_worse": "pending"}
    assert claim(store) == ["msg_1"]


def test_a_message_that_is_being_sent_stays_with_its_sender_when_it_is_to_be_sent_anew(store: Store) -> None:
    fill(store, delivery())
    claim(store)

    assert store.retry_delivery("msg_1", by=ACTOR, now=START)
    assert claim(store) == []


# By hand


def test_a_message_that_was_given_up_is_sent_anew_when_a_person_says_so(store: Store) -> None:
    fill(store, delivery())
    claim(store)
    finish(store, "msg_1", DeliveryState.DEAD, result=FAILED)

    assert store.retry_delivery("msg_1", by=ACTOR, now=START + MINUTE)
    assert claim(store, START + MINUTE) == ["msg_1"]
    assert store.delivery("msg_1").attempts == 0


def test_a_batch_that_is_sent_anew_takes_along_what_is_in_it(store: Store) -> None:
    fill(store, gathered(1), number=1)
    store.seal(["msg_1"], batch=batch(), now=START)
    claim(store)
    finish(store, "msg_batch", DeliveryState.DEAD, result=FAILED)

    assert not store.retry_delivery("msg_1", by=ACTOR, now=START)
    assert store.retry_delivery("msg_batch", by=ACTOR, now=START)
    assert states(store) == {"msg_1": "batched", "msg_batch": "pending"}


def test_what_was_delivered_cannot_be_sent_anew_or_taken_out(store: Store) -> None:
    fill(store, delivery())
    claim(store)
    finish(store, "msg_1", DeliveryState.DELIVERED)

    assert not store.retry_delivery("msg_1", by=ACTOR, now=START)
    assert not store.cancel_delivery("msg_1", by=ACTOR, now=START)
    assert states(store) == {"msg_1": "delivered"}


def test_what_was_taken_out_while_it_was_sent_stays_out_unless_it_arrived(store: Store) -> None:
    fill(store, delivery("msg_1"), number=1)
    fill(store, delivery("msg_2"), number=2)
    claim(store)
    for name in ("msg_1", "msg_2"):
        assert store.cancel_delivery(name, by=ACTOR, now=START)

    finish(store, "msg_1", DeliveryState.PENDING, result=FAILED)
    finish(store, "msg_2", DeliveryState.DELIVERED)

    assert states(store) == {"msg_1": "cancelled", "msg_2": "delivered"}
    assert store.delivery("msg_1").last_result == "taken out by ana"


def test_a_channel_whose_message_was_taken_out_was_not_told(store: Store) -> None:
    fill(store, delivery())
    store.cancel_delivery("msg_1", by=ACTOR, now=START)

    assert store.channels_told("alr_1") == frozenset()


@pytest.mark.parametrize(("prefix", "words"), [("msg_9", "No message"), ("msg_", "More than one message")])
def test_an_id_that_is_not_one_is_refused(store: Store, prefix: str, words: str) -> None:
    fill(store, delivery("msg_1"), delivery("msg_2"))

    with pytest.raises(UnknownIdError, match=words):
        store.delivery(prefix)


def test_a_sign_of_a_pattern_in_an_id_is_only_a_sign(store: Store) -> None:
    fill(store, delivery("msg_1"))

    with pytest.raises(UnknownIdError):
        store.delivery("m%")
