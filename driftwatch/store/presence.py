"""Whether the file that a daemon writes to is still the one at its place, and what is done when it is not.

A file that was removed, moved away or replaced is written to all the same by whoever has it open, and all of that is
gone when the process ends. So the daemon looks, saves what it has, and ends.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Self

from driftwatch.errors import StoreError
from driftwatch.model.commands import command
from driftwatch.store.engine import WAIT, explain
from driftwatch.store.naming import aside, free_name, settle


class Presence:
    """One connection that is kept open, and which files it was opened on."""

    def __init__(self, path: Path) -> None:
        """Open the database as it is now."""
        self.path = path
        try:
            self._connection = sqlite3.connect(path, timeout=WAIT, check_same_thread=False)
            # The file beside it is there once something was read; SQLite keeps both for as long as they are open.
            self._connection.execute("SELECT count(*) FROM sqlite_master").fetchall()
        except sqlite3.Error as error:
            raise explain(error, str(path)) from error
        self._files = {file: found for file in (path, Path(f"{path}-wal")) if (found := _which(file))}

    def __enter__(self) -> Self:
        """Give the same."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the connection."""
        self._connection.close()

    def is_lost(self) -> bool:
        """Say whether a file is not at its place any more."""
        try:
            return any(_which(file) != found for file, found in self._files.items())
        except OSError:
            # A disk that does not answer says nothing about the file.
            return False

    def rescue(self, now: datetime) -> Path:
        """Save all that was written, also since the file was taken away, beside where the database was.

        Raises:
            StoreError: it cannot be.

        """
        kept = free_name(self.path, "rescued", now)
        with aside(kept.parent, kept.name) as file:
            try:
                with closing(sqlite3.connect(file)) as there:
                    self._connection.backup(there)
                    there.execute("PRAGMA journal_mode = DELETE")
            except sqlite3.Error as error:
                raise explain(error, str(kept)) from error
            settle(file, kept)
        return kept

    def gone(self, now: datetime) -> StoreError:
        """Save what there is, and give the error that says so."""
        message = f"The database {self.path} was removed, moved or replaced while driftwatch ran."
        try:
            kept = self.rescue(now)
        except StoreError as error:
            hint = f"What was recorded could not be saved: {error.message} Restore a backup: driftwatch restore FILE"
            return StoreError(message, hint=hint)
        return StoreError(
            message,
            hint=f"All that was recorded is saved in {kept}. Put it back: {command('restore', str(kept))}",
        )


def _which(file: Path) -> tuple[int, int] | None:
    """Give what tells a file from any other of its name, None where there is none."""
    try:
        found = file.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    return found.st_dev, found.st_ino
