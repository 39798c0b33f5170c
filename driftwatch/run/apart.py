"""A place apart for what is tried out: it shares nothing with what is watched, and nothing of it stays."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from driftwatch.watch.fetch.sandbox.choose import Sandboxes
from driftwatch.watch.fetch.sandbox.clearing import cleared


@contextmanager
def apart(sandboxes: Sandboxes) -> Iterator[Sandboxes]:
    """Give sandboxes like these whose folders are gone afterwards; they lie beside the others where that can be."""
    beside = sandboxes.folder
    with suppress(OSError):
        beside.mkdir(mode=0o700, parents=True, exist_ok=True)
    place = beside if os.access(beside, os.W_OK) else None  # else where temporary files go
    try:
        with tempfile.TemporaryDirectory(prefix=".trial-", dir=place, ignore_cleanup_errors=True) as folder:
            try:
                yield sandboxes.apart(Path(folder))
            finally:
                # What a candidate left may be made such that nobody else gets it out.
                cleared(Path(folder))
    finally:
        with suppress(OSError):  # something is kept in it
            beside.rmdir()
