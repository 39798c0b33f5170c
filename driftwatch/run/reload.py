"""Another configuration for a daemon that runs: all of it is made ready first, then taken at once, or nothing of it.

What can fail comes before the swap: reading, secrets, channels, the place of the pages, the note in the audit log. The
swap itself waits for nothing. What goes on from before ends by itself: looks at servers that are gone, messages under
way to channels that are.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Coroutine, Iterable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

import structlog

from driftwatch.config.policy import expired
from driftwatch.config.schema import Settings
from driftwatch.errors import DriftwatchError
from driftwatch.model import DeliveryState
from driftwatch.model.amounts import many
from driftwatch.review.audit import note_configuration
from driftwatch.run.beside import Beside
from driftwatch.run.changes import Change
from driftwatch.run.destinations import Destinations, close
from driftwatch.run.looks import Looks
from driftwatch.run.notices import Notices
from driftwatch.run.notify import Notify
from driftwatch.run.web import Pages
from driftwatch.run.wiring import DAEMON, World
from driftwatch.store.holding import Reload
from driftwatch.store.records import Wanted
from driftwatch.tell.channels.base import Channel
from driftwatch.tell.deliver import Deliverer
from driftwatch.tell.line import Line
from driftwatch.tell.telling import end_unwatched, tell_newcomers
from driftwatch.tell.templates import warnings_of
from driftwatch.tell.upkeep import Upkeep

log = structlog.get_logger()

_BUG: Final = 70
"""The exit code of what nobody foresaw."""

_COUNTED: Final = 1000
"""Messages to a channel that is gone which are counted at the most."""


@dataclass(frozen=True)
class Parts:
    """All of a running daemon that goes by the configuration."""

    world: World
    destinations: Destinations
    deliverer: Deliverer
    looks: Looks
    notices: Notices
    pages: Pages
    upkeep: Upkeep
    beside: Beside
    wake: Callable[[], None]
    spawn: Callable[[Coroutine[Any, Any, None]], object]
    """Begins what goes on beside, and is waited for at the end."""


@dataclass(frozen=True)
class Reading:
    """How the configuration is read anew, and who is told of the one before and the one that is in force then.

    `note` keeps how it went where other processes find it.
    """

    read: Callable[[], Settings]
    adopted: Callable[[Settings, Settings], None] = lambda *_: None
    note: Callable[[Reload], None] = lambda _: None


class Reloads:
    """Reads the configuration anew whenever that is asked for."""

    def __init__(self, parts: Parts, reading: Reading, *, asked: asyncio.Event, notify: Notify) -> None:
        """Take the daemon, how to read, what is set when it is asked for, and the service manager."""
        self._parts, self._reading, self._asked, self._notify = parts, reading, asked, notify
        self._began = parts.world.settings
        self._last = Reload()

    async def run(self) -> None:
        """Reload when asked, until cancelled. What is asked for meanwhile is done once more after it."""
        while True:
            await self._asked.wait()
            self._asked.clear()
            await self._once()

    async def _once(self) -> None:
        number, said = self._last.begun + 1, ""
        self._say(Reload(number, self._last.done, self._last.at, self._last.code, self._last.words))
        with self._notify.reloading(lambda: said):
            code, words = await self._outcome()
            said = f"watching {many(len(self._parts.world.settings.watched), 'server')}"
            if code:
                said = f"{said}; the last reload failed: {words}"
        at = self._parts.world.clock().isoformat(timespec="seconds")
        self._say(Reload(number, number, at, code, words))

    def _say(self, how: Reload) -> None:
        self._last = how
        self._reading.note(how)

    async def _outcome(self) -> tuple[int, str]:
        """Give the exit code that stands for how it went, and that in words."""
        try:
            settings = await asyncio.to_thread(self._reading.read)
            words = await self._take(settings)
        except Exception as error:  # noqa: BLE001 - whatever it is, the configuration before stays in force
            return _failed(error)
        log.info(words, action="reload")
        return 0, words

    async def _take(self, settings: Settings) -> str:
        parts, world, before = self._parts, self._parts.world, self._parts.world.settings
        change = Change.of(before, settings, begun=self._began)
        settings = settings.model_copy(update={"database_url": self._began.database_url})
        async with AsyncExitStack() as undo:
            channels = await parts.destinations.prepared(settings.channels)
            undo.push_async_callback(parts.destinations.discard, channels)
            place = await asyncio.to_thread(parts.pages.prepared, settings)
            undo.callback(parts.pages.discard, place)
            await asyncio.to_thread(note_configuration, world.store, settings, by=DAEMON)
            undo.pop_all()
        world.adopt(settings)
        parts.upkeep.adopt(settings)
        left = parts.destinations.adopt(channels)
        lines = parts.deliverer.adopt(parts.destinations.channels, attempt=world.attempt)
        lingering = parts.looks.adopt(change.servers)
        parts.notices.adopt(settings)
        parts.pages.adopt(place)
        parts.beside.begin_anew()
        self._reading.adopted(before, settings)
        self._warn(before, settings)
        parts.spawn(self._tell(lingering))
        parts.spawn(_closed(lines, left))
        return " ".join([change.words, *await asyncio.to_thread(self._left, change)])

    def _warn(self, before: Settings, settings: Settings) -> None:
        """Say what is likely not meant so, and was not said before."""
        known = notes(before, self._parts.world.clock())
        for note in notes(settings, self._parts.world.clock()):
            if note not in known:
                log.warning(note, action="config-warning")

    async def _tell(self, lingering: Mapping[asyncio.Task[None], str]) -> None:
        """Bring the alerts in line with the configuration; those of servers that are still looked at, after that."""
        while True:
            still = frozenset(lingering.values())
            try:
                await asyncio.to_thread(in_line, self._parts.world, self._parts.upkeep, still=still)
            except DriftwatchError as error:
                log.warning("the upkeep failed; it is tried again", action="upkeep-failed", error=error.message)
            self._parts.wake()
            if not lingering:
                return
            await asyncio.wait(lingering)
            lingering = {}

    def _left(self, change: Change) -> Iterable[str]:
        """Say what waits for channels that are gone."""
        pending = DeliveryState.PENDING
        for name in change.channels.went:
            try:
                waiting = self._parts.world.store.deliveries(wanted=Wanted(state=pending, channel=name), limit=_COUNTED)
            except DriftwatchError:
                return
            if waiting:
                words = (
                    f"{many(len(waiting), 'message')} for {name}, which is configured no more, "
                    "will be given up in an hour unless it comes back."
                )
                log.warning(words, action="reload-left", channel=name, count=len(waiting))
                yield words


def _failed(error: Exception) -> tuple[int, str]:
    known = isinstance(error, DriftwatchError)
    words = str(error) if known else f"driftwatch itself failed: {type(error).__name__}"
    log.error(
        "the new configuration was not taken; the one before it stays in force",
        action="reload-failed",
        error=words,
        exc_info=None if known else error,
    )
    return (error.exit_code if isinstance(error, DriftwatchError) else _BUG), words


def notes(settings: Settings, now: datetime) -> tuple[str, ...]:
    """Give what is likely not meant so in a configuration."""
    return (*settings.warnings, *expired(settings.policy, now), *warnings_of(settings.channels))


def in_line(world: World, upkeep: Upkeep, *, still: Collection[str] = ()) -> None:
    """End alerts of what is watched no more, tell what silences kept back, and then who is new to the open ones.

    Those of servers that are `still` looked at stand: a look that ends later would open them again.

    Raises:
        StoreError: the database cannot be used.

    """
    settings = world.settings
    watched = {*still, *(server.name for server in settings.watched if server.enabled)}
    end_unwatched(world.store, watched, settings, now=world.clock())
    # First what silences kept back: then nobody is new to it.
    upkeep.mind_alerts(world.clock())
    tell_newcomers(world.store, settings, now=world.clock())


async def _closed(lines: Iterable[Line], channels: Iterable[Channel]) -> None:
    """Close channels once nothing is under way to any of them."""
    for line in lines:
        await line.idle()
    await close(channels)
