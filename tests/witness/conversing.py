"""Agents and a server, spelled exchange by exchange into `Conversations`, as a forwarder copies them."""

from __future__ import annotations

import itertools
import json
from datetime import timedelta
from typing import Any

from witness.talking import CLIENT, START, VERSION, tool

from driftwatch.model import Witnessed
from driftwatch.watch.witness.frames import FROM_AGENT, FROM_SERVER
from driftwatch.watch.witness.remote.conversations import Conversations
from driftwatch.watch.witness.remote.copied import BROKEN, DATA, END, AnswerHead, RequestHead, digest, head, record
from driftwatch.watch.witness.session import Bounds

JSON, STREAM = "application/json", "text/event-stream"


class Desk:
    """Agents and a server, spelled exchange by exchange."""

    def __init__(self, bounds: Bounds | None = None) -> None:
        names = itertools.count(1)
        self.known = Conversations("notes", "desk", name=lambda: f"s{next(names)}", bounds=bounds)
        self.at = START
        self._number = 0

    def hear(self, direction: bytes, told: bytes) -> None:
        self.at += timedelta(milliseconds=1)
        self.known.hear(direction, told, self.at)

    def asks(self, body: Any, *, verb: str = "POST", session: str = "", place: str = "/mcp", encoding: str = "") -> int:
        """Let a request come whole; gives its number."""
        self._number += 1
        told = RequestHead(verb, digest(place.encode()), digest(session.encode()), encoding)
        self.hear(FROM_AGENT, head(self._number, told))
        self.hear(
            FROM_AGENT, record(self._number, DATA, body if isinstance(body, bytes) else json.dumps(body).encode())
        )
        self.hear(FROM_AGENT, record(self._number, END))
        return self._number

    def answers(self, number: int, *parts: bytes, kind: str = JSON, session: str = "", **more: Any) -> None:
        """Begin an answer."""
        told = AnswerHead(200, kind, digest(session.encode()))._replace(**more)
        self.hear(FROM_SERVER, head(number, told))
        for part in parts:
            self.hear(FROM_SERVER, record(number, DATA, part))

    def ends(self, number: int) -> None:
        self.hear(FROM_SERVER, record(number, END))
        self.hear(FROM_SERVER, record(number, BROKEN))

    def exchange(self, body: Any, answer: Any, **more: Any) -> None:
        """Let a request be asked and answered, as JSON."""
        session = more.pop("session", "")
        number = self.asks(body, session=session)
        self.answers(number, answer if isinstance(answer, bytes) else json.dumps(answer).encode(), **more)
        self.ends(number)

    def looks(self) -> list[Witnessed]:
        self.at += timedelta(seconds=10)
        return self.known.take(self.at)


def ask(method: str, number: int = 1, client: str = "", **params: Any) -> dict[str, Any]:
    if client:
        params["_meta"] = {VERSION: "2026-07-28", CLIENT: {"name": client, "version": "1"}}
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def result(number: int = 1, **fields: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "result": fields}


def event(message: Any, name: str = "") -> bytes:
    return (f"event: {name}\n" if name else "").encode() + b"data: " + json.dumps(message).encode() + b"\n\n"


OPEN = ask("initialize", clientInfo={"name": "desk", "version": "2"})
OPENED = result(protocolVersion="2025-11-25", serverInfo={"name": "notes"}, capabilities={})
CALL = ask("tools/call", 5, name="search")


def shown(seen: Witnessed) -> list[str]:
    tools: Any = seen.document.get("tools", [])
    return [one["name"] for one in tools]


def opened(desk: Desk, name: str) -> None:
    number = desk.asks(OPEN)
    desk.answers(number, json.dumps(OPENED).encode(), session=name)
    desk.ends(number)


def lists(desk: Desk, name: str, *tools: str, number: int = 1) -> None:
    desk.exchange(ask("tools/list", number), result(number, tools=[tool(one) for one in tools]), session=name)


GOOD, BAD = result(tools=[tool("good")]), result(tools=[tool("bad")])
