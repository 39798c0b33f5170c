"""A new database, copied: to migrate an empty file anew takes thirty times as long as to open one that is current.

What is in it is what `Store.open` makes of no file at all. Tests of how a database comes to be do not use it.
"""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

from driftwatch.store.store import Store
from tests.fakes import FrozenClock


def blank(path: Path) -> str:
    """Lay a new database at this path, unless one is there; give its URL."""
    url = f"sqlite:///{path}"
    if not path.exists():
        path.touch(mode=0o600)
        path.write_bytes(_made())
    return url


@cache
def _made() -> bytes:
    """Make one, once in a process; what is closed is in one file."""
    with tempfile.TemporaryDirectory(prefix="blank-") as folder:
        path = Path(folder) / "driftwatch.db"
        Store.open(f"sqlite:///{path}", clock=FrozenClock()).close()
        return path.read_bytes()
