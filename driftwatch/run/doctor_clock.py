"""The doctor's look at the clock: against the database, itself, the file system, and what servers say the time is.

No time server is asked. What a server says is a word of somebody else, so one alone proves nothing.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Final

from driftwatch.config.schema import Settings
from driftwatch.model.amounts import many
from driftwatch.run.doctor_lines import Area, Line, State, Sure
from driftwatch.store.checkup import newest
from driftwatch.store.place import path_of
from driftwatch.tell.health import spoken

_AHEAD: Final = timedelta(minutes=1)
"""How much a moment that was written may lie before this clock, for the time between two readings."""

_JUMP: Final = 2.0
"""Seconds by which the clock may go otherwise than time does while it is looked at: it is being slewed."""

_OFF: Final = 60.0
"""Seconds by which what others say may differ: a `Date` says whole seconds, and answers take their time."""

_LONGEST: Final = 64
"""Characters of a `Date` that is read."""

_SET_IT: Final = "Set the clock, and keep it right: timedatectl set-ntp true"


def _line(check: str, state: State, what: str, do: str = "", sure: Sure = Sure.CERTAIN) -> Line:
    return Line(Area.CLOCK, check, "", state, what, do, sure)


@dataclass
class Watch:
    """The clock of this machine, watched for as long as an examination takes; `dated` collects what others say."""

    clock: Callable[[], datetime]
    monotonic: Callable[[], float] = time.monotonic
    offsets: dict[str, float] = field(default_factory=dict)
    """Seconds by which others are ahead of this clock, by the name of the first server on each host."""

    def __post_init__(self) -> None:
        """Begin."""
        self._began, self._since = self.clock(), self.monotonic()
        self._names: dict[str, str] = {}

    def dated(self, host: str, name: str, header: str) -> None:
        """Take the `Date` of an answer of a server that came just now; what is no date says nothing."""
        if not host or not header or len(header) > _LONGEST:
            return
        try:
            at = parsedate_to_datetime(header)
            name = self._names.setdefault(host, name)
            self.offsets[name] = ((at if at.tzinfo else at.replace(tzinfo=UTC)) - self.clock()).total_seconds()
        except (ValueError, TypeError, OverflowError):
            return

    def jump(self) -> list[Line]:
        """Say whether the clock was set while it was looked at."""
        passed = self.monotonic() - self._since
        moved = (self.clock() - self._began).total_seconds() - passed
        if abs(moved) > _JUMP:
            what = f"the clock was set {_by(moved)} within {passed:.0f} s"
            do = "Find out what sets it: two time services, or a virtual machine that was put to sleep?"
            return [_line("jump", State.PROBLEM, what, do)]
        return [_line("jump", State.OK, f"it went as time did, for the {passed:.0f} s that this took")]

    def others(self) -> list[Line]:
        """Hold it against what servers said."""
        return list(against(self.offsets))


def against(offsets: Mapping[str, float]) -> list[Line]:
    """Hold the clock against what others say that the time is: how many seconds the host of each server is ahead."""
    if not offsets:
        what = "no server that is reached over HTTP said what time it is, so it is not known whether the clock is right"
        return [_line("others", State.UNKNOWN, what, "Look: timedatectl", Sure.NOT_KNOWN)]
    middle = statistics.median(offsets.values())
    agree = sum(abs(one - middle) <= _OFF for one in offsets.values())
    hosts = many(len(offsets), "host")
    if abs(middle) <= _OFF:
        off = [host for host, one in offsets.items() if abs(one) > _OFF]
        odd = f"; {', '.join(off[:3])} says something else" if off else ""
        return [
            _line(
                "others", State.OK, f"it agrees with what {agree} of {hosts} said within a minute{odd}", "", Sure.LIKELY
            )
        ]
    what = f"by what {agree} of {hosts} said, it is {'behind' if middle > 0 else 'ahead'} by {_length(middle)}"
    if agree > 1 and agree * 2 > len(offsets):
        return [_line("others", State.PROBLEM, what, _SET_IT, Sure.LIKELY)]
    do = f"One server may be wrong, or say so on purpose. Look: timedatectl. {_SET_IT}"
    return [_line("others", State.WARNING, what, do, Sure.NOT_KNOWN)]


def database(settings: Settings, *, now: datetime) -> list[Line]:
    """Hold the clock against the newest moment in the database: what is written lies in the past."""
    path = path_of(settings.database_url)
    found = newest(path) if path.exists() and path.stat().st_size else None
    if found is None:
        return []
    table, at = found
    if at > now + _AHEAD:
        what = (
            f"the newest moment in the database ({at:%Y-%m-%d %H:%M:%S} UTC, in {table}) lies {spoken(at - now)} ahead "
            "of this clock: it was set back since, or was wrong then"
        )
        do = f"{_SET_IT}. If the clock is right now, looks go on by themselves; ages are wrong until then."
        return [_line("database", State.PROBLEM, what, do)]
    return [_line("database", State.OK, f"the newest moment in the database lies {spoken(now - at)} before it")]


def file_system(settings: Settings, *, clock: Callable[[], datetime]) -> list[Line]:
    """Hold the clock against the time that a new file gets on the disk of the database."""
    folder = path_of(settings.database_url).parent
    if not os.access(folder, os.W_OK):
        folder = Path(tempfile.gettempdir())
    before = clock()
    with tempfile.NamedTemporaryFile(dir=folder, prefix=".driftwatch-doctor-") as file:
        file.write(b".")
        file.flush()
        at = datetime.fromtimestamp(os.fstat(file.fileno()).st_mtime, UTC)
    off = (at - before).total_seconds()
    if abs(off) > _JUMP:
        what = f"a file that is made now in {folder} is dated {_length(off)} {'later' if off > 0 else 'earlier'}"
        do = "The disk is on a machine with another clock. Put the database on a local disk, or set both clocks."
        return [_line("file-system", State.WARNING, what, do, Sure.LIKELY)]
    return [_line("file-system", State.OK, f"files in {folder} are dated by it")]


def _by(seconds: float) -> str:
    return f"{'forward' if seconds > 0 else 'back'} by {_length(seconds)}"


def _length(seconds: float) -> str:
    return spoken(timedelta(seconds=abs(round(seconds))))
