"""How delivery stands: a small file beside the looks that wait, for the person who asks."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Final

from driftwatch.watch.witness.folder import write_whole

FILES = frozenset({"status.json", "status.lock"})

_MOST_AWAY = 20
"""To how many places it is remembered that agents were led."""


@dataclass(frozen=True, slots=True)
class Aside:
    """A look that the daemon would not take, and why: it is not tried again. `file` is empty where it was not kept."""

    file: str
    server: str
    witness: str
    why: str
    at: str
    hint: str = ""


LONGEST: Final = 3600.0
"""Seconds that a session waits at the most until it is tried again, whatever the daemon asks for."""
_LONGEST_OF_OURS: Final = 300.0


@dataclass(frozen=True, slots=True)
class Held:
    """That the next look of a session was refused for now, the last time `at`: it is not tried again before `until`."""

    session: str
    server: str
    witness: str
    why: str
    hint: str
    at: str
    until: str
    times: int = 1
    since: str = ""
    """Since when the daemon failed at it each time (5xx), empty where the last refusal was another one."""

    def left(self, now: datetime) -> float:
        """Give in how many seconds it is due; 0 where it is, or where a clock was wrong."""
        try:
            left = (datetime.fromisoformat(self.until) - now).total_seconds()
        except (ValueError, TypeError):
            return 0.0
        return left if 0 < left <= LONGEST else 0.0


def pause(times: int, asked: float) -> float:
    """Say how many seconds to wait after so many refusals, where the daemon asks for so many."""
    return min(max(2.0 ** min(times - 1, 9), min(asked, LONGEST)), LONGEST if asked else _LONGEST_OF_OURS)


@dataclass(frozen=True, slots=True)
class Away:
    """That a server led an agent past the witness: `to` is the address, without path. `at` is when it did so last."""

    server: str
    witness: str
    to: str
    at: str
    times: int = 1


@dataclass(frozen=True, slots=True)
class Status:
    """How delivery stands. Times are ISO 8601 in UTC, empty for never.

    `dropped` is how many looks of each session had no room and are gone, until the daemon knows of it.
    """

    delivered: int = 0
    delivered_at: str = ""
    tried_at: str = ""
    error: str = ""
    hint: str = ""
    dropped: dict[str, int] = field(default_factory=dict)
    aside: tuple[Aside, ...] = ()
    away: tuple[Away, ...] = ()
    held: tuple[Held, ...] = ()
    of_settings: bool = False
    """Whether `error` speaks of the witness's settings, so that other ones refute it."""

    def holding(self, one: Held) -> Status:
        """Give the same with a session that was refused for now. The daemon answered, so nothing else is wrong."""
        others = tuple(old for old in self.held if old.session != one.session)
        return replace(self, held=(*others, one), error="", hint="", of_settings=False, tried_at=one.at)

    def going_on(self, session: str) -> Status:
        """Give the same with a session of which nothing waits for its time any more."""
        return replace(self, held=tuple(old for old in self.held if old.session != session))

    def led(self, one: Away) -> Status:
        """Give the same with an agent that was led away."""
        before = [old for old in self.away if (old.server, old.witness, old.to) == (one.server, one.witness, one.to)]
        others = [old for old in self.away if old not in before]
        times = one.times + sum(old.times for old in before)
        return replace(self, away=(*others, replace(one, times=times))[-_MOST_AWAY:])


class Standing:
    """The file, in a folder that is there already. Any number of processes may change it at a time."""

    def __init__(self, folder: Path) -> None:
        """Take the folder."""
        self._file = folder / "status.json"
        self._lock = folder / "status.lock"

    def read(self) -> Status:
        """Read it; what cannot be read is as if nothing had happened yet."""
        try:
            told = json.loads(self._file.read_bytes())
            aside = tuple(Aside(**one) for one in told.pop("aside", ()))
            away = tuple(Away(**one) for one in told.pop("away", ()))
            held = tuple(Held(**one) for one in told.pop("held", ()))
            return Status(**told, aside=aside, away=away, held=held)
        except (OSError, ValueError, TypeError, AttributeError):
            return Status()

    def change(self, news: Callable[[Status], Status]) -> None:
        """Make another one of what it is now. On a disk that takes nothing it stays untold: delivery goes on."""
        with contextlib.suppress(OSError):
            flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
            descriptor = os.open(self._lock, flags, 0o600)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX)
                write_whole(self._file, json.dumps(asdict(news(self.read()))).encode())
            finally:
                os.close(descriptor)
