"""The other servers that are watched, with the names of the tools that they show now."""

from __future__ import annotations

import hashlib
import json
from datetime import datetime

from driftwatch.config.inventory import WatchedFile
from driftwatch.config.schema import ServerConfig, Settings
from driftwatch.judge.facts import Neighbour
from driftwatch.model import Kind
from driftwatch.store.store import Store


def neighbours_of(
    store: Store, settings: Settings, server: str, *, at: datetime | None = None
) -> tuple[Neighbour, ...]:
    """Give the enabled servers besides one; those that were never seen (with `at`: by then) have no names yet."""
    others = _others(settings, server)
    if not others:
        return ()
    shown = store.names_shown(Kind.TOOL, at=at)
    return tuple(Neighbour(name, shown[name]) for name in others if name in shown)


def neighbours_key(settings: Settings, server: ServerConfig | None) -> str:
    """Name who the others are, in a word; empty where there are none, and for a file, which has no tools."""
    if server is None or isinstance(server, WatchedFile):
        return ""
    others = _others(settings, server.name)
    return hashlib.sha256(json.dumps(others).encode("ascii")).hexdigest()[:12] if others else ""


def _others(settings: Settings, server: str) -> list[str]:
    return sorted(one.name for one in settings.servers if one.enabled and one.name != server)
