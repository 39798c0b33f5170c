"""A session between an agent and a server, spelled message by message into a `Session`."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

from driftwatch.model import Witnessed
from driftwatch.watch.witness.session import Bounds, Session

START = datetime(2026, 11, 29, 9, 0, tzinfo=UTC)
VERSION = "io.modelcontextprotocol/protocolVersion"
CLIENT = "io.modelcontextprotocol/clientInfo"


def tool(name: str, description: str = "Lists the notes.") -> dict[str, Any]:
    return {"name": name, "description": description, "inputSchema": {"type": "object"}}


class Talk:
    """Both sides of one session, with a clock that goes on by a millisecond for each message."""

    def __init__(self, *, bounds: Bounds | None = None, modern: bool = False) -> None:
        self.session = Session("notes", "desk", "ab12", START, bounds)
        self.at = START
        self.modern = modern
        self._number = 0

    def ask(self, method: str, **params: Any) -> int:
        """Let the agent ask something; gives the id."""
        self._number += 1
        if self.modern:
            params["_meta"] = {VERSION: "2026-07-28", CLIENT: {"name": "desk", "version": "2.1"}}
        self.agent({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params})
        return self._number

    def agent(self, message: Any) -> None:
        self.at += timedelta(milliseconds=1)
        self.session.client_said(json.dumps(message).encode())

    def answer(self, number: Any, result: Any) -> None:
        self.server({"jsonrpc": "2.0", "id": number, "result": result})

    def server(self, message: Any) -> None:
        self.at += timedelta(milliseconds=1)
        self.session.server_said(json.dumps(message).encode(), self.at)

    def says(self, result: Any, method: str, **params: Any) -> None:
        """Let the agent ask, and the server answer at once."""
        self.answer(self.ask(method, **params), result)

    def opens(self) -> None:
        """Open in the handshake era."""
        info = {"serverInfo": {"name": "notes", "version": "1"}, "capabilities": {"tools": {}}}
        said = {"protocolVersion": "2025-11-25", **info, "instructions": "Be brief."}
        self.says(said, "initialize", clientInfo={"name": "desk", "version": "2.1"}, capabilities={})
        self.agent({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def lists(self, *tools: Any) -> None:
        self.says({"tools": list(tools)}, "tools/list")

    def calls(self, name: str, **arguments: Any) -> None:
        self.says({"content": [{"type": "text", "text": "fine"}]}, "tools/call", name=name, arguments=arguments)

    def notice(self, topic: str = "tools") -> None:
        self.server({"jsonrpc": "2.0", "method": f"notifications/{topic}/list_changed"})

    def looks(self) -> list[Witnessed]:
        """Let ten seconds pass, and take what is due."""
        self.at += timedelta(seconds=10)
        return self.session.take(self.at)

    def look(self) -> Witnessed:
        (seen,) = self.looks()
        return seen
