"""How channels have been doing, and what goes as soon as one works again."""

from __future__ import annotations

from dataclasses import replace

from store_world import DONE, MINUTE, START, alert, delivery, look, snapshot, told, tool

from driftwatch.model import Delivery, DeliveryState, SendResult, SendVerdict
from driftwatch.store import Store

FIRST = snapshot(tool("read"))
LEASE = 2 * MINUTE
FAILED = SendResult(SendVerdict.RETRY, "HTTP 503")


def fill(store: Store, *rows: Delivery, number: int = 1) -> None:
    """Open an alert on a server of its own, with outbox rows about it."""
    name, server = f"alr_{number}", f"git-{number}"
    mine = [replace(row, alert_id=name, server=server) for row in rows]
    store.record_look(look(server, FIRST, alert=(told(alert(name, server=server), *mine),)))


def claim(store: Store, now: object = START, **more: object) -> list[str]:
    return [each.id for each in store.claim_deliveries(now=now, lease=LEASE, limit=100, **more)]


def finish(store: Store, name: str, state: DeliveryState, *, result: SendResult = DONE) -> bool:
    again = START + MINUTE if state is DeliveryState.PENDING else None
    return store.finish_delivery(name, result=result, state=state, next_attempt_at=again, now=START)


def test_how_a_channel_does_is_counted_from_its_last_success(store: Store) -> None:
    fill(store, delivery("msg_1"), number=1)
    fill(store, delivery("msg_2"), number=2)
    claim(store)

    finish(store, "msg_1", DeliveryState.PENDING, result=FAILED)
    finish(store, "msg_1", DeliveryState.DEAD, result=FAILED)
    bad = store.channel_health()["ops"]
    finish(store, "msg_2", DeliveryState.DELIVERED)
    good = store.channel_health()["ops"]

    assert (bad.failures, bad.failing_since, bad.dead, bad.last_result) == (2, START, 1, "HTTP 503")
    assert (good.failures, good.failing_since, good.dead, good.last_ok_at) == (0, None, 0, START)


def later(number: int) -> Delivery:
    return delivery(f"msg_{number}", next_attempt_at=START + 40 * MINUTE)


def test_what_waits_for_a_channel_goes_as_soon_as_it_works_again(store: Store) -> None:
    fill(store, delivery("msg_0"), number=9)
    for number in (1, 2):
        fill(store, later(number), number=number)
    claim(store)
    finish(store, "msg_0", DeliveryState.PENDING, result=FAILED)

    again = START + 2 * MINUTE
    more = store.finish_delivery("msg_0", result=DONE, state=DeliveryState.DELIVERED, next_attempt_at=None, now=again)

    assert more
    assert claim(store, again) == ["msg_1", "msg_2"]


def test_one_failure_among_successes_hurries_nothing(store: Store) -> None:
    fill(store, delivery("msg_0"), number=9)
    fill(store, later(1), number=1)
    claim(store)
    finish(store, "msg_0", DeliveryState.PENDING, result=FAILED)

    assert not finish(store, "msg_0", DeliveryState.DELIVERED)
    assert claim(store, START + 2 * MINUTE) == []
