"""What all servers show, by name: what one server's names are held against."""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime

from sqlalchemy import Connection, func, select

from driftwatch.model import Kind
from driftwatch.store.tables import servers, sightings, snapshot_items


def shown(connection: Connection, kind: Kind, at: datetime | None = None) -> dict[str, dict[str, str]]:
    """Give each server's items of a kind as it showed them last: key to item digest (of one, where keys repeat).

    With `at` as it had shown them last at that time.
    """
    last = select(servers.c.name, servers.c.last_digest.label("digest")).subquery()
    if at is not None:
        newest = select(func.max(sightings.c.id)).where(sightings.c.first_seen <= at).group_by(sightings.c.server)
        last = select(sightings.c.server.label("name"), sightings.c.digest).where(sightings.c.id.in_(newest)).subquery()
    query = select(last.c.name, snapshot_items.c.key, snapshot_items.c.item).join(
        snapshot_items, snapshot_items.c.snapshot == last.c.digest
    )
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for server, key, item in connection.execute(query.where(snapshot_items.c.kind == kind)):
        if key:
            found[server][key] = item
    return dict(found)
