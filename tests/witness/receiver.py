"""A daemon's place: a real HTTP server on loopback that takes looks, refuses them, or never answers."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Receiver:
    """What was handed in, and how that is answered: a status, or None for never."""

    def __init__(self) -> None:
        self.url = ""
        self.looks: list[dict[str, Any]] = []
        self.seen: list[tuple[str, str]] = []
        self.answer: Callable[[dict[str, Any]], int | None] = lambda _: 201
        self.headers: dict[str, str] = {}
        self.hint = ""
        self._came = threading.Condition()
        self.end = threading.Event()

    def take(self, path: str, authorization: str, look: dict[str, Any]) -> int | None:
        with self._came:
            status = self.answer(look)
            self.seen.append((path, authorization))
            if status is not None and status < 300:
                self.looks.append(look)
            self._came.notify_all()
        return status

    def wait_for(self, count: int, *, tries: bool = False) -> list[dict[str, Any]]:
        """Wait until so many looks were taken (or tried); give those taken."""
        with self._came:
            assert self._came.wait_for(lambda: len(self.seen if tries else self.looks) >= count, 30), self.seen
            return list(self.looks)


@contextlib.contextmanager
def receiving() -> Iterator[Receiver]:
    """Serve on a free port."""
    receiver = Receiver()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            status = receiver.take(self.path, self.headers["authorization"] or "", json.loads(body))
            if status is None:
                receiver.end.wait(30)
                return
            said = json.dumps({"title": "no", "detail": f"because of {status}", "hint": receiver.hint}).encode()
            self.send_response(status)
            self.send_header("content-type", "application/problem+json")
            self.send_header("content-length", str(len(said)))
            for name, value in receiver.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(said)

        def log_message(self, *_: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        # A witness that is still there keeps its connection; nobody waits for it.
        daemon_threads = True
        block_on_close = False

    with Server(("127.0.0.1", 0), Handler) as server:
        receiver.url = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield receiver
        finally:
            receiver.end.set()
            server.shutdown()
            thread.join()
