"""What all servers show now, by name: what one server's names are held against."""

from __future__ import annotations

from collections import defaultdict

from sqlalchemy import Connection, select

from driftwatch.model import Kind
from driftwatch.store.tables import servers, snapshot_items


def shown(connection: Connection, kind: Kind) -> dict[str, dict[str, str]]:
    """Give each server's items of a kind as it showed them last: key to item digest (of one, where keys repeat)."""
    query = select(servers.c.name, snapshot_items.c.key, snapshot_items.c.item).join(
        snapshot_items, snapshot_items.c.snapshot == servers.c.last_digest
    )
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for server, key, item in connection.execute(query.where(snapshot_items.c.kind == kind)):
        if key:
            found[server][key] = item
    return dict(found)
