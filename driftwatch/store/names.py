"""What all servers show, by name: what one server's names are held against."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from types import MappingProxyType

from sqlalchemy import Connection, Engine, func, select

from driftwatch.model import Kind
from driftwatch.store.engine import reading
from driftwatch.store.shelf import Shelf
from driftwatch.store.tables import servers, sightings, snapshot_items

_ASKED_AT_ONCE = 500
"""Digests in one query; SQLite builds differ in how many parameters they take (999 in old ones)."""


class ShownShelf(Shelf):
    """The part of the Store that knows the names in the lists that servers showed last.

    Only a list that is new to it is read: a digest is over the names in a list too, so what was read of one holds for
    good, whoever wrote it. Which list a server showed last is read each time, because other processes write too.
    """

    def __init__(self, engine: Engine, *, clock: Callable[[], datetime]) -> None:
        """Take what every shelf takes, and know nothing yet."""
        super().__init__(engine, clock=clock)
        self._known: Mapping[Kind, Mapping[str, Mapping[str, str]]] = {}

    def names_shown(self, kind: Kind, *, at: datetime | None = None) -> dict[str, Mapping[str, str]]:
        """Give what each server showed last of a kind, by now or by a time: the key of each item, and its digest.

        Where keys repeat, the digest of the last one. Servers without any are left out.
        """
        with reading(self._engine) as connection:
            last = _last(connection, at)
            wanted, before = set(last.values()), self._known.get(kind, {})
            known = {digest: before[digest] for digest in wanted if digest in before}
            known |= _read(connection, kind, wanted - known.keys())
        if at is None:
            # A whole mapping takes the place of the other, so threads need not wait for each other.
            self._known = {**self._known, kind: known}
        return {server: known[digest] for server, digest in last.items() if known[digest]}


def _last(connection: Connection, at: datetime | None) -> dict[str, str]:
    """Give the digest of what each server showed last."""
    query = select(servers.c.name, servers.c.last_digest).where(servers.c.last_digest != "")
    if at is not None:
        newest = select(func.max(sightings.c.id)).where(sightings.c.first_seen <= at).group_by(sightings.c.server)
        query = select(sightings.c.server, sightings.c.digest).where(sightings.c.id.in_(newest))
    return dict(connection.execute(query).all())


def _read(connection: Connection, kind: Kind, digests: Iterable[str]) -> dict[str, Mapping[str, str]]:
    """Read the items of a kind in snapshots: a mapping for each, empty where there are none."""
    left = sorted(digests)
    found: dict[str, dict[str, str]] = {digest: {} for digest in left}
    names = select(snapshot_items.c.snapshot, snapshot_items.c.key, snapshot_items.c.item)
    names = names.where(snapshot_items.c.kind == kind).order_by(snapshot_items.c.snapshot, snapshot_items.c.position)
    for start in range(0, len(left), _ASKED_AT_ONCE):
        some = names.where(snapshot_items.c.snapshot.in_(left[start : start + _ASKED_AT_ONCE]))
        for digest, key, item in connection.execute(some):
            if key:
                found[digest][key] = item
    return {digest: MappingProxyType(items) for digest, items in found.items()}
