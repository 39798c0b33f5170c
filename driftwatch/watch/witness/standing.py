"""How delivery stands: a small file beside the looks that wait, for the person who asks."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

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
            return Status(**told, aside=aside, away=away)
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
