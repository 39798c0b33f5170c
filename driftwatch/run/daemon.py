"""The daemon: looks on schedule and on notice, delivers, and ends cleanly.

If the delivery loop or a keeper dies, the daemon ends with an error and its supervisor starts it again: half a
monitor is worse than none, because its silence reads as quiet.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from datetime import datetime

import structlog

from driftwatch.config.policy import expired
from driftwatch.config.schema import ServerConfig, Settings
from driftwatch.model import Actor
from driftwatch.model.amounts import many
from driftwatch.review.audit import note_configuration
from driftwatch.run.groups import plain_errors
from driftwatch.run.health import health_of
from driftwatch.run.looks import Looks
from driftwatch.run.notices import NoticeKeeper, Notices
from driftwatch.run.notify import Notify
from driftwatch.run.opinions import keep_catching_up
from driftwatch.run.present import minding
from driftwatch.run.retention import keep_pruning
from driftwatch.run.supplying import keep_asking
from driftwatch.run.tracing import Tracing
from driftwatch.run.upkeep import keep_beating, keep_noticing, keep_saying, keep_up, keep_verifying
from driftwatch.run.watchdog import keep_telling
from driftwatch.run.web import Pages
from driftwatch.run.wiring import World, utc_now
from driftwatch.store.holding import held
from driftwatch.tell.channels.base import Channel, Forgetful, make_ready
from driftwatch.tell.telling import end_unwatched, tell_newcomers
from driftwatch.tell.templates import warnings_of
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
) -> int:
    """Watch until told to stop (SIGTERM, SIGINT, or `stop`); gives the exit code. `drill` marks every message so.

    `notify` is the service manager that is told how it goes; `tracing` is told what was done, and how long it took.

    Raises:
        ConfigError: a channel cannot work as it is configured.
        HeldError: another daemon watches with this database.
        StoreError: the database cannot be used.

    """
    stop = stop or asyncio.Event()
    notify = notify or Notify()
    with (
        World.open(settings, clock=clock, drill=drill, tracing=tracing) as world,
        held(settings.database_url, doing="run", now=clock()),
        _signals(stop, notify) if signals else _none(),
        plain_errors(),
    ):
        async with minding(settings.database_url, stop, clock=clock):
            await serve(world, stop, notify)
    log.info("stopped", action="stop")
    return 0


async def serve(world: World, stop: asyncio.Event, notify: Notify | None = None) -> None:
    """Run everything side by side until `stop`, then wind down: looks first, deliveries last."""
    settings = world.settings
    notify = notify or Notify()
    watched = {server.name for server in settings.watched if server.enabled}
    log.info("watching", action="start", servers=len(watched), channels=len(settings.channels))
    notes = (*settings.warnings, *expired(settings.policy, world.clock()), *warnings_of(settings.channels))
    for warning in notes:
        log.warning(warning, action="config-warning")
    note_configuration(world.store, settings, by=Actor("", "daemon"))
    pages = Pages.open(world)
    end_unwatched(world.store, watched, settings, now=world.clock())
    upkeep = Upkeep(world.store, settings, started=world.clock())
    # First what silences kept back: then nobody is new to it.
    upkeep.mind_alerts(world.clock())
    tell_newcomers(world.store, settings, now=world.clock())
    with closing(pages):
        async with world.channels() as channels:
            if await _made_ready(channels, stop):
                await _watch(world, channels, upkeep, stop, pages, notify=notify)


async def _made_ready(channels: Mapping[str, Channel], stop: asyncio.Event) -> bool:
    """Let channels find out whether they can work; False when it is time to stop before that."""
    stopped = asyncio.create_task(stop.wait())
    ready = asyncio.create_task(make_ready(channels.values()))
    try:
        await asyncio.wait((stopped, ready), return_when=asyncio.FIRST_COMPLETED)
        return ready.done() and ready.result() is None
    finally:
        stopped.cancel()
        ready.cancel()
        await asyncio.wait((stopped, ready))


async def _watch(
    world: World, channels: Mapping[str, Channel], upkeep: Upkeep, stop: asyncio.Event, pages: Pages, *, notify: Notify
) -> None:
    settings = world.settings
    wake = asyncio.Event()
    done = asyncio.Event()
    async with asyncio.TaskGroup() as group:
        deliverer = world.deliverer(channels)
        group.create_task(deliverer.run(wake, done), name="deliver")
        notices = Notices(group, lambda server: _keeper(server, world, looks))
        looks = Looks(world, queued=wake.set, listens=notices.listen)
        looks.start()
        group.create_task(pages.serve(wake=wake.set, look=looks.soon, again=looks.again), name="pages")
        beside = (
            group.create_task(looks.watch_clock(), name="watch the clock"),
            group.create_task(keep_asking(world), name="ask about packages"),
            group.create_task(keep_catching_up(world), name="ask for second opinions"),
            group.create_task(keep_up(world, upkeep, queued=wake.set), name="upkeep"),
            group.create_task(keep_pruning(world), name="drop what was kept for long enough"),
            group.create_task(keep_verifying(world, upkeep, queued=wake.set), name="verify the audit log"),
            group.create_task(keep_noticing(world, queued=wake.set), name="notice what others write"),
            group.create_task(keep_beating(world, upkeep), name="heartbeat"),
            group.create_task(
                keep_telling(notify, {"scheduler": looks.turns, "delivery": deliverer.turns}, lambda: _words(world)),
                name="tell the service manager",
            ),
            *(
                group.create_task(keep_saying(one, world), name=f"say again to {one.name}")
                for one in channels.values()
                if isinstance(one, Forgetful)
            ),
        )
        notify.ready(_watching(world))
        try:
            await stop.wait()
        finally:
            notify.stopping()
            for task in beside:
                task.cancel()
            notices.stop()
            pages.stop()
            await looks.stop(settings.daemon.grace)
            done.set()
            wake.set()


def _keeper(server: ServerConfig, world: World, looks: Looks) -> NoticeKeeper:
    return NoticeKeeper(server, world, looks, gap=world.settings.daemon.min_notice_gap)


def _watching(world: World) -> str:
    """Give the line about a daemon that has just begun."""
    return f"watching {many(sum(server.enabled for server in world.settings.watched), 'server')}"


def _words(world: World) -> str:
    """Give the line about a daemon at work, as `driftwatch healthcheck` would."""
    return f"{_watching(world)}: {health_of(world.store, world.settings, now=world.clock()).words}"


@contextmanager
def _signals(stop: asyncio.Event, notify: Notify) -> Iterator[None]:
    """Turn SIGTERM and SIGINT into `stop`, and put back what was there."""
    loop = asyncio.get_running_loop()
    for name in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(name, stop.set)
    loop.add_signal_handler(signal.SIGHUP, _say_no_reload, notify)
    try:
        yield
    finally:
        for name in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            loop.remove_signal_handler(name)


def _say_no_reload(notify: Notify) -> None:
    words = "a changed configuration takes effect at the next start"
    with notify.reloading(lambda: words):
        log.warning(words, action="reload-ignored")


@contextmanager
def _none() -> Iterator[None]:
    yield
