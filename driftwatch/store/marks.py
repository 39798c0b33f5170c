"""Marks of what is kept: short values that change when the thing does, for whoever wants to know what is new."""

from __future__ import annotations

from collections.abc import Callable, Hashable

from sqlalchemy import Connection, func, select

from driftwatch.model import DeliveryState
from driftwatch.store.access_tables import audit
from driftwatch.store.engine import reading
from driftwatch.store.shelf import Shelf
from driftwatch.store.tables import aheads, alerts, baselines, channels, deliveries, rehearsed, servers, silences

_WAIT = (DeliveryState.PENDING, DeliveryState.HELD)


class MarkShelf(Shelf):
    """The part of the Store that says what is new."""

    def marks(self) -> dict[str, Hashable]:
        """Give a mark for each topic: `server:NAME`, `looked:NAME`, `alerts`, `deliveries`, `channels` and so on.

        A server's mark moves with what is said of it, and `looked:NAME` with every look at it.
        """
        with reading(self._engine) as connection:
            found = _of_servers(connection)
            for topic, mark in _MARKS.items():
                found[topic] = mark(connection)
            return found


def _of_servers(connection: Connection) -> dict[str, Hashable]:
    current = (baselines.c.server == servers.c.name) & baselines.c.superseded_at.is_(None)
    again = select(func.max(rehearsed.c.at)).where(rehearsed.c.server == servers.c.name).scalar_subquery()
    columns = (servers.c.name, servers.c.looks, servers.c.judged, servers.c.last_digest, servers.c.failures)
    labelled = (baselines.c.id.label("baseline"), again.label("again"))
    query = select(*columns, servers.c.calm_at, *labelled).outerjoin(baselines, current)
    found: dict[str, Hashable] = {}
    for row in connection.execute(query):
        found[f"server:{row.name}"] = (row.judged, row.last_digest, row.failures, row.calm_at, row.baseline, row.again)
        found[f"looked:{row.name}"] = row.looks
    return found


def _of_deliveries(connection: Connection) -> Hashable:
    """Say how many wait, and how many there ever were: both are had without going through all of them."""
    newest = connection.scalar(select(func.max(deliveries.c.seq)))
    waiting = [
        connection.scalar(select(func.count()).select_from(deliveries).where(deliveries.c.state == state))
        for state in _WAIT
    ]
    return (newest, *waiting)


def _of_channels(connection: Connection) -> Hashable:
    columns = (channels.c.name, channels.c.failing_since, channels.c.dead)
    return tuple(tuple(row) for row in connection.execute(select(*columns).order_by(channels.c.name)))


def _of_alerts(connection: Connection) -> Hashable:
    return tuple(connection.execute(select(func.count(), func.max(alerts.c.updated_at)).select_from(alerts)).one())


def _of_silences(connection: Connection) -> Hashable:
    return tuple(connection.execute(select(func.count(), func.max(silences.c.ended_at)).select_from(silences)).one())


def _of_aheads(connection: Connection) -> Hashable:
    ends = (func.max(aheads.c.used_at), func.max(aheads.c.ended_at))
    return tuple(connection.execute(select(func.count(), *ends).select_from(aheads)).one())


def _of_audit(connection: Connection) -> Hashable:
    newest: int | None = connection.scalar(select(func.max(audit.c.seq)))
    return newest


_MARKS: dict[str, Callable[[Connection], Hashable]] = {
    "alerts": _of_alerts,
    "deliveries": _of_deliveries,
    "channels": _of_channels,
    "silences": _of_silences,
    "aheads": _of_aheads,
    "audit": _of_audit,
}
