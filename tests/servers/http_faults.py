"""Every way in which the scripted HTTP server misbehaves: `FAULTS`, by name."""

from __future__ import annotations

import asyncio
import gzip
import json
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from servers.http_parts import EVENTS, HTML, JSON, Reply, Request

if TYPE_CHECKING:
    from servers.over_http import HttpServer

CHANGED = b'{"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}'

Fault = Callable[["HttpServer", Request, Reply], Awaitable[bool]]
"""Answers a request and says so, or leaves it to the script."""


async def _none(_: HttpServer, __: Request, ___: Reply) -> bool:
    return False


async def _hang(*_: object) -> bool:
    await asyncio.Event().wait()
    return True


def _status(status: int, body: bytes = b"", kind: str = HTML, **headers: str) -> Fault:
    async def act(_: HttpServer, __: Request, reply: Reply) -> bool:
        await reply.whole(status, body, kind, **headers)
        return True

    return act


def _only(method: str, fault: Fault) -> Fault:
    """Let a fault befall one JSON-RPC method."""

    async def act(server: HttpServer, request: Request, reply: Reply) -> bool:
        return request.method == method and await fault(server, request, reply)

    return act


async def _close_early(server: HttpServer, request: Request, reply: Reply) -> bool:
    answer = server.script.answer(request.message) or b""
    await reply.head(200, JSON, content_length=str(len(answer)))
    await reply.more(answer[:20])
    return True


async def _drop(*_: object) -> bool:
    return True


async def _200_mb(_: HttpServer, __: Request, reply: Reply) -> bool:
    await reply.head(200, JSON)
    for _number in range(200):
        await reply.more(b" " * 2**20)
    return True


async def _declared_200_mb(_: HttpServer, __: Request, reply: Reply) -> bool:
    await reply.head(200, JSON, content_length=str(200 * 2**20))
    return await _hang()


async def _bomb(_: HttpServer, __: Request, reply: Reply) -> bool:
    await reply.whole(200, gzip.compress(b" " * 2**26), JSON, content_encoding="gzip")
    return True


def _encoded(encoding: str, encode: Callable[[bytes], bytes]) -> Fault:
    async def act(server: HttpServer, request: Request, reply: Reply) -> bool:
        answer = server.script.answer(request.message)
        await reply.whole(200 if answer else 202, encode(answer or b""), JSON, content_encoding=encoding)
        return True

    return act


async def _events(server: HttpServer, request: Request, reply: Reply) -> bool:
    """Answer every request as a stream, with a comment, a log message and a priming event before the answer."""
    answer = server.script.answer(request.message)
    if answer is None:
        await reply.whole(202)
        return True
    await reply.head(200, EVENTS)
    await reply.more(b": hello\n\nid: 1\nretry: 0\ndata:\n\n")
    await reply.event(b'{"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": 1}}')
    await reply.event(answer.replace(b"\n", b""))
    return True


async def _ask(server: HttpServer, request: Request, reply: Reply) -> bool:
    """Ask for sampling on the stream of the listing, and answer once the client has declined."""
    if request.message.get("id") == "ask" and "method" not in request.message:
        server._sent.put_nowait(request.body)
        await reply.whole(202)
        return True
    if request.method != "tools/list":
        return False
    await reply.head(200, EVENTS)
    params = {"messages": [], "maxTokens": 10}
    await reply.event(
        json.dumps({"jsonrpc": "2.0", "id": "ask", "method": "sampling/createMessage", "params": params}).encode()
    )
    assert b'"error"' in await server._sent.get()
    await reply.event(server.script.answer(request.message) or b"")
    return True


async def _endless_events(_: HttpServer, __: Request, reply: Reply) -> bool:
    await reply.head(200, EVENTS)
    while True:
        await reply.more((b"data: " + CHANGED + b"\n\n") * 100)


async def _endless_event(_: HttpServer, __: Request, reply: Reply) -> bool:
    await reply.head(200, EVENTS)
    while True:
        await reply.more(b"data: " + b"x" * 65536 + b"\n")


async def _trickle(_: HttpServer, __: Request, reply: Reply) -> bool:
    await reply.head(200, JSON)
    while True:
        await reply.more(b" ")
        await asyncio.sleep(0.01)


def _redirect(target: Callable[[HttpServer], str], status: int = 307) -> Fault:
    async def act(server: HttpServer, request: Request, reply: Reply) -> bool:
        if request.path == "/moved":
            return False
        await reply.whole(status, b"", HTML, location=target(server))
        return True

    return act


async def _get_stream(server: HttpServer, request: Request, reply: Reply) -> bool:
    """Hold the handshake era's standing stream, and send a notice on it once the server turned."""
    if request.verb != "GET":
        return False
    await reply.head(200, EVENTS)
    await reply.more(b": open\n\n")
    await server.turned.wait()
    await reply.event(CHANGED)
    return await _hang()


async def _get_stream_ends(server: HttpServer, request: Request, reply: Reply) -> bool:
    if request.verb != "GET":
        return False
    await reply.head(200, EVENTS)
    await reply.more(b"retry: 0\n\n")
    await server.turned.wait()
    return True


async def _subscription_ends(server: HttpServer, request: Request, reply: Reply) -> bool:
    """Grant a `subscriptions/listen` stream, send a notice on it once the server turned, and break off."""
    if request.method != "subscriptions/listen":
        return False
    meta = {"_meta": {"io.modelcontextprotocol/subscriptionId": request.message["id"]}}
    wanted = {"toolsListChanged": True}
    await reply.head(200, EVENTS)
    for method, params in (
        ("subscriptions/acknowledged", meta | {"notifications": wanted}),
        ("tools/list_changed", meta),
    ):
        await reply.event(
            json.dumps({"jsonrpc": "2.0", "method": f"notifications/{method}", "params": params}).encode()
        )
        await server.turned.wait()
    return True


async def _subscription(server: HttpServer, request: Request, reply: Reply) -> bool:
    return await _subscription_ends(server, request, reply) and await _hang()


async def _legacy(server: HttpServer, request: Request, reply: Reply) -> bool:
    """Speak HTTP+SSE: a GET opens the stream, its first event says where to post."""
    if request.verb == "GET":
        await reply.head(200, EVENTS)
        await reply.event(b"/messages?session_id=1", "endpoint")
        while True:
            await reply.event(await server._sent.get())
    if request.path.startswith("/messages"):
        answer = server.script.answer(request.message)
        if answer is not None:
            server._sent.put_nowait(answer)
        if server.turned.is_set() and request.method == "tools/list":
            server._sent.put_nowait(CHANGED)
        await reply.whole(202)
        return True
    return False


async def _legacy_elsewhere(_: HttpServer, __: Request, reply: Reply) -> bool:
    await reply.head(200, EVENTS)
    await reply.event(b"http://127.0.0.2:9/steal?session_id=1", "endpoint")
    return await _hang()


async def _legacy_without_endpoint(_: HttpServer, __: Request, reply: Reply) -> bool:
    await reply.head(200, EVENTS)
    return await _hang()


_PAGE = b"<!doctype html><title>Sign in</title>"
_RPC_ERROR = b'{"jsonrpc": "2.0", "id": null, "error": {"code": -32603, "message": "the database is away"}}'


def _says_where_to_sign_in(place: str) -> Fault:
    """Answer whoever has a credential, and tell all others where the metadata are; at `/meta` they are."""

    async def fault(server: HttpServer, request: Request, reply: Reply) -> bool:
        if request.path == "/meta":
            found = server.well_known["/meta"]
            await reply.whole(200, found if isinstance(found, bytes) else b"")
        elif "authorization" not in request.headers:
            await reply.whole(401, www_authenticate=f'Bearer realm="x", resource_metadata="{place}"')
        else:
            return False
        return True

    return fault


FAULTS: dict[str, Fault] = {
    "none": _none,
    "hangs": _hang,
    "hangs-on-list": _only("tools/list", _hang),
    "trickles": _only("tools/list", _trickle),
    "drops": _drop,
    "drops-on-list": _only("tools/list", _drop),
    "closes-early": _only("tools/list", _close_early),
    "html": _status(200, _PAGE),
    "html-on-list": _only("tools/list", _status(200, _PAGE)),
    "plain-text": _status(200, b"hello", "text/plain"),
    "accepted": _status(202),
    "401": _status(401, _PAGE, www_authenticate='Bearer realm="notes", token="topsecret"'),
    "403": _status(403, _PAGE),
    "404": _status(404, _PAGE),
    "404-on-list": _only("tools/list", _status(404, _PAGE)),
    "429": _status(429, b"{}", JSON, retry_after="120"),
    "404-on-listen": _only("subscriptions/listen", _status(404, _PAGE)),
    "500": _status(500, _PAGE),
    "500-on-discover": _only("server/discover", _status(500, _PAGE)),
    "500-with-error": _only("tools/list", _status(500, _RPC_ERROR, JSON)),
    "503": _status(503, _PAGE, retry_after="Sun, 06 Nov 2094 08:49:37 GMT"),
    "redirects": _redirect(lambda _: "http://127.0.0.2:9/elsewhere?token=topsecret"),
    "redirects-within": _redirect(lambda _: "/moved"),
    "says-where-to-sign-in": _says_where_to_sign_in("/meta"),
    "says-elsewhere-to-sign-in": _says_where_to_sign_in("https://evil.example/meta"),
    "redirects-to-get": _redirect(lambda _: "/moved", 302),
    "redirects-in-a-circle": _redirect(lambda _: "/mcp"),
    "200-mb": _only("tools/list", _200_mb),
    "200-mb-at-once": _200_mb,
    "declared-200-mb": _only("tools/list", _declared_200_mb),
    "bomb": _only("tools/list", _bomb),
    "gzip": _encoded("gzip", gzip.compress),
    "not-gzip": _encoded("gzip", lambda body: body),
    "unknown-encoding": _encoded("br", lambda body: body),
    "events": _events,
    "asks": _ask,
    "endless-events": _only("tools/list", _endless_events),
    "endless-event": _only("tools/list", _endless_event),
    "endless-event-at-once": _endless_event,
    "get-stream": _get_stream,
    "get-stream-ends": _get_stream_ends,
    "subscription": _subscription,
    "subscription-ends": _subscription_ends,
    "endless-notices": _only("subscriptions/listen", _endless_events),
    "legacy": _legacy,
    "legacy-elsewhere": _legacy_elsewhere,
    "legacy-without-endpoint": _legacy_without_endpoint,
}
"""Every way in which the transport can misbehave, by its name."""
