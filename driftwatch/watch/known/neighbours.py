"""The other servers that are watched, with the names of the tools that they show now."""

from __future__ import annotations

from driftwatch.config.schema import Settings
from driftwatch.judge.facts import Neighbour
from driftwatch.model import Kind
from driftwatch.store.store import Store


def neighbours_of(store: Store, settings: Settings, server: str) -> tuple[Neighbour, ...]:
    """Give the enabled servers besides one; those that were never seen have no names yet."""
    others = sorted(one.name for one in settings.servers if one.enabled and one.name != server)
    if not others:
        return ()
    shown = store.names_shown(Kind.TOOL)
    return tuple(Neighbour(name, shown[name]) for name in others if name in shown)
