"""The loop that empties the outbox: at least once, and no channel holds up another."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from delivering import AGAIN, PATIENCE, START, STOP, Clock, Outbox, Recorder, deliverer, due, row, running, until
from structlog.testing import capture_logs

from driftwatch.errors import StoreError
from driftwatch.model import Alert, AlertKind, AlertState, Delivery, DeliveryState, EventKind, Severity, Unreachable
from driftwatch.store.records import AlertWrite
from driftwatch.store.store import Store
from driftwatch.tell.deliver import AT_ONCE, LEASE
from driftwatch.tell.line import IN_LINE
from tests.blank import blank


async def test_what_is_due_is_sent_and_written_down_after_the_send() -> None:
    outbox = Outbox(row())
    seen: list[list[str]] = []

    async def before(_: Delivery) -> None:
        seen.append(list(outbox.recorded))

    channel = Recorder(before=before)

    assert await due(deliverer(outbox, channel)) == 1

    assert (channel.sent, seen, outbox.recorded) == (["msg_a"], [[]], ["msg_a"])
    assert outbox.rows["msg_a"].state is DeliveryState.DELIVERED
    assert outbox.rows["msg_a"].last_result == "HTTP 204 No Content"


async def test_an_empty_outbox_is_no_work() -> None:
    assert await due(deliverer(Outbox(), Recorder())) == 0


async def test_a_failed_send_is_tried_again_later_under_the_same_id() -> None:
    clock, outbox, channel = Clock(), Outbox(row()), Recorder([AGAIN])
    loop = deliverer(outbox, channel, clock=clock)

    await due(loop)
    at_once = await due(loop)
    clock.forward(0.5)
    later = await due(loop)

    assert (at_once, later, channel.sent) == (0, 1, ["msg_a", "msg_a"])
    assert outbox.rows["msg_a"].state is DeliveryState.DELIVERED
    assert outbox.rows["msg_a"].attempts == 2


async def test_a_refusal_for_good_is_a_dead_letter_with_its_reason() -> None:
    outbox = Outbox(row())

    await due(deliverer(outbox, Recorder([STOP])))

    assert outbox.rows["msg_a"].state is DeliveryState.DEAD
    assert outbox.rows["msg_a"].last_result == "HTTP 410 Gone"


async def test_after_its_last_attempt_a_delivery_is_dead() -> None:
    clock, outbox, channel = Clock(), Outbox(row()), Recorder([AGAIN] * 9)
    loop = deliverer(outbox, channel, clock=clock)
    for _ in range(5):
        await due(loop)
        clock.forward(3_600)

    assert len(channel.sent) == channel.max_attempts
    assert outbox.rows["msg_a"].state is DeliveryState.DEAD


async def test_a_message_for_a_channel_that_this_process_does_not_know_is_left_to_one_that_may() -> None:
    outbox = Outbox(row("a", channel="new"), row("b"))

    await due(deliverer(outbox, Recorder()))

    assert outbox.states() == {"msg_a": DeliveryState.PENDING, "msg_b": DeliveryState.DELIVERED}
    assert "msg_a" not in outbox.leases


async def test_an_attempt_that_could_outlive_its_lease_is_not_begun() -> None:
    clock, outbox = Clock(), Outbox(*(row(f"{number:02}") for number in range(AT_ONCE + 4)))

    async def slowly(_: Delivery) -> None:
        clock.forward(LEASE.total_seconds())

    channel = Recorder(before=slowly)
    await due(deliverer(outbox, channel, clock=clock, attempt=timedelta(seconds=20)))

    assert len(channel.sent) < AT_ONCE + 4
    assert len(channel.sent) == len(set(channel.sent))


async def test_a_channel_that_trips_over_a_message_does_not_loop_or_stop_the_others() -> None:
    clock, outbox = Clock(), Outbox(row("a"), row("b", channel="team"))
    loop = deliverer(outbox, Recorder([ValueError("https://secret")] * 9), Recorder(name="team"), clock=clock)
    for _ in range(5):
        await due(loop)
        clock.forward(3_600)

    assert outbox.states() == {"msg_a": DeliveryState.DEAD, "msg_b": DeliveryState.DELIVERED}
    assert outbox.rows["msg_a"].last_result == "the channel failed: ValueError"


async def test_a_channel_that_hangs_does_not_hold_up_the_others() -> None:
    released = asyncio.Event()
    told = asyncio.Event()

    async def told_now(delivery: Delivery) -> None:
        if delivery.id == "msg_new":
            told.set()

    hanging = Recorder(name="dead", before=lambda _: released.wait())
    outbox = Outbox(*(row(f"d{number}", channel="dead") for number in range(IN_LINE + 70)), row("old"))
    async with running(deliverer(outbox, hanging, Recorder(before=told_now))) as (wake, _):
        outbox.add(row("new"))
        wake.set()
        await told.wait()

        assert len(hanging.sent) == AT_ONCE
        released.set()

    assert outbox.states()["msg_old"] is DeliveryState.DELIVERED


async def test_a_channel_is_told_of_many_alerts_in_one_go() -> None:
    channel = Recorder()
    outbox = Outbox(*(row(str(number)) for number in range(5 * IN_LINE)))

    assert await due(deliverer(outbox, channel)) == 5 * IN_LINE

    assert set(outbox.states().values()) == {DeliveryState.DELIVERED}


async def test_what_waited_longer_than_its_lease_is_claimed_again_before_it_is_sent() -> None:
    clock, gate, begun = Clock(), asyncio.Event(), asyncio.Event()

    async def before(_: Delivery) -> None:
        begun.set()
        await gate.wait()

    outbox, channel = Outbox(row("a", alert="alr_1"), row("b", alert="alr_1")), Recorder(before=before)
    loop = deliverer(outbox, channel, clock=clock)
    first = asyncio.create_task(due(loop))
    await begun.wait()
    await until(lambda: len(outbox.leases) == 2)
    clock.forward(LEASE.total_seconds() + 1)
    gate.set()
    await first
    sent_then = list(channel.sent)

    await due(loop)

    assert (sent_then, channel.sent) == (["msg_a"], ["msg_a", "msg_b"])


async def test_what_concerns_one_alert_is_told_in_order() -> None:
    outbox = Outbox(
        row("a", alert="alr_1"),
        row("b", alert="alr_1", event=EventKind.UPDATED),
        row("c", alert="alr_1", event=EventKind.RESOLVED),
    )
    under_way: list[str] = []

    async def alone(delivery: Delivery) -> None:
        under_way.append(delivery.id)
        await asyncio.sleep(0)
        assert under_way == [delivery.id]
        under_way.clear()

    channel = Recorder(before=alone)

    await due(deliverer(outbox, channel))

    assert channel.sent == ["msg_a", "msg_b", "msg_c"]


async def test_the_end_of_an_alert_does_not_overtake_a_beginning_that_failed() -> None:
    clock, channel = Clock(), Recorder([AGAIN])
    outbox = Outbox(row("a", alert="alr_1"), row("b", alert="alr_1", event=EventKind.RESOLVED))
    loop = deliverer(outbox, channel, clock=clock)

    await due(loop)
    clock.forward(1)
    await due(loop)
    clock.forward(LEASE.total_seconds())
    await due(loop)

    assert channel.sent == ["msg_a", "msg_a", "msg_b"]


async def test_a_delivery_that_is_claimed_again_while_it_waits_is_sent_once() -> None:
    clock, gate, begun = Clock(), asyncio.Event(), asyncio.Event()

    async def before(_: Delivery) -> None:
        begun.set()
        await gate.wait()

    channel = Recorder(before=before)
    outbox = Outbox(row("a", alert="alr_1"), row("b", alert="alr_1"))
    async with running(deliverer(outbox, channel, clock=clock)) as (wake, _):
        await begun.wait()
        clock.forward(LEASE.total_seconds() + 1)
        wake.set()
        await until(lambda: not wake.is_set() and all(end > clock() for end in list(outbox.leases.values())))
        gate.set()
        await until(lambda: DeliveryState.PENDING not in outbox.states().values())

    assert channel.sent == ["msg_a", "msg_b"]


async def test_a_wake_is_answered_at_once() -> None:
    told = asyncio.Event()

    async def before(_: Delivery) -> None:
        told.set()

    outbox = Outbox()
    async with running(deliverer(outbox, Recorder(before=before))) as (wake, _):
        outbox.add(row())
        wake.set()
        await told.wait()


async def test_a_retry_is_made_when_it_is_due_without_any_wake() -> None:
    twice = asyncio.Event()
    channel = Recorder([AGAIN])

    async def before(_: Delivery) -> None:
        if len(channel.sent) == 2:
            twice.set()

    channel.before = before
    outbox = Outbox(replace(row(), created_at=datetime.now(UTC)))
    async with running(deliverer(outbox, channel, clock=lambda: datetime.now(UTC))):
        await twice.wait()


async def test_stopping_finishes_what_is_under_way_and_begins_nothing() -> None:
    gate, begun = asyncio.Event(), asyncio.Event()

    async def before(_: Delivery) -> None:
        begun.set()
        await gate.wait()

    outbox, channel = Outbox(row("a", alert="alr_1"), row("b", alert="alr_1")), Recorder(before=before)
    wake, stop = asyncio.Event(), asyncio.Event()
    async with asyncio.timeout(PATIENCE):
        loop = asyncio.create_task(deliverer(outbox, channel).run(wake, stop))
        await begun.wait()
        await until(lambda: len(outbox.leases) == 2)
        stop.set()
        gate.set()
        await loop

    assert outbox.states() == {"msg_a": DeliveryState.DELIVERED, "msg_b": DeliveryState.PENDING}
    assert channel.sent == ["msg_a"]


async def test_cancelling_during_a_send_leaves_the_lease_to_expire() -> None:
    clock, begun = Clock(), asyncio.Event()

    async def before(_: Delivery) -> None:
        begun.set()
        await asyncio.Event().wait()

    outbox, channel = Outbox(row()), Recorder(before=before)
    async with asyncio.timeout(PATIENCE):
        loop = asyncio.create_task(deliverer(outbox, channel, clock=clock).run(asyncio.Event(), asyncio.Event()))
        await begun.wait()
        loop.cancel()
        with pytest.raises(asyncio.CancelledError):
            await loop
    channel.before = None

    assert await due(deliverer(outbox, channel, clock=clock)) == 0
    clock.forward(LEASE.total_seconds())
    assert await due(deliverer(outbox, channel, clock=clock)) == 1
    assert channel.sent == ["msg_a", "msg_a"]
    assert outbox.rows["msg_a"].state is DeliveryState.DELIVERED


async def test_cancelling_after_the_send_still_writes_it_down() -> None:
    outbox, channel = Outbox(row()), Recorder()
    outbox.hold = threading.Event()
    async with asyncio.timeout(PATIENCE):
        loop = asyncio.create_task(deliverer(outbox, channel).run(asyncio.Event(), asyncio.Event()))
        await until(lambda: outbox.writing)
        loop.cancel()
        await asyncio.sleep(0)
        outbox.hold.set()
        with pytest.raises(asyncio.CancelledError):
            await loop

    assert outbox.rows["msg_a"].state is DeliveryState.DELIVERED


async def test_every_attempt_is_logged_with_a_stable_word() -> None:
    outbox = Outbox(row("a"), row("b", channel="team"), row("c", channel="mail"))
    channels = (Recorder(), Recorder([AGAIN], name="team"), Recorder([STOP], name="mail"))

    with capture_logs() as logs:
        await due(deliverer(outbox, *channels))

    assert sorted((entry["action"], entry["log_level"], entry["channel"]) for entry in logs) == [
        ("delivery-dead", "error", "mail"),
        ("delivery-retried", "warning", "team"),
        ("delivery-sent", "info", "ops"),
    ]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store.open(blank(tmp_path / "outbox.db"), clock=lambda: START)
    yield opened
    opened.close()


async def test_the_real_store_is_emptied_as_the_fake_one_is(store: Store) -> None:
    alert = Alert("alr_1", "files", AlertKind.HEALTH, AlertState.OPEN, Severity.MEDIUM, START, START)
    rows = tuple(
        replace(row(name, channel=channel), alert_id="alr_1")
        for name, channel in [("a", "ops"), ("b", "team"), ("c", "x")]
    )
    store.record_failure(
        "files",
        outcome=Unreachable("timeout", "no answer"),
        at=START,
        next_at=None,
        era=None,
        alert=AlertWrite(alert, EventKind.OPENED, rows),
    )
    clock, flaky = Clock(), Recorder([AGAIN], name="team")
    loop = deliverer(store, Recorder(), flaky, clock=clock)

    assert await due(loop) == 2
    clock.forward(1)
    assert await due(loop) == 1

    kept = {each.id: (each.state, each.attempts) for each in store.deliveries()}
    assert kept == {
        "msg_a": (DeliveryState.DELIVERED, 1),
        "msg_b": (DeliveryState.DELIVERED, 2),
        "msg_c": (DeliveryState.PENDING, 0),
    }


async def test_a_loop_that_works_turns_also_where_the_outbox_cannot_be_read() -> None:
    outbox = Outbox(row())
    outbox.faults = [StoreError("the database is locked"), StoreError("the database is locked")]
    loop = deliverer(outbox, Recorder())
    async with running(loop), asyncio.timeout(PATIENCE):
        await loop.turns()
        await loop.turns()


async def test_a_loop_that_hangs_in_the_outbox_does_not_turn() -> None:
    outbox = Outbox(row())
    loop = deliverer(outbox, Recorder())
    outbox.lock.acquire()
    async with running(loop), asyncio.timeout(PATIENCE):
        turning = asyncio.create_task(loop.turns())
        turned, _ = await asyncio.wait({turning}, timeout=0.05)
        outbox.lock.release()
        await turning

    assert not turned
