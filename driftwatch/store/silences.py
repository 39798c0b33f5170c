"""Silences: what a person wants to hear nothing of for a time."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, insert, select, update

from driftwatch.model import Silence
from driftwatch.store.columns import kept_as, row_of
from driftwatch.store.tables import silences


def add(connection: Connection, silence: Silence) -> None:
    """Keep a new one."""
    connection.execute(insert(silences).values(**row_of(silence)))


def end(connection: Connection, silence: str, *, at: datetime, by: str) -> bool:
    """End one before its time; False when it is over already, or was never there."""
    change = (
        update(silences)
        .where(silences.c.id == silence, silences.c.ended_at.is_(None), silences.c.until > at)
        .values(ended_at=at, ended_by=by)
    )
    return connection.execute(change).rowcount == 1


def listed(connection: Connection, *, at: datetime | None, limit: int) -> list[Silence]:
    """Give silences, newest first; with `at` only those in force then."""
    query = select(silences).order_by(silences.c.created_at.desc(), silences.c.id).limit(limit)
    if at is not None:
        query = query.where(silences.c.until > at, silences.c.ended_at.is_(None))
    return [silence_of(row) for row in connection.execute(query)]


def find(connection: Connection, prefix: str) -> list[Silence]:
    """Give the silences whose id begins so, two at most: enough to know whether it is one."""
    query = select(silences).where(silences.c.id.startswith(prefix, autoescape=True)).order_by(silences.c.id).limit(2)
    return [silence_of(row) for row in connection.execute(query)]


def silence_of(row: Row[Any]) -> Silence:
    """Read one row."""
    return kept_as(Silence, row)
