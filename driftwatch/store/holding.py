"""One daemon a database: who watches with it holds a lock beside it, which ends with its process, however that ends.

The file stays when the lock is let go. So it also says that there was a database here: one that is gone is not replaced
by an empty one without a word.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from driftwatch.errors import HeldError, StoreError
from driftwatch.store.place import path_of

ENDING: Final = ".lock"
"""What the name of the lock ends with, after that of the database."""

_MOST: Final = 4096
"""Bytes that are read of what a holder wrote."""


@dataclass(frozen=True, slots=True)
class Holder:
    """Who holds a database: its process, what it is doing (`run`, `restore` …), and since when, as text in ISO form."""

    pid: int
    doing: str
    since: str

    @property
    def words(self) -> str:
        """Name it in a few words."""
        return f"driftwatch {self.doing} (process {self.pid}, since {self.since})" if self.pid else "another driftwatch"


def lock_path(path: Path) -> Path:
    """Give the lock of a database file."""
    return path.with_name(f"{path.name}{ENDING}")


@contextmanager
def held(url: str, *, doing: str, now: datetime) -> Iterator[None]:
    """Hold the database alone, against every other process that would: a daemon, an upgrade, a restore.

    Commands that read or write a single decision do not ask, and are not kept out.

    Raises:
        HeldError: somebody else holds it; nothing was done.
        StoreError: there is no place for the lock.

    """
    path = path_of(url)
    handle = _opened(path)
    try:
        if not _locked(handle):
            holder = _read(handle)
            raise HeldError(f"The database {path} is held by {holder.words}.", hint=_hint(holder))
        mine = Holder(os.getpid(), doing, now.isoformat(timespec="seconds"))
        _write(handle, json.dumps({"pid": mine.pid, "doing": mine.doing, "since": mine.since}))
        yield
    finally:
        os.close(handle)


def holder_of(url: str) -> Holder | None:
    """Give who holds the database now, None when nobody does. Writes nothing, and keeps nobody out.

    Raises:
        StoreError: the lock cannot be read.

    """
    path = path_of(url)
    try:
        handle = os.open(lock_path(path), os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise _unusable(path, error) from error
    try:
        # A shared lock: two who ask at once do not take each other for the holder.
        return None if _locked(handle, fcntl.LOCK_SH) else _read(handle)
    finally:
        os.close(handle)


def _opened(path: Path) -> int:
    try:
        return os.open(lock_path(path), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    except OSError as error:
        raise _unusable(path, error) from error


def _unusable(path: Path, error: OSError) -> StoreError:
    return StoreError(
        f"The lock {lock_path(path)} of the database cannot be used: {error.strerror}.",
        hint="Give the user that runs driftwatch write access to the file and its folder, or change [database] url.",
    )


def _locked(handle: int, kind: int = fcntl.LOCK_EX) -> bool:
    try:
        fcntl.flock(handle, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as error:
        raise StoreError(
            f"The file system of the database cannot lock files: {error.strerror}.",
            hint="Put the database on a local disk: change [database] url.",
        ) from error
    return True


def _read(handle: int) -> Holder:
    """Read who it is; a holder that has not written it yet, or could not, has no name."""
    try:
        said = json.loads(os.pread(handle, _MOST, 0))
        return Holder(int(said["pid"]), str(said["doing"]), str(said["since"]))
    except (OSError, ValueError, KeyError, TypeError):
        return Holder(0, "", "")


def _write(handle: int, text: str) -> None:
    # On a full disk nobody knows who it is, but it is held all the same.
    with suppress(OSError):
        os.ftruncate(handle, 0)
        os.pwrite(handle, text.encode(), 0)


def _hint(holder: Holder) -> str:
    if holder.doing == "run":
        stop = f"kill {holder.pid}" if holder.pid else "end it"
        return f"One daemon watches with one database. Stop it first ({stop}), or name another file in [database] url."
    return "Wait until it is done, then try again."
