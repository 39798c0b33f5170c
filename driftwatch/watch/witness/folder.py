"""Folders of a witness's own, for their user alone, and files in them that are there whole or not at all."""

from __future__ import annotations

import errno
import os
import stat
import tempfile
from collections.abc import Callable
from pathlib import Path


def make_private(folder: Path, ours: Callable[[str], bool]) -> None:
    """Make a folder for this user alone, or make one so that is there already.

    One that others may read or write is changed only where nothing stands in it but what is ours by its name: the
    settings may name any folder, and others may need theirs.

    Raises:
        OSError: it cannot be made, or holds what is not ours.

    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not is_private(folder, ours):
        folder.chmod(0o700)


def is_private(folder: Path, ours: Callable[[str], bool]) -> bool:
    """Say whether a folder is for this user alone; where it is not, see that it may be made so.

    Raises:
        OSError: it cannot be read, or holds what is not ours.

    """
    mode = folder.stat().st_mode
    if not stat.S_IMODE(mode) & 0o077:
        return True
    if mode & stat.S_ISVTX or not all(ours(name) or name.endswith(".part") for name in os.listdir(folder)):  # noqa: PTH208 - names
        why = "others may read or write it, and it holds more than what a witness keeps: name a folder of its own"
        raise PermissionError(errno.EPERM, why, str(folder))
    return False


def write_whole(path: Path, data: bytes) -> None:
    """Write a file that is there whole or not at all, also after a crash, and for this user only.

    Raises:
        OSError: it cannot be written.

    """
    descriptor, name = tempfile.mkstemp(prefix=".", suffix=".part", dir=path.parent)
    try:
        with open(descriptor, "wb") as file:  # noqa: PTH123 - of a number
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
