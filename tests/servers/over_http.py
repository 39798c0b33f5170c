"""A scripted server over HTTP on loopback, written on bare sockets so that it can misbehave at will.

In a test: `async with HttpServer("honest", "redirects") as server:`; by hand: `python over_http.py honest redirects`.
A server with the fault `legacy` speaks the old two-endpoint HTTP+SSE transport at `server.url`.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import ssl
import sys
from collections import defaultdict
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from servers.connections import Connections
from servers.http_faults import FAULTS, Fault
from servers.http_parts import Reply, Request
from servers.scripts import SCRIPTS, Script


@dataclass
class HttpServer:
    """A server that runs on a free loopback port while its `async with` block does."""

    script_name: str = "honest"
    fault: str | Fault = "none"
    requests: list[Request] = field(default_factory=list)
    open_connections: int = 0
    connections: int = 0
    """How many there were in all."""
    well_known: dict[str, bytes | int | Fault] = field(default_factory=dict)
    """What stands at a path below `/.well-known/`: a body of JSON, a status, or a fault; 404 where nothing does."""
    asides: list[Request] = field(default_factory=list)
    """The requests below `/.well-known/`, which are not among `requests`."""
    tls: ssl.SSLContext | None = None
    host: str = "127.0.0.1"
    at: int = 0
    """The port to listen on; a free one where it is 0."""

    def __post_init__(self) -> None:
        """Make the script; nothing runs yet."""
        self.script: Script = SCRIPTS[self.script_name]()
        self.turned = asyncio.Event()
        self.came: defaultdict[str, asyncio.Event] = defaultdict(asyncio.Event)
        self._sent: asyncio.Queue[bytes] = asyncio.Queue()
        self._connections = Connections()

    async def __aenter__(self) -> Self:
        """Start to listen."""
        self._server = await asyncio.start_server(self._connected, self.host, self.at, ssl=self.tls)
        self.port: int = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close every connection and stop."""
        await self._connections.end(self._server)
        await self._server.wait_closed()

    @property
    def url(self) -> str:
        """Where it answers."""
        return f"{self.origin}/mcp"

    @property
    def origin(self) -> str:
        """Scheme, host and port."""
        return f"http{'s' if self.tls else ''}://{self.host}:{self.port}"

    def methods(self) -> list[str]:
        """Name the JSON-RPC methods that came, in order."""
        return [request.method for request in self.requests if request.method]

    def turn(self, *tools: dict[str, Any]) -> None:
        """Show these tools from now on, and tell whoever listens."""
        self.script.texts["tools"] = json.dumps(list(tools))
        self.turned.set()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.open_connections += 1
        self.connections += 1
        try:
            with self._connections.one(writer), contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
                await self._answer(await _read_request(reader), Reply(writer))
        finally:
            self.open_connections -= 1
            with contextlib.suppress(ConnectionError):
                await writer.wait_closed()

    async def _answer(self, request: Request, reply: Reply) -> None:
        if request.path.startswith("/.well-known/"):
            self.asides.append(request)
            await self._aside(request, reply)
        else:
            self.requests.append(request)
            self.came[request.method].set()
            await self._serve(request, reply)

    async def _aside(self, request: Request, reply: Reply) -> None:
        found = self.well_known.get(request.path, 404)
        if callable(found):
            await found(self, request, reply)
            return
        await (reply.whole(found, b"{}") if isinstance(found, int) else reply.whole(200, found))

    async def _serve(self, request: Request, reply: Reply) -> None:
        fault = FAULTS[self.fault] if isinstance(self.fault, str) else self.fault
        if await fault(self, request, reply):
            return
        if request.verb != "POST":
            await reply.whole(405)
            return
        answer = self.script.answer(request.message)
        session = {"mcp_session_id": "s1"} if request.method == "initialize" else {}
        await reply.whole(202 if answer is None else 200, answer or b"", **session)


async def _read_request(reader: asyncio.StreamReader) -> Request:
    head = await reader.readuntil(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    verb, path, _ = first.split(" ")
    headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines if line)}
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return Request(verb, path, headers, body)


@contextlib.asynccontextmanager
async def serving(script: str = "honest", fault: str = "none") -> AsyncIterator[HttpServer]:
    """Run a server for the length of a block."""
    async with HttpServer(script, fault) as server:
        yield server


async def _main(script: str, fault: str) -> None:
    async with HttpServer(script, fault) as server:
        print(server.url, flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "none"))
