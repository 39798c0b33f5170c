"""Entries of a host's file, and facts about packages, for the tests of the rules that speak of them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from driftwatch.judge.beside import Supplied
from driftwatch.judge.facts import Facts
from driftwatch.model import Kind, Package, PackageNews

ASKED = datetime(2026, 3, 1, tzinfo=UTC)


def entry(name: str = "notes", **fields: Any) -> dict[str, Any]:
    """Make an entry as the watcher of files writes it."""
    base = {"name": name, "section": "mcpServers", "transport": "stdio", "command": "notes-mcp", "args": [], "env": []}
    return {**base, **fields}


def entries(*listed: dict[str, Any]) -> dict[str, Any]:
    """Make the document of a file."""
    return {"entries": list(listed)}


def package(name: str, ecosystem: str = "npm") -> dict[str, Any]:
    """Make the part of an entry that names its package."""
    return {"ecosystem": ecosystem, "name": name, "asked": name, "pinned": False}


def supplied(kind: Kind = Kind.LAUNCH, item: str = "", **news: Any) -> Facts:
    """Make the facts about the package of one item."""
    what = Package("npm", "notes-mcp", "1.2.0")
    return Facts(supply=(Supplied(kind, item, PackageNews(what, ASKED, **news)),))
