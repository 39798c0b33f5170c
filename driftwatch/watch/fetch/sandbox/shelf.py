"""What is kept for one server between looks: its home folder, and its command's package. No other server sees it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

from driftwatch.model import Unreachable
from driftwatch.watch.fetch.answers import FailedLookError
from driftwatch.watch.fetch.sandbox.clearing import cleared

_NOTE = "fetched"


def made(folder: Path) -> Path:
    """Make a folder for driftwatch's user alone, and give it.

    Raises:
        FailedLookError: it cannot be made.

    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        said = f"the folder for what is kept for its sandbox cannot be made: {error.strerror} ({folder})"
        raise FailedLookError(Unreachable("start-failed", said)) from error
    return folder


class Shelf:
    """Where the package of one command is. That it was fetched is noted beside it, out of the sandbox's reach."""

    def __init__(self, server: Path, words: Sequence[str]) -> None:
        """Take the server's folder and the whole command."""
        key = hashlib.sha256(json.dumps([*map(str, words)]).encode("utf-8", "surrogatepass")).hexdigest()[:16]
        self.folder = server / "packages" / key / "cache"

    def is_fetched(self) -> bool:
        """Say whether the package was fetched whole."""
        return (self.folder.parent / _NOTE).is_file()

    def note(self) -> None:
        """Note that the package was fetched, and drop what the server's earlier commands fetched."""
        own = self.folder.parent
        (own / _NOTE).touch()
        for other in own.parent.iterdir():
            if other != own:
                cleared(other)
