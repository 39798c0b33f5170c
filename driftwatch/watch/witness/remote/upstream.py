"""The one server behind a forwarder: its address, and the connections to it that can be used again."""

from __future__ import annotations

import asyncio
import re
import ssl
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import h11

from driftwatch.watch.witness.remote.heads import value_of
from driftwatch.watch.witness.remote.peer import Peer, Reader

CONNECTING: Final = 30.0
"""Seconds until a connection must stand."""

_IDLE: Final = 4.0
"""Seconds that a connection waits to be used again. Many servers close one after five; what is sent then is lost."""

_MOST_IDLE: Final = 16
_PORTS: Final = {"http": 80, "https": 443}


class OriginError(ValueError):
    """An address is none that can be passed on to; its message says why."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a server answers: scheme, host and port, and the path at which an agent finds it."""

    scheme: str
    host: str
    port: int
    path: str = "/"

    @classmethod
    def read(cls, url: str) -> Origin:
        """Read an address.

        Raises:
            OriginError: it cannot be used.

        """
        try:
            parts = urlsplit(url)
            port = parts.port
            host = (parts.hostname or "").encode("idna").decode("ascii")
        except ValueError as error:
            raise OriginError("it is no address") from error
        if parts.scheme not in _PORTS or not host:
            raise OriginError("it must begin with http:// or https:// and a host")
        if parts.username is not None or parts.password is not None:
            raise OriginError("a name and a password do not belong in it: the agent sends its own credentials")
        if parts.query or parts.fragment:
            raise OriginError("what follows a ? or # belongs into the address that the agent is given")
        if any(char <= " " or char == "\x7f" for char in url):
            raise OriginError("it has spaces or control characters")
        return cls(parts.scheme, host, port or _PORTS[parts.scheme], parts.path or "/")

    @property
    def authority(self) -> str:
        """Give host and port as a `Host` header has them."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _PORTS[self.scheme] else f"{host}:{self.port}"

    def __str__(self) -> str:
        """Give the address without its path."""
        return f"{self.scheme}://{self.authority}"


def trusting(authorities: Path | None) -> ssl.SSLContext:
    """Make what checks the server's certificate: against the system's authorities, or those of a file alone.

    Raises:
        OSError: the file cannot be read, or holds no certificates (`ssl.SSLError`).

    """
    context = ssl.create_default_context(cafile=str(authorities) if authorities else None)
    context.set_alpn_protocols(["http/1.1"])
    return context


class Upstream:
    """Makes connections to one origin, and keeps those that can be used again."""

    def __init__(self, origin: Origin, trust: ssl.SSLContext | None) -> None:
        """Take the origin, and what checks its certificate (None without TLS)."""
        self.origin = origin
        self._trust = trust if origin.scheme == "https" else None
        self._idle: dict[Peer, asyncio.TimerHandle] = {}

    def waiting(self) -> Peer | None:
        """Give the connection that was used last, None when there is none."""
        if not self._idle:
            return None
        peer, timer = self._idle.popitem()
        timer.cancel()
        peer.reader.on_data = peer.reader.on_end = None
        return peer

    async def connected(self) -> Peer:
        """Make a connection.

        Raises:
            OSError: that does not work (`TimeoutError`, `ssl.SSLError` as well).

        """
        loop = asyncio.get_running_loop()
        reader = Reader()
        origin = self.origin
        async with asyncio.timeout(CONNECTING):
            transport, protocol = await loop.create_connection(
                lambda: asyncio.StreamReaderProtocol(reader),
                origin.host,
                origin.port,
                ssl=self._trust,
                happy_eyeballs_delay=0.25,
            )
        return Peer(h11.CLIENT, reader, asyncio.StreamWriter(transport, protocol, reader, loop))

    def keep(self, peer: Peer, answer: h11.Response) -> None:
        """Keep a connection whose request has been answered, if it can be used again.

        Not one that the server closes meanwhile, or on which it speaks unasked.
        """
        seconds = _seconds(value_of(answer.headers.raw_items(), b"keep-alive"))
        spent = peer.reader.ended or peer.http.trailing_data[0] or seconds <= 0 or len(self._idle) >= _MOST_IDLE
        try:
            peer.http.start_next_cycle()
        except h11.LocalProtocolError:
            spent = True
        if spent:
            peer.drop()
            return
        self._idle[peer] = asyncio.get_running_loop().call_later(seconds, self._let_go, peer)
        peer.reader.on_data = peer.reader.on_end = partial(self._let_go, peer)

    def close(self) -> None:
        """Close what waits."""
        for peer in list(self._idle):
            self._let_go(peer)

    def _let_go(self, peer: Peer) -> None:
        timer = self._idle.pop(peer, None)
        if timer is not None:
            timer.cancel()
            peer.reader.on_data = peer.reader.on_end = None
            peer.drop()


def _seconds(keep_alive: bytes) -> float:
    """Give how long a connection may wait, by what the server says of it."""
    said = re.search(rb"timeout\s*=\s*\"?(\d{1,6})", keep_alive, re.IGNORECASE)
    return min(_IDLE, int(said[1]) - 1) if said else _IDLE
