"""The examination: everything that driftwatch rests on, looked into side by side, each within its own time.

Nothing is recorded and no alert is sent. Servers are looked at as the daemon would, in their sandboxes, in a folder
that is gone afterwards.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Final

from driftwatch.config.schema import Settings
from driftwatch.run import doctor_clock, doctor_database, doctor_limits, doctor_places, doctor_servers, doctor_web
from driftwatch.run.apart import apart
from driftwatch.run.doctor_files import Read, permissions
from driftwatch.run.doctor_lines import Area, Check, Line, State, Sure, aside, kept
from driftwatch.run.doctor_witness import witness
from driftwatch.watch.fetch.client import McpFetcher
from driftwatch.watch.fetch.kit import Kit
from driftwatch.watch.fetch.sandbox.able import able
from driftwatch.watch.fetch.sandbox.choose import Sandboxes
from driftwatch.watch.inventory import FilesToo

_AREAS: Final = tuple(Area)
_NAMES_AT_ONCE: Final = 64


@dataclass(frozen=True)
class Around:
    """Where the examination takes place: the environment, the home folder, the user's number, and the clock."""

    environ: Mapping[str, str]
    home: Path
    user: int
    clock: Callable[[], datetime]


@dataclass(frozen=True)
class Wanted:
    """What is wanted: the seconds for each check, whether anybody is asked over the network, and whether to send."""

    seconds: float
    offline: bool = False
    send: bool = False


class Examination:
    """All checks of one configuration. `names` are those that are awaited, known before it begins."""

    def __init__(self, found: Read, around: Around, wanted: Wanted) -> None:
        """Take the configuration, as far as it could be read."""
        self._found, self._around, self._wanted = found, around, wanted
        self._watch = doctor_clock.Watch(around.clock)
        self._stack = ExitStack()
        self._checks = list(self._all())

    @property
    def names(self) -> list[str]:
        """Name each check, once."""
        return [check.name for check in self._checks]

    async def run(self, done: Callable[[str], None] = lambda _: None) -> list[Line]:
        """Do all of it; `done` is told of each check as it is over. Gives the lines in the order of the areas."""

        async def one(check: Check) -> list[Line]:
            lines = await kept(check)
            done(check.name)
            return lines

        # Names are looked up in it: a few that nobody answers for must not hold up the others.
        names = ThreadPoolExecutor(max_workers=_NAMES_AT_ONCE, thread_name_prefix="doctor")
        asyncio.get_running_loop().set_default_executor(names)
        with self._stack:
            came = await asyncio.gather(*(one(check) for check in self._checks))
        lines = [*self._found.lines, *(line for some in came for line in some)]
        if self._found.settings is not None and not self._wanted.offline:
            lines += self._watch.others()
        lines += self._watch.jump()
        return sorted(_grouped(lines), key=lambda line: _AREAS.index(line.area))

    def _all(self) -> Iterator[Check]:
        around, seconds, settings = self._around, self._wanted.seconds, self._found.settings
        looked = partial(permissions, self._found, around.environ, around.home, user=around.user)
        yield Check(Area.PERMISSIONS, "permissions", "", aside(looked), seconds)
        yield Check(Area.WITNESS, "witness", "", aside(partial(witness, around.environ, around.home)), seconds)
        if settings is not None:
            yield from self._here(settings)
            if not self._wanted.offline:
                yield from self._elsewhere(settings)

    def _here(self, settings: Settings) -> Iterator[Check]:
        seconds, now, clock = self._wanted.seconds, self._around.clock(), self._around.clock
        rows: Sequence[tuple[Area, str, Callable[[], list[Line]]]] = (
            (Area.LIMITS, "limits", partial(doctor_limits.limits, settings)),
            (Area.DATABASE, "place", partial(doctor_database.place, settings)),
            (Area.DATABASE, "disk", partial(doctor_database.disk, settings)),
            (Area.DATABASE, "quick-check", partial(doctor_database.pages, settings)),
            (Area.DATABASE, "audit", partial(doctor_database.log, settings, now=now)),
            (Area.DAEMON, "daemon", partial(doctor_database.daemon, settings, now=now)),
            (Area.CLOCK, "database", partial(doctor_clock.database, settings, now=now)),
            (Area.CLOCK, "file-system", partial(doctor_clock.file_system, settings, clock=clock)),
        )
        for area, check, work in rows:
            yield Check(area, check, "", aside(work), seconds)
        yield doctor_servers.sandbox_check(settings, self._around.environ, able, seconds)
        yield from doctor_web.web(settings, seconds, now=now)

    def _elsewhere(self, settings: Settings) -> Iterator[Check]:
        seconds, clock, whole = self._wanted.seconds, self._around.clock, self._found.whole
        try:
            beside = self._stack.enter_context(apart(Sandboxes.of(settings, self._around.environ)))
        except OSError as error:
            yield Check(Area.SERVERS, "look", "", partial(_nowhere, error.strerror or "no folder"), seconds)
            return
        hosts = {server.name: server.host for server in settings.watched}
        kit = Kit(
            environ=self._around.environ,
            sandboxes=beside,
            dated=lambda server, header: self._watch.dated(hosts.get(server, ""), server, header),
        )
        looks = doctor_servers.Round(FilesToo(McpFetcher(kit)))
        yield from looks.checks(settings, seconds, whole=whole)
        if self._wanted.send and whole:
            yield from doctor_places.sending(settings, clock=clock)
        else:
            yield from doctor_places.channels(settings, seconds, whole=whole, clock=clock)
        yield from doctor_places.places(settings, seconds, clock)


async def _nowhere(why: str) -> list[Line]:
    what = f"no server was looked at: there is no place for what they keep meanwhile ({why})"
    return [Line(Area.SERVERS, "look", "", State.UNKNOWN, what, "Make room, or set TMPDIR.", Sure.NOT_KNOWN)]


def _grouped(lines: Sequence[Line]) -> list[Line]:
    """Say the same of many sandboxes once, and nothing of the database twice that several checks run into."""
    sandboxes = [line for line in lines if line.area is Area.SANDBOX]
    others = [line for line in lines if line.area is not Area.SANDBOX]
    seen: dict[tuple[str, str, str], Line] = {}
    for line in [*others, *doctor_servers.grouped(sandboxes)]:
        wrong = line.state in {State.PROBLEM, State.WARNING}
        # The place of the database is looked into by many: the first of them, which is about it, says what is wrong.
        key = (line.what, line.do, line.subject if wrong else f"{line.area}{line.check}{line.subject}")
        seen.setdefault(key, line)
    return list(seen.values())


def worst(lines: Sequence[Line]) -> State:
    """Give the worst that was seen; what is not known is no worse than a warning."""
    order = (State.OK, State.UNKNOWN, State.WARNING, State.PROBLEM)
    return max((line.state for line in lines), key=order.index, default=State.OK)
