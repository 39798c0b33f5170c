"""Servers behind `https` that do not speak TLS as they should: each is what becomes of one connection."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable

from servers.connections import Connections

Deed = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


def _says(data: bytes, *, endless: bool = False) -> Deed:
    """Wait for the client's hello and answer with some bytes, once or without end."""

    async def act(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.write(data)
        await writer.drain()
        while endless:
            writer.write(data)
            await writer.drain()

    return act


async def _hangs(_: asyncio.StreamReader, __: asyncio.StreamWriter) -> None:
    await asyncio.Event().wait()


async def _drips(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Send a long record of the handshake, one byte after the other."""
    await reader.read(1)
    writer.write(b"\x16\x03\x03\x40\x00")
    while True:
        writer.write(b"\x02")
        await writer.drain()
        await asyncio.sleep(0.01)


_RECORD = b"\x16\x03\x03\x40\x00" + b"\x02\x00\xff\xff" + bytes(16380)
"""A record of the handshake whose message says that it is longer than the record."""

DEEDS: dict[str, Deed] = {
    "closes at once": _says(b""),
    "closes in the middle of its hello": _says(b"\x16\x03\x03\x00\x7a\x02\x00\x00"),
    "speaks plain HTTP": _says(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n{}"),
    "warns for ever": _says(b"\x15\x03\x03\x00\x02\x01\x5a" * 1000, endless=True),
    "sends a hello without end": _says(_RECORD, endless=True),
    "never answers": _hangs,
    "drips its hello": _drips,
}
"""Every way by its name."""


@contextlib.asynccontextmanager
async def behaving(deed: str) -> AsyncIterator[str]:
    """Give the URL of a server that behaves so."""
    connections = Connections()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with connections.one(writer), contextlib.suppress(ConnectionError):
            await DEEDS[deed](reader, writer)

    async with await asyncio.start_server(connected, "127.0.0.1", 0) as server:
        yield f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}/mcp"
        await connections.end(server)
