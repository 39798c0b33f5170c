"""The folder in which looks wait until they are delivered: one file a look, bounded in number and in bytes.

What has to go when there is too much: first what lies between the first and the newest look of a session, the oldest
of it first, then whole sessions, the oldest first. So a server that changes its list a thousand times pushes out
nobody else's evidence, and not what it began with.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import re
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

from driftwatch.model import Witnessed
from driftwatch.watch.witness.packing import LARGEST, packed

_NAME = re.compile(r"(?P<session>\d{8}T\d{6}-[0-9a-f]+)-(?P<number>\d{6})\.json")
_STALE = 3600
"""Seconds after which a file that is not whole has nobody who still writes it."""

_STATUS = "status.json"
_LOCK = "lock"
_LOOKS, _ASIDE = "looks", "aside"
_MOST_DROPPED = 100
"""Of how many sessions it is remembered that looks were dropped."""

_MOST_ASIDE = 20
"""How many looks that the daemon would not take are kept."""


@dataclass(frozen=True, slots=True)
class Aside:
    """A look that the daemon would not take, and why: it is not tried again. `file` is empty where it was not kept."""

    file: str
    server: str
    witness: str
    why: str
    at: str


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
    aside: tuple[Aside, ...] = field(default=())


class Spool:
    """One such folder. Any number of processes may use it at a time.

    Every method but `status` and `note` may raise `OSError`: the folder cannot be used, or the disk is full.
    """

    def __init__(self, folder: Path, *, looks: int, size: int) -> None:
        """Take the folder, which is made when the first look is kept, and how many looks and bytes may wait."""
        self.folder = folder
        self._looks = looks
        self._size = size

    def keep(self, seen: Witnessed) -> None:
        """Write a look for good, or not at all; what there is no room for then is dropped and counted.

        One that no daemon takes for its size is not kept; the status says that there was one.
        """
        data = packed(seen)
        if len(data) > LARGEST:
            why = f"what the agent was shown is larger than the daemon takes ({LARGEST // 2**20} MiB)"
            self._note_aside(Aside("", seen.server[:200], seen.witness[:200], why, seen.at.isoformat()))
            return
        name = f"{seen.started_at:%Y%m%dT%H%M%S}-{seen.session}-{min(seen.number, 999_999):06d}.json"
        self._write(self.folder / _LOOKS / name, data)
        self._make_room()

    def waiting(self) -> list[Path]:
        """Give the looks that wait, oldest first."""
        try:
            found = [path for path in (self.folder / _LOOKS).iterdir() if _NAME.fullmatch(path.name)]
        except FileNotFoundError:
            return []
        return sorted(found)

    def read(self, path: Path) -> bytes:
        """Give a look as it is to be handed in: one from whose session looks were dropped says so in its gaps."""
        data = path.read_bytes()
        dropped = self.status().dropped.get(_session(path), 0)
        if not dropped:
            return data
        try:
            body = json.loads(data)
            body["gaps"] += dropped
        except (ValueError, KeyError, TypeError):
            return data  # It is damaged: the daemon will say so.
        return json.dumps(body, separators=(",", ":")).encode("ascii")

    def delivered(self, path: Path, at: str) -> None:
        """Take out a look that the daemon has now."""
        path.unlink(missing_ok=True)
        status = self.status()
        dropped = {session: count for session, count in status.dropped.items() if session != _session(path)}
        self.note(delivered=status.delivered + 1, delivered_at=at, tried_at=at, error="", hint="", dropped=dropped)

    def set_aside(self, path: Path, why: str, at: str) -> None:
        """Put a look aside that the daemon will never take."""
        try:
            told = json.loads(path.read_bytes())
            server, witness = str(told.get("server", "")), str(told.get("witness", ""))
        except (OSError, ValueError, AttributeError):
            server = witness = ""
        there = self.folder / _ASIDE
        _make(there)
        with contextlib.suppress(FileNotFoundError):
            path.replace(there / path.name)
        self._note_aside(Aside(path.name, server[:200], witness[:200], why, at))

    def _note_aside(self, one: Aside) -> None:
        kept = (*self.status().aside, one)
        for old in kept[:-_MOST_ASIDE]:
            if old.file:
                (self.folder / _ASIDE / Path(old.file).name).unlink(missing_ok=True)
        self.note(aside=kept[-_MOST_ASIDE:], tried_at=one.at)

    def status(self) -> Status:
        """Read how delivery stands; what cannot be read is as if nothing had happened yet."""
        try:
            read = json.loads((self.folder / _STATUS).read_bytes())
            aside = tuple(Aside(**one) for one in read.pop("aside", ()))
            return Status(**read, aside=aside)
        except (OSError, ValueError, TypeError, AttributeError):
            return Status()

    def note(self, **news: object) -> None:
        """Write what changed of the status. On a disk that takes nothing it stays untold: delivery goes on."""
        status = asdict(self.status()) | news
        status["aside"] = [asdict(one) if isinstance(one, Aside) else one for one in status["aside"]]
        with contextlib.suppress(OSError):
            self._write(self.folder / _STATUS, json.dumps(status).encode())

    @contextlib.contextmanager
    def alone(self) -> Iterator[bool]:
        """Be the only one who delivers; gives whether that is so, without waiting."""
        _make(self.folder)
        descriptor = os.open(self.folder / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        try:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                yield False
            else:
                yield True
        finally:
            os.close(descriptor)

    def _write(self, path: Path, data: bytes) -> None:
        """Write a file that is there whole or not at all, also after a crash, and for this user only."""
        _make(self.folder)
        _make(path.parent)
        descriptor, name = tempfile.mkstemp(prefix=".", suffix=".part", dir=path.parent)
        try:
            with open(descriptor, "wb") as file:  # noqa: PTH123 - of a number
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise

    def _make_room(self) -> None:
        for part in (self.folder / _LOOKS).glob(".*.part"):
            with contextlib.suppress(FileNotFoundError):
                if time.time() - part.stat().st_mtime > _STALE:
                    part.unlink(missing_ok=True)
        sizes: dict[Path, int] = {}
        for path in self.waiting():
            with contextlib.suppress(FileNotFoundError):
                sizes[path] = path.stat().st_size
        dropped = Counter(self.status().dropped)
        before = dropped.total()
        for path in _least_wanted(list(sizes)):
            if len(sizes) <= self._looks and sum(sizes.values()) <= self._size:
                break
            path.unlink(missing_ok=True)
            del sizes[path]
            dropped[_session(path)] += 1
        if dropped.total() > before:
            self.note(dropped=dict(list(dropped.items())[-_MOST_DROPPED:]))


def _least_wanted(paths: list[Path]) -> list[Path]:
    """Order looks by what can be spared, given oldest first. The newest of all is never spared."""
    first = {_session(path): path for path in reversed(paths)}
    newest = {_session(path): path for path in paths}
    ends = {*first.values(), *newest.values()}
    between = [path for path in paths if path not in ends]
    return [*between, *(path for path in paths if path in ends)][: len(paths) - 1]


def _session(path: Path) -> str:
    return path.name.rpartition("-")[0]


def _make(folder: Path) -> None:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
