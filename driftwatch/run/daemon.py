"""The daemon: looks on schedule and on notice, delivers, and ends cleanly.

If the delivery loop or a keeper dies, the daemon ends with an error and its supervisor starts it again: half a
monitor is worse than none, because its silence reads as quiet.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Iterator
from contextlib import aclosing, closing, contextmanager
from dataclasses import replace
from datetime import datetime

import structlog

from driftwatch.config.schema import ServerConfig, Settings
from driftwatch.errors import ConfigError
from driftwatch.model.amounts import many
from driftwatch.review.audit import note_configuration
from driftwatch.run.beside import Beside
from driftwatch.run.destinations import Destinations
from driftwatch.run.groups import plain_errors
from driftwatch.run.health import health_of
from driftwatch.run.looks import Looks
from driftwatch.run.notices import NoticeKeeper, Notices
from driftwatch.run.notify import Notify
from driftwatch.run.present import minding
from driftwatch.run.reload import Parts, Reading, Reloads, in_line, notes
from driftwatch.run.tracing import Tracing
from driftwatch.run.watchdog import keep_telling
from driftwatch.run.web import Pages
from driftwatch.run.wiring import DAEMON, World, utc_now
from driftwatch.store.holding import held
from driftwatch.tell.upkeep import Upkeep

log = structlog.get_logger()


async def run(
    settings: Settings,
    *,
    stop: asyncio.Event | None = None,
    signals: bool = True,
    drill: bool = False,
    clock: Callable[[], datetime] = utc_now,
    notify: Notify | None = None,
    tracing: Tracing | None = None,
    reading: Reading | None = None,
    again: asyncio.Event | None = None,
) -> int:
    """Watch until told to stop (SIGTERM, SIGINT, or `stop`); gives the exit code. `drill` marks every message so.

    `notify` is the service manager that is told how it goes; `tracing` is told what was done, and how long it took.
    `reading` says how the configuration is read anew, on SIGHUP or when `again` is set.

    Raises:
        ConfigError: a channel cannot work as it is configured.
        HeldError: another daemon watches with this database.
        StoreError: the database cannot be used.

    """
    stop, again = stop or asyncio.Event(), again or asyncio.Event()
    with (
        World.open(settings, clock=clock, drill=drill, tracing=tracing) as world,
        held(settings.database_url, doing="run", now=clock()) as hold,
        _signals(stop, again) if signals else _none(),
        plain_errors(),
    ):
        async with minding(settings.database_url, stop, clock=clock):
            noted = replace(reading or Reading(_nothing), note=hold.note)
            await serve(world, stop, notify, reading=noted, again=again)
    log.info("stopped", action="stop")
    return 0


async def serve(
    world: World,
    stop: asyncio.Event,
    notify: Notify | None = None,
    *,
    reading: Reading | None = None,
    again: asyncio.Event | None = None,
) -> None:
    """Run everything side by side until `stop`, then wind down: looks first, deliveries last."""
    settings = world.settings
    watched = {server.name for server in settings.watched if server.enabled}
    log.info("watching", action="start", servers=len(watched), channels=len(settings.channels))
    for warning in notes(settings, world.clock()):
        log.warning(warning, action="config-warning")
    note_configuration(world.store, settings, by=DAEMON)
    pages = Pages.open(world)
    upkeep = Upkeep(world.store, settings, started=world.clock())
    in_line(world, upkeep)
    with closing(pages):
        async with aclosing(Destinations(world.channel)) as destinations:
            if await _opened(destinations, settings, stop):
                daemon = _Daemon(world, destinations, upkeep, pages, notify or Notify())
                await daemon.watch(stop, reading or Reading(_nothing), again or asyncio.Event())


async def _opened(destinations: Destinations, settings: Settings, stop: asyncio.Event) -> bool:
    """Open the channels; False when it is time to stop before they know whether they can work."""
    stopped = asyncio.create_task(stop.wait())
    ready = asyncio.create_task(destinations.prepared(settings.channels))
    try:
        await asyncio.wait((stopped, ready), return_when=asyncio.FIRST_COMPLETED)
        if not ready.done():
            return False
        destinations.adopt(ready.result())
        return True
    finally:
        stopped.cancel()
        ready.cancel()
        await asyncio.wait((stopped, ready))


class _Daemon:
    """All that runs, put together."""

    def __init__(self, world: World, destinations: Destinations, upkeep: Upkeep, pages: Pages, notify: Notify) -> None:
        self._world, self._destinations, self._upkeep = world, destinations, upkeep
        self._pages, self._notify = pages, notify

    async def watch(self, stop: asyncio.Event, reading: Reading, again: asyncio.Event) -> None:
        """Watch until `stop`; read the configuration anew whenever `again` is set."""
        world, wake, done = self._world, asyncio.Event(), asyncio.Event()
        async with asyncio.TaskGroup() as group:
            deliverer = world.deliverer(self._destinations.channels)
            group.create_task(deliverer.run(wake, done), name="deliver")
            notices = Notices(group, lambda server: _keeper(server, world, looks))
            looks = Looks(world, queued=wake.set, listens=notices.listen)
            looks.start()
            serving = self._pages.serve(wake=wake.set, look=looks.soon, again=looks.again)
            group.create_task(serving, name="pages")
            beside = Beside(group, world, self._upkeep, self._destinations, queued=wake.set)
            parts = Parts(
                world,
                self._destinations,
                deliverer,
                looks,
                notices,
                self._pages,
                self._upkeep,
                beside,
                wake.set,
                group.create_task,
            )
            turns = {"scheduler": looks.turns, "delivery": deliverer.turns}
            reloads = Reloads(parts, reading, asked=again, notify=self._notify)
            beside.begin()
            beside.keep(looks.watch_clock(), "watch the clock")
            beside.keep(keep_telling(self._notify, turns, lambda: _words(world)), "tell the service manager")
            beside.keep(reloads.run(), "read the configuration anew")
            self._notify.ready(_watching(world))
            try:
                await stop.wait()
            finally:
                self._notify.stopping()
                beside.stop()
                notices.close()
                self._pages.stop()
                # A look may ask a session that is held: those end after it.
                await looks.stop(world.settings.daemon.grace)
                notices.stop()
                done.set()
                wake.set()


def _nothing() -> Settings:
    raise ConfigError("This daemon has no configuration that could be read anew.", hint="Start it again.")


def _keeper(server: ServerConfig, world: World, looks: Looks) -> NoticeKeeper:
    return NoticeKeeper(server, world, looks, gap=world.settings.daemon.min_notice_gap)


def _watching(world: World) -> str:
    """Give the line about a daemon that has just begun."""
    return f"watching {many(sum(server.enabled for server in world.settings.watched), 'server')}"


def _words(world: World) -> str:
    """Give the line about a daemon at work, as `driftwatch healthcheck` would."""
    return f"{_watching(world)}: {health_of(world.store, world.settings, now=world.clock()).words}"


@contextmanager
def _signals(stop: asyncio.Event, again: asyncio.Event) -> Iterator[None]:
    """Turn SIGTERM and SIGINT into `stop` and SIGHUP into `again`, and put back what was there."""
    loop = asyncio.get_running_loop()
    for name, event in ((signal.SIGTERM, stop), (signal.SIGINT, stop), (signal.SIGHUP, again)):
        loop.add_signal_handler(name, event.set)
    try:
        yield
    finally:
        for name in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            loop.remove_signal_handler(name)


@contextmanager
def _none() -> Iterator[None]:
    yield
