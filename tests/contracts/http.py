"""A destination that speaks HTTP: a server on a real socket that answers as told, and all that it can answer."""

from __future__ import annotations

import asyncio
import socket
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from contracts.secrets import SECRETS
from contracts.speech import Speech

Answer = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]

PATH = "/hooks/path-token-4711?key=query-token-0815"

DONE = [200, 201, 202, 204, 206, 299]
AGAIN = [302, 303, 307, 304, 400, 401, 402, 403, 404, 405, 406, 408, 409, 411, 414, 415, 418, 422, 425, 426, 429, 451]
AGAIN += [499, 500, 501, 502, 503, 504, 507, 599, 600, 999]
STOP = [301, 308, 410, 413]


@dataclass
class Received:
    """One request as it came in."""

    line: str
    headers: dict[str, str]
    body: bytes
    names: tuple[str, ...] = ()


@dataclass
class Receiver:
    """An HTTP server on loopback that answers as told, and then as usual. `greeting` is what it says unasked."""

    port: int = 0
    requests: list[Received] = field(default_factory=list)
    answers: deque[Answer] = field(default_factory=deque)
    gone: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when a sender went away while it was being answered."""
    begun: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when a request has come in."""
    greeting: bytes = b""
    connections: int = 0
    usual: Answer = field(default_factory=lambda: status(204))
    """How it answers when nothing else was asked for."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}{PATH}"

    async def arrived(self) -> None:
        await self.begun.wait()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            writer.write(self.greeting)
            while True:
                self.requests.append(await self._read(reader))
                self.begun.set()
                await (self.answers.popleft() if self.answers else self.usual)(reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            self.gone.set()
        finally:
            writer.close()

    async def _read(self, reader: asyncio.StreamReader) -> Received:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        line, *rest = head.strip().split("\r\n")
        pairs = [(name.lower(), value.strip()) for name, _, value in (each.partition(":") for each in rest)]
        headers = dict(pairs)
        body = await reader.readexactly(int(headers.get("content-length", "0")))
        return Received(line, headers, body, tuple(name for name, _ in pairs))


def status(code: int, headers: dict[str, str] | None = None, body: bytes = b"") -> Answer:
    """Answer with a status, in one piece."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        lines = [f"HTTP/1.1 {code} Whatever-The-Server-Says", f"content-length: {len(body)}"]
        lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
        writer.write(("\r\n".join(lines) + "\r\n\r\n").encode("latin-1") + body)
        await writer.drain()

    return answer


def raw(data: bytes) -> Answer:
    """Answer with these bytes, and hang up."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(data)
        await writer.drain()
        writer.close()
        raise ConnectionAbortedError

    return answer


def hang(before: bytes = b"") -> Answer:
    """Answer with the beginning of something, and then with nothing until the sender goes away."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(before)
        await writer.drain()
        await reader.read()
        raise ConnectionAbortedError

    return answer


def drip(before: bytes) -> Answer:
    """Answer byte by byte for ever, each well within any time-out for one byte."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(before)
        while not reader.at_eof():
            writer.write(b"x")
            await writer.drain()
            with suppress(TimeoutError):
                await asyncio.wait_for(reader.read(1), 0.01)
        raise ConnectionAbortedError

    return answer


def flood(before: bytes) -> Answer:
    """Answer with more than anybody wants to read."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(before)
        while True:
            writer.write(b"x" * 65_536)
            await writer.drain()

    return answer


@asynccontextmanager
async def receiver(*answers: Answer, greeting: bytes = b"") -> AsyncIterator[Receiver]:
    """Open a receiver on a free port; everything that it does ends with the block."""
    opened = Receiver(answers=deque(answers), greeting=greeting)
    tasks: set[asyncio.Task[None]] = set()

    def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(opened.serve(reader, writer))
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    server = await asyncio.start_server(connected, "127.0.0.1", 0, limit=1 << 20)
    opened.port = server.sockets[0].getsockname()[1]
    try:
        yield opened
    finally:
        server.close()
        for task in list(tasks):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def closed_port() -> int:
    """Give a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def closed_url() -> str:
    """Give an address that nobody is at."""
    return f"http://127.0.0.1:{closed_port()}{PATH}"


def statuses(codes: list[int]) -> dict[str, Answer]:
    """Give an answer for each status, by its number."""
    return {str(code): status(code) for code in codes}


_BROKE = "the connection broke before a whole answer came"

HTTP = Speech(
    there=receiver,
    nobody=closed_url,
    nobody_says="no connection: refused or unreachable",
    done=statuses(DONE),
    again=statuses(AGAIN),
    stop=statuses(STOP),
    late={
        "silence": hang(),
        "half-an-answer": hang(b"HTTP/1.1 200 OK\r\ncontent-le"),
        "byte-by-byte": drip(b"HTTP/1.1 200 OK\r\nx-slow: "),
    },
    broken={
        "hang-up": (raw(b""), _BROKE),
        "noise": (raw(b"\x00\x16 this is no HTTP\r\n\r\n"), _BROKE),
        "no-number": (raw(b"HTTP/1.1 banana OK\r\n\r\n"), _BROKE),
    },
    # What a receiver echoes must not come back through us either.
    echoes=(
        status(200),
        status(401),
        status(500, {"Location": "/".join(SECRETS), "X-Echo": " ".join(SECRETS)}, " ".join(SECRETS).encode()),
        raw(SECRETS[3].encode() + b"\r\n\r\n"),
        hang(),
    ),
    secured=lambda url: url.replace("http://", "https://"),
    greeting=b"HTTP/1.1 400 No TLS here\r\n\r\n",
)
"""All that an HTTP destination can say, with what the generic poster makes of it."""
