"""What people approved ahead of a roll-out and has not landed yet. Reads the store."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from driftwatch.judge.facts import Reviewed
from driftwatch.model import Ahead
from driftwatch.store.store import Store


def reviewed_of(store: Store, server: str, now: datetime, *, then: bool = False) -> tuple[Reviewed, ...]:
    """Give what a server is awaited to show, the newest approval first; with `then` as it was at an earlier moment."""
    aheads = [one for one in store.aheads(server) if one.waited(now)] if then else store.waiting_aheads(server, now)
    return tuple(reviewed for _, reviewed in awaited(store, aheads))


def awaited(store: Store, aheads: list[Ahead]) -> Iterator[tuple[Ahead, Reviewed]]:
    """Give each approval with the list that was reviewed."""
    for ahead in aheads:
        snapshot = store.snapshot(ahead.digest)
        if snapshot is not None:
            yield ahead, Reviewed(snapshot, by=ahead.by, at=ahead.at, version=ahead.version)
