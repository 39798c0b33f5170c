"""The one place that knows which database this is: connections, transactions, and what its errors mean.

A second database (PostgreSQL) is added here and in `schema.py`; the SQL of the other files is portable.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from functools import cache, partial
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote, unquote

from sqlalchemy import URL, Connection, Dialect, Engine, QueuePool, Table, create_engine, event, exc
from sqlalchemy.dialects import sqlite
from sqlalchemy.util import LRUCache

from driftwatch.errors import StoreError

WAIT = 30.0
"""Seconds that a write waits for another process's write before it gives up."""

_WRITES = "driftwatch_writes"

_COMPILED: LRUCache[Any, Any] = LRUCache(1000)
"""The SQL of statements that were run before, on whichever database: all of them are spoken to in one dialect.

SQLAlchemy's default is one for each engine, each with a dialect of its own, and so every statement is made anew in it.
"""


def connect(path: Path, *, read_only: bool = False) -> Engine:
    """Give an engine for a SQLite file. Nothing is opened before the first transaction.

    With `read_only` SQLite itself refuses every write to the file. One that is gone is never made anew: what it held
    would be missing without a word.
    """
    query = {"mode": "ro" if read_only else "rw", "uri": "true"}
    url = URL.create("sqlite", database=f"file:{quote(str(path))}", query=query)
    dialect = _dialect()
    positional, named = dialect.create_connect_args(url)
    engine = Engine(
        QueuePool(partial(sqlite3.connect, *positional, **named, timeout=WAIT), max_overflow=-1, dialect=dialect),
        dialect,
        url,
        execution_options={"compiled_cache": _COMPILED},
        # Parameters hold what servers and people wrote: never into an error text.
        hide_parameters=True,
    )
    event.listen(engine, "connect", _prepare)
    event.listen(engine, "begin", _begin)
    return engine


@cache
def _dialect() -> Dialect:
    """Give what knows how SQLite is spoken to. It learns that from its first connection, so it is given one."""
    engine = create_engine("sqlite://")
    with engine.connect():
        dialect = engine.dialect
    engine.dispose()
    return dialect


def _prepare(connection: sqlite3.Connection, _record: object) -> None:
    """Set up one connection. FULL: a decision that was confirmed to a person survives a power cut too."""
    connection.isolation_level = None
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA synchronous = FULL")


def _begin(connection: Connection) -> None:
    """Take the write lock at the start of a write: a lock that is upgraded half-way cannot wait for its turn."""
    writes = connection.get_execution_options().get(_WRITES, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """Open a transaction that sees one state of the database and writes nothing."""
    with _errors(engine), engine.connect() as connection, connection.begin():
        yield connection


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """Open a transaction that commits as a whole at the end, or not at all."""
    with _errors(engine), engine.connect() as plain:
        connection = plain.execution_options(**{_WRITES: True})
        with connection.begin():
            yield connection


class Changes:
    """Notices that a database was written to, by this process or another one, without reading what is in it."""

    def __init__(self, engine: Engine) -> None:
        """Count from now on."""
        self._engine = engine
        with _errors(engine):
            # SQLite counts for each connection what others committed, so it is always the same one that is asked.
            self._connection = engine.raw_connection()
        self._seen = self._version()

    def __enter__(self) -> Self:
        """Give the same."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Let go of the connection."""
        self._connection.close()

    def any(self) -> bool:
        """Say whether anything was committed since it was asked last.

        Raises:
            StoreError: the database cannot be asked.

        """
        before, self._seen = self._seen, self._version()
        return self._seen != before

    def _version(self) -> int:
        with _errors(self._engine), closing(self._connection.cursor()) as cursor:
            cursor.execute("PRAGMA data_version")
            (version,) = cursor.fetchall()[0]
            return int(version)


def size(connection: Connection) -> int:
    """Give the bytes that the database takes, free room in it included."""
    pages, each = (connection.exec_driver_sql(f"PRAGMA {name}").scalar_one() for name in ("page_count", "page_size"))
    return int(pages) * int(each)


def wal_size(engine: Engine) -> int:
    """Give the bytes of the file beside the database that holds what was written last; 0 where there is none."""
    try:
        return Path(f"{_path(engine)}-wal").stat().st_size
    except OSError:
        return 0


def try_writing(engine: Engine, patience: float) -> None:
    """Take the write lock, waiting for others so many seconds, and let it go again. Nothing is written.

    Raises:
        StoreError: it cannot be had.

    """
    with _errors(engine), engine.connect() as plain:
        plain.exec_driver_sql(f"PRAGMA busy_timeout = {round(patience * 1000)}").close()
        # That began a transaction, within which the lock cannot be asked for.
        plain.rollback()
        try:
            with plain.execution_options(**{_WRITES: True}).begin() as turn:
                turn.rollback()
        finally:
            plain.exec_driver_sql(f"PRAGMA busy_timeout = {round(WAIT * 1000)}").close()


def insert_new(connection: Connection, table: Table, values: Mapping[str, Any]) -> bool:
    """Insert a row unless one with the same unique key is there. Say whether it was inserted."""
    return connection.execute(_new_in(table), dict(values)).rowcount == 1


@cache
def _new_in(table: Table) -> sqlite.Insert:
    """Give the statement, made once: to put one together takes longer than to run it."""
    return sqlite.insert(table).on_conflict_do_nothing()


@contextmanager
def _errors(engine: Engine) -> Iterator[None]:
    try:
        yield
    except (exc.SQLAlchemyError, sqlite3.Error) as error:
        raise explain(error, _path(engine)) from error


def _path(engine: Engine) -> str:
    return unquote((engine.url.database or "").removeprefix("file:"))


_EXPLANATIONS = {
    "SQLITE_BUSY": ("is locked by another program", "Wait until that program is done, or stop it, and try again."),
    "SQLITE_FULL": ("cannot grow: the disk is full", "Make room on the disk. What was recorded before is safe."),
    "SQLITE_READONLY": (
        "cannot be written",
        "Let the user that runs driftwatch write there, and in its folder.",
    ),
    "SQLITE_CANTOPEN": ("cannot be opened", "See that it and its folder exist and that this user may write there."),
    "SQLITE_CORRUPT": (
        "is damaged",
        "driftwatch changes nothing in it. Restore a backup, or move the file away to start anew (approvals are lost).",
    ),
    "SQLITE_NOTADB": ("is not a SQLite database", "Name another file in [database] url."),
    "SQLITE_IOERR_WRITE": (
        "cannot be written: the disk gives errors, or takes no file so large",
        "See to the disk, or raise the limit on the size of files. What was recorded before is safe.",
    ),
    "SQLITE_IOERR": ("cannot be read or written: the disk gives errors", "See to the disk, then start again."),
}


def explain(error: Exception, database: str) -> StoreError:
    """Turn a database error into one that says what to do."""
    original = error.orig if isinstance(error, exc.DBAPIError) else error
    name = str(getattr(original, "sqlite_errorname", "") or "")
    for prefix, (what, hint) in _EXPLANATIONS.items():
        if name.startswith(prefix):
            return StoreError(f"The database {database} {what}.", hint=hint)
    if str(original).startswith(("no such column", "no such table")):
        message = f"The database {database} was made by a version of driftwatch that was never released ({original})."
        return StoreError(message, hint="Move the file away to start anew (approvals are lost).")
    return StoreError(f"The database {database} did not do as asked: {original or error}")
