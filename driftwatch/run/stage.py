"""A stage for demonstrations and drills: a real MCP server that turns, and a real daemon that watches it."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import uvicorn

from driftwatch.config.channels import ChannelConfig
from driftwatch.config.schema import DaemonConfig, Intervals, ServerConfig, Settings
from driftwatch.run.daemon import run
from driftwatch.run.serving import Server
from driftwatch.run.wiring import World
from driftwatch.watch.fetch.turning import TurningServer

PATIENCE = 30.0
"""Seconds to wait for any one thing on a stage before giving up on it."""


class StageError(RuntimeError):
    """Something on the stage did not happen in time."""


@dataclass(frozen=True)
class Stage:
    """What stands on the stage."""

    server: TurningServer
    settings: Settings

    async def until(self, holds: Callable[[World], bool], what: str, *, patience: float = PATIENCE) -> None:
        """Wait until something is true of what the daemon wrote.

        Raises:
            StageError: it did not become true within `patience` seconds.

        """
        with World.open(self.settings) as world:
            try:
                async with asyncio.timeout(patience):
                    while not holds(world):  # noqa: ASYNC110 - the daemon tells only the database
                        await asyncio.sleep(0.05)
            except TimeoutError:
                raise StageError(f"waited {patience:.0f} seconds in vain for {what}") from None


@asynccontextmanager
async def served(app: Any) -> AsyncIterator[int]:
    """Serve an ASGI application on a free loopback port and give the port."""
    config = uvicorn.Config(
        app, host="127.0.0.1", port=0, log_config=None, access_log=False, timeout_graceful_shutdown=1
    )
    server = Server(config)
    task = asyncio.create_task(server.serve(), name="stage server")
    try:
        async with asyncio.timeout(PATIENCE):
            while not server.started:
                if task.done():
                    task.result()
                await asyncio.sleep(0.01)
        yield server.servers[0].sockets[0].getsockname()[1]
    finally:
        server.should_exit = True
        await task


@asynccontextmanager
async def stage(
    name: str, channels: tuple[ChannelConfig, ...], *, drill: bool = False, gap: float = 0.2
) -> AsyncIterator[Stage]:
    """Set up a turning server called `name`, a database in a temporary folder, and a daemon that watches it.

    `gap` is the least time between two looks on notice, in seconds.
    """
    turning = TurningServer(name=name)
    with tempfile.TemporaryDirectory(prefix="driftwatch-") as folder:
        async with served(turning.app) as port:
            settings = Settings(
                database_url=f"sqlite:///{Path(folder) / 'driftwatch.db'}",
                servers=(_server(name, port),),
                channels=channels,
                daemon=DaemonConfig(min_notice_gap=gap, grace=2),
            )
            stop = asyncio.Event()
            async with asyncio.TaskGroup() as group:
                daemon = group.create_task(run(settings, stop=stop, signals=False, drill=drill), name="daemon")
                try:
                    yield Stage(turning, settings)
                finally:
                    stop.set()
                    await asyncio.wait([daemon])


def _server(name: str, port: int) -> ServerConfig:
    interval = Intervals(default=2, floor=1, ceiling=5)
    url = f"http://127.0.0.1:{port}/mcp"
    # What stands on a stage is known: looks for reasons of their own would only get between its turns.
    return ServerConfig(name=name, transport="http", url=url, interval=interval, rehearse=False)
