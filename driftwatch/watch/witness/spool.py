"""The folder in which looks wait until they are delivered: one file a look, bounded in number and in bytes.

What has to go when there is too much is taken from the server that has most there: first what lies between the first
and the newest look of a session, the oldest of it first, then whole sessions, the oldest first; its newest look last.
So a server that changes its list a thousand times, or begins a thousand sessions, pushes out no evidence of another
one, and not what a session began with.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import hashlib
import json
import os
import re
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

from driftwatch.model import Witnessed
from driftwatch.watch.witness.folder import is_private, make_private, write_whole
from driftwatch.watch.witness.marks import FOLDER as UNREAD
from driftwatch.watch.witness.packing import LARGEST, packed
from driftwatch.watch.witness.standing import FILES, Aside, Away, Held, Standing, Status, pause

_NAME = re.compile(r"\d{8}T\d{6}-[0-9a-f]+-(?:(?P<server>[0-9a-f]{16})-)?\d{6}\.json")
"""When the session began, its name, the digest of the server's name, and the number of the look."""

_STALE = 3600
"""Seconds after which a file that is not whole has nobody who still writes it."""

_HOPELESS = timedelta(days=1)

_PROBE = 1 << 14
"""Bytes of a small look."""

_LOCK = "lock"
_LOOKS, _ASIDE = "looks", "aside"
_OURS = frozenset({_LOCK, _LOOKS, _ASIDE, UNREAD, *FILES}).__contains__
_MOST_DROPPED = 100
"""Of how many sessions it is remembered that looks were dropped."""

_MOST_ASIDE = 20
"""How many looks that the daemon would not take are kept."""


class Spool:
    """One such folder. Any number of processes may use it at a time.

    Every method but `status`, `tried` and `led_away` may raise `OSError`: the folder cannot be used, or the disk is
    full.
    """

    def __init__(self, folder: Path, *, looks: int, size: int) -> None:
        """Take the folder, which is made when the first look is kept, and how many looks and bytes may wait."""
        self.folder = folder
        self._looks = looks
        self._size = size
        self._standing = Standing(folder)

    def keep(self, seen: Witnessed) -> None:
        """Write a look for good, or not at all; what there is no room for then is dropped and counted.

        One that no daemon takes for its size is not kept; the status says that there was one.
        """
        data = packed(seen)
        if len(data) > LARGEST:
            why = f"what the agent was shown is larger than the daemon takes ({LARGEST // 2**20} MiB)"
            self._note_aside(Aside("", seen.server[:200], seen.witness[:200], why, seen.at.isoformat()))
            return
        server = hashlib.sha256(seen.server.encode("utf-8", "replace")).hexdigest()[:16]
        name = f"{seen.started_at:%Y%m%dT%H%M%S}-{seen.session}-{server}-{min(seen.number, 999_999):06d}.json"
        self._make(_LOOKS)
        write_whole(self.folder / _LOOKS / name, data)
        self._make_room()

    def check(self) -> None:
        """See whether looks can be kept here: something is written, and taken away again."""
        there = next(path for path in (self.folder, *self.folder.absolute().parents) if path.exists())
        if not there.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(there))
        if not os.access(there, os.W_OK | os.X_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(there))
        if there == self.folder:
            is_private(there, _OURS)
        with tempfile.NamedTemporaryFile(prefix=".", suffix=".part", dir=there) as probe:
            probe.write(bytes(_PROBE))
            probe.flush()
            os.fsync(probe.fileno())

    def waiting(self) -> list[Path]:
        """Give the looks that wait, oldest first."""
        try:
            found = [path for path in (self.folder / _LOOKS).iterdir() if _NAME.fullmatch(path.name)]
        except FileNotFoundError:
            return []
        return sorted(found)

    def turn(self, now: datetime | None, without: Collection[str]) -> Path | None:
        """Give the look to hand in next, without these servers (by `server_of`) and what is to wait longer than `now`.

        Of each session in its order; sessions and servers that were refused come last, the latest refusal at the end.
        None: no more is due. Where `now` is None everything is.
        """
        held = {one.session: one for one in self.status().held}
        waiting = [path for path in self.waiting() if server_of(path) not in without]
        refused: dict[str, str] = {}
        for path in waiting:
            at = held[_session(path)].at if _session(path) in held else ""
            refused[server_of(path)] = max(refused.get(server_of(path), ""), at)

        def after(path: Path) -> tuple[str, str, str]:
            mine = held.get(_session(path))
            return refused[server_of(path)], mine.at if mine else "", path.name

        due = [
            path for path in waiting if now is None or _session(path) not in held or not held[_session(path)].left(now)
        ]
        return min(due, key=after, default=None)

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

        def told(status: Status) -> Status:
            dropped = {session: count for session, count in status.dropped.items() if session != _session(path)}
            count = status.delivered + 1
            new = replace(status, delivered=count, delivered_at=at, tried_at=at, error="", hint="", dropped=dropped)
            new = replace(new, of_settings=False)
            return new.going_on(_session(path))

        self._change(told)

    def hold(
        self, path: Path, why: str, hint: str, now: datetime, *, asked: float = 0.0, is_fault: bool = False
    ) -> None:
        """Leave a look, and all later ones of its session, until it is time; `asked`: so many seconds at the least.

        `is_fault` says that the daemon failed at it.
        """
        server, witness = _whose(path)

        def told(status: Status) -> Status:
            session = _session(path)
            before = [old for old in status.held if old.session == session]
            times = 1 + sum(old.times for old in before)
            since = next((old.since for old in before if old.since), now.isoformat()) if is_fault else ""
            until = now + timedelta(seconds=pause(times, asked))
            one = Held(session, server, witness, why, hint, now.isoformat(), until.isoformat(), times, since)
            return status.holding(one)

        self._change(told)

    def is_hopeless(self, path: Path, now: datetime) -> bool:
        """Say whether the daemon has failed at a look for a day and more, while it took others: it is of this look."""
        status = self.status()
        since = next((one.since for one in status.held if one.session == _session(path)), "")
        try:
            began = datetime.fromisoformat(since)
            return began + _HOPELESS <= now and datetime.fromisoformat(status.delivered_at) > began
        except (ValueError, TypeError):
            return False

    def set_aside(self, path: Path, why: str, at: str, hint: str = "") -> None:
        """Put a look aside that the daemon will never take."""
        server, witness = _whose(path)
        self._make(_ASIDE)
        with contextlib.suppress(FileNotFoundError):
            path.replace(self.folder / _ASIDE / path.name)
        self._note_aside(Aside(path.name, server, witness, why, at, hint))

    def put_back(self) -> None:
        """Let what was set aside wait again."""
        self._make(_LOOKS)
        put = [one for one in self.status().aside if one.file]
        for one in put:
            with contextlib.suppress(FileNotFoundError):
                (self.folder / _ASIDE / Path(one.file).name).replace(self.folder / _LOOKS / Path(one.file).name)
        self._change(lambda status: replace(status, aside=tuple(one for one in status.aside if one not in put)))
        self._make_room()

    def clear(self) -> None:
        """Forget what went wrong; looks that were set aside are deleted, and what waits goes on waiting."""
        with contextlib.suppress(FileNotFoundError):
            for path in (self.folder / _ASIDE).iterdir():
                if _NAME.fullmatch(path.name):
                    path.unlink(missing_ok=True)
        left = {_session(path) for path in self.waiting()}

        def told(status: Status) -> Status:
            # What was dropped of a session that waits is told with it.
            dropped = {session: count for session, count in status.dropped.items() if session in left}
            return replace(status, aside=(), away=(), dropped=dropped)

        self._change(told)

    def _note_aside(self, one: Aside) -> None:
        def told(status: Status) -> Status:
            kept = (*status.aside, one)
            for old in kept[:-_MOST_ASIDE]:
                if old.file:
                    (self.folder / _ASIDE / Path(old.file).name).unlink(missing_ok=True)
            going = status.going_on(_session(Path(one.file)))
            return replace(going, aside=kept[-_MOST_ASIDE:], tried_at=one.at)

        self._change(told)

    def status(self) -> Status:
        """Read how delivery stands; what cannot be read is as if nothing had happened yet."""
        return self._standing.read()

    def tried(self, error: str, hint: str, at: str = "", *, of_settings: bool = False) -> None:
        """Note why what waits was not delivered, and when that was tried, empty for not at all."""

        def told(status: Status) -> Status:
            return replace(status, error=error, hint=hint, of_settings=of_settings, tried_at=at or status.tried_at)

        self._change(told)

    def led_away(self, one: Away) -> None:
        """Note that an agent was led past the witness."""
        self._change(lambda status: status.led(one))

    @contextlib.contextmanager
    def alone(self) -> Iterator[bool]:
        """Be the only one who delivers; gives whether that is so, without waiting."""
        self._make()
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

    def _change(self, news: Callable[[Status], Status]) -> None:
        def changed(status: Status) -> Status:
            new = news(status)
            if not new.held:
                return new
            left = {_session(path) for path in self.waiting()}
            return replace(new, held=tuple(one for one in new.held if one.session in left))

        with contextlib.suppress(OSError):
            self._make()
            self._standing.change(changed)

    def _make(self, within: str = "") -> None:
        """Make the folder, and one within it, for this user alone."""
        make_private(self.folder, _OURS)
        if within:
            make_private(self.folder / within, lambda name: _NAME.fullmatch(name) is not None)

    def _make_room(self) -> None:
        for part in (self.folder / _LOOKS).glob(".*.part"):
            with contextlib.suppress(FileNotFoundError):
                if time.time() - part.stat().st_mtime > _STALE:
                    part.unlink(missing_ok=True)
        sizes: dict[Path, int] = {}
        for path in self.waiting():
            with contextlib.suppress(FileNotFoundError):
                sizes[path] = path.stat().st_size
        dropped: Counter[str] = Counter()
        for path in _spared(sizes, self._looks, self._size):
            path.unlink(missing_ok=True)
            dropped[_session(path)] += 1
        if dropped:
            self._change(lambda status: replace(status, dropped=_together(status.dropped, dropped)))


def _together(before: Mapping[str, int], more: Mapping[str, int]) -> dict[str, int]:
    dropped = Counter(before)
    dropped.update(more)
    return dict(list(dropped.items())[-_MOST_DROPPED:])


def _spared(sizes: Mapping[Path, int], looks: int, size: int) -> list[Path]:
    """Give what has to go of these, which are given oldest first, so that there are no more looks and bytes than that.

    A server keeps its newest look, unless that alone is more than its share. One look is kept whatever its size.
    """
    left: dict[str, list[Path]] = defaultdict(list)
    for path in sizes:
        left[server_of(path)].append(path)
    left = {server: _least_wanted(paths) for server, paths in left.items()}
    count, total = len(sizes), sum(sizes.values())
    held = {server: sum(sizes[path] for path in paths) for server, paths in left.items()}
    gone: list[Path] = []
    while count > 1 and (count > looks or total > size):
        by_number, share = count > looks, size / len(left)
        may = [one for one in left if len(left[one]) > 1 or (not by_number and held[one] > share)] or left
        most = max(may, key=lambda server: len(left[server]) if by_number else held[server])
        path = left[most].pop(0)
        if not left[most]:
            del left[most]
        gone.append(path)
        count, total, held[most] = count - 1, total - sizes[path], held[most] - sizes[path]
    return gone


def _least_wanted(paths: list[Path]) -> list[Path]:
    """Order the looks of one server by what can be spared, given oldest first. The newest of all comes last."""
    first = {_session(path): path for path in reversed(paths)}
    newest = {_session(path): path for path in paths}
    ends = {*first.values(), *newest.values()}
    return [*(path for path in paths if path not in ends), *(path for path in paths if path in ends)]


def server_of(path: Path) -> str:
    """Give the digest of the name of the server of which a look is, empty for one of an earlier version."""
    named = _NAME.fullmatch(path.name)
    return (named["server"] or "") if named else ""


def _whose(path: Path) -> tuple[str, str]:
    """Give server and witness of a look, empty where it cannot be read."""
    try:
        told = json.loads(path.read_bytes())
        return str(told.get("server", ""))[:200], str(told.get("witness", ""))[:200]
    except (OSError, ValueError, AttributeError):
        return "", ""


def _session(path: Path) -> str:
    return path.name.rpartition("-")[0]
