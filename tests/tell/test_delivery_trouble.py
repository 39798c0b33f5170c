"""What becomes of messages while the database cannot be read or written: they are tried again, and it is said once."""

from __future__ import annotations

import asyncio

import pytest
from delivering import Clock, Outbox, Recorder, deliverer, due, row, running, until
from structlog.testing import capture_logs

from driftwatch.errors import StoreError
from driftwatch.model import Delivery
from driftwatch.tell.deliver import LEASE


async def test_an_outbox_that_cannot_be_read_is_tried_again_and_each_reason_is_said_once() -> None:
    told = asyncio.Event()

    async def before(_: Delivery) -> None:
        told.set()

    outbox = Outbox(row())
    full = [StoreError("the disk is full", hint="Make room.") for _ in range(3)]
    outbox.faults = [*full, RuntimeError("password=hunter2")]
    with capture_logs() as logs:
        async with running(deliverer(outbox, Recorder(before=before))) as (wake, _):
            await until(lambda: wake.set() is None and len(logs) == 2)
            wake.set()
            await told.wait()
            await until(lambda: any(entry["action"] == "outbox-readable" for entry in logs))

    said = [entry for entry in logs if entry["action"].startswith("outbox")]
    assert [(entry["action"], entry.get("error"), entry.get("reason")) for entry in said] == [
        ("outbox-unreadable", "StoreError", "the disk is full\n  Make room."),
        ("outbox-unreadable", "RuntimeError", ""),
        ("outbox-readable", None, None),
    ]


async def test_a_send_that_cannot_be_written_down_is_repeated_under_the_same_id() -> None:
    clock, outbox, channel = Clock(), Outbox(row()), Recorder()
    outbox.deaf = [StoreError("the disk is full")]
    loop = deliverer(outbox, channel, clock=clock)

    with capture_logs() as logs:
        await due(loop)
        clock.forward(LEASE.total_seconds())
        await due(loop)

    assert channel.sent == ["msg_a", "msg_a"]
    assert [entry["action"] for entry in logs] == ["delivery-not-recorded", "delivery-sent"]


async def test_one_pass_over_an_outbox_that_cannot_be_read_raises() -> None:
    outbox = Outbox(row())
    outbox.faults = [StoreError("the disk is full")]

    with pytest.raises(StoreError, match="the disk is full"):
        await due(deliverer(outbox, Recorder()))
