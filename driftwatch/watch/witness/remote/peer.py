"""One connection, to the agent or to the server: HTTP/1.1 over a stream."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterable
from typing import Final, SupportsIndex, TypeAlias

import h11

CHUNK: Final = 1 << 16
"""Bytes that are read at once."""

LARGEST_HEAD: Final = 1 << 16
"""Bytes that a head, or the trailers, may have."""

Heard: TypeAlias = "type[h11.NEED_DATA | h11.PAUSED] | h11.Event"
"""What `next_event` gives."""


class Reader(asyncio.StreamReader):
    """What comes in. It can tell while nobody reads: `on_data` when something came, `on_end` when no more will come."""

    def __init__(self) -> None:
        """Begin with nothing."""
        super().__init__(limit=CHUNK)
        self.ended = False
        """Whether the other side says no more."""
        self.on_data: Callable[[], None] | None = None
        self.on_end: Callable[[], None] | None = None

    def feed_data(self, data: Iterable[SupportsIndex]) -> None:
        """Take what came."""
        super().feed_data(data)
        if self.on_data is not None:
            self.on_data()

    def feed_eof(self) -> None:
        """Note that no more will come."""
        super().feed_eof()
        self._over()

    def set_exception(self, exc: Exception) -> None:
        """Note that the connection broke."""
        super().set_exception(exc)
        self._over()

    def _over(self) -> None:
        self.ended = True
        if self.on_end is not None:
            self.on_end()


class Peer:
    """One end of a connection."""

    def __init__(self, role: type[h11.SERVER | h11.CLIENT], reader: Reader, writer: asyncio.StreamWriter) -> None:
        """Take our role (`h11.SERVER` towards an agent) and the connection."""
        self.http = h11.Connection(role, max_incomplete_event_size=LARGEST_HEAD)
        self.reader, self.writer = reader, writer
        self._unsent: list[bytes] = []

    def heard(self) -> Heard:
        """Give what came already; NEED_DATA when that is no whole event.

        Raises:
            h11.RemoteProtocolError: this is no HTTP, or the message was cut off.

        """
        return self.http.next_event()

    async def listen(self) -> None:
        """Wait until more comes, or until it is clear that no more will.

        Raises:
            OSError: the connection is broken.

        """
        self.http.receive_data(await self.reader.read(CHUNK))

    async def hear(self) -> Heard:
        """Give what comes next: an event, or PAUSED when a message has ended and another one may begin.

        Raises:
            h11.RemoteProtocolError: as `heard`.
            OSError: as `listen`.

        """
        while (event := self.heard()) is h11.NEED_DATA:
            await self.listen()
        return event

    def put(self, event: h11.Event) -> None:
        """Say something with the next `flush`.

        Raises:
            h11.LocalProtocolError: this cannot be said now.

        """
        data = self.http.send(event)
        if data:
            self._unsent.append(data)

    def flush(self) -> None:
        """Send what was said, without waiting while the other side is slow."""
        if self._unsent:
            self.writer.write(b"".join(self._unsent))
            self._unsent.clear()

    async def drain(self) -> None:
        """Send what was said, and wait while the other side is slow.

        Raises:
            OSError: the connection is broken.

        """
        self.flush()
        await self.writer.drain()

    async def part(self, seconds: float) -> None:
        """Say no more, and take no notice of what is still being said, for a while: so that what we said arrives."""
        with contextlib.suppress(OSError, TimeoutError):
            async with asyncio.timeout(seconds):
                await self.drain()
                if self.writer.can_write_eof():
                    self.writer.write_eof()
                while await self.reader.read(CHUNK):
                    pass
        self.drop()

    def close(self) -> None:
        """Close after what was said has gone out."""
        self.flush()
        self.writer.close()

    def drop(self) -> None:
        """Break the connection at once."""
        self.writer.transport.abort()
