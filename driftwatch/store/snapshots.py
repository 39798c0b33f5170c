"""Snapshots and their items, each kept once under its digest."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, bindparam, insert, select

from driftwatch.model import Item, Kind, Snapshot
from driftwatch.store.codec import pack, pack_oddities, unpack, unpack_oddities
from driftwatch.store.engine import insert_new
from driftwatch.store.tables import items, snapshot_items, snapshots

_ASKED_AT_ONCE = 500
"""Digests in one query; SQLite builds differ in how many parameters they take (999 in old ones)."""

# What every look asks is put together once, which takes longer than to ask it.
_SECTIONS = select(snapshots.c.sections).where(snapshots.c.digest == bindparam("of"))
_ITEMS = (
    select(snapshot_items, items.c.raw)
    .join(items, items.c.digest == snapshot_items.c.item)
    .where(snapshot_items.c.snapshot == bindparam("of"))
    .order_by(snapshot_items.c.position)
)


def keep(connection: Connection, snapshot: Snapshot, at: datetime) -> None:
    """Write a snapshot unless it is there. Of two raw forms with one digest the first one stays."""
    sections = " ".join(sorted(kind.value for kind in snapshot.sections))
    row = {"digest": snapshot.digest, "sections": sections, "first_seen": at, "body": snapshot.body}
    if not insert_new(connection, snapshots, row):
        return
    _keep_items(connection, snapshot.items)
    rows = [
        {
            "snapshot": snapshot.digest,
            "position": position,
            "kind": item.kind,
            "key": item.key,
            "occurrence": item.occurrence,
            "item": item.digest,
            "oddities": pack_oddities(item.oddities),
        }
        for position, item in enumerate(snapshot.items)
    ]
    if rows:
        connection.execute(insert(snapshot_items), rows)


def _keep_items(connection: Connection, wanted: Iterable[Item]) -> None:
    """Write the items that are not there yet; only those are worth the packing."""
    first = {item.digest: item for item in reversed(tuple(wanted))}
    digests = list(first)
    for start in range(0, len(digests), _ASKED_AT_ONCE):
        chunk = digests[start : start + _ASKED_AT_ONCE]
        there = set(connection.scalars(select(items.c.digest).where(items.c.digest.in_(chunk))))
        rows = [{"digest": digest, "raw": pack(first[digest].raw)} for digest in chunk if digest not in there]
        if rows:
            connection.execute(insert(items), rows)


def load(connection: Connection, digest: str) -> Snapshot | None:
    """Give back the snapshot as it was handed in, None when it is not there."""
    sections = connection.scalar(_SECTIONS, {"of": digest})
    if sections is None:
        return None
    found = tuple(map(item_of, connection.execute(_ITEMS, {"of": digest})))
    return Snapshot(items=found, digest=digest, sections=frozenset(Kind(word) for word in sections.split()))


def item_of(row: Row[Any]) -> Item:
    """Read an item from a row of `snapshot_items` with the raw form of the item."""
    return Item(
        kind=row.kind,
        key=row.key,
        raw=unpack(row.raw),
        digest=row.item,
        occurrence=row.occurrence,
        oddities=unpack_oddities(row.oddities),
    )
