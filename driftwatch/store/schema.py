"""Opening a database file: create it, bring it up to date, or refuse it and say why.

A file that is not ours, not readable or newer than this program is refused and left byte for byte as it is:
a monitor that starts over with an empty database would call every later change the first look.
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

from driftwatch.errors import StoreError
from driftwatch.store.access_tables import keys
from driftwatch.store.astray import BEGUN
from driftwatch.store.engine import WAIT, connect, explain, writing

REVISIONS = ("0001", "0002", "0003", "0004", "0005", "0006")
"""Every schema revision, oldest first. Kept here too, so that a current file is opened without loading Alembic."""

HEAD = REVISIONS[-1]

VERSION_TABLE = "driftwatch_version"
"""Our own name, so that another program's Alembic database is not taken for ours."""

_MAGIC = b"SQLite format 3\x00"
_upgrading = threading.Lock()


def open_engine(url: str, *, prepare: bool = True, read_only: bool = False) -> Engine:
    """Give an engine on a database whose schema is current; raise StoreError when that cannot be had.

    Without `prepare` nothing is created and nothing brought up to date; with `read_only` nothing is written at all.
    """
    path = _path_of(url)
    _check_place(path)
    if not _is_current(path):
        if not prepare or read_only:
            raise StoreError(f"There is no up-to-date database at {path} yet.", hint="Start driftwatch run first.")
        with _folder_lock(path.parent):
            # Another process may have done it while this one waited.
            if not _is_current(path):
                # It tells how servers are reached, so it is the owner's alone; what SQLite writes beside it follows.
                path.touch(mode=0o600)
                _bring_up_to_date(path)
    return connect(path, read_only=read_only)


def _path_of(url: str) -> Path:
    """Give the file that a database URL names. The path is taken literally: `%` is a character like any other."""
    hint = 'Write [database] url = "sqlite:///driftwatch.db" (relative), or with four slashes for an absolute path.'
    scheme, _, rest = url.partition("://")
    if scheme != "sqlite":
        raise StoreError(f"This version keeps its data in SQLite; it cannot use {scheme[:20]!r}.", hint=hint)
    if not rest.startswith("/") or rest.startswith("/file:") or "?" in rest or "\x00" in rest:
        raise StoreError("A SQLite database URL holds a file path and nothing else.", hint=hint)
    if rest in {"/", "/:memory:"}:
        raise StoreError("The database must be a file: what is only in memory is forgotten at the end.", hint=hint)
    return Path(rest[1:]).absolute()


def _check_place(path: Path) -> None:
    """Refuse a place where no database can be, before SQLite says so in its own words."""
    folder = path.parent
    if not folder.is_dir():
        raise StoreError(
            f"The folder {folder} for the database does not exist.", hint="Create it, or change [database] url."
        )
    if path.is_dir():
        raise StoreError(f"The database {path} is a folder.", hint="Name a file in [database] url.")
    # SQLite writes two more files beside the database (-wal and -shm), so the folder counts too.
    if not os.access(folder, os.W_OK | os.X_OK):
        raise StoreError(
            f"The folder {folder} of the database cannot be written.",
            hint="Give the user that runs driftwatch write access to the folder, or change [database] url.",
        )
    if path.exists() and not os.access(path, os.R_OK | os.W_OK):
        raise StoreError(
            f"The database {path} cannot be read and written.",
            hint="Give the user that runs driftwatch access to the file.",
        )


def _is_current(path: Path) -> bool:
    """Say whether the file has the newest schema; refuse what is not ours. Opens the file for reading only."""
    if not path.exists() or path.stat().st_size == 0:
        return False
    with path.open("rb") as file:
        start = file.read(len(_MAGIC))
    if start != _MAGIC:
        raise StoreError(
            f"The file {path} is not a SQLite database.",
            hint="driftwatch leaves it as it is. Name another file in [database] url.",
        )
    try:
        with closing(sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True, timeout=WAIT)) as connection:
            return _read_revision(connection, path) == HEAD and _is_wal(connection)
    except sqlite3.Error as error:
        raise explain(error, str(path)) from error


def _is_wal(connection: sqlite3.Connection) -> bool:
    return bool(connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal")


def _read_revision(connection: sqlite3.Connection, path: Path) -> str | None:
    """Give the revision of the file, None for a database with nothing in it."""
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if not tables:
        return None
    if VERSION_TABLE not in tables:
        raise StoreError(
            f"The database {path} belongs to another program.",
            hint="driftwatch leaves it as it is. Name another file in [database] url.",
        )
    revisions = [revision for (revision,) in connection.execute(f"SELECT version_num FROM {VERSION_TABLE}")]  # noqa: S608
    if len(revisions) != 1 or revisions[0] not in REVISIONS:
        raise StoreError(
            f"The database {path} was written by a newer driftwatch (schema {', '.join(map(str, revisions)) or '?'}).",
            hint="Install that version again, or restore the backup from before the upgrade. Nothing was changed.",
        )
    return str(revisions[0])


def _bring_up_to_date(path: Path) -> None:
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
def _folder_lock(folder: Path) -> Iterator[None]:
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
