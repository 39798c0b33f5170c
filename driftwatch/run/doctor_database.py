"""The doctor's look at the database and its disk, and at the daemon that holds it. It writes nothing into it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Final

from driftwatch import __version__
from driftwatch.config.schema import Settings
from driftwatch.errors import SchemaError, StoreError
from driftwatch.model.amounts import many, weight
from driftwatch.model.commands import command
from driftwatch.run.doctor_lines import Area, Line, State, Sure
from driftwatch.run.health import health_of
from driftwatch.store.checkup import quick_check, wal_size
from driftwatch.store.holding import Holder, holder_of, lock_path
from driftwatch.store.place import check_place, path_of
from driftwatch.store.schema import HEAD, RESCUED, revision_of
from driftwatch.store.store import Store

_LEAST_FREE: Final = 16 * 2**20
"""Bytes below which the next looks may not be recorded."""

_LARGE_WAL: Final = 64 * 2**20

_MOUNTS: Final = Path("/proc/self/mounts")

_REMOTE: Final = frozenset({"9p", "afs", "ceph", "cifs", "fuse.sshfs", "glusterfs", "nfs", "nfs4", "smb3", "smbfs"})
"""File systems on which the locks of SQLite cannot be relied on."""


def _line(check: str, state: State, what: str, do: str = "", sure: Sure = Sure.CERTAIN) -> Line:
    return Line(Area.DATABASE, check, "", state, what, do, sure)


def place(settings: Settings) -> list[Line]:
    """Say whether a database can be where it is to be, whether it is there, and of which schema it is."""
    path = path_of(settings.database_url)
    try:
        check_place(path)
    except StoreError as error:
        return [_line("place", State.PROBLEM, error.message, error.hint)]
    lines = list(remote(path, _mounts()))
    try:
        found = revision_of(path)
    except SchemaError as error:
        return [*lines, _line("schema", State.PROBLEM, error.message, error.hint)]
    if found is None:
        return [*lines, _missing(path)]
    if found != HEAD:
        what = f"{path} has the schema {found}, and this driftwatch ({__version__}) needs {HEAD}"
        do = "Stop the daemon, then: driftwatch db upgrade (it makes a backup first)"
        return [*lines, _line("schema", State.PROBLEM, what, do)]
    return [*lines, _line("schema", State.OK, f"{path} is there, can be used, and has the schema {HEAD}")]


def _missing(path: Path) -> Line:
    saved = sorted(path.parent.glob(f"{path.name}{RESCUED}*"))
    lock = lock_path(path)
    if saved or (lock.exists() and lock.stat().st_size):
        way = (
            f"Put it back: {command('restore', str(saved[-1]))}"
            if saved
            else "Restore a backup: driftwatch restore FILE"
        )
        return _line("place", State.PROBLEM, f"the database {path} is gone; there was one", way)
    what = f"there is no database at {path} yet, so nothing was approved"
    return _line("place", State.WARNING, what, "Start driftwatch run, which makes one; or restore a backup.")


def _mounts() -> str:
    try:
        return _MOUNTS.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def remote(path: Path, mounts: str) -> Iterator[Line]:
    """Say that the file system is on another machine, by what the kernel has mounted."""
    rows = [row.split(" ") for row in mounts.splitlines() if row.count(" ") >= 3]
    above = {str(one) for one in (path, *path.parents)}
    fitting = [(row[1], row[2]) for row in rows if row[1] in above]
    kind = max(fitting, key=lambda one: len(one[0]), default=("", ""))[1]
    if kind in _REMOTE:
        what = f"the database is on a file system of another machine ({kind}), whose locks cannot be relied on"
        do = "Put it on a local disk: [database] url. Move it with driftwatch backup and driftwatch restore."
        yield _line("local-disk", State.PROBLEM, what, do, Sure.LIKELY)


def disk(settings: Settings) -> list[Line]:
    """Hold the free room on the disk against the size of the database, and look at what waits beside it."""
    path = path_of(settings.database_url)
    if not path.parent.is_dir():
        return []
    size, wal = _size(path), wal_size(path)
    lines = [room(shutil.disk_usage(path.parent).free, size)]
    if wal > max(_LARGE_WAL, size):
        what = f"{weight(wal)} wait beside the database to be brought into it ({path.name}-wal)"
        do = "Find out who reads it for so long (a backup program, a shell): lsof on that file."
        lines.append(_line("wal", State.WARNING, what, do, Sure.LIKELY))
    else:
        lines.append(_line("wal", State.OK, f"{weight(wal)} wait beside it to be brought into it"))
    return lines


def room(free: int, size: int) -> Line:
    """Say whether so many free bytes are enough for a database of that size."""
    words = f"{weight(free)} free on its disk; the database takes {weight(size)}"
    if free < _LEAST_FREE:
        do = (
            "Make room now: looks and alerts can soon not be recorded. driftwatch prune and vacuum make the file small."
        )
        return _line("disk", State.PROBLEM, words, do)
    if free < 2 * size:
        do = "Make room: db upgrade makes a copy first, and vacuum takes twice its size for a while."
        return _line("disk", State.WARNING, words, do)
    return _line("disk", State.OK, words)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def pages(settings: Settings) -> list[Line]:
    """Let SQLite look through the file."""
    path = path_of(settings.database_url)
    if not _size(path):
        return []
    damage = quick_check(path)
    if damage:
        more = f" and {len(damage) - 1} more" if len(damage) > 1 else ""
        what = f"{path} is damaged: {damage[0]}{more}"
        do = "Keep the file as it is, stop the daemon, and restore the last good backup: driftwatch restore FILE"
        return [_line("quick-check", State.PROBLEM, what, do)]
    what = "its pages are sound, as far as a quick look tells; driftwatch db check looks through all of it"
    return [_line("quick-check", State.OK, what)]


def log(settings: Settings, *, now: datetime) -> list[Line]:
    """Go through the audit log."""
    path = path_of(settings.database_url)
    if not _size(path) or revision_of(path) != HEAD:
        return []
    with Store.open(settings.database_url, clock=lambda: now, read_only=True) as store:
        found = store.verify_audit()
    if found.good:
        what = f"the audit log is whole, and agrees with the database: {many(found.count, 'entry', 'entries')}"
        return [_line("audit", State.OK, what)]
    why = found.why or found.astray[0]
    what = f"the audit log does not hold, or the database says something else: {why}"
    do = "Somebody changed it by hand. See what: driftwatch audit verify"
    return [_line("audit", State.PROBLEM, what, do)]


def daemon(settings: Settings, *, now: datetime) -> list[Line]:
    """Say whether a daemon runs on the database, whether it keeps up, and whether it is of this version."""
    holder = holder_of(settings.database_url)
    if holder is None:
        do = "Start it: systemctl start driftwatch, or driftwatch run"
        return [_of_daemon("running", State.WARNING, "no daemon watches with this database", do)]
    if holder.doing not in {"run", ""}:
        do = "Wait until it is done, then look again."
        return [_of_daemon("running", State.WARNING, f"the database is held by {holder.words}", do)]
    return [
        _of_daemon("running", State.OK, f"it is running: {holder.words}"),
        *_same(holder),
        *_reloaded(holder),
        *_keeps_up(settings, now),
    ]


def _of_daemon(check: str, state: State, what: str, do: str = "", sure: Sure = Sure.CERTAIN) -> Line:
    return Line(Area.DAEMON, check, "", state, what, do, sure)


def _same(holder: Holder) -> Iterator[Line]:
    if holder.version and holder.version != __version__:
        what = f"the daemon that runs is driftwatch {holder.version}, and this one is {__version__}"
        yield _of_daemon("version", State.WARNING, what, "Restart it: systemctl restart driftwatch")


def _reloaded(holder: Holder) -> Iterator[Line]:
    if holder.reload.code:
        what = (
            f"its last reload failed ({holder.reload.at}), so it goes by an older configuration: {holder.reload.words}"
        )
        yield _of_daemon("reload", State.PROBLEM, what, "Correct the configuration, then: driftwatch reload")


def _keeps_up(settings: Settings, now: datetime) -> Iterator[Line]:
    with Store.open(settings.database_url, clock=lambda: now, prepare=False) as store:
        health = health_of(store, settings, now=now)
    if all(check.ok for check in health.checks):
        yield _of_daemon("keeps-up", State.OK, f"it keeps up: {health.words}")
        return
    for one in health.checks:
        if not one.ok:
            state = State.PROBLEM if one.decides else State.WARNING
            words = one.why if not one.decides else f"{one.why} ({health.words})"
            do = "Look at its log (journalctl -u driftwatch); right after a start, look again in a while."
            yield _of_daemon(one.part.value, state, words, do, Sure.LIKELY)


def files_of(pid: int) -> tuple[int, int] | None:
    """Give the most files that a process may have open, and how many it has; None where that cannot be seen."""
    try:
        limits = Path(f"/proc/{pid}/limits").read_text(encoding="utf-8")
        most = next(row.split()[3] for row in limits.splitlines() if row.startswith("Max open files"))
        return int(most), len(os.listdir(f"/proc/{pid}/fd"))  # noqa: PTH208
    except (OSError, ValueError, StopIteration):
        return None
