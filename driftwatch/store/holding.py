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
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Final

from driftwatch import __version__
from driftwatch.errors import HeldError, StoreError
from driftwatch.store.place import path_of

ENDING: Final = ".lock"
"""What the name of the lock ends with, after that of the database."""

_MOST: Final = 16_384
"""Bytes that a holder writes at once, filled up with spaces: whoever reads meanwhile finds the old ones or the new."""

_LONGEST: Final = 2_000
"""Characters of the words about a reload that are kept: each takes six bytes at the most."""


@dataclass(frozen=True, slots=True)
class Reload:
    """How many reloads of a daemon began, the number of the last that is over, and how that went.

    `at` is when it was over, in ISO form; `code` is the exit code that stands for it: 0 when it was taken.
    """

    begun: int = 0
    done: int = 0
    at: str = ""
    code: int = 0
    words: str = ""


@dataclass(frozen=True, slots=True)
class Holder:
    """Who holds a database: its process, what it is doing (`run`, `restore` …), since when (ISO), and its version."""

    pid: int
    doing: str
    since: str
    reload: Reload = Reload()
    version: str = ""

    @property
    def words(self) -> str:
        """Name it in a few words."""
        return f"driftwatch {self.doing} (process {self.pid}, since {self.since})" if self.pid else "another driftwatch"


def lock_path(path: Path) -> Path:
    """Give the lock of a database file."""
    return path.with_name(f"{path.name}{ENDING}")


class Hold:
    """A lock that is held: what its holder has to say stands in it."""

    def __init__(self, handle: int, holder: Holder) -> None:
        """Take the open file, and write who holds it."""
        self._handle, self._holder = handle, holder
        self.note(holder.reload)

    def note(self, reload: Reload) -> None:
        """Write how a reload went, for other processes to read. What cannot be written is not known, and no more."""
        said = asdict(replace(self._holder, reload=replace(reload, words=reload.words[:_LONGEST])))
        # On a full disk nobody knows who it is, but it is held all the same.
        with suppress(OSError):
            os.pwrite(self._handle, json.dumps(said).encode().ljust(_MOST), 0)


@contextmanager
def held(url: str, *, doing: str, now: datetime) -> Iterator[Hold]:
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
        yield Hold(handle, Holder(os.getpid(), doing, now.isoformat(timespec="seconds"), version=__version__))
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


def reload_failed(url: str) -> Reload | None:
    """Give the last reload of the daemon that holds the database, if the configuration was not taken then."""
    try:
        holder = holder_of(url)
    except StoreError:
        return None
    return holder.reload if holder is not None and holder.reload.code else None


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
        how = said["reload"]
        reload = Reload(int(how["begun"]), int(how["done"]), str(how["at"]), int(how["code"]), str(how["words"]))
        return Holder(int(said["pid"]), str(said["doing"]), str(said["since"]), reload, str(said.get("version", "")))
    except (OSError, ValueError, KeyError, TypeError):
        return Holder(0, "", "")


def _hint(holder: Holder) -> str:
    if holder.doing == "run":
        stop = f"kill {holder.pid}" if holder.pid else "end it"
        return f"One daemon watches with one database. Stop it first ({stop}), or name another file in [database] url."
    return "Wait until it is done, then try again."
