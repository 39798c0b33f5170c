"""Opening a database file: create it, or refuse it and say why.

A file that is not ours, not readable, older or newer than this program is refused and left byte for byte as it is:
a monitor that starts over with an empty database would call every later change the first look. Older ones are brought
up to date by `driftwatch.store.upgrading`, when a person asks for it.
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote

from sqlalchemy import Engine, insert, inspect

from driftwatch.errors import NotOursError, SchemaError, StoreError
from driftwatch.model.commands import command
from driftwatch.store.access_tables import keys
from driftwatch.store.astray import BEGUN
from driftwatch.store.engine import WAIT, connect, explain, writing
from driftwatch.store.holding import lock_path
from driftwatch.store.place import check_place, path_of

REVISIONS = ("0001", "0002", "0003", "0004", "0005", "0006", "0007")
"""Every schema revision, oldest first. Kept here too, so that a current file is opened without loading Alembic."""

HEAD = REVISIONS[-1]

VERSION_TABLE = "driftwatch_version"
"""Our own name, so that another program's Alembic database is not taken for ours."""

RESCUED = ".rescued-"
"""What stands in the name of a copy that was saved when the database was taken away, after that of the database."""

_MAGIC = b"SQLite format 3\x00"
_upgrading = threading.Lock()


def open_engine(url: str, *, prepare: bool = True, read_only: bool = False) -> Engine:
    """Give an engine on a database whose schema is current; raise StoreError when that cannot be had.

    Where there is none one is created; not so without `prepare`, and with `read_only` nothing is written at all.

    Raises:
        SchemaError: it is of an older or newer version.
        StoreError: the place cannot hold a database, or what is there cannot be used. Nothing was changed.

    """
    path = path_of(url)
    check_place(path)
    creates = prepare and not read_only
    if not _is_current(path, wal=creates):
        if not creates:
            raise StoreError(f"There is no database at {path} yet.", hint="Start driftwatch run first.")
        with folder_lock(path.parent):
            # Another process may have done it while this one waited.
            if not _is_current(path, wal=True):
                _refuse_to_start_over(path)
                # It tells how servers are reached, so it is the owner's alone; what SQLite writes beside it follows.
                path.touch(mode=0o600)
                bring_up_to_date(path)
    return connect(path, read_only=read_only)


def _refuse_to_start_over(path: Path) -> None:
    """Refuse an empty database where there was one before: every approval would be gone without a word."""
    if path.exists():
        return
    lock = lock_path(path)
    saved = sorted(path.parent.glob(f"{path.name}{RESCUED}*"))
    if not saved and not (lock.exists() and lock.stat().st_size):
        return
    way = f"Put it back: {command('restore', str(saved[-1]))}" if saved else "Restore a backup: driftwatch restore FILE"
    raise StoreError(
        f"The database {path} is gone; there was one.",
        hint=f"{way}. To start anew without approvals, remove {saved[-1] if saved else lock}"
        f"{f' and {lock}' if saved and lock.exists() else ''} first.",
    )


def _is_current(path: Path, *, wal: bool) -> bool:
    """Say whether the file has the newest schema (and is in WAL mode); refuse what cannot be used.

    Opens the file for reading only.
    """
    found = revision_of(path)
    if found is None:
        return False
    if found != HEAD:
        raise SchemaError(
            f"The database {path} has the schema {found}; this driftwatch needs {HEAD}.",
            hint="Bring it up to date (a backup is made first): driftwatch db upgrade. Nothing was changed.",
        )
    if not wal:
        return True
    try:
        with closing(looking_at(path)) as connection:
            return _is_wal(connection)
    except sqlite3.Error as error:
        raise explain(error, str(path)) from error


def revision_of(path: Path) -> str | None:
    """Give the schema revision of a file, None where there is none or nothing is in it. Only reads.

    Raises:
        SchemaError: a newer version wrote it.
        StoreError: it is not one of ours, or cannot be read.

    """
    if not path.exists() or path.stat().st_size == 0:
        return None
    with path.open("rb") as file:
        start = file.read(len(_MAGIC))
    if start != _MAGIC:
        raise StoreError(
            f"The file {path} is not a SQLite database.",
            hint="driftwatch leaves it as it is. Name another file in [database] url.",
        )
    try:
        with closing(looking_at(path)) as connection:
            return _read_revision(connection, path)
    except sqlite3.Error as error:
        raise explain(error, str(path)) from error


def looking_at(path: Path) -> sqlite3.Connection:
    """Open a file for reading only, also on a disk that takes no writes any more."""
    log = Path(f"{path}-wal")
    # SQLite makes files of its own beside it, unless it is told that nobody writes; where that log is, it is needed.
    still = not os.access(path.parent, os.W_OK) and not (log.exists() and log.stat().st_size)
    more = "&immutable=1" if still else ""
    return sqlite3.connect(f"file:{quote(str(path))}?mode=ro{more}", uri=True, timeout=WAIT)


def _is_wal(connection: sqlite3.Connection) -> bool:
    return bool(connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal")


def _read_revision(connection: sqlite3.Connection, path: Path) -> str | None:
    """Give the revision of the file, None for a database with nothing in it."""
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if not tables:
        return None
    if VERSION_TABLE not in tables:
        raise NotOursError(
            f"The database {path} belongs to another program.",
            hint="driftwatch leaves it as it is. Name another file in [database] url.",
        )
    revisions = [revision for (revision,) in connection.execute(f"SELECT version_num FROM {VERSION_TABLE}")]  # noqa: S608
    if len(revisions) != 1 or revisions[0] not in REVISIONS:
        raise SchemaError(
            f"The database {path} was written by a newer driftwatch (schema {', '.join(map(str, revisions)) or '?'}; "
            f"this one knows {HEAD}).",
            hint="Install that version again, or go back to the backup from before the upgrade: "
            "driftwatch restore FILE. Nothing was changed.",
        )
    return str(revisions[0])


def bring_up_to_date(path: Path) -> None:
    """Run the migrations in one transaction, so that a crash half-way leaves the file as it was."""
    # WAL is a property of the file and cannot be set inside a transaction.
    try:
        with closing(sqlite3.connect(path, timeout=WAIT)) as connection:
            connection.execute("PRAGMA journal_mode = WAL")
    except sqlite3.Error as error:
        raise explain(error, str(path)) from error
    engine = connect(path)
    try:
        _migrate(engine)
    finally:
        engine.dispose()


def _migrate(engine: Engine) -> None:
    from alembic import command  # noqa: PLC0415 - slow to load, and not needed when the schema is current
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(migrations()).replace("%", "%%"))
    # Alembic keeps the running migration in a global.
    with _upgrading, writing(engine) as connection:
        is_new = not inspect(connection).get_table_names()
        config.attributes["connection"] = connection
        command.upgrade(config, HEAD)
        if is_new:
            # Nothing can be older than its audit log (see `astray`).
            connection.execute(insert(keys).values(name=BEGUN, value=b""))


def migrations() -> Path:
    """Give the folder of the migration scripts: packed into a wheel, or at the top of a checkout."""
    package = Path(__file__).resolve().parent.parent
    for place in (package / "_migrations", package.parent / "migrations"):
        if (place / "env.py").is_file():
            return place
    raise StoreError("The migration scripts of driftwatch are missing.", hint="Install driftwatch again.")


@contextmanager
def folder_lock(folder: Path) -> Iterator[None]:
    """Let one process at a time create or upgrade here; the lock ends with its process and leaves no file behind.

    SQLite's own lock is not enough: switching a file to WAL does not wait for its turn.
    """
    deadline = time.monotonic() + WAIT
    handle = os.open(folder, os.O_RDONLY)
    try:
        while not _locked(handle):
            if time.monotonic() > deadline:
                raise StoreError(
                    f"Another driftwatch has been preparing a database in {folder} for {WAIT:.0f} seconds.",
                    hint="See whether that process hangs, then start again.",
                )
            time.sleep(0.02)
        yield
    finally:
        os.close(handle)


def _locked(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
