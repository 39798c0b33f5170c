"""The outbox: rows written with the alert that they tell of, claimed under a lease, closed after the send.

A crash between send and close repeats the send under the same id, so a receiver can tell; it never loses one.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Column, ColumnElement, Connection, Row, Select, case, func, or_, select, update

from driftwatch.model import Delivery, DeliveryState, SendResult
from driftwatch.store.codec import pack, unpack
from driftwatch.store.engine import insert_new
from driftwatch.store.tables import deliveries

FARTHEST = timedelta(hours=2)
"""No attempt and no lease is ever planned so far ahead: the longest wait between two attempts is an hour."""


def put(connection: Connection, delivery: Delivery, now: datetime) -> bool:
    """Add a row unless its id is there already. Say whether it was added."""
    created = delivery.created_at or now
    return insert_new(
        connection,
        deliveries,
        {
            "id": delivery.id,
            "channel": delivery.channel,
            "server": delivery.server,
            "alert": delivery.alert_id,
            "event": delivery.event,
            "payload": pack(dict(delivery.payload)),
            "state": delivery.state,
            "attempts": delivery.attempts,
            "created_at": created,
            "next_attempt_at": delivery.next_attempt_at or created,
            "last_result": delivery.last_result,
        },
    )


def _delivery(row: Row[Any]) -> Delivery:
    return Delivery(
        id=row.id,
        channel=row.channel,
        server=row.server,
        alert_id=row.alert,
        event=row.event,
        payload=unpack(row.payload),
        state=row.state,
        attempts=row.attempts,
        created_at=row.created_at,
        next_attempt_at=row.next_attempt_at,
        last_result=row.last_result,
    )


def claim(connection: Connection, *, now: datetime, lease: timedelta, limit: int) -> list[Delivery]:
    """Lease rows that are due, oldest first. A claim is not yet an attempt: the claimer may never get to send it."""
    due = (
        select(deliveries.c.seq)
        .where(deliveries.c.state == DeliveryState.PENDING, _has_come(deliveries.c.next_attempt_at, now), _is_free(now))
        .order_by(deliveries.c.next_attempt_at, deliveries.c.seq)
        .limit(limit)
    )
    claimed = [seq for seq in list(connection.scalars(due)) if _lease(connection, seq, now, now + lease)]
    # One row at a time: `claimed` may be longer than a database takes parameters.
    return [_delivery(connection.execute(select(deliveries).where(deliveries.c.seq == seq)).one()) for seq in claimed]


def _has_come(moment: Column[datetime], now: datetime) -> ColumnElement[bool]:
    """Whether a moment is over, or so far away that the clock must have been set back since it was written."""
    return or_(moment <= now, moment > now + FARTHEST)


def _is_free(now: datetime) -> ColumnElement[bool]:
    return or_(deliveries.c.lease_until.is_(None), _has_come(deliveries.c.lease_until, now))


def _lease(connection: Connection, seq: int, now: datetime, until: datetime) -> bool:
    """Take one row if it is still free. The condition decides, not the query before it."""
    change = (
        update(deliveries)
        .where(
            deliveries.c.seq == seq,
            deliveries.c.state == DeliveryState.PENDING,
            _is_free(now),
        )
        .values(lease_until=until)
    )
    return connection.execute(change).rowcount == 1


def finish(
    connection: Connection,
    delivery: str,
    *,
    result: SendResult,
    state: DeliveryState,
    next_attempt_at: datetime | None,
    now: datetime,
) -> None:
    """Count an attempt, write how it ended and free the row. What was delivered stays delivered.

    Holding the lease is not asked for: a sender that lost it has sent all the same, and what it learnt counts.
    """
    connection.execute(
        update(deliveries)
        .where(deliveries.c.id == delivery, deliveries.c.state != DeliveryState.DELIVERED)
        .values(
            state=state,
            attempts=deliveries.c.attempts + 1,
            lease_until=None,
            last_result=result.detail,
            next_attempt_at=next_attempt_at or now,
        )
    )


def next_at(connection: Connection) -> datetime | None:
    """Give the time at which the next row can be claimed: when it is due, or when its lease ends if that is later."""
    leased_longer = deliveries.c.lease_until > deliveries.c.next_attempt_at
    ready = case((leased_longer, deliveries.c.lease_until), else_=deliveries.c.next_attempt_at)
    query = select(func.min(ready)).where(deliveries.c.state == DeliveryState.PENDING)
    moment: datetime | None = connection.scalar(query)
    return moment


def listed(connection: Connection, state: DeliveryState | None, limit: int) -> list[Delivery]:
    """Give outbox rows, newest first."""
    query: Select[Any] = select(deliveries).order_by(deliveries.c.seq.desc()).limit(limit)
    if state is not None:
        query = query.where(deliveries.c.state == state)
    return [_delivery(row) for row in connection.execute(query)]


def channels_told(connection: Connection, alert: str) -> frozenset[str]:
    """Give the channels that were told of this alert, or will be: those whose rows were not all given up."""
    rows = select(deliveries.c.channel).where(deliveries.c.alert == alert, deliveries.c.state != DeliveryState.DEAD)
    return frozenset(connection.scalars(rows.distinct()))
