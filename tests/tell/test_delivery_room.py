"""What one channel may take up while it is slow or has much to be told."""

from __future__ import annotations

import asyncio

from delivering import Outbox, Recorder, deliverer, row, running, until

from driftwatch.model import DeliveryState
from driftwatch.tell.deliver import AT_ONCE, BATCH, IN_LINE


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
