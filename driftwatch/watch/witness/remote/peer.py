"""One connection, to the agent or to the server: HTTP/1.1 over a stream."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Final, TypeAlias

import h11

CHUNK: Final = 1 << 16
"""Bytes that are read at once."""

LARGEST_HEAD: Final = 1 << 16
"""Bytes that a head, or the trailers, may have."""

Heard: TypeAlias = "type[h11.NEED_DATA | h11.PAUSED] | h11.Event"
"""What `next_event` gives."""


class Peer:
    """One end of a connection. `ended` is true once the other side has said that it says no more."""

    def __init__(self, role: type[h11.SERVER | h11.CLIENT], streams: Streams) -> None:
        """Take our role (`h11.SERVER` towards an agent) and the connection."""
        self.http = h11.Connection(role, max_incomplete_event_size=LARGEST_HEAD)
        self.reader, self.writer = streams
        self.ended = False

    async def hear(self) -> Heard:
        """Give what comes next: an event, or PAUSED when a message has ended and another one may begin.

        Raises:
            h11.RemoteProtocolError: this is no HTTP, or the message was cut off.
            OSError: the connection is broken.

        """
        while (event := self.http.next_event()) is h11.NEED_DATA:
            chunk = await self.reader.read(CHUNK)
            self.ended = self.ended or not chunk
            self.http.receive_data(chunk)
        return event

    async def say(self, event: h11.Event) -> None:
        """Send something, and wait while the other side is slow.

        Raises:
            h11.LocalProtocolError: this cannot be said now.
            OSError: the connection is broken.

        """
        data = self.http.send(event)
        if data:
            self.writer.write(data)
            await self.writer.drain()

    async def until_gone(self) -> None:
        """Wait until the other side is gone; what it says meanwhile is heard later."""
        while len(self.http.trailing_data[0]) < CHUNK:
            chunk = await self.reader.read(CHUNK)
            if not chunk:
                return
            self.http.receive_data(chunk)
        await asyncio.get_running_loop().create_future()

    async def part(self, seconds: float) -> None:
        """Say no more, and take no notice of what is still being said, for a while: so that what we said arrives."""
        with contextlib.suppress(OSError, TimeoutError):
            async with asyncio.timeout(seconds):
                await self.writer.drain()
                if self.writer.can_write_eof():
                    self.writer.write_eof()
                while await self.reader.read(CHUNK):
                    pass
        self.drop()

    def close(self) -> None:
        """Close after what was said has gone out."""
        self.writer.close()

    def drop(self) -> None:
        """Break the connection at once."""
        self.writer.transport.abort()


Streams: TypeAlias = tuple[asyncio.StreamReader, asyncio.StreamWriter]
