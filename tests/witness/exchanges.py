"""Requests and answers made up at random, every seed others: odd spellings, orders, bytes and framings."""

from __future__ import annotations

import random
from dataclasses import dataclass

from witness.plain_http import Message, Pairs

METHODS = ("POST", "GET", "DELETE", "PUT", "PATCH", "OPTIONS", "HEAD", "PROPFIND")
NAMES = (
    b"accept", b"ACCEPT", b"Mcp-Session-Id", b"mcp-protocol-version", b"X-API-Key", b"Authorization", b"cookie",
    b"Origin", b"x_under_score", b"X-!#$%&'*+.^`|~9", b"Last-Event-ID", b"User-Agent", b"Via", b"X-Forwarded-For",
    b"content-type", b"ETag", b"SET-COOKIE", b"WWW-Authenticate", b"Date", b"server", b"Access-Control-Allow-Origin",
)  # fmt: skip
VALUES = (
    b"", b"a", b"a,  b;q=0.5 ,c", b"\xe4\xf6\xfc \xff", b'"quoted \\" text"', b"x" * 3000, b"tab\there",
    b"text/event-stream",
    b"application/json; charset=utf-8", b"Bearer abc.def", b"*/*",
)  # fmt: skip
REASONS = (b"OK", b"", b"I'm a teapot", b"Na ja \xe4", b"Not  Quite")
HOP = (
    (b"Connection", b"keep-alive, X-Mine"),
    (b"x-mine", b"secret"),
    (b"Keep-Alive", b"timeout=60"),
    (b"TE", b"trailers"),
)
PATHS = ("/mcp", "/", "/mcp?a=b&c=%20", "/%00/..//x", "/a;b=c?d=e?f", "/[]{}|^`", "/" + "y" * 900)


@dataclass
class Made:
    """A message that was made up: as it goes on the wire, and what is to arrive of it."""

    wire: list[bytes]
    arrives: Message
    ends: bool = False


class Maker:
    """Makes messages up."""

    def __init__(self, seed: int) -> None:
        self._source = random.Random(seed)

    def request(self) -> tuple[str, Made]:
        source = self._source
        method = source.choice(METHODS)
        line = f"{method} {source.choice(PATHS)} HTTP/1.1".encode()
        headers = self._headers()
        body = b"" if method in {"GET", "HEAD", "OPTIONS"} else self._body()
        framing = source.choice(("length", "chunked")) if body or source.random() < 0.3 else "none"
        kept = list(headers)
        parts = self._framed(body, framing, kept)
        sent = self._with_hops(kept)
        sent.insert(source.randrange(len(sent) + 1), (b"HOST", b"localhost:1"))
        return method, Made([_head(line, sent), *parts], Message(line, kept, body))

    def answer(self, method: str) -> Made:
        source = self._source
        status = source.choice((200, 200, 200, 201, 202, 204, 304, 400, 401, 404, 418, 500, 599))
        line = b"HTTP/1.1 %d %s" % (status, source.choice(REASONS))
        headers = self._headers()
        bare = method == "HEAD" or status in {204, 304}
        body = b"" if bare else self._body()
        framing = "none" if status == 204 else source.choice(("length", "length", "chunked", "end"))
        if bare and framing == "end":
            framing = "none"
        kept = list(headers)
        if bare:
            kept += [(b"Content-Length", b"17")] if framing == "length" else []
            parts = []
        else:
            parts = self._framed(body, framing, kept)
        ends = framing == "end"
        sent = kept if ends else self._with_hops(kept)
        return Made([_head(line, sent), *parts], Message(line, kept, body), ends)

    def _headers(self) -> Pairs:
        source = self._source
        return [(source.choice(NAMES), source.choice(VALUES).strip()) for _ in range(source.randrange(8))]

    def _body(self) -> bytes:
        return self._source.randbytes(self._source.choice((0, 1, 10, 700, 5000, 5000, 70_000)))

    def _framed(self, body: bytes, framing: str, headers: Pairs) -> list[bytes]:
        """Give the body in its framing, and put what says so among the headers."""
        source = self._source
        at = source.randrange(len(headers) + 1)
        if framing == "length":
            headers.insert(at, (source.choice((b"Content-Length", b"content-length")), b"%d" % len(body)))
        if framing == "chunked":
            headers.insert(at, (source.choice((b"Transfer-Encoding", b"TRANSFER-encoding")), b"chunked"))
            return [*self._chunks(body), b"0\r\n\r\n"]
        return [body]

    def _chunks(self, body: bytes) -> list[bytes]:
        chunks = []
        while body:
            size = self._source.randrange(1, 20_000)
            extension = self._source.choice((b"", b";a=b"))
            chunks.append(b"%x%s\r\n%s\r\n" % (len(body[:size]), extension, body[:size]))
            body = body[size:]
        return chunks

    def _with_hops(self, headers: Pairs) -> Pairs:
        sent = list(headers)
        if self._source.random() < 0.3:
            for pair in HOP:
                sent.insert(self._source.randrange(len(sent) + 1), pair)
        return sent


def _head(line: bytes, headers: Pairs) -> bytes:
    return b"\r\n".join([line, *(b"%s: %s" % pair for pair in headers), b"", b""])
