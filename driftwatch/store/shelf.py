"""What every part of the Store stands on: the engine, the clock, and one writer at a time."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime

from sqlalchemy import Connection, Engine

from driftwatch.store.engine import writing


class Shelf:
    """A part of the Store. All parts of one Store are one object, so they share one turn to write."""

    def __init__(self, engine: Engine, *, clock: Callable[[], datetime]) -> None:
        """Take an engine on a current schema, and a clock that gives aware times."""
        self._engine = engine
        self._clock = clock
        # Threads of one process queue here, in fair order; SQLite's own waiting is for other processes.
        self._turn = threading.Lock()

    @contextmanager
    def _write(self) -> Iterator[Connection]:
        with self._turn, writing(self._engine) as connection:
            yield connection
