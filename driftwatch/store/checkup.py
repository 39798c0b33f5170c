"""A quick look into a database file: it writes nothing, and needs neither the newest schema nor a sound file."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from driftwatch.store.engine import explain
from driftwatch.store.schema import looking_at

_MOST: Final = 5
"""Faults of a file that are named."""

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)

_TIMES: Final = (
    ("servers", "last_look_at"),
    ("audit", "at"),
    ("alerts", "updated_at"),
    ("reviews", "at"),
)
"""Where the newest moments stand, each written by the clock of this machine when it happened."""


def quick_check(path: Path) -> tuple[str, ...]:
    """Give what SQLite finds wrong in the file without reading the indexes against their tables; empty for nothing.

    Raises:
        StoreError: it cannot be read at all.

    """
    try:
        with closing(looking_at(path)) as connection:
            found = tuple(str(row[0]) for row in connection.execute(f"PRAGMA quick_check({_MOST})"))
    except sqlite3.Error as error:
        raise explain(error, str(path)) from error
    return () if found == ("ok",) else found


def newest(path: Path) -> tuple[str, datetime] | None:
    """Give the newest moment that was written, and in which table; None where nothing was.

    Raises:
        StoreError: the file cannot be read.

    """
    found: list[tuple[int, str]] = []
    try:
        with closing(looking_at(path)) as connection:
            tables = {
                str(name) for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            }
            for table, column in _TIMES:
                if table in tables:
                    (at,) = connection.execute(f"SELECT max({column}) FROM {table}").fetchone()  # noqa: S608
                    found += [(at, table)] if isinstance(at, int) else []
    except sqlite3.Error as error:
        raise explain(error, str(path)) from error
    if not found:
        return None
    at, table = max(found)
    return table, _EPOCH + timedelta(microseconds=at)


def wal_size(path: Path) -> int:
    """Give the bytes that wait beside the file to be brought into it; 0 where there are none."""
    try:
        return path.with_name(f"{path.name}-wal").stat().st_size
    except OSError:
        return 0
