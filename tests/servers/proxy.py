"""A proxy on loopback that does what proxies do, and notes what it was asked: CONNECT, and whole URLs."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Self
from urllib.parse import urlsplit

from servers.connections import Connections


class Proxy:
    """Leads every host to one port of this machine while its `async with` block runs. `refuses` answers so instead."""

    def __init__(self, port: int = 0, *, refuses: bytes = b"") -> None:
        """Take where everything leads."""
        self._port = port
        self._refuses = refuses
        self.asked: list[str] = []
        """The first line of every request, and the line that signs it in, if any."""
        self._connections = Connections()

    async def __aenter__(self) -> Self:
        """Start to listen."""
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        self.port: int = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close every connection and stop."""
        await self._connections.end(self._server)
        await self._server.wait_closed()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with self._connections.one(writer), contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            await self._serve(reader, writer)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        signed = [line for line in lines if line.lower().startswith("proxy-authorization:")]
        self.asked.append(" ".join([first.removesuffix(" HTTP/1.1"), *signed]))
        if self._refuses:
            writer.write(b"HTTP/1.1 %s\r\ncontent-length: 0\r\nconnection: close\r\n\r\n" % self._refuses)
            await writer.drain()
        else:
            await self._lead(first, lines, reader, writer)

    async def _lead(
        self, first: str, lines: list[str], reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        verb, target, _ = first.split(" ")
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._port)
        if verb == "CONNECT":
            writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        else:
            own = [line for line in lines if not line.lower().startswith("proxy-")]
            far_writer.write("\r\n".join([f"{verb} {urlsplit(target).path} HTTP/1.1", *own]).encode())
        try:
            await asyncio.gather(_copy(reader, far_writer), _copy(far_reader, writer))
        finally:
            far_writer.close()


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(65536):
        writer.write(data)
        await writer.drain()
    if writer.can_write_eof():
        writer.write_eof()
