"""Many looks at many servers at once: none stops another, and nothing piles up."""

from __future__ import annotations

import asyncio
import logging
from contextlib import AsyncExitStack

import pytest
from fetch_world import children, local, look, names, open_files, remote
from servers.over_http import HttpServer

from driftwatch.model import Listed

_BAD = ["200-mb", "endless-events", "drops", "401", "html", "hangs-on-list", "closes-early", "bomb"]
_BAD_LOCAL = ["hangs-on-list", "endless-line", "endless-log", "dies-on-list", "spawns"]


async def test_hostile_servers_do_not_stop_an_honest_one() -> None:
    short = {"request": 1.0, "look": 3.0}
    async with HttpServer("honest") as good, AsyncExitStack() as stack:
        bad = [await stack.enter_async_context(HttpServer("honest", fault)) for fault in _BAD]
        hostile = [look(remote(server.url, times=short)) for server in bad]
        hostile += [look(local("honest", fault, times=short)) for fault in _BAD_LOCAL]

        *failed, outcome = await asyncio.gather(*hostile, look(remote(good.url)))

    assert names(outcome) == ["read", "write"]
    assert not any(isinstance(other, Listed) for other in failed)


async def test_nothing_piles_up_over_many_looks() -> None:
    async with HttpServer("full") as server:
        await look(remote(server.url))
        await look(local("full"))
        files, others = open_files(), children()
        for _ in range(5):
            await look(remote(server.url))
            await look(local("full"))

        assert open_files() <= files
        assert children() <= others


async def test_a_cancelled_look_gives_back_its_connection() -> None:
    async with HttpServer("honest", "hangs-on-list") as server:
        task = asyncio.ensure_future(look(remote(server.url)))
        async with asyncio.timeout(5):
            await server.came["tools/list"].wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task


async def test_what_servers_say_reaches_neither_the_log_nor_the_terminal(capfd: pytest.CaptureFixture[str]) -> None:
    heard = Ear()
    logging.getLogger().addHandler(heard)
    await look(local("invalid-json", times={"request": 0.3}))
    await look(local("honest", "loud-log"))
    async with HttpServer("invalid-json", "events") as server:
        await look(remote(server.url))

    logging.getLogger().removeHandler(heard)
    assert capfd.readouterr() == ("", "")
    assert not [name for name in heard.names if name.startswith(("mcp", "client", "httpx2", "httpcore2"))]


class Ear(logging.Handler):
    """Hears what reaches the root logger; pytest's own capture also takes what does not."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.names: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.names.append(record.name)
