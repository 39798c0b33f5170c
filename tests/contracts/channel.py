"""The kit that every kind of channel runs: a receiver on a real socket, and how to build each kind against it.

A new kind adds one line to `CASES`; `tests/channels/test_channel_contract.py` then holds it to everything.
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import standardwebhooks

from driftwatch.config.channels import WebhookConfig
from driftwatch.config.secret import Secret
from driftwatch.model import Delivery, EventKind
from driftwatch.tell.channels.base import Channel
from driftwatch.tell.channels.webhook import Webhook

Answer = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]

PATIENCE = 5.0
"""Seconds after which a wait in a test has failed."""

SIGNING_KEY = "whsec_c2lnbmluZy1rZXktdGhhdC1pcy1sb25nLWVub3VnaC0="
SECRETS = ("c2lnbmluZy1rZXk", "path-token-4711", "query-token-0815", "header-token-1234")
"""Pieces of every secret that a channel under test is given."""

PATH = "/hooks/path-token-4711?key=query-token-0815"


@dataclass
class Received:
    """One request as it came in."""

    line: str
    headers: dict[str, str]
    body: bytes
    names: tuple[str, ...] = ()


@dataclass
class Receiver:
    """An HTTP server on loopback that answers as told, and then with 204. `greeting` is what it says unasked."""

    port: int = 0
    requests: list[Received] = field(default_factory=list)
    answers: deque[Answer] = field(default_factory=deque)
    gone: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when a sender went away while it was being answered."""
    begun: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when a request has come in."""
    greeting: bytes = b""
    connections: int = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}{PATH}"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            writer.write(self.greeting)
            while True:
                self.requests.append(await self._read(reader))
                self.begun.set()
                await (self.answers.popleft() if self.answers else status(204))(reader, writer)
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


def utc_now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True)
class Case:
    """How to build one kind of channel, and how its destination checks a request."""

    build: Callable[..., Channel]
    accept: Callable[[Received], dict[str, Any]]
    """Checks everything that the destination would check; gives the message's body as it understood it."""


def build_webhook(url: str, *, timeout: float = PATIENCE, clock: Callable[[], datetime] = utc_now) -> Channel:
    config = WebhookConfig(
        name="ops",
        kind="webhook",
        url=url,
        secret=Secret(SIGNING_KEY),
        headers={"X-Token": Secret("header-token-1234")},
        timeout=timeout,
        max_attempts=5,
    )
    return Webhook(config, clock=clock)


def accept_webhook(request: Received) -> dict[str, Any]:
    method, target, version = request.line.split()
    assert (method, target, version) == ("POST", PATH, "HTTP/1.1")
    assert request.headers["content-type"] == "application/json"
    assert request.headers["x-token"] == "header-token-1234"
    standardwebhooks.Webhook(SIGNING_KEY).verify(request.body, request.headers)
    decoded: dict[str, Any] = json.loads(request.body)
    return decoded


CASES = {"webhook": Case(build_webhook, accept_webhook)}
"""Every kind of channel."""


@asynccontextmanager
async def opened(kind: str, url: str, **more: Any) -> AsyncIterator[Channel]:
    """Build a channel of a kind, and close it at the end."""
    channel = CASES[kind].build(url, **more)
    try:
        yield channel
    finally:
        await channel.aclose()


def delivery(
    payload: dict[str, Any] | None = None, *, message_id: str = "msg_0123456789abcdef0123456789abcdef"
) -> Delivery:
    """Give an outbox row with a small body."""
    return Delivery(
        id=message_id,
        channel="ops",
        server="files",
        alert_id="alr_1",
        event=EventKind.OPENED,
        payload={"type": "driftwatch.alert.opened", "data": {"summary": "ü\u202e"}} if payload is None else payload,
    )
