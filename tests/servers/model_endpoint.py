"""A model behind an OpenAI-compatible endpoint on loopback: answers as it is told to, remembers what it was asked."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Page = tuple[int, bytes] | tuple[int, bytes, Mapping[str, str]]


@dataclass
class Endpoint:
    """`answer` makes a reply of a decoded request. While `held`, no request is answered."""

    answer: Callable[[dict[str, Any]], Page]
    port: int = 0
    asked: list[dict[str, Any]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    headers: list[Mapping[str, str]] = field(default_factory=list)
    free: threading.Event = field(default_factory=threading.Event)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def data(self) -> list[dict[str, Any]]:
        """What stood between the marks of each request."""
        return [data_of(one) for one in self.asked]


def data_of(request: Mapping[str, Any]) -> dict[str, Any]:
    begin, data, end = request["messages"][1]["content"].split("\n")
    assert begin.removeprefix("BEGIN ") == end.removeprefix("END ")
    found: dict[str, Any] = json.loads(data)
    return found


@contextmanager
def endpoint(answer: Callable[[dict[str, Any]], Page], *, held: bool = False) -> Iterator[Endpoint]:
    """Serve from threads, so that it answers whichever event loop asks."""
    state = Endpoint(answer)
    if not held:
        state.free.set()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["content-length"])))
            state.asked.append(request)
            state.paths.append(self.path)
            state.headers.append(dict(self.headers.items()))
            state.free.wait(60)
            status, body, *more = state.answer(request)
            try:
                self.send_response(status)
                for name, value in (more[0] if more else {}).items():
                    self.send_header(name, value)
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)
            except (BrokenPipeError, ConnectionResetError):
                pass

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    state.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield state
    finally:
        state.free.set()
        server.shutdown()
        thread.join()
        server.server_close()


def said(**answer: Any) -> Page:
    """A reply with this answer as its text."""
    return spoken(json.dumps(answer))


def spoken(content: Any, **choice: Any) -> Page:
    """A reply whose one choice holds this text."""
    message = {"role": "assistant", "content": content}
    reply = {"id": "x", "choices": [{"index": 0, "message": message, "finish_reason": "stop", **choice}]}
    return 200, json.dumps(reply).encode()


def injection(quote: str, *, confidence: str = "high", category: str = "exfiltration", why: str = "It sends.") -> Page:
    """A reply that calls the text an injection and means these words."""
    return said(injection=True, category=category, confidence=confidence, quote=quote, why=why)


def harmless(why: str = "It describes the tool.") -> Page:
    """A reply that finds nothing."""
    return said(injection=False, category="none", confidence="high", quote="", why=why)
