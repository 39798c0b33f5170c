"""Fakes at ports: small, honest, and tested by being used."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

from driftwatch.config.schema import ServerConfig
from driftwatch.model import Actor, Era, Listed, Outcome


class FrozenClock:
    """A clock that stands still until it is moved."""

    def __init__(self, at: datetime = datetime(2026, 3, 1, 3, 0, tzinfo=UTC)) -> None:
        self.at = at

    def __call__(self) -> datetime:
        return self.at

    def forward(self, seconds: float) -> None:
        self.at += timedelta(seconds=seconds)


class ScriptedFetcher:
    """A fetcher that gives the scripted outcomes in order, and the last one for ever."""

    def __init__(self, outcomes: Iterable[Outcome]) -> None:
        self.outcomes = deque(outcomes)
        self.eras: list[Era | None] = []

    async def fetch(self, server: ServerConfig, *, era: Era | None) -> Outcome:  # noqa: ARG002 - the port has it
        self.eras.append(era)
        return self.outcomes.popleft() if len(self.outcomes) > 1 else self.outcomes[0]


class FakeSession:
    """A session that is held for its notices; it shows `outcome`, which may be set anew."""

    def __init__(self, outcome: Outcome) -> None:
        self.outcome = outcome

    async def fetch(self) -> Outcome:
        return self.outcome


def person(name: str = "ann") -> Actor:
    """Somebody who decides at a terminal."""
    return Actor(name, f"cli {name}@desk")


def listed(*tools: dict[str, Any], **fields: Any) -> Listed:
    """A complete look at a server that shows these tools; other keys of the document by keyword."""
    document = {
        "serverInfo": {"name": "notes", "version": "1.0.0"},
        "capabilities": {"tools": {}},
        "protocolVersion": "2026-07-28",
        "tools": list(tools),
        "prompts": [],
        "resources": [],
        "resourceTemplates": [],
        **fields,
    }
    return Listed(document=document, era=Era.MODERN, protocol_version="2026-07-28")


def tool(name: str = "list_notes", **fields: Any) -> dict[str, Any]:
    """A tool that reads, as an honest server would show it."""
    return {
        "name": name,
        "description": f"Lists things, as {name} says.",
        "inputSchema": {"type": "object", "properties": {"folder": {"type": "string"}}},
        "annotations": {"readOnlyHint": True, "openWorldHint": False},
        **fields,
    }
