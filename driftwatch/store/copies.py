"""Whole copies of a database: a backup while others write, a restore, and what is found in such a file.

A copy is written aside, verified, brought safely to the disk, and only then given its name: there is the old file or
the whole new one, whatever happens meanwhile.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from driftwatch.errors import NotOursError, StoreError, UsageError
from driftwatch.model import Act, Action, Actor, Verified
from driftwatch.model.amounts import weight
from driftwatch.store.audit import write
from driftwatch.store.chain import AuditWalk
from driftwatch.store.engine import WAIT, connect, explain, reading, writing
from driftwatch.store.holding import held, lock_path
from driftwatch.store.naming import BESIDE, aside, free_name, settle, to_disk
from driftwatch.store.place import check_place, path_of
from driftwatch.store.schema import HEAD, bring_up_to_date, folder_lock, looking_at, open_engine, revision_of

_MOST: Final = 20
"""Faults of a file that are named."""

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Facts:
    """What a database holds, in a few figures; of an older one what it has. `size` is in bytes."""

    revision: str
    size: int
    servers: int
    approved: int
    open_alerts: int
    entries: int
    last_look: datetime | None


@dataclass(frozen=True, slots=True)
class Inspection:
    """What was found in a file: `damage` in SQLite's words, empty for none.

    `verified` is what its audit log says, None where the file is damaged or of an older version.
    """

    facts: Facts
    damage: tuple[str, ...] = ()
    verified: Verified | None = None


@dataclass(frozen=True, slots=True)
class Restored:
    """What is there now and what was before (None: nothing that could be read), and where that is kept."""

    now: Facts
    before: Facts | None
    kept: Path | None


def back_up(url: str, target: Path, *, force: bool = False) -> Inspection:
    """Copy the database as it is at one moment into a file of its owner alone, also while others write to it.

    `force` replaces a file that is there. Where the audit log of the copy is broken, so is that of the database; the
    copy is kept all the same, as it is what there is.

    Raises:
        UsageError: the file is there already, or cannot be one.
        StoreError: there is no database, it is damaged, or the copy could not be written. Nothing has the name then.

    """
    source = path_of(url)
    if revision_of(source) is None:
        raise StoreError(f"There is no database at {source} yet.", hint="There is nothing to back up.")
    _check_target(source, target, force=force)
    with aside(target.parent, target.name) as file:
        _copy(source, file, of=target)
        found = inspect(file, of=source)
        if found.damage:
            raise _damaged(source, found, "No backup was made. Keep the file, and restore the last good backup.")
        if not force and target.exists():  # made meanwhile
            raise _is_there(target)
        settle(file, target)
    return found


def restore(url: str, source: Path, *, now: datetime, by: Actor, force: bool = False) -> Restored:
    """Put a backup in the place of the database; what was there is kept beside it.

    `force` takes one whose audit log is broken too. One of an older version is restored as it is.

    Raises:
        HeldError: a daemon or another program uses the database.
        StoreError: the file is not a whole database of driftwatch, or there is no room. The database is as it was.

    """
    path = path_of(url)
    check_place(path)
    if revision_of(source) is None:
        raise StoreError(f"There is no database in {source}.", hint="Name a file that driftwatch backup made.")
    if path.exists() and path.samefile(source):
        raise UsageError("That is the database itself.", hint="Name a file that driftwatch backup made.")
    with held(url, doing="restore", now=now), folder_lock(path.parent), aside(path.parent, path.name) as file:
        _copy(source, file, of=path)
        found = inspect(file, of=source)
        if found.damage:
            raise _damaged(source, found, "The database is as it was. Try an older backup.")
        if found.verified is not None and not found.verified.good and not force:
            why = found.verified.why or found.verified.astray[0]
            hint = "Somebody changed it by hand. The database is as it was. To restore it all the same: --force"
            raise StoreError(f"The audit log of {source} does not hold: {why}.", hint=hint)
        before = _facts_or_none(path)
        if found.facts.revision == HEAD:
            _note(file, source, now, by)
        kept = _put_aside(path, now)
        settle(file, path)
    return Restored(found.facts, before, kept)


def upgrade(url: str, *, now: datetime, backup: bool = True) -> tuple[str, Path | None]:
    """Bring a database of an older version up to date, in one transaction. Give its schema and backup from before.

    Raises:
        HeldError: a daemon uses it.
        SchemaError: it is of a newer version.
        StoreError: there is none, or it could not be done; it is as it was.

    """
    path = path_of(url)
    check_place(path)
    with held(url, doing="db upgrade", now=now):
        found = revision_of(path)
        if found is None:
            raise StoreError(f"There is no database at {path} yet.", hint="Start driftwatch run first.")
        if found == HEAD:
            return found, None
        kept = free_name(path, f"before-{HEAD}", now) if backup else None
        if kept is not None:
            back_up(url, kept)
        with folder_lock(path.parent):
            bring_up_to_date(path)
    return found, kept


def vacuum(url: str) -> tuple[int, int]:
    """Make the database as small as what is in it; give the bytes that it took, and takes. Who writes meanwhile waits.

    Raises:
        SchemaError: it is of an older or newer version.
        StoreError: there is none, there is no room, or somebody writes to it for long.

    """
    path = path_of(url)
    open_engine(url, prepare=False).dispose()
    before = path.stat().st_size
    free = shutil.disk_usage(path.parent).free
    # It is written anew beside itself, and then once more through the file in which changes wait.
    if free < 2 * before:
        message = f"There is no room in {path.parent} to write the database anew: {weight(free)} are free."
        raise StoreError(message, hint=f"It takes {weight(2 * before)} for a while. Nothing was changed.")
    try:
        with closing(sqlite3.connect(path, timeout=WAIT)) as connection:
            connection.execute("VACUUM")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    except sqlite3.Error as error:
        raise explain(error, str(path)) from error
    return before, path.stat().st_size


def _copy(source: Path, target: Path, *, of: Path) -> None:
    """Copy a database as it is at one moment into a file that is there and empty; it becomes one file, without WAL.

    `of` is what the copy is to be called once it is whole.
    """
    try:
        with closing(looking_at(source)) as here, closing(sqlite3.connect(target)) as there:
            # All at once: whoever writes meanwhile need not wait, and does not make it begin anew.
            here.backup(there)
            there.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.Error as error:
        name = str(getattr(error, "sqlite_errorname", ""))
        raise explain(error, str(source if name in {"SQLITE_CORRUPT", "SQLITE_NOTADB"} else of)) from error


def inspect(path: Path, *, of: Path | None = None) -> Inspection:
    """Look through all of a file: its pages, what its rows refer to, and its audit log; `of` names it in errors.

    Raises:
        StoreError: it is not one of ours, or cannot be read.

    """
    revision = revision_of(path) or ""
    try:
        with closing(looking_at(path)) as connection:
            damage = [str(row[0]) for row in connection.execute(f"PRAGMA integrity_check({_MOST})")]
            damage = [] if damage == ["ok"] else damage
            for row in connection.execute("PRAGMA foreign_key_check"):
                damage.append(f"a row of {row[0]} refers to one of {row[2]} that is not there")
            facts = _facts(connection, revision, path.stat().st_size)
    except sqlite3.Error as error:
        raise explain(error, str(of or path)) from error
    verified = _verified(path) if not damage and revision == HEAD else None
    return Inspection(facts, tuple(damage[:_MOST]), verified)


def _verified(path: Path) -> Verified:
    engine = connect(path, read_only=True)
    walk, found = AuditWalk(), None
    try:
        with reading(engine) as connection:
            while found is None:
                found = walk.step(connection)
    finally:
        engine.dispose()
    return found


def _facts(connection: sqlite3.Connection, revision: str, size: int) -> Facts:
    """Count, in a database of any version."""

    def one(query: str) -> int | None:
        value: int | None = connection.execute(query).fetchone()[0]
        return value

    has_log = one("SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'audit'")
    looked = one("SELECT max(last_look_at) FROM servers")
    in_force = "SELECT count(*) FROM baselines WHERE superseded_at IS NULL AND state = 'approved'"
    return Facts(
        revision,
        size,
        servers=one("SELECT count(*) FROM servers") or 0,
        approved=one(in_force) or 0,
        open_alerts=one("SELECT count(*) FROM alerts WHERE state != 'resolved'") or 0,
        entries=(one("SELECT count(*) FROM audit") or 0) if has_log else 0,
        last_look=None if looked is None else _EPOCH + timedelta(microseconds=looked),
    )


def _facts_or_none(path: Path) -> Facts | None:
    """Count what is in a database that may be damaged, of a newer version, or not there."""
    try:
        with closing(looking_at(path)) as connection:
            (revision,) = connection.execute("SELECT version_num FROM driftwatch_version").fetchone()
            return _facts(connection, str(revision), path.stat().st_size)
    except (sqlite3.Error, TypeError, OSError):
        return None


def _note(file: Path, source: Path, now: datetime, by: Actor) -> None:
    """Write into the copy where it comes from: entries that a person remembers may not be in it."""
    engine = connect(file)
    try:
        with writing(engine) as connection:
            write(connection, Act(Action.RESTORED, by, now, details={"file": source.name}))
    finally:
        engine.dispose()


def _put_aside(path: Path, now: datetime) -> Path | None:
    """Give what is there a second name, and take away what SQLite keeps beside it; a file without it is whole."""
    kept = free_name(path, "before-restore", now)
    if path.exists():
        _close_down(path)
        try:
            os.link(path, kept)
        except OSError:  # a file system without second names
            shutil.copy2(path, kept)
            to_disk(kept)
    for ending in BESIDE:
        beside = path.with_name(path.name + ending)
        if ending != "-shm" and beside.exists() and beside.stat().st_size:
            beside.rename(kept.with_name(kept.name + ending))
        else:
            beside.unlink(missing_ok=True)
    return kept if any(Path(f"{kept}{ending}").exists() for ending in ("", *BESIDE)) else None


def _close_down(path: Path) -> None:
    """Bring what waits beside a database into it, which nobody else may have open; a damaged one is left as it is."""
    try:
        revision_of(path)
    except NotOursError:
        raise
    except StoreError:
        # Damaged, or newer: it is kept as it lies there.
        return
    try:
        with closing(sqlite3.connect(path, timeout=1)) as connection:
            connection.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.OperationalError as error:
        raise explain(error, str(path)) from error
    except sqlite3.Error:
        return


def _check_target(source: Path, target: Path, *, force: bool) -> None:
    hint = "Name another file for the backup."
    if target.is_dir():
        raise UsageError(f"{target} is a folder.", hint=hint)
    if not target.parent.is_dir():
        raise UsageError(f"The folder {target.parent} does not exist.", hint="Create it, or name another file.")
    taken = (source, lock_path(source), *(source.with_name(source.name + one) for one in BESIDE))
    if target.resolve() in {one.resolve() for one in taken}:
        raise UsageError(f"{target} belongs to the database itself.", hint=hint)
    if target.exists() and not target.is_file():
        raise UsageError(f"{target} is no ordinary file.", hint=hint)
    if target.exists() and not force:
        raise _is_there(target)


def _is_there(target: Path) -> UsageError:
    return UsageError(f"There is a file {target} already.", hint="Name another one, or replace it with --force.")


def _damaged(path: Path, found: Inspection, hint: str) -> StoreError:
    more = f" and {len(found.damage) - 1} more" if len(found.damage) > 1 else ""
    return StoreError(f"The database {path} is damaged: {found.damage[0]}{more}.", hint=hint)
