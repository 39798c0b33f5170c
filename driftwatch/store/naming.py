"""Files beside a database: written aside under a name of their own, and given their name once they are whole."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from driftwatch.errors import StoreError

BESIDE: Final = ("-wal", "-shm", "-journal")
"""What the names of the files end with that SQLite keeps beside a database."""


def free_name(path: Path, why: str, now: datetime) -> Path:
    """Give a name beside a database that is not taken."""
    stem = f"{path.name}.{why}-{now.astimezone(UTC):%Y%m%dT%H%M%SZ}"
    names = (path.with_name(f"{stem}{f'-{number}' if number else ''}") for number in range(1000))
    return next(name for name in names if not name.exists())


@contextmanager
def aside(folder: Path, name: str) -> Iterator[Path]:
    """Give a new file of its owner alone in a folder; it goes away unless it was given its name."""
    try:
        handle, made = tempfile.mkstemp(prefix=f".{name}.", suffix=".part", dir=folder)
    except OSError as error:
        hint = "Name a place where this user may write and where there is room."
        raise StoreError(f"No file can be made in {folder}: {error.strerror}.", hint=hint) from error
    os.close(handle)
    file = Path(made)
    try:
        yield file
    except OSError as error:
        raise StoreError(f"{folder / name} cannot be written: {error.strerror}.", hint="See to the disk.") from error
    finally:
        for ending in ("", *BESIDE):
            Path(f"{made}{ending}").unlink(missing_ok=True)


def settle(file: Path, target: Path) -> None:
    """Give a file its name once all of it is on the disk."""
    to_disk(file)
    file.replace(target)
    to_disk(target.parent)


def to_disk(path: Path) -> None:
    """See that what was written to a file, or which files are in a folder, outlives a power cut."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
