"""Where a database is, and whether one can be there."""

from __future__ import annotations

import os
from pathlib import Path

from driftwatch.errors import StoreError


def path_of(url: str) -> Path:
    """Give the file that a database URL names. The path is taken literally: `%` is a character like any other.

    Links are followed: two names of one database are one, for its lock and for what SQLite keeps beside it.

    Raises:
        StoreError: it names none.

    """
    hint = 'Write [database] url = "sqlite:///driftwatch.db" (relative), or with four slashes for an absolute path.'
    scheme, _, rest = url.partition("://")
    if scheme != "sqlite":
        raise StoreError(f"This version keeps its data in SQLite; it cannot use {scheme[:20]!r}.", hint=hint)
    if not rest.startswith("/") or rest.startswith("/file:") or "?" in rest or "\x00" in rest:
        raise StoreError("A SQLite database URL holds a file path and nothing else.", hint=hint)
    if rest in {"/", "/:memory:"}:
        raise StoreError("The database must be a file: what is only in memory is forgotten at the end.", hint=hint)
    path = Path(rest[1:]).absolute()
    try:
        return path.resolve()
    except (OSError, RuntimeError):  # links that go in a circle: whoever opens it says so
        return path


def check_place(path: Path) -> None:
    """Refuse a place where no database can be, before SQLite says so in its own words.

    Raises:
        StoreError: none can be there, or it cannot be read and written.

    """
    folder = path.parent
    if not folder.is_dir():
        raise StoreError(
            f"The folder {folder} for the database does not exist.", hint="Create it, or change [database] url."
        )
    if path.is_dir():
        raise StoreError(f"The database {path} is a folder.", hint="Name a file in [database] url.")
    if os.statvfs(folder).f_flag & os.ST_RDONLY:
        raise StoreError(
            f"The file system of the database is read-only ({folder}).",
            hint="Mount it for writing; a disk with errors becomes read-only by itself: see the system's log. "
            "A backup can be made to another disk: driftwatch backup FILE",
        )
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
