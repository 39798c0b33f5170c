from __future__ import annotations

import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from store_world import BUSY, DONE, MINUTE, START, Clock, alert, delivery, look, snapshot, told, tool

from driftwatch.model import Delivery, DeliveryState, SendResult, SendVerdict
from driftwatch.store import Store

FIRST = snapshot(tool("read"))
LEASE = 2 * MINUTE


def fill(store: Store, *rows: Delivery) -> None:
    store.record_look(look("git", FIRST, alert=(told(alert(), *rows),)))


def claim(store: Store, now: object = START, limit: int = 10) -> list[str]:
    return [each.id for each in store.claim_deliveries(now=now, lease=LEASE, limit=limit)]


def test_what_is_due_is_claimed_oldest_first_and_within_the_limit(store: Store) -> None:
    fill(
        store,
        delivery("msg_late", channel="1", next_attempt_at=START + MINUTE),
        delivery("msg_b", channel="2", next_attempt_at=START),
        delivery("msg_a", channel="3", next_attempt_at=START - MINUTE),
        delivery("msg_c", channel="4", next_attempt_at=START),
        delivery("msg_dead", channel="5", state=DeliveryState.DEAD),
    )

    assert claim(store, limit=2) == ["msg_a", "msg_b"]
    assert claim(store) == ["msg_c"]
    assert claim(store) == []
    assert claim(store, START + MINUTE) == ["msg_late"]


def test_a_claimed_delivery_comes_back_equal(store: Store) -> None:
    row = delivery(payload={"text": "\ud800", "n": 1.0, "list": [None]})
    fill(store, row)

    assert store.claim_deliveries(now=START, lease=LEASE, limit=1) == [row]


def test_a_delivery_without_times_is_due_at_once(store: Store) -> None:
    fill(store, delivery(created_at=None, next_attempt_at=None))

    assert store.deliveries() == [delivery(created_at=START, next_attempt_at=START)]
    assert claim(store) == ["msg_1"]


def test_an_expired_lease_makes_the_same_message_due_again(store: Store) -> None:
    fill(store, delivery())

    assert claim(store) == ["msg_1"]
    assert claim(store, START + LEASE - MINUTE) == []
    assert claim(store, START + LEASE) == ["msg_1"]


def test_a_clock_that_was_set_back_keeps_no_message_waiting_for_it(store: Store) -> None:
    fill(store, delivery("msg_leased"), delivery("msg_later", channel="mail", next_attempt_at=START + MINUTE))
    claim(store)
    yesterday = START - 24 * 60 * MINUTE

    assert claim(store, yesterday) == ["msg_leased", "msg_later"]
    assert claim(store, yesterday) == []


def test_a_delivered_message_is_over(store: Store) -> None:
    fill(store, delivery())
    claim(store)

    store.finish_delivery("msg_1", result=DONE, state=DeliveryState.DELIVERED, next_attempt_at=None, now=START)

    assert claim(store, START + 60 * MINUTE) == []
    assert store.deliveries() == [delivery(state=DeliveryState.DELIVERED, attempts=1, last_result="204")]


def test_a_failed_send_is_tried_again_later(store: Store) -> None:
    fill(store, delivery())
    claim(store)

    store.finish_delivery("msg_1", result=BUSY, state=DeliveryState.PENDING, next_attempt_at=START + MINUTE, now=START)

    assert claim(store) == []
    again = store.claim_deliveries(now=START + MINUTE, lease=LEASE, limit=1)
    assert again == [delivery(attempts=1, next_attempt_at=START + MINUTE, last_result="503")]


def test_a_message_that_is_given_up_is_dead(store: Store) -> None:
    fill(store, delivery())
    claim(store)
    gone = SendResult(SendVerdict.STOP, "410 \ud800")

    store.finish_delivery("msg_1", result=gone, state=DeliveryState.DEAD, next_attempt_at=None, now=START)

    assert claim(store, START + 60 * MINUTE) == []
    [dead] = store.deliveries(state=DeliveryState.DEAD)
    assert dead.last_result == gone.detail


def test_delivered_wins_whoever_finishes_last(store: Store) -> None:
    fill(store, delivery("msg_1"), delivery("msg_2"))
    claim(store)
    claim(store, START + LEASE)

    store.finish_delivery("msg_1", result=DONE, state=DeliveryState.DELIVERED, next_attempt_at=None, now=START)
    store.finish_delivery("msg_1", result=BUSY, state=DeliveryState.PENDING, next_attempt_at=START, now=START)
    store.finish_delivery("msg_2", result=BUSY, state=DeliveryState.DEAD, next_attempt_at=None, now=START)
    store.finish_delivery("msg_2", result=DONE, state=DeliveryState.DELIVERED, next_attempt_at=None, now=START)

    assert {each.state for each in store.deliveries()} == {DeliveryState.DELIVERED}


def test_the_next_time_is_that_of_the_first_row_that_can_be_claimed(store: Store) -> None:
    assert store.next_delivery_at() is None
    fill(store, delivery("msg_1"), delivery("msg_2", next_attempt_at=START + 10 * MINUTE))

    assert store.next_delivery_at() == START
    claim(store)
    assert store.next_delivery_at() == START + LEASE
    store.finish_delivery("msg_1", result=DONE, state=DeliveryState.DELIVERED, next_attempt_at=None, now=START)
    assert store.next_delivery_at() == START + 10 * MINUTE


def test_deliveries_are_listed_newest_first(store: Store) -> None:
    rows = [delivery(f"msg_{number}") for number in range(3)]
    fill(store, *rows, replace(rows[0], id="msg_dead", state=DeliveryState.DEAD))

    assert [each.id for each in store.deliveries(limit=2)] == ["msg_dead", "msg_2"]
    assert store.deliveries(state=DeliveryState.PENDING) == rows[::-1]


@pytest.mark.parametrize("stores", [1, 2])
def test_no_message_is_claimed_twice_from_many_threads(store: Store, file: Path, clock: Clock, stores: int) -> None:
    fill(store, *(delivery(f"msg_{number}", channel=f"{number}") for number in range(60)))
    others = [Store.open(f"sqlite:///{file}", clock=clock) for _ in range(stores)]
    together = threading.Barrier(4)

    def drain(number: int) -> list[str]:
        together.wait(timeout=30)
        got: list[str] = []
        while more := claim(others[number % stores], limit=3):
            got.extend(more)
        return got

    with ThreadPoolExecutor(4) as threads:
        claimed = Counter(each for got in threads.map(drain, range(4)) for each in got)
    for each in others:
        each.close()

    assert claimed == Counter(f"msg_{number}" for number in range(60))


def test_threads_may_read_and_write_one_store_at_once(store: Store) -> None:
    store.record_look(look("git", FIRST))
    together = threading.Barrier(4)

    def work(number: int) -> int:
        together.wait(timeout=30)
        for _ in range(10):
            store.touch("git", at=START, next_at=None, era=None)
            assert store.state("git").looks > 1
        return 10

    with ThreadPoolExecutor(4) as threads:
        done = sum(threads.map(work, range(4)))

    assert store.state("git").looks == 1 + done
