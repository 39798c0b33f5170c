"""Taking out what a server left, however it is made: folders in folders without end, and some that are shut."""

from __future__ import annotations

import itertools
import os
from pathlib import Path

import structlog

log = structlog.get_logger()

_ENDING = ".gone"


def cleared(folder: Path) -> None:
    """Take a folder out with all that is in it. Nobody may be in it any more; what cannot be taken out is logged."""
    aside = folder.with_name(f"{folder.name}{_ENDING}")
    try:
        aside.mkdir(mode=0o700, exist_ok=True)
        _empty(aside, folder)
        aside.rmdir()
    except OSError as error:
        log.warning(
            "what a sandbox left could not be taken out", action="left-over", folder=str(folder), error=error.strerror
        )


def _empty(aside: Path, folder: Path) -> None:
    """Move each folder to the top before it is looked into: no path gets long, and nothing here calls itself."""
    known = [int(one.name) for one in aside.iterdir()]
    numbers = itertools.count(max(known, default=0) + 1)
    waiting = [aside / str(number) for number in known]
    if folder.exists():
        waiting.append(_moved(folder, aside / str(next(numbers))))
    while waiting:
        place = waiting.pop()
        with os.scandir(place) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(_moved(Path(entry.path), aside / str(next(numbers))))
                else:
                    Path(entry.path).unlink()
        place.rmdir()


def _moved(folder: Path, to: Path) -> Path:
    folder.chmod(0o700)
    return folder.rename(to)
