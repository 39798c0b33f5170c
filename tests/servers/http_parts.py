"""One HTTP request and one response on bare sockets."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from typing import Any

JSON, EVENTS, HTML = "application/json", "text/event-stream", "text/html; charset=utf-8"
_REASONS = {200: "OK", 202: "Accepted", 307: "Temporary Redirect", 401: "Unauthorized", 404: "Not Found"}


@dataclass
class Request:
    """One HTTP request as it came."""

    verb: str
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def message(self) -> dict[str, Any]:
        """The JSON-RPC message in it; an empty one for a request without one."""
        return json.loads(self.body) if self.body.startswith(b"{") else {}

    @property
    def method(self) -> str:
        """The JSON-RPC method in it."""
        return self.message.get("method", "")


class Reply:
    """Writes one response."""

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        """Take the connection."""
        self._writer = writer

    async def whole(self, status: int, body: bytes = b"", kind: str = JSON, **headers: str) -> None:
        """Send a complete response and close."""
        await self.head(status, kind, content_length=str(len(body)), **headers)
        await self.more(body)

    async def head(self, status: int, kind: str, **headers: str) -> None:
        """Send the status line and the headers; underscores in names become hyphens."""
        lines = [f"HTTP/1.1 {status} {_REASONS.get(status, 'Status')}", f"content-type: {kind}", "connection: close"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        await self.more("\r\n".join([*lines, "", ""]).encode())

    async def more(self, data: bytes) -> None:
        """Send bytes as they are."""
        self._writer.write(data)
        await self._writer.drain()

    async def event(self, data: bytes, name: str = "message") -> None:
        """Send one event."""
        await self.more(b"event: %s\r\ndata: %s\r\n\r\n" % (name.encode(), data))
