"""Servers on the internet that mean harm, one attack each: `ATTACKS`, by name, for `HttpServer(fault=ATTACKS[name])`.

Each opens honestly and strikes where the tools are asked for. Nothing here ends by itself: it goes on for as long as
the other side reads.
"""

from __future__ import annotations

import asyncio
import gzip
import itertools
import json
import zlib
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from servers.http_faults import Fault
from servers.http_parts import EVENTS, JSON, Reply, Request

if TYPE_CHECKING:
    from servers.over_http import HttpServer

_OK = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n"
_CHUNKED = _OK + b"transfer-encoding: chunked\r\n\r\n"
_BOMB = 48 * 2**20
_PACKED = gzip.compress(bytes(_BOMB), 1)


def _bursts(start: bytes, more: Iterable[bytes]) -> Fault:
    """Answer with some bytes, and more of them without end, as fast as they are taken."""

    async def act(_: HttpServer, request: Request, reply: Reply) -> bool:
        if request.method != "tools/list":
            return False
        await reply.more(start)
        for piece in more:
            await reply.more(piece)
        return True

    return act


def _drips(start: bytes, piece: bytes) -> Fault:
    """Answer with some bytes, and then a little at a time."""

    async def act(_: HttpServer, request: Request, reply: Reply) -> bool:
        if request.method != "tools/list":
            return False
        await reply.more(start)
        while True:
            await reply.more(piece)
            await asyncio.sleep(0.01)

    return act


def _packed(encoding: str, body: bytes, rest: Iterable[bytes] = ()) -> Fault:
    """Answer with a body that says how it is compressed."""
    head = _OK + b"content-encoding: %s\r\n" % encoding.encode()
    return _bursts(head + b"connection: close\r\n\r\n" + body, rest)


def _repeated(piece: bytes, size: int = 65536) -> Iterator[bytes]:
    return itertools.repeat(piece * max(1, size // len(piece)))


def _empty_blocks() -> bytes:
    """Give the beginning of a gzip file, with a body of stored blocks that hold nothing to come."""
    return b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03"


async def _stays_open(server: HttpServer, request: Request, reply: Reply) -> bool:
    """Answer in good order, keep the connection, and go on talking on it."""
    answer = server.script.answer(request.message)
    status = b"200 OK" if answer else b"202 Accepted"
    body = answer or b""
    await reply.more(b"HTTP/1.1 %s\r\ncontent-type: application/json\r\n" % status)
    await reply.more(b"content-length: %d\r\n\r\n%s" % (len(body), body))
    while True:
        await reply.more(b"and another thing " * 4096)


async def _sets_cookies(server: HttpServer, request: Request, reply: Reply) -> bool:
    """Set forty cookies with every answer, one of them for everybody, one of them long."""
    answer = server.script.answer(request.message)
    if answer is None:
        return False
    begun = len(server.requests) * 100
    lines = [f"set-cookie: c{begun + number}=v; Path=/" for number in range(38)]
    lines += [f"set-cookie: wide{begun}=v; Domain=example.com; Path=/", f"set-cookie: long{begun}={'x' * 5000}"]
    head = ["HTTP/1.1 200 OK", "content-type: application/json", "connection: close", *lines]
    head += [f"content-length: {len(answer)}", "", ""]
    await reply.more("\r\n".join(head).encode() + answer)
    return True


def _says(body: bytes) -> Fault:
    """Answer with JSON of an unusual kind in the place of the list."""

    async def act(_: HttpServer, request: Request, reply: Reply) -> bool:
        if request.method != "tools/list":
            return False
        number = json.dumps(request.message["id"]).encode()
        await reply.whole(200, b'{"jsonrpc": "2.0", "id": %s, "result": {"tools": %s}}' % (number, body), JSON)
        return True

    return act


async def _any_body(_: HttpServer, __: Request, reply: Reply) -> bool:
    await reply.more(_OK + b"connection: close\r\n\r\n{")
    while True:
        await reply.more(b" " * 65536)


async def _any_drip(_: HttpServer, __: Request, reply: Reply) -> bool:
    await reply.more(_OK + b"\r\n{")
    while True:
        await reply.more(b" ")
        await asyncio.sleep(0.01)


async def _any_bomb(_: HttpServer, __: Request, reply: Reply) -> bool:
    await reply.whole(200, _PACKED, JSON, content_encoding="gzip")
    return True


async def _any_headers(_: HttpServer, __: Request, reply: Reply) -> bool:
    await reply.more(b"HTTP/1.1 200 OK\r\n")
    while True:
        await reply.more(b"x-y: z\r\n" * 8192)


DOCUMENTS: dict[str, Fault] = {
    "endless": _any_body,
    "drips": _any_drip,
    "bomb": _any_bomb,
    "headers": _any_headers,
}
"""What can stand in the place of a small document that the monitor asks for beside MCP."""

FIRST = 10
"""How many notices come before those that count."""


def notices(number: int) -> Fault:
    """Grant a stream of notices in either era, and send a few of them once the server turned.

    So many others, each another one, follow once `server.came["go on"]` is set.
    """

    async def act(server: HttpServer, request: Request, reply: Reply) -> bool:
        meta: dict[str, Any] = {}
        if request.method == "subscriptions/listen":
            meta = {"io.modelcontextprotocol/subscriptionId": request.message["id"]}
            wanted = {"_meta": meta, "notifications": {"toolsListChanged": True}}
            await reply.head(200, EVENTS)
            await reply.event(_notice("subscriptions/acknowledged", wanted))
        elif request.verb == "GET":
            await reply.head(200, EVENTS)
            await reply.more(b": open\n\n")
        else:
            return False
        await server.turned.wait()
        for one in range(FIRST + number):
            if one == FIRST:
                await server.came["go on"].wait()
            await reply.event(_notice("tools/list_changed", {"_meta": meta, "note": f"{one} " * 100}))
        await asyncio.Event().wait()
        return True

    return act


def _notice(method: str, params: dict[str, Any]) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "method": f"notifications/{method}", "params": params}).encode()


_EVENTS = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n"
_KEYS = b"{%s}" % b",".join(b'"k%d":0' % number for number in range(80_000))

ATTACKS: dict[str, Fault] = {
    "gzip bomb": _packed("gzip", _PACKED),
    "deflate bomb": _packed("deflate", zlib.compress(bytes(_BOMB), 1)),
    "bomb in a bomb": _packed("gzip, gzip", gzip.compress(_PACKED)),
    "br": _packed("br", b"\x8b\x01\x80" * 100),
    "zstd": _packed("zstd", b"\x28\xb5\x2f\xfd" * 100),
    "more after the end of gzip": _packed("gzip", gzip.compress(b"{}"), _repeated(b"x")),
    "empty blocks": _packed("gzip", _empty_blocks(), _repeated(b"\x00\x00\x00\xff\xff")),
    "dripping head": _drips(b"HTTP/1.1 200 OK\r\n", b"x: y\r\n"),
    "dripping body": _drips(_OK + b"\r\n", b" "),
    "dripping events": _drips(_EVENTS, b": still here\n\n"),
    "many headers": _bursts(b"HTTP/1.1 200 OK\r\n", _repeated(b"x-y: z\r\n")),
    "endless header": _bursts(b"HTTP/1.1 200 OK\r\nx: ", _repeated(b"x")),
    "folded header": _bursts(b"HTTP/1.1 200 OK\r\nx: a\r\n", _repeated(b" a\r\n")),
    "endless status line": _bursts(b"HTTP/1.1 200 ", _repeated(b"O")),
    "interim answers": _bursts(b"", _repeated(b"HTTP/1.1 103 Early Hints\r\nx: y\r\n\r\n", 4096)),
    "trailers": _bursts(_CHUNKED + b"2\r\n{}\r\n0\r\n", _repeated(b"x-y: z\r\n")),
    "chunk extensions": _bursts(_CHUNKED, _repeated(b"1;" + b"x" * 4000 + b"\r\n \r\n")),
    "endless size of a chunk": _bursts(_CHUNKED, _repeated(b"0")),
    "another protocol": _bursts(b"HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\n\r\n", _repeated(b"x")),
    "endless body": _bursts(_OK + b"\r\n", _repeated(b" ", 2**20)),
    "endless events": _bursts(_EVENTS, _repeated(b'data: {"jsonrpc": "2.0", "method": "notifications/x"}\n\n')),
    "event without end": _bursts(_EVENTS, _repeated(b"data: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n")),
    "line without end": _bursts(_EVENTS + b"data: ", _repeated(b"x")),
    "events of nothing": _bursts(_EVENTS, _repeated(b"\n")),
    "comments": _bursts(_EVENTS, _repeated(b": x\n")),
    "cookies": _sets_cookies,
    "stays open": _stays_open,
    "deep JSON": _says(b"[" * 400_000 + b"]" * 400_000),
    "deep JSON without end": _says(b'{"a":' * 150_000),
    "many keys": _says(b"[%s]" % _KEYS),
    "long number": _says(b"[1%s]" % (b"0" * 900_000)),
    "many values": _says(b"[%s0]" % (b"{}," * 300_000)),
    "one key many times": _says(b"[{%s}]" % b",".join(b'"k":0' for _ in range(120_000))),
}
"""Every attack by its name."""
