"""What one channel may take up while it is slow or has much to be told."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any

from delivering import Outbox, Recorder, deliverer, row, running, until

from driftwatch.model import Delivery, DeliveryState
from driftwatch.tell.deliver import AT_ONCE, BATCH
from driftwatch.tell.line import IN_LINE


async def test_what_has_no_room_stays_in_the_outbox_until_there_is_some() -> None:
    channel, gate = Recorder(), asyncio.Event()
    channel.before = lambda _: gate.wait()
    outbox = Outbox(*(row(str(number)) for number in range(AT_ONCE + 5 * IN_LINE)))
    async with running(deliverer(outbox, channel)):
        await until(lambda: len(channel.sent) == AT_ONCE and len(outbox.leases) >= IN_LINE)
        claimed = len(outbox.leases)
        gate.set()
        await until(lambda: set(outbox.states().values()) == {DeliveryState.DELIVERED})

    assert claimed < AT_ONCE + IN_LINE + BATCH
    assert len(channel.sent) == len(outbox.rows)


async def test_other_channels_take_over_while_what_is_under_way_to_the_old_ones_is_finished() -> None:
    old, kept, new, gate = Recorder(), Recorder(name="kept"), Recorder(), asyncio.Event()
    old.before = kept.before = lambda _: gate.wait()
    outbox = Outbox(*(row(f"old{number}") for number in range(AT_ONCE + 3)), row("kept", channel="kept"))
    tested = deliverer(outbox, old, kept)
    async with running(tested):
        await until(lambda: len(old.sent) == AT_ONCE and kept.sent)
        (line,) = tested.adopt({"ops": new, "kept": kept}, attempt=timedelta())
        idle = asyncio.create_task(line.idle())
        await asyncio.sleep(0)
        waits = not idle.done()
        gate.set()
        await idle
        outbox.leases.clear()
        tested.adopt({"ops": new}, attempt=timedelta())
        await until(lambda: set(outbox.states().values()) == {DeliveryState.DELIVERED})

    assert waits
    assert line.channel is old
    assert len(old.sent) == AT_ONCE
    assert sorted([*old.sent, *new.sent]) == sorted(name for name in outbox.rows if name != "msg_kept")
    assert kept.sent == ["msg_kept"]


async def test_what_is_claimed_for_a_channel_that_is_taken_out_meanwhile_stays_in_the_outbox() -> None:
    channel = Recorder()
    outbox = Outbox(row("late"))
    tested = deliverer(outbox, channel)
    claim = outbox.claim_deliveries

    def slow_claim(**wanted: Any) -> list[Delivery]:
        tested.adopt({}, attempt=timedelta())
        return claim(**wanted)

    outbox.claim_deliveries = slow_claim  # type: ignore[method-assign]
    taken = await tested.run_due()

    assert (taken, channel.sent, outbox.states()) == (0, [], {"msg_late": DeliveryState.PENDING})
