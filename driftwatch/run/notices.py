"""Held notice streams: one per server that declares `listChanged`, reconnected with back-off.

A notice is a wish of the watched party. Each one that comes while a look is due or running joins that look, and looks
on notice keep a distance, so that a flood of notices costs no more than a short interval would. If the stream cannot
be had, the scheduled looks go on as if it did not exist.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

import structlog

from driftwatch.config.schema import ServerConfig, Settings
from driftwatch.errors import StoreError
from driftwatch.run.changes import is_reached_alike
from driftwatch.run.held import Held
from driftwatch.run.looks import Looks
from driftwatch.run.wiring import World, jitter
from driftwatch.watch.fetch.base import HeldSession, ListenEnd
from driftwatch.watch.marks import apart
from driftwatch.watch.schedule import reconnect_delay

log = structlog.get_logger()

_HELD = 60.0
"""A stream that lasted so many seconds counts as one that held: the next reconnect starts without back-off."""


class NoticeKeeper:
    """Holds one server's notice stream for as long as the daemon runs."""

    def __init__(self, server: ServerConfig, world: World, looks: Looks, *, gap: float) -> None:
        """Take the server, the world, who looks, and the least seconds between two looks on notice."""
        self._server = server
        self._world = world
        self._looks = looks
        self._gap = gap
        self._noticed = asyncio.Event()
        self._renewed = asyncio.Event()
        self._held: Held | None = None

    @property
    def server(self) -> ServerConfig:
        """Whose stream it is, as it is configured."""
        return self._server

    def adopt(self, server: ServerConfig, *, gap: float) -> None:
        """Go by what is configured from now on; the stream that is held goes on."""
        self._server, self._gap = server, gap

    async def run(self) -> None:
        """Listen until cancelled."""
        attempts = 0
        async with asyncio.TaskGroup() as group:
            group.create_task(self._look_on_notice(), name=f"notices {self._server.name}")
            while True:
                started = time.monotonic()
                end = await self._listen_once()
                self._world.tally.ended(end.code)
                attempts = 1 if end.code == "renewed" or time.monotonic() - started >= _HELD else attempts + 1
                log.info(
                    "notice stream ended",
                    action="listen-end",
                    server=self._server.name,
                    code=end.code,
                    detail=end.detail,
                    attempts=attempts,
                )
                self._looks.heed(self._server, end.failure)
                await asyncio.sleep(max(self._delay(end, attempts), self._looks.pause_left(self._server)))

    async def _listen_once(self) -> ListenEnd:
        try:
            state = await asyncio.to_thread(self._world.store.state, self._server.name)
        except StoreError as error:
            # Looks go on through trouble with the database, and so does listening.
            return ListenEnd("failed", error.message)
        self._renewed.clear()
        listening = asyncio.ensure_future(
            self._world.listener.listen(self._server, era=state.era, on_ready=self._ready, on_notice=self._notice)
        )
        renewed = asyncio.ensure_future(self._renewed.wait())
        try:
            await asyncio.wait((listening, renewed), return_when=asyncio.FIRST_COMPLETED)
            return listening.result() if listening.done() else ListenEnd("renewed", "a fresh start shows another list")
        finally:
            self._looks.hold(self._server, None)
            self._world.tally.streams -= self._held is not None
            self._held = None
            for task in (listening, renewed):
                task.cancel()
            await asyncio.gather(listening, renewed, return_exceptions=True)

    def _renew(self) -> None:
        self._renewed.set()

    def _ready(self, held: HeldSession) -> None:
        """Look once the stream stands: whatever changed before it did was not told."""
        log.info("listening for notices", action="listen", server=self._server.name)
        self._world.tally.streams += self._held is None
        self._held = Held(held, self._renew)
        self._looks.hold(self._server, self._held)
        self._noticed.set()

    def _notice(self) -> None:
        self._world.tally.noticed()
        if self._held is not None:
            self._held.notice()
        self._noticed.set()

    async def _look_on_notice(self) -> None:
        while True:
            await self._noticed.wait()
            self._noticed.clear()
            await self._looks.on_notice(self._server)
            await asyncio.sleep(self._gap)

    def _delay(self, end: ListenEnd, attempts: int) -> float:
        ceiling = self._server.interval.ceiling
        if end.code == "unsupported":
            return ceiling
        return reconnect_delay(attempts=attempts, jitter=jitter(), ceiling=ceiling)


class Notices:
    """Starts a keeper for each server that turns out to send notices, once."""

    def __init__(self, group: asyncio.TaskGroup, make: Callable[[ServerConfig], NoticeKeeper]) -> None:
        """Take the group that the keepers run in, and how to make one."""
        self._group = group
        self._make = make
        self._keepers: dict[str, tuple[NoticeKeeper, asyncio.Task[None]]] = {}
        self._stopped = False

    def listen(self, server: ServerConfig) -> None:
        """Hold a stream for this server from now on, if none is held. After `stop` this does nothing.

        A look that runs while the daemon stops may still find out that its server sends notices.
        """
        _, task = self._keepers.get(server.name, (None, None))
        if not self._stopped and (task is None or task.done()):
            keeper = self._make(server)
            task = self._group.create_task(keeper.run(), name=f"listen {server.name}", context=apart())
            self._keepers[server.name] = keeper, task

    def adopt(self, settings: Settings) -> None:
        """Go by another configuration: streams go on but of servers that are gone, are reached otherwise or not heard.

        One that is reached otherwise is listened to again after the next look at it.
        """
        for name, (keeper, task) in list(self._keepers.items()):
            server = settings.find(name)
            if server is not None and is_reached_alike(keeper.server, server):
                keeper.adopt(server, gap=settings.daemon.min_notice_gap)
            else:
                del self._keepers[name]
                task.cancel()

    def close(self) -> None:
        """Hold no more streams than there are."""
        self._stopped = True

    def stop(self) -> None:
        """Let go of all streams, and hold no more."""
        self.close()
        for _, task in self._keepers.values():
            task.cancel()
