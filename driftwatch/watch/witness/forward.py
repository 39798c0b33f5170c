"""The HTTP forwarder: stands at an address of this machine in one server's place, and copies what that server shows.

Agents speak HTTP/1.1 to it, and it speaks HTTP/1.1 to the server. Every request goes to that one server, with its path
and query, every header and byte as it came (see `remote.heads` for what a forwarder must change); no redirect is
followed, no proxy is used. A connection that the server drops is dropped, and one that the agent drops too.

Nothing is written or logged of what passes. The copy goes to a process of its own, and never holds up a session.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Self

import h11

from driftwatch.watch.witness.remote.copying import Copying
from driftwatch.watch.witness.remote.exchange import Exchange, refuse
from driftwatch.watch.witness.remote.heads import is_ours, is_path, value_of
from driftwatch.watch.witness.remote.peer import Peer, Reader
from driftwatch.watch.witness.remote.upstream import Upstream

MOST: Final = 256
"""Connections of agents at a time."""

_QUIET: Final = 300.0
"""Seconds that an agent's connection may be without a whole request head."""

_WINDING_UP: Final = 3.0
"""Seconds that exchanges under way have when the forwarder is told to end."""

_PARTING: Final = 8.0
"""Seconds that the copyist has then to deliver what is left."""


@dataclass(frozen=True, slots=True)
class Listening:
    """Where agents are listened to, and by which names they may call this machine (see `heads.is_ours`)."""

    host: str
    port: int
    anywhere: bool = False
    names: tuple[str, ...] = ()


class Forwarder:
    """Serves agents in one server's place. Use it as an asynchronous context."""

    def __init__(
        self,
        listening: Listening,
        upstream: Upstream,
        copyist: Sequence[str],
        *,
        patience: float = _PARTING,
        whose: tuple[str, str] | None = None,
    ) -> None:
        """Take where to listen, the server, the command line of what reads the copy, and how long it has at the end.

        `whose` is the names of server and host.
        """
        self._patience = patience
        self._listening = listening
        self._upstream = upstream
        self._copying = Copying(copyist, whose)
        self._busy: set[asyncio.Task[None]] = set()
        self._waiting: set[asyncio.Task[None]] = set()
        self.port = 0

    async def __aenter__(self) -> Self:
        """Start to listen.

        Raises:
            OSError: the address cannot be listened on.

        """
        where = self._listening
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(self._protocol, where.host, where.port, backlog=MOST)
        self.port = self._server.sockets[0].getsockname()[1]
        self._copying.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        """Take no more requests, let those under way come to their end for a moment, and deliver the copy."""
        self._server.close()
        for task in self._waiting:
            task.cancel()
        if self._busy:
            await asyncio.wait(self._busy, timeout=_WINDING_UP)
        left = {*self._busy, *self._waiting}
        for task in left:
            task.cancel()
        if left:
            await asyncio.wait(left, timeout=1)
        self._upstream.close()
        await self._copying.close(self._patience)

    def _protocol(self) -> asyncio.StreamReaderProtocol:
        reader = Reader()

        async def connected(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await self._connected(Peer(h11.SERVER, reader, writer))

        return asyncio.StreamReaderProtocol(reader, connected)

    async def _connected(self, agent: Peer) -> None:
        """Serve one connection of an agent. What goes wrong on it stays with it."""
        task = asyncio.current_task()
        if task is None or len(self._busy) + len(self._waiting) >= MOST:
            agent.drop()
            return
        try:
            while await self._turn(agent, task):
                pass
        except TimeoutError:
            pass
        except (Exception, asyncio.CancelledError):  # noqa: BLE001 - nothing is said of what passes
            agent.drop()
        finally:
            self._waiting.discard(task)
            self._busy.discard(task)
            agent.close()

    async def _turn(self, agent: Peer, task: asyncio.Task[None]) -> bool:
        """Wait for a request and pass it on; say whether there may be another one."""
        self._waiting.add(task)
        try:
            async with asyncio.timeout(_QUIET):
                request = await agent.hear()
        except h11.RemoteProtocolError as error:
            await refuse(agent, error.error_status_hint, "this request is not HTTP/1.1, or its head is too large")
            return False
        finally:
            self._waiting.discard(task)
        if not isinstance(request, h11.Request):
            return False
        self._busy.add(task)
        try:
            wrong = self._wrong(request)
            if wrong is not None:
                await refuse(agent, *wrong)
                return False
            again = await Exchange(agent, request, self._upstream, self._copying.of(request)).run()
        finally:
            self._busy.discard(task)
        return again and self._server.is_serving()

    def _wrong(self, request: h11.Request) -> tuple[int, str] | None:
        """Say what speaks against passing a request on."""
        host = value_of(request.headers.raw_items(), b"host")
        if not is_ours(host, anywhere=self._listening.anywhere, names=self._listening.names):
            return 421, "this Host is not answered here; say --allow-host NAME if it should be"
        if request.method == b"CONNECT" or not is_path(request.target):
            return 400, "this passes requests on to one server, and is no proxy"
        return None


async def forward(forwarder: Forwarder, ready: Callable[[int], None]) -> None:
    """Serve until SIGTERM or SIGINT; `ready` is told the port.

    Raises:
        OSError: the address cannot be listened on.

    """
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for one in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(one, ended.set)
    async with forwarder:
        ready(forwarder.port)
        await ended.wait()
