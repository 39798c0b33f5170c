"""The webhook receiver of a soak: checks each signature, keeps what it was told, and fails now and then."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from dataclasses import dataclass, field
from typing import Any, Final, Self

from standardwebhooks import Webhook

from benchmarks.soak.shown import MARK

_FAILS_EVERY: Final = 50
_CHANGES: Final = {"opened", "updated"}


@dataclass(frozen=True)
class Told:
    """One message as it was taken. `marks` are those of findings that it calls new, `others` those of the rest."""

    at: float
    id: str
    event: str
    server: str
    kind: str
    alert: str
    severity: str
    marks: tuple[str, ...]
    others: tuple[str, ...]
    rules: tuple[str, ...]


@dataclass
class Receiver:
    """Listens on loopback while its `async with` block runs."""

    secret: str
    told: list[Told] = field(default_factory=list)
    refused: int = 0
    """Requests whose signature was wrong."""
    failed: int = 0
    """Requests that were answered with an error on purpose."""
    asked: int = 0

    async def __aenter__(self) -> Self:
        """Start to listen."""
        self._signature = Webhook(self.secret)
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/alerts"
        return self

    async def __aexit__(self, *_: object) -> None:
        """Stop."""
        self._server.close()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            while True:
                first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
                headers = {key.lower(): value for key, _, value in (line.partition(": ") for line in lines if line)}
                body = await reader.readexactly(int(headers.get("content-length", "0")))
                status = self._take(body, headers) if first.startswith("POST") else "405 No"
                writer.write(f"HTTP/1.1 {status}\r\ncontent-length: 0\r\n\r\n".encode())
                await writer.drain()
        writer.close()

    def _take(self, body: bytes, headers: dict[str, str]) -> str:
        self.asked += 1
        try:
            self._signature.verify(body, headers)
        except Exception:  # noqa: BLE001 - whatever is wrong with it, it is not signed
            self.refused += 1
            return "401 Unauthorized"
        if self.asked % _FAILS_EVERY == 0:
            self.failed += 1
            return "503 Unavailable"
        self.told.append(told(json.loads(body), headers["webhook-id"], time.time()))
        return "204 No Content"


def told(message: dict[str, Any], number: str, at: float) -> Told:
    """Read a message."""
    data = message["data"]
    event = message["type"].rpartition(".")[2]
    findings = data.get("findings") or []
    new = [one for one in findings if one["new"] and event in _CHANGES]
    return Told(
        at=at,
        id=number,
        event=event,
        server=data.get("server") or "",
        kind=data.get("kind") or "",
        alert=data.get("alert") or "",
        severity=data.get("severity") or "",
        marks=_marks(new),
        others=_marks([one for one in findings if one not in new]),
        rules=tuple(sorted({one["rule"] for one in findings})),
    )


def _marks(findings: list[dict[str, Any]]) -> tuple[str, ...]:
    """Name the turns that findings show; what stood before does not count."""
    texts = [json.dumps([one["after"], [span["text"] for span in one["spans"]]]) for one in findings]
    return tuple(sorted({mark for text in texts for mark in MARK.findall(text)}))
