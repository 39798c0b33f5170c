"""What install remembers of a host's file, so that uninstall can put it back: the file as it was, and what was changed.

One folder for this user only. Of each file two: `KEY.json` (`Memory`) and `KEY.backup` (the bytes). KEY is a digest of
the file's real path.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from driftwatch.config.hostedit import Change
from driftwatch.errors import UsageError
from driftwatch.watch.witness.filing import digest_of
from driftwatch.watch.witness.folder import make_private, write_whole

_VERSION = 1
_LOCK = "lock"


@dataclass(frozen=True, slots=True)
class Memory:
    """What is remembered of one file: its host, when it was changed last, its digests before and after, the changes."""

    file: Path
    host: str
    at: str
    before: str
    after: str
    changes: tuple[Change, ...]


class Memories:
    """The folder. Whatever in it cannot be read counts as not there: the files themselves tell what is wrapped."""

    def __init__(self, folder: Path) -> None:
        """Take the folder, which is made when there is something to remember."""
        self.folder = folder

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Keep other installs of this user waiting meanwhile.

        Raises:
            UsageError: the folder cannot be used.

        """
        try:
            make_private(self.folder, lambda name: name == _LOCK or name.endswith((".json", ".backup")))
            descriptor = os.open(self.folder / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise self._unusable(error) from error
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)

    def of(self, file: Path) -> Memory | None:
        """Give what is remembered of a file, by its real path."""
        return self._read(self._path(file, "json"))

    def all(self) -> tuple[Memory, ...]:
        """Give everything that is remembered, by file."""
        with contextlib.suppress(OSError):
            found = [self._read(path) for path in self.folder.glob("*.json")]
            return tuple(sorted((one for one in found if one is not None), key=lambda one: one.file))
        return ()

    def backup(self, memory: Memory) -> bytes | None:
        """Give a file as it was; None where that is not there any more, or is not what it was."""
        with contextlib.suppress(OSError):
            data = self._path(memory.file, "backup").read_bytes()
            return data if digest_of(data) == memory.before else None
        return None

    def keep(self, memory: Memory, backup: bytes) -> None:
        """Remember a file.

        Raises:
            UsageError: it cannot be written.

        """
        told = {"version": _VERSION, **asdict(memory), "file": str(memory.file)}
        try:
            write_whole(self._path(memory.file, "backup"), backup)
            write_whole(self._path(memory.file, "json"), json.dumps(told, indent=1).encode("ascii"))
        except OSError as error:
            raise self._unusable(error) from error

    def forget(self, file: Path) -> None:
        """Remember a file no more: what was kept of it may hold secrets."""
        with contextlib.suppress(OSError):
            self._path(file, "json").unlink(missing_ok=True)
            self._path(file, "backup").unlink(missing_ok=True)

    def _path(self, file: Path, sort: str) -> Path:
        return self.folder / f"{hashlib.sha256(os.fsencode(file)).hexdigest()[:32]}.{sort}"

    def _read(self, path: Path) -> Memory | None:
        try:
            told = json.loads(path.read_bytes())
            if told.pop("version") != _VERSION:
                return None
            changes = tuple(Change(**_tuples(one)) for one in told.pop("changes"))
            return Memory(**{**told, "file": Path(told["file"])}, changes=changes)
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            return None

    def _unusable(self, error: OSError) -> UsageError:
        message = f"The folder {self.folder} cannot be used: {error.strerror}."
        return UsageError(message, hint="Nothing was changed. Check its owner and the disk.")


def _tuples(told: dict[str, Any]) -> dict[str, Any]:
    """Give the members of a change, lists as the tuples that they were."""
    return {key: tuple(value) if isinstance(value, list) else value for key, value in told.items()}
