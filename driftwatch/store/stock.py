"""Counting what is kept, for `status` and health pages."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ColumnElement, Connection, Table, func, select

from driftwatch.model import AlertState, DeliveryState
from driftwatch.store.records import Counts
from driftwatch.store.tables import alerts, deliveries, items, servers, snapshots


def count(connection: Connection, now: datetime) -> Counts:
    """Count everything as of one moment."""
    pending = deliveries.c.state.in_((DeliveryState.PENDING, DeliveryState.HELD))
    oldest = connection.scalar(select(func.min(deliveries.c.created_at)).where(pending))
    return Counts(
        servers=_rows(connection, servers),
        snapshots=_rows(connection, snapshots),
        items=_rows(connection, items),
        open_alerts=_rows(connection, alerts, alerts.c.state != AlertState.RESOLVED),
        deliveries_pending=_rows(connection, deliveries, pending),
        deliveries_dead=_rows(connection, deliveries, deliveries.c.state == DeliveryState.DEAD),
        oldest_pending=None if oldest is None else now - oldest,
        deliveries_held=_rows(connection, deliveries, deliveries.c.state == DeliveryState.HELD),
    )


def _rows(connection: Connection, table: Table, *where: ColumnElement[bool]) -> int:
    return connection.scalar(select(func.count()).select_from(table).where(*where)) or 0
