"""The sockets below every HTTP connection: a name is looked up once and checked, and what was checked is connected to.

Nothing above this module opens a connection, so what a name leads to cannot change between the check and the
connection: the address that was checked is the one that is dialled, while TLS and the `Host` header keep the name.
What comes back is counted here too, before any parser has it: heads of answers are bounded, whatever they hold.
"""

from __future__ import annotations

import contextlib
import socket
import ssl
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import anyio
import httpcore2

from driftwatch.config.outbound import EITHER, Addresses, Sort, may_lead_to, sort_of

Lookup = Callable[[str, int], Awaitable[Sequence[str]]]
"""Gives the addresses of a host, best first; raises `OSError` where there are none."""

MOST_HEAD = 80 * 1024
"""Bytes between a request and the end of the head of its answer, interim answers (1xx) included."""

_PIECE = 16 * 1024
"""How much is read at a time while a head comes: what stands behind the head counts with it."""

_MOST_ADDRESSES = 8
_NEXT_AFTER = 0.25
"""Seconds until the next address is tried beside one that does not answer (RFC 8305)."""


class AddressRefusedError(httpcore2.ConnectError):
    """The host leads to where it may not; says so in words."""


class ProxyAwayError(httpcore2.ConnectError):
    """There is no connection to the proxy."""


class HeadTooLargeError(httpcore2.RemoteProtocolError):
    """The head of an answer does not end."""


async def look_up(host: str, port: int) -> Sequence[str]:
    """Ask the system for the addresses of a host."""
    found = await anyio.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(place[4][0]) for place in found))


@dataclass
class Book:
    """Looks up addresses, and remembers of each host in which sort of network it was first.

    A name of the internet that led there once does not lead into a private network later on: its owner would choose
    whom we connect to.
    """

    ask: Lookup = look_up
    _first: dict[str, Sort] = field(default_factory=dict)

    async def addresses(self, host: str, port: int, rule: Addresses) -> list[str]:
        """Give the addresses that may be connected to.

        Raises:
            AddressRefusedError: the host leads nowhere that it may.
            OSError: the host leads nowhere at all.

        """
        allowed = may_lead_to(host, rule)
        found = (await self.ask(host, port))[:_MOST_ADDRESSES]
        sorts = {address: sort_of(address) for address in found}
        usable = [address for address in found if sorts[address] in allowed]
        if usable and allowed == EITHER:
            first = self._first.setdefault(host, Sort.PUBLIC if Sort.PUBLIC in sorts.values() else Sort.PRIVATE)
            usable = [address for address in usable if first is not Sort.PUBLIC or sorts[address] is Sort.PUBLIC]
        if not usable:
            raise AddressRefusedError(_why(host, rule, sorts))
        return usable


def _why(host: str, rule: Addresses, sorts: dict[str, Sort]) -> str:
    address, sort = next(iter(sorts.items()), ("nothing", Sort.UNUSABLE))
    said = f"the host leads to {address}, {sort.value}" if address != host else f"{address} is {sort.value}"
    if sort in {Sort.METADATA, Sort.UNUSABLE}:
        return f"{said}: driftwatch never connects there"
    if rule == "public":
        return f'{said}, and its entry says addresses = "public"'
    return f'{said}, where it has no business; if it is yours, write addresses = "any" into its entry'


class Meter:
    """Counts what one connection brings."""

    def __init__(self, count: Callable[[int], bool]) -> None:
        """Take what counts all bytes received, and says False once they are too many."""
        self._count = count
        self._head: int | None = 0

    @property
    def is_in_head(self) -> bool:
        """Whether the head of an answer is still to come."""
        return self._head is not None

    def asked(self) -> None:
        """Note that a request goes out: what comes now is the head of an answer."""
        self._head = 0

    def head_is_over(self) -> None:
        """Note that the head came whole."""
        self._head = None

    def took(self, size: int) -> None:
        """Count bytes.

        Raises:
            HeadTooLargeError: it is a head, and too large.
            ReadError: all of it is too much.

        """
        if self._head is not None:
            self._head += size
            if self._head > MOST_HEAD:
                raise HeadTooLargeError("")
        if not self._count(size):
            raise httpcore2.ReadError("")


class Metered(httpcore2.AsyncNetworkStream):
    """A connection whose bytes are counted."""

    def __init__(self, inner: httpcore2.AsyncNetworkStream, meter: Meter) -> None:
        """Take the connection and what counts."""
        self._inner = inner
        self.meter = meter

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ASYNC109 - the interface's
        """Receive, and count."""
        try:
            data = await self._inner.read(min(max_bytes, _PIECE) if self.meter.is_in_head else max_bytes, timeout)
        except ssl.SSLError as error:  # the library foresees it while the connection is made only
            raise httpcore2.ReadError("") from error
        self.meter.took(len(data))
        return data

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ASYNC109 - the interface's
        """Send."""
        self.meter.asked()
        try:
            await self._inner.write(buffer, timeout)
        except ssl.SSLError as error:
            raise httpcore2.WriteError("") from error

    async def aclose(self) -> None:
        """Close."""
        await self._inner.aclose()

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ASYNC109 - the interface's
    ) -> httpcore2.AsyncNetworkStream:
        """Go on over TLS."""
        return Metered(await self._inner.start_tls(ssl_context, server_hostname, timeout), self.meter)

    def get_extra_info(self, info: str) -> Any:
        """Tell about the connection."""
        return self._inner.get_extra_info(info)


def head_is_over(extensions: Mapping[str, Any]) -> None:
    """Note of an answer that its head came whole; what follows is counted as its body."""
    stream = extensions.get("network_stream")
    if isinstance(stream, Metered):
        stream.meter.head_is_over()


class Dialler(httpcore2.AsyncNetworkBackend):
    """Opens the connections of one client."""

    def __init__(self, book: Book, rule: Addresses, count: Callable[[int], bool], *, to_proxy: bool = False) -> None:
        """Take the addresses, what they may be, what counts bytes, and whether all goes to a proxy."""
        self._book = book
        self._rule: Addresses = rule
        self._count = count
        self._to_proxy = to_proxy
        self._sockets = httpcore2.AnyIOBackend()
        self._checked: dict[str, list[str]] = {}

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - the interface's
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        """Connect to one of the addresses of a host that were checked."""
        try:
            with anyio.fail_after(timeout):
                stream = await self._connected(host, port, local_address, list(socket_options or ()))
        except AddressRefusedError:
            raise
        except (OSError, UnicodeError, httpcore2.ConnectError) as error:
            kind = httpcore2.ConnectTimeout if isinstance(error, TimeoutError) else httpcore2.ConnectError
            raise (ProxyAwayError if self._to_proxy else kind)("") from error
        return Metered(stream, Meter(self._count))

    async def connect_unix_socket(self, *_: Any, **__: Any) -> httpcore2.AsyncNetworkStream:
        """Refuse: no server of ours is a file."""
        raise httpcore2.ConnectError("")

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await anyio.sleep(seconds)

    async def _connected(
        self, host: str, port: int, local: str | None, options: list[Any]
    ) -> httpcore2.AsyncNetworkStream:
        """Connect to what was checked for this client; look up and check anew only where nothing of it answers."""
        known = self._checked.get(host)
        if known is not None:
            with contextlib.suppress(OSError, httpcore2.ConnectError):
                return await self._first_of(known, port, local, options)
        self._checked[host] = await self._book.addresses(host, port, self._rule)
        return await self._first_of(self._checked[host], port, local, options)

    async def _first_of(
        self, addresses: Sequence[str], port: int, local: str | None, options: list[Any]
    ) -> httpcore2.AsyncNetworkStream:
        """Try the addresses, each a moment after the one before, and give the first connection that stands."""
        won: list[httpcore2.AsyncNetworkStream] = []
        errors: list[Exception] = []

        async def attempt(address: str, over: anyio.Event, group: anyio.CancelScope) -> None:
            try:
                stream = await self._sockets.connect_tcp(address, port, None, local, options)
            except (httpcore2.ConnectError, OSError) as error:
                errors.append(error)
            else:
                if won:
                    await stream.aclose()
                won.append(stream)
                group.cancel()
            finally:
                over.set()

        async with anyio.create_task_group() as tries:
            for address in addresses:
                over = anyio.Event()
                tries.start_soon(attempt, address, over, tries.cancel_scope)
                with anyio.move_on_after(_NEXT_AFTER):
                    await over.wait()
                if won:
                    break
        if won:
            return won[0]
        raise errors[0]
