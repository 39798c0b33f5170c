"""Below the SDK's HTTP transports: every response is counted, recorded and bounded before the SDK sees any of it."""

from __future__ import annotations

import json
import zlib
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass

import httpx2
from mcp_types import RequestId

from driftwatch.config.schema import ServerConfig
from driftwatch.model import Failure, Json, Malformed, Refused, Unreachable
from driftwatch.model.amounts import many
from driftwatch.watch.fetch import failures
from driftwatch.watch.fetch.events import Event, EventSplitter, EventTooLargeError
from driftwatch.watch.fetch.kit import Kit
from driftwatch.watch.fetch.pins import Trace
from driftwatch.watch.fetch.wire import Wire

_PASSED_ON = ("mcp-session-id", "set-cookie")
_PIECE = 65536
MOST_REDIRECTS = 5
_MOST_COOKIES, _LONGEST_COOKIE = 50, 4096
"""How many cookies a server may set on one connection, and of how many characters."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """One HTTP request of ours, and the JSON-RPC request in it, if any."""

    verb: str
    url: httpx2.URL
    number: RequestId | None
    method: str
    what: str

    @property
    def is_probe(self) -> bool:
        """Whether an ordinary refusal of this only says that the server is of the older era."""
        return self.method == "server/discover"


class WireTransport(httpx2.AsyncBaseTransport):
    """Stands between the SDK and the sockets."""

    def __init__(
        self,
        inner: httpx2.AsyncBaseTransport,
        server: ServerConfig,
        wire: Wire,
        kit: Kit,
        trace: Trace | None = None,
    ) -> None:
        """Take the transport that has the sockets, the server's entry, the record, the clock, and what checks pins."""
        self._inner = inner
        self._legacy = server.transport == "sse"
        self._server = server
        self._wire = wire
        self._kit = kit
        self._redirects = self._cookies = 0
        self._trace = trace

    async def aclose(self) -> None:
        """Close the sockets."""
        await self._inner.aclose()

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request on and give what the SDK is to see of the response."""
        body = await request.aread()
        message: Json = json.loads(body) if request.method == "POST" else None
        if self._wire.guise.dress(message):
            request = _with_body(request, json.dumps(message).encode())
        exchange = self._note(request, message)
        if self._trace is not None:
            request.extensions = {**request.extensions, "trace": self._trace}
        try:
            response = await self._inner.handle_async_request(request)
        except httpx2.HTTPError as error:
            if self._matters(exchange):
                self._wire.stop(failures.of_connection(error, phase=exchange.what))
            elif exchange.verb == "GET":
                self._wire.stream_opened(open_=False)
            raise
        self._kit.dated(self._server.name, response.headers.get("date", ""))
        seen: httpx2.Response | None = None
        try:
            seen = await self._receive(exchange, response)
        finally:
            if seen is None or not isinstance(seen.stream, _Events):
                await response.aclose()
        return seen

    def _note(self, request: httpx2.Request, message: Json) -> Exchange:
        sent = self._wire.sent(message)
        number, method = sent if sent is not None else (None, "")
        if request.method == "GET":
            self._wire.noise()
        what = method or ("opening the event stream" if request.method == "GET" else "a notification")
        return Exchange(request.method, request.url, number, method, what)

    def _matters(self, exchange: Exchange) -> bool:
        """Say whether the connection is worth nothing without this exchange."""
        return exchange.number is not None or (self._legacy and exchange.verb == "GET")

    async def _receive(self, exchange: Exchange, response: httpx2.Response) -> httpx2.Response:
        status = response.status_code
        if exchange.verb == "DELETE":
            return httpx2.Response(status)
        if 300 <= status < 400:
            return self._redirected(exchange, response)
        self._redirects = 0
        if status >= 400:
            return await self._refused(exchange, response)
        if self._legacy and exchange.verb == "POST":
            return httpx2.Response(status)
        if exchange.number is None and exchange.verb == "POST":
            return httpx2.Response(202)
        return await self._accepted(exchange, response)

    async def _accepted(self, exchange: Exchange, response: httpx2.Response) -> httpx2.Response:
        if exchange.method == "initialize":
            self._wire.has_session = "mcp-session-id" in response.headers
        kept = list(self._passed_on(response))
        kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind == "text/event-stream":
            if exchange.verb == "GET":
                self._wire.stream_opened(open_=True)
            events = _Events(response, self._wire, exchange)
            return httpx2.Response(200, headers=[*kept, ("content-type", kind)], stream=events)
        if exchange.verb == "GET":
            return self._no_stream(self._misfit(exchange, kind))
        if response.status_code == 202:
            return self._unusable(exchange, Malformed("no-answer", f"{exchange.what} was accepted and not answered"))
        if kind == "application/json":
            body = await self._body(response, exchange)
            stub = await self._wire.heard(body, to=exchange.number)
            return httpx2.Response(200, headers=[*kept, ("content-type", kind)], content=stub or b"")
        return self._unusable(exchange, self._misfit(exchange, kind))

    def _passed_on(self, response: httpx2.Response) -> Iterator[tuple[str, str]]:
        """Give the headers that the SDK is to see. Cookies live as long as the connection, and are few."""
        for name, value in response.headers.multi_items():
            if name.lower() == "set-cookie":
                self._cookies += 1
            if name.lower() in _PASSED_ON and self._cookies <= _MOST_COOKIES and len(value) <= _LONGEST_COOKIE:
                yield name, value

    def _misfit(self, exchange: Exchange, kind: str) -> Failure:
        if kind in {"text/html", "application/xhtml+xml"}:
            return Malformed("html", f"{exchange.what} was answered with a web page")
        detail = f"{exchange.what} was answered with content of type {self._wire.quote(kind)}"
        return Malformed("content-type", detail)

    async def _refused(self, exchange: Exchange, response: httpx2.Response) -> httpx2.Response:
        status, headers = response.status_code, response.headers
        wait = failures.retry_after(headers.get("retry-after"), now=self._kit.clock())
        challenge = headers.get("www-authenticate", "") if status == 401 else ""
        said = f"; it asks for {self._wire.quote(challenge)}" if challenge else ""
        failure = failures.of_status(status, phase=exchange.what, retry_after=wait, challenge=said)
        if exchange.verb == "GET":
            return self._no_stream(failure)
        if status == 404 and self._wire.has_session:
            failure = Unreachable("closed-early", f"the server ended the session before {exchange.what}", status)
        speaks_json = headers.get("content-type", "").lower().startswith("application/json")
        if exchange.number is not None and speaks_json and wait is None and failure.code not in failures.DEFINITIVE:
            stub = await self._error_in(await self._body(response, exchange), exchange)
            if stub is not None:
                return httpx2.Response(status, headers={"content-type": "application/json"}, content=stub)
        return self._unusable(exchange, failure, status)

    async def _error_in(self, body: bytes, exchange: Exchange) -> bytes | None:
        """Give what the SDK is to see of a JSON-RPC error under an HTTP error status, None when the body is no such."""
        try:
            message = json.loads(body) if len(body) <= _PIECE else None
        except (ValueError, RecursionError):
            return None
        if not isinstance(message, dict) or not isinstance(message.get("error"), dict) or "result" in message:
            return None
        return await self._wire.heard(body, to=exchange.number)

    def _redirected(self, exchange: Exchange, response: httpx2.Response) -> httpx2.Response:
        """Let the SDK follow within the origin, a few times; anything else ends the connection."""
        try:
            target = exchange.url.join(response.headers.get("location", ""))
        except httpx2.InvalidURL:
            target = exchange.url
        keeps_method = response.status_code in {307, 308} or exchange.verb == "GET"
        self._redirects += 1
        if keeps_method and _same_origin(exchange.url, target) and self._redirects <= MOST_REDIRECTS:
            self._wire.reached.redirect = str(target)
            return httpx2.Response(response.status_code, headers={"location": str(target)})
        bare = str(target.copy_with(userinfo=b"", query=None, fragment=None))
        failure = Refused(
            "redirected", f"{exchange.what} is redirected to {self._wire.quote(bare)}", response.status_code
        )
        return self._unusable(exchange, failure)

    def _unusable(self, exchange: Exchange, failure: Failure, status: int = 400) -> httpx2.Response:
        """End the connection for a failed exchange, unless the SDK has another way or nothing hangs on it."""
        if failure.code in failures.DEFINITIVE or (self._matters(exchange) and not exchange.is_probe):
            self._wire.stop(failure)
        return httpx2.Response(status)

    def _no_stream(self, failure: Failure) -> httpx2.Response:
        self._wire.stream_opened(open_=False)
        if self._legacy:
            self._wire.stop(failure)
        return httpx2.Response(405)

    async def _body(self, response: httpx2.Response, exchange: Exchange) -> bytes:
        """Read a whole body under the limits."""
        whole = bytearray()
        declared = response.headers.get("content-length", "")
        if declared.isascii() and declared.isdigit() and int(declared[:12]) > self._wire.limits.message_bytes:
            self._wire.too_large()
            raise httpx2.ReadError("")
        try:
            async for piece in _pieces(response, self._wire):
                whole += piece
                if len(whole) > self._wire.limits.message_bytes:
                    self._wire.too_large()
                    raise httpx2.ReadError("")
        except httpx2.HTTPError as error:
            if self._matters(exchange):
                size = many(len(whole), "byte")
                detail = f"the answer to {exchange.what} broke off after {size} ({type(error).__name__})"
                self._wire.stop(Unreachable("closed-early", detail))
            raise
        return bytes(whole)


class _Events(httpx2.AsyncByteStream):
    """An event stream on its way to the SDK: each message in it replaced by what the SDK is to see of it."""

    def __init__(self, response: httpx2.Response, wire: Wire, exchange: Exchange) -> None:
        self._response = response
        self._wire = wire
        self._exchange = exchange

    async def __aiter__(self) -> AsyncIterator[bytes]:
        splitter = EventSplitter(self._wire.limits.message_bytes)
        try:
            async for piece in _pieces(self._response, self._wire):
                idle = splitter.idle
                for event in splitter.feed(piece):
                    seen = self._endpoint(event) if event.name == b"endpoint" else await self._message(event)
                    if seen:
                        yield seen
                self._wire.noise(splitter.idle - idle)
        except EventTooLargeError:
            self._wire.too_large()
            raise httpx2.ReadError("") from None
        finally:
            if self._exchange.verb == "GET":
                self._wire.stream_ended()

    async def aclose(self) -> None:
        await self._response.aclose()

    async def _message(self, event: Event) -> bytes:
        if event.name not in {b"", b"message"}:
            return b""
        if not event.data:
            return event.with_data(b"")
        return event.with_data(await self._wire.heard(event.data, to=self._exchange.number) or b"")

    def _endpoint(self, event: Event) -> bytes:
        """Check the legacy transport's first event, which says where to post: it must be on the configured origin."""
        try:
            target = self._exchange.url.join(event.data.decode("utf-8", "replace"))
        except httpx2.InvalidURL:
            return b""
        if not _same_origin(self._exchange.url, target):
            self._wire.stop(
                Refused("redirected", f"the address to post to is elsewhere: {self._wire.quote(target.host)}")
            )
            return b""
        self._wire.stream_opened(open_=True)
        return Event(name=b"endpoint").with_data(str(target).encode("ascii", "replace"))


async def _pieces(response: httpx2.Response, wire: Wire) -> AsyncIterator[bytes]:
    """Give a body's bytes, decompressed and counted, in pieces of a bounded size."""
    decode = _decoder(response.headers.get("content-encoding", ""), wire)
    stream = response.stream
    if not isinstance(stream, httpx2.AsyncByteStream):
        return
    async for raw in stream:
        for piece in decode(raw):
            wire.count(len(piece))
            if wire.trouble is not None:
                raise httpx2.ReadError("")
            yield piece


def _decoder(encoding: str, wire: Wire) -> Callable[[bytes], Iterator[bytes]]:
    """We ask for no compression; a server that compresses all the same is read as long as zlib can do it in steps."""
    name = encoding.strip().lower()
    if name in {"", "identity"}:
        return lambda raw: iter([raw])
    if name not in {"gzip", "x-gzip", "deflate"}:
        wire.stop(
            Malformed("content-encoding", f"{wire.phase}: compressed with {wire.quote(name)}, which we did not ask for")
        )
        return lambda _: iter(())
    inflater = zlib.decompressobj(wbits=zlib.MAX_WBITS | 32)

    def inflate(raw: bytes) -> Iterator[bytes]:
        try:
            # What comes after the end is dropped: the object would keep all of it.
            while raw and not inflater.eof:
                yield inflater.decompress(raw, _PIECE)
                raw = inflater.unconsumed_tail
        except zlib.error as error:
            wire.stop(Malformed("content-encoding", f"{wire.phase}: what should be {name} cannot be decompressed"))
            raise httpx2.ReadError("") from error

    return inflate


def _with_body(request: httpx2.Request, body: bytes) -> httpx2.Request:
    """Give the same request with another body."""
    kept = [(name, value) for name, value in request.headers.multi_items() if name.lower() != "content-length"]
    return httpx2.Request(request.method, request.url, headers=kept, content=body, extensions=request.extensions)


def _same_origin(one: httpx2.URL, other: httpx2.URL) -> bool:
    """Whether a redirect stays where the credentials belong: same scheme, host and port, or http to https there."""
    if (one.scheme, one.host, one.port) == (other.scheme, other.host, other.port):
        return not other.userinfo or other.userinfo == one.userinfo
    upgrade = (one.scheme, other.scheme) == ("http", "https") and one.port is None and other.port is None
    return upgrade and one.host == other.host
