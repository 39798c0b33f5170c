"""The connections of a server on bare sockets, which end with it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator


class Connections:
    """The tasks that serve a connection each."""

    def __init__(self) -> None:
        """Start with none."""
        self._tasks: set[asyncio.Task[None]] = set()

    @contextlib.contextmanager
    def one(self, writer: asyncio.StreamWriter) -> Iterator[None]:
        """Serve a connection in the block, in a task of its own; it is closed with the block."""
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            yield
        finally:
            self._tasks.discard(task)
            writer.close()

    async def end(self, server: asyncio.Server) -> None:
        """Take no more of them, and end those that there are."""
        server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
