"""Digests of files and of sets of files. A file that did not change is not read twice."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO

MOST_FILES = 20_000
"""Files of one package that are read; a package with more has no digest."""

MOST_BYTES = 1 << 30
"""Bytes of one file, and of all files of one package, that are read."""

_MOST_KEPT = 100_000
_PIECE = 1 << 20


def regular(path: Path) -> BinaryIO:
    """Open a regular file for reading; anything else, which may never end or never answer, is an `OSError`."""
    file = os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb")
    if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        return file
    file.close()
    raise OSError(errno.EINVAL, "not a regular file", str(path))


class Digests:
    """Remembers the digest of each file for as long as size, inode and both times of the file stay."""

    def __init__(self) -> None:
        """Start with nothing."""
        self._known: dict[str, tuple[tuple[int, ...], str]] = {}

    def of_file(self, path: Path) -> str:
        """Give `sha256:` and 64 hex digits of a file's content, empty when it cannot be read or is too large."""
        try:
            with regular(path) as file:
                state = os.fstat(file.fileno())
                mark = (state.st_dev, state.st_ino, state.st_size, state.st_mtime_ns, state.st_ctime_ns)
                kept = self._known.get(str(path))
                if kept is not None and kept[0] == mark:
                    return kept[1]
                if state.st_size > MOST_BYTES:
                    return ""
                told, left = hashlib.sha256(), state.st_size
                while left > 0 and (piece := file.read(min(left, _PIECE))):
                    told.update(piece)
                    left -= len(piece)
        except (OSError, ValueError):
            return ""
        if len(self._known) >= _MOST_KEPT:
            self._known.clear()
        self._known[str(path)] = (mark, f"sha256:{told.hexdigest()}")
        return self._known[str(path)][1]

    def of_files(self, folder: Path, names: Iterable[str]) -> str:
        """Give one digest over files by their names (relative to `folder`), empty when there are none or too many."""
        wanted = sorted(set(names))
        if not wanted or len(wanted) > MOST_FILES or _size(folder, wanted) > MOST_BYTES:
            return ""
        told = hashlib.sha256()
        for name in wanted:
            told.update(f"{name}\0{self.of_file(folder / name)}\0".encode("utf-8", "surrogateescape"))
        return f"sha256:{told.hexdigest()}"


def _size(folder: Path, names: Iterable[str]) -> int:
    total = 0
    for name in names:
        try:
            total += (folder / name).stat().st_size
        except (OSError, ValueError):
            continue
    return total
