"""Both ends of HTTP on bare sockets: a server that notes every byte of what it hears, and an agent that does."""

from __future__ import annotations

import asyncio
import contextlib
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from servers.connections import Connections

from driftwatch.watch.witness.forward import Forwarder, Listening
from driftwatch.watch.witness.remote.upstream import Origin, Upstream

Pairs: TypeAlias = list[tuple[bytes, bytes]]
NOBODY = ("/nowhere/at/all",)
"""A copyist that cannot be started."""


@dataclass
class Message:
    """A request or an answer as it stood on the wire: first line, headers, and the body without its framing."""

    line: bytes
    headers: Pairs = field(default_factory=list)
    body: bytes = b""
    trailers: Pairs = field(default_factory=list)
    whole: bool = True

    def value(self, wanted: str) -> bytes:
        return b", ".join(value for name, value in self.headers if name.lower() == wanted.encode())


async def read_head(reader: asyncio.StreamReader) -> Message:
    """Read a head; raises `IncompleteReadError` when there is none."""
    first = (await reader.readuntil(b"\r\n"))[:-2]
    return Message(first, await read_headers(reader))


async def read_headers(reader: asyncio.StreamReader) -> Pairs:
    headers: Pairs = []
    while line := (await reader.readuntil(b"\r\n"))[:-2]:
        name, _, value = line.partition(b":")
        headers.append((name, value.strip()))
    return headers


async def read_body(reader: asyncio.StreamReader, message: Message, *, to_the_end: bool = False) -> None:
    """Read the body of a message by its framing; `whole` says whether it came to its end."""
    parts: list[bytes] = []
    try:
        if b"chunked" in message.value("transfer-encoding"):
            while size := int((await reader.readuntil(b"\r\n")).split(b";")[0], 16):
                parts.append((await reader.readexactly(size + 2))[:-2])
            message.trailers = await read_headers(reader)
        elif length := message.value("content-length"):
            parts.append(await reader.readexactly(int(length)))
        elif to_the_end:
            parts.append(await reader.read(-1))
    except asyncio.IncompleteReadError as error:
        parts.append(error.partial)
        message.whole = False
    except ConnectionError:
        message.whole = False
    message.body = b"".join(parts)


Answers: TypeAlias = Callable[["Message", "Connection"], Awaitable[bool]]
"""Answers a request; says whether the connection goes on."""


@dataclass
class Connection:
    """One connection of a server or an agent."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def send(self, *parts: bytes) -> None:
        # Not `writelines`: some Pythons get stuck on a part that is empty.
        self.writer.write(b"".join(parts))
        await self.writer.drain()

    async def ask(self, *parts: bytes, method: str = "POST") -> Message:
        """Send a request and read its answer."""
        await self.send(*parts)
        return await self.answer(method)

    async def answer(self, method: str = "POST") -> Message:
        message = await read_head(self.reader)
        while message.line.split()[1].startswith(b"1"):
            message = await read_head(self.reader)
        if method != "HEAD" and message.line.split()[1] not in {b"204", b"304"}:
            await read_body(self.reader, message, to_the_end=True)
        return message


class Recorder:
    """A server that notes what it hears."""

    def __init__(self, answers: Answers) -> None:
        self.answers = answers
        self.heard: list[Message] = []
        self.connections = 0
        self.came = asyncio.Event()
        """Set when a request has begun."""
        self.gone = asyncio.Event()
        """Set when a connection has ended, whoever ended it."""
        self.port = 0
        self.serving = Connections()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        connection = Connection(reader, writer)
        with self.serving.one(writer):
            with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
                while True:
                    message = await read_head(reader)
                    self.heard.append(message)
                    self.came.set()
                    if message.value("expect"):
                        await connection.send(b"HTTP/1.1 100 Continue\r\n\r\n")
                    await read_body(reader, message)
                    if not await self.answers(message, connection):
                        break
            self.gone.set()


def always(answer: bytes) -> Answers:
    """Answer every request alike."""

    async def same(_: Message, connection: Connection) -> bool:
        await connection.send(answer)
        return True

    return same


FINE = b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfine"


@dataclass
class Between:
    """A forwarder with a server behind it."""

    server: Recorder
    forwarder: Forwarder

    def agent(self) -> contextlib.AbstractAsyncContextManager[Connection]:
        return _agent(self.forwarder.port)


def standing(
    origin: Origin,
    copyist: tuple[str, ...] = NOBODY,
    *,
    trust: ssl.SSLContext | None = None,
    listening: Listening | None = None,
    patience: float = 0.5,
) -> Forwarder:
    """Make a forwarder before a server, on a free port."""
    where = listening or Listening("127.0.0.1", 0)
    return Forwarder(where, Upstream(origin, trust), copyist, patience=patience)


@contextlib.asynccontextmanager
async def agent_before(port: int) -> AsyncIterator[Connection]:
    """Run a forwarder before whatever is at a port, and an agent before that."""
    async with standing(Origin("http", "127.0.0.1", port)) as forwarder, _agent(forwarder.port) as agent:
        yield agent


@contextlib.asynccontextmanager
async def _agent(port: int) -> AsyncIterator[Connection]:
    streams = await asyncio.open_connection("127.0.0.1", port, limit=1 << 20)
    try:
        yield Connection(*streams)
    finally:
        streams[1].transport.abort()


@contextlib.asynccontextmanager
async def between(
    answers: Answers,
    *,
    copyist: tuple[str, ...] = NOBODY,
    secure: ssl.SSLContext | None = None,
    trust: ssl.SSLContext | None = None,
    listening: Listening | None = None,
) -> AsyncIterator[Between]:
    """Run a server that answers so, and a forwarder before it."""
    recorder = Recorder(answers)
    server = await asyncio.start_server(recorder.serve, "127.0.0.1", 0, ssl=secure, limit=1 << 20)
    recorder.port = server.sockets[0].getsockname()[1]
    origin = Origin("https" if secure else "http", "127.0.0.1", recorder.port, "/mcp")
    async with standing(origin, copyist, trust=trust, listening=listening) as forwarder:
        yield Between(recorder, forwarder)
    await recorder.serving.end(server)


def request(method: str = "POST", body: bytes = b"{}", *, path: str = "/mcp", headers: Pairs | None = None) -> bytes:
    """Spell a request."""
    lines = [f"{method} {path} HTTP/1.1".encode(), b"Host: 127.0.0.1"]
    lines += [b"%s: %s" % pair for pair in headers or []]
    if body:
        lines.append(b"Content-Length: %d" % len(body))
    return b"\r\n".join([*lines, b"", b""]) + body
