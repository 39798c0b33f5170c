"""Listening to a server in a test, and what was heard."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

from fetch_world import KIT

from driftwatch.config.schema import ServerConfig
from driftwatch.model import Era
from driftwatch.watch.fetch.base import HeldSession, ListenEnd
from driftwatch.watch.fetch.listen import McpListener


@dataclass
class Ear:
    """Hears what a listener tells."""

    ready: asyncio.Event = field(default_factory=asyncio.Event)
    noticed: asyncio.Event = field(default_factory=asyncio.Event)
    held: HeldSession | None = None
    notices: int = 0
    enough: int = 1
    """After how many notices `noticed` is set."""

    def on_ready(self, held: HeldSession) -> None:
        self.held = held
        self.ready.set()

    def on_notice(self) -> None:
        self.notices += 1
        if self.notices >= self.enough:
            self.noticed.set()

    def await_more(self, number: int) -> None:
        """Let `noticed` be set after so many more notices."""
        self.noticed.clear()
        self.enough = self.notices + number

    async def wait(self, event: asyncio.Event) -> None:
        async with asyncio.timeout(10):
            await event.wait()


async def listen(server: ServerConfig, ear: Ear, era: Era | None = None) -> ListenEnd:
    """Listen until the stream ends."""
    async with asyncio.timeout(20):
        return await McpListener(KIT).listen(server, era=era, on_ready=ear.on_ready, on_notice=ear.on_notice)


@contextlib.asynccontextmanager
async def listening(server: ServerConfig, era: Era | None = None, *, enough: int = 1) -> AsyncIterator[Ear]:
    """Listen for the length of a block."""
    ear = Ear(enough=enough)
    task = asyncio.ensure_future(listen(server, ear, era))
    try:
        yield ear
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
