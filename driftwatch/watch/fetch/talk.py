"""One conversation with one server: opened through the SDK in the right era, ended for certain."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeVar, cast
from urllib.parse import unquote, urlsplit

import httpx2
import mcp_types as types
from mcp.client._transport import TransportStreams
from mcp.client.client import Client
from mcp.client.session import ClientSession
from mcp.client.sse import sse_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
from pydantic import TypeAdapter

from driftwatch.config.schema import ServerConfig
from driftwatch.config.secret import hidden
from driftwatch.model import Era, Failure, Malformed, Unreachable
from driftwatch.watch.fetch import failures
from driftwatch.watch.fetch.answers import Answer, FailedLookError
from driftwatch.watch.fetch.dialling import http_client
from driftwatch.watch.fetch.kit import Kit
from driftwatch.watch.fetch.stdio import stdio_streams
from driftwatch.watch.fetch.wire import Wire

Mode = Literal["auto", "legacy"]
T = TypeVar("T")

_PROBE = 10.0
"""Seconds that the SDK gives `server/discover` before it falls back to the handshake on the same connection."""

_GOODBYE = 2.0
"""Seconds that an HTTP connection has to end its session in good order once all is known."""

_ANYTHING: TypeAdapter[dict[str, Any]] = TypeAdapter(dict[str, Any])


@dataclass(frozen=True)
class Talk:
    """An open conversation. What the server says is on the wire's record, not in what the SDK gives back."""

    server: ServerConfig
    wire: Wire
    client: Client
    session: ClientSession
    era: Era
    version: str
    kit: Kit

    async def ask(self, request: types.ClientRequest, *, phase: str) -> Answer:
        """Send one request and give the answer as it was on the wire, also when it is an error.

        Raises:
            FailedLookError: no answer that can be read.

        """
        self.wire.phase = phase
        # The parameter's type is bound to models; any adapter works, and ours takes what the wire let through.
        adapter = cast("TypeAdapter[types.EmptyResult]", _ANYTHING)
        try:
            await self.session.send_request(request, adapter, request_read_timeout_seconds=self.server.timeout.request)
        except MCPError as error:
            answer = self.wire.take_answer(request.method)
            if answer is None:
                raise FailedLookError(self.wire.unreadable() or failures.of_exception(error, phase=phase)) from error
            return answer
        answer = self.wire.take_answer(request.method)
        if answer is None:
            raise FailedLookError(Unreachable("internal", f"the answer at {phase} was not recorded"))
        return answer

    def opening(self) -> Answer:
        """Give the answer in which the server last said who it is and what it can do."""
        method = "server/discover" if self.era is Era.MODERN else "initialize"
        answer = self.wire.answer(method)
        if answer is None or answer.error_code is not None:
            raise FailedLookError(Malformed("handshake-error", f"there is no usable answer to {method}"))
        return answer

    async def refresh(self) -> None:
        """Ask a modern server again who it is; a handshake says it once for the whole session."""
        if self.era is Era.MODERN:
            self.wire.phase = "server/discover"
            await self.session.send_discover(self.version)


def secrets_of(server: ServerConfig) -> list[str]:
    """Give what must not come back in a detail.

    These are header values and variables, tokens without their scheme, and what was filled into URL and command.
    """
    values = [secret.reveal() for secret in (*server.headers.values(), *server.env.values(), *server.proofs)]
    values += [piece for text in (server.url, server.command, *server.args) for piece in hidden(text)]
    if server.proxy is not None:
        values += _shown_to_the_proxy(server.proxy.reveal())
    return sorted({part for value in values for part in (value, value.partition(" ")[2])}, key=len, reverse=True)


def _shown_to_the_proxy(url: str) -> Iterator[str]:
    """Give a proxy's password, as it is written and as it is sent: who answers in the proxy's place may say it back."""
    place = urlsplit(url)
    if place.password:
        name, password = unquote(place.username or ""), unquote(place.password)
        yield from (place.password, password, base64.b64encode(f"{name}:{password}".encode()).decode())


async def converse(
    server: ServerConfig,
    *,
    mode: Mode,
    wire: Wire,
    kit: Kit,
    seconds: float | None,
    act: Callable[[Talk], Awaitable[T]],
) -> T | Failure:
    """Open a conversation, run `act` in it, and end it; give what `act` gave, or why it came to nothing.

    `seconds` bounds everything but the ending of a local process, which has bounds of its own; None leaves it to `act`.
    """
    kept: list[T] = []

    async def run() -> None:
        async with _talk(server, mode, wire, kit) as talk:
            kept.append(await act(talk))
            wire.hurry(_GOODBYE)

    failure = await guarded(wire, seconds, run)
    if kept:
        # What was seen whole stays seen, however badly the parting went.
        return kept[0]
    failure = failure or Unreachable("internal", "the conversation came to nothing")
    if isinstance(failure, Unreachable) and wire.epilogue:
        return replace(failure, detail=f"{failure.detail}; {wire.epilogue}")
    return failure


async def guarded(wire: Wire, seconds: float | None, run: Callable[[], Awaitable[None]]) -> Failure | None:
    """Run something under the wire's `stop` and a deadline; give why it did not end well, None when it did.

    This is the one place of the room where an unknown exception becomes a value (`internal`): one server must not
    stop the others, whatever it made the SDK do.
    """
    failure: Failure | None = None
    ended = False
    with wire.bounded(seconds):
        try:
            await run()
        except Exception as error:  # noqa: BLE001
            failure = wire.trouble or _explained(error, wire)
        ended = True
    if ended:
        return failure
    return wire.trouble or wire.unreadable() or failures.timed_out(wire.phase)


@asynccontextmanager
async def _talk(server: ServerConfig, mode: Mode, wire: Wire, kit: Kit) -> AsyncIterator[Talk]:
    patience = _patience(server, mode)
    timer = asyncio.get_running_loop().call_later(patience, lambda: wire.stop(_too_slow(wire, patience)))
    client = Client(
        _streams(server, wire, kit),
        mode=mode,
        cache=None,
        read_timeout_seconds=server.timeout.start if server.transport == "stdio" else server.timeout.request,
        client_info=wire.guise.client,
    )
    try:
        async with client:
            timer.cancel()
            wire.opened = True
            era = Era.MODERN if client.session.discover_result is not None else Era.HANDSHAKE
            yield Talk(server, wire, client, client.session, era, client.protocol_version, kit)
    finally:
        timer.cancel()


def _streams(server: ServerConfig, wire: Wire, kit: Kit) -> AbstractAsyncContextManager[TransportStreams]:
    if server.transport == "stdio":
        return stdio_streams(server, wire, kit)
    if server.transport == "sse":
        return _legacy_streams(server, wire, kit)
    return _http_streams(server, wire, kit)


@asynccontextmanager
async def _http_streams(server: ServerConfig, wire: Wire, kit: Kit) -> AsyncIterator[TransportStreams]:
    async with (
        http_client(server, wire, kit) as http,
        # The size of an event is bounded below the SDK already.
        streamable_http_client(server.url, http_client=http, max_sse_event_size=None) as streams,
    ):
        yield streams


def _legacy_streams(server: ServerConfig, wire: Wire, kit: Kit) -> AbstractAsyncContextManager[TransportStreams]:
    def make(*_: object, **__: object) -> httpx2.AsyncClient:
        """Stand in for the SDK's own factory: headers and time limits come from the server's entry."""
        return http_client(server, wire, kit)

    return sse_client(server.url, httpx_client_factory=make)


def _patience(server: ServerConfig, mode: Mode) -> float:
    """How long the opening may take. A local server may start slowly; half of the look is left for another try."""
    wait = server.timeout
    if server.transport == "stdio":
        return min(wait.start, wait.look / 2) if mode == "auto" else wait.start
    return wait.connect + 2 * wait.request + _PROBE


def _too_slow(wire: Wire, patience: float) -> Failure:
    return wire.unreadable() or Unreachable("timeout", f"not ready within {patience:g} s: {wire.phase}")


def _explained(error: Exception, wire: Wire) -> Failure:
    """Say what an exception means, with what the wire knows better than the SDK."""
    if not wire.opened:
        opening = wire.answer("initialize") or wire.answer("server/discover")
        failure = _of_opening(opening, wire) if opening is not None else None
        if failure is not None:
            return failure
    failure = failures.of_exception(error, phase=wire.phase)
    return wire.unreadable() or failure if failure.code in {"timeout", "closed-early"} else failure


def _of_opening(answer: Answer, wire: Wire) -> Failure | None:
    code = answer.error_code
    if code == types.UNSUPPORTED_PROTOCOL_VERSION:
        return Malformed("protocol-version", "it speaks no protocol version that driftwatch knows")
    if code is not None:
        said = f"{answer.method} was answered with error {code}: {wire.quote(answer.error_text)}"
        return Malformed("handshake-error", said) if answer.method == "initialize" else None
    version = answer.result.get("protocolVersion") if isinstance(answer.result, dict) else None
    if answer.method == "initialize" and version not in HANDSHAKE_PROTOCOL_VERSIONS:
        said = wire.quote(version, limit=40) if isinstance(version, str) else "none"
        return Malformed("protocol-version", f"it wants protocol version {said}, which driftwatch does not know")
    return None
