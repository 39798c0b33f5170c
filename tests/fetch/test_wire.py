"""The record of one connection."""

from __future__ import annotations

from driftwatch.config.schema import Limits
from driftwatch.watch.fetch.wire import Wire

ASKED = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}


async def test_a_list_that_was_read_is_not_kept_on_the_connection() -> None:
    wire = Wire(Limits())
    wire.sent(ASKED)
    await wire.heard(b'{"jsonrpc": "2.0", "id": 1, "result": {"tools": []}}')

    first, second = wire.take_answer("tools/list"), wire.take_answer("tools/list")

    assert first is not None
    assert first.result == {"tools": []}
    assert second is None
