"""The outbox: rows written with the alert that they tell of, claimed and closed as `claims` has it.

A crash between send and close repeats the send under the same id, so a receiver can tell; it never loses one.

A row whose route gathers is `held` until its window ends (`next_attempt_at`). Then all that its route holds for its
channel is sealed into one message, and the rows in it follow that message's fate.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, bindparam, case, func, or_, select, update

from driftwatch.errors import BaselineMovedError
from driftwatch.model import AlertState, Delivery, DeliveryState, EventKind
from driftwatch.store.codec import pack, unpack
from driftwatch.store.engine import insert_new
from driftwatch.store.records import Wanted
from driftwatch.store.tables import alerts, deliveries

PAGE = 50
"""Rows that are read at once where their messages are wanted too: each may be a quarter of a megabyte."""

FARTHEST = timedelta(hours=2)
"""No attempt and no lease is ever planned so far ahead: the longest wait between two attempts is an hour."""

AT_ONCE = 500
"""Rows that one statement names; a database takes only so many parameters."""

_NOW: ColumnElement[datetime] = bindparam("now", type_=deliveries.c.next_attempt_at.type)
_FARTHEST: ColumnElement[datetime] = bindparam("farthest", type_=deliveries.c.next_attempt_at.type)


def moments(now: datetime) -> dict[str, datetime]:
    """Give what `has_come` asks for."""
    return {"now": now, "farthest": now + FARTHEST}


def has_come(moment: ColumnElement[Any]) -> ColumnElement[bool]:
    """Whether a moment is over, or so far away that the clock must have been set back since it was written."""
    return or_(moment <= _NOW, moment > _FARTHEST)


def put(connection: Connection, delivery: Delivery, now: datetime) -> bool:
    """Add a row unless its id is there already. Say whether it was added."""
    created = delivery.created_at or now
    if delivery.event is EventKind.REMINDED:
        outdate(connection, delivery.alert_id, "a later reminder took its place", by=delivery)
    if delivery.state is DeliveryState.PENDING and delivery.alert_id:
        _release(connection, delivery, now)
    return insert_new(
        connection,
        deliveries,
        {
            "id": delivery.id,
            "channel": delivery.channel,
            "server": delivery.server,
            "alert": delivery.alert_id or None,
            "event": delivery.event,
            "payload": pack(dict(delivery.payload)),
            "state": delivery.state,
            "attempts": delivery.attempts,
            "created_at": created,
            "next_attempt_at": delivery.next_attempt_at or created,
            "last_result": delivery.last_result,
            "route": delivery.route,
            "batch": delivery.batch,
        },
    )


_RELEASE = (
    update(deliveries)
    .where(
        deliveries.c.alert == bindparam("of"),
        deliveries.c.channel == bindparam("on"),
        deliveries.c.state == DeliveryState.HELD,
    )
    .values(state=DeliveryState.PENDING, next_attempt_at=bindparam("now"))
)
_ABOUT = (
    select(deliveries)
    .where(deliveries.c.alert == bindparam("of"), deliveries.c.state == bindparam("as"))
    .order_by(deliveries.c.seq)
)
_TOLD = (
    select(deliveries.c.channel)
    .where(
        deliveries.c.alert == bindparam("of"),
        deliveries.c.state.not_in((DeliveryState.DEAD, DeliveryState.CANCELLED)),
    )
    .distinct()
)
"""These are put together once: every alert that is told of asks them."""


def _release(connection: Connection, delivery: Delivery, now: datetime) -> None:
    """Let go what is held of the same alert for the same channel: what follows must not wait for its window."""
    connection.execute(_RELEASE, {"of": delivery.alert_id, "on": delivery.channel, "now": now})


def outdate(connection: Connection, alert: str, why: str, *, by: Delivery | None = None) -> None:
    """Take out the reminders of an alert that wait, in every channel or, `by` another one, in the channel of that one.

    One that is being sent at this moment counts as delivered if it arrives, and is not tried again if it does not.
    """
    waits = deliveries.c.state.in_((DeliveryState.PENDING, DeliveryState.HELD))
    rows = update(deliveries).where(deliveries.c.alert == alert, deliveries.c.event == EventKind.REMINDED, waits)
    if by is not None:
        rows = rows.where(deliveries.c.channel == by.channel, deliveries.c.id != by.id)
    connection.execute(rows.values(state=DeliveryState.CANCELLED, last_result=why, lease_until=None))


def delivery_of(row: Row[Any]) -> Delivery:
    """Read one row; one that was asked for without what it says has an empty payload."""
    payload = row._mapping.get("payload")  # noqa: SLF001 - its public name for mappings
    return Delivery(
        id=row.id,
        channel=row.channel,
        server=row.server,
        alert_id=row.alert or "",
        event=row.event,
        payload=unpack(payload) if payload is not None else {},
        state=row.state,
        attempts=row.attempts,
        created_at=row.created_at,
        next_attempt_at=row.next_attempt_at,
        last_result=row.last_result,
        route=row.route,
        batch=row.batch,
    )


def follow(connection: Connection, batch: str, state: DeliveryState, result: str = "") -> None:
    """Let the rows that went into one message share its fate."""
    members = (deliveries.c.batch == batch, deliveries.c.batch != "")
    connection.execute(update(deliveries).where(*members).values(state=state, last_result=result))


def held_groups(connection: Connection, now: datetime | None) -> list[tuple[str, str]]:
    """Give each channel and route that something is held for whose window has ended; without `now` whatever is held."""
    held = deliveries.c.state == DeliveryState.HELD
    pairs = select(deliveries.c.channel, deliveries.c.route).where(held)
    if now is not None:
        pairs = pairs.where(has_come(deliveries.c.next_attempt_at))
    asked = {} if now is None else moments(now)
    return [(row.channel, row.route) for row in connection.execute(pairs.distinct(), asked)]


def held(connection: Connection, channel: str, route: str, after: int) -> tuple[list[Delivery], int]:
    """Give a page of what is held for a channel and a route, oldest first, and where the next page begins."""
    query = select(deliveries).where(
        deliveries.c.state == DeliveryState.HELD,
        deliveries.c.channel == channel,
        deliveries.c.route == route,
        deliveries.c.seq > after,
    )
    rows = connection.execute(query.order_by(deliveries.c.seq).limit(PAGE)).all()
    return [delivery_of(row) for row in rows], rows[-1].seq if rows else after


def seal(connection: Connection, members: Sequence[str], batch: Delivery | None, now: datetime) -> None:
    """Send held rows on their way: into `batch`, or, without one, each by itself.

    Raises:
        BaselineMovedError: one of them is not held any more.

    """
    state = DeliveryState.PENDING if batch is None else DeliveryState.BATCHED
    into = {"state": state, "next_attempt_at": now, "batch": "" if batch is None else batch.id}
    sealed = 0
    for start in range(0, len(members), AT_ONCE):
        some = deliveries.c.id.in_(members[start : start + AT_ONCE])
        rows = update(deliveries).where(some, deliveries.c.state == DeliveryState.HELD)
        sealed += connection.execute(rows.values(**into)).rowcount
    if sealed != len(members):
        raise BaselineMovedError("One of the messages that were gathered was sent or taken out meanwhile.")
    if batch is not None:
        put(connection, batch, now)


def retry(connection: Connection, delivery: str, now: datetime) -> bool:
    """Let a row be sent anew, now; False when there is nothing to send: it was delivered, or is in a batch."""
    again = (DeliveryState.DEAD, DeliveryState.CANCELLED, DeliveryState.PENDING, DeliveryState.HELD)
    changed = connection.execute(
        update(deliveries)
        .where(deliveries.c.id == delivery, deliveries.c.state.in_(again), deliveries.c.batch == "")
        .values(
            state=DeliveryState.PENDING,
            attempts=0,
            created_at=now,
            next_attempt_at=now,
            # One that is being sent at this moment stays with its sender.
            lease_until=case((deliveries.c.state == DeliveryState.PENDING, deliveries.c.lease_until), else_=None),
        )
    )
    if changed.rowcount:
        follow(connection, delivery, DeliveryState.BATCHED)
    return bool(changed.rowcount)


def abandon(connection: Connection, known: Collection[str], before: datetime, why: str) -> int:
    """Give up what was made before a time for channels that are not known, and say how many rows that were."""
    waiting = (DeliveryState.HELD, DeliveryState.BATCHED, DeliveryState.PENDING)
    return connection.execute(
        update(deliveries)
        .where(deliveries.c.state.in_(waiting), deliveries.c.channel.not_in(known), deliveries.c.created_at < before)
        .values(state=DeliveryState.DEAD, last_result=why, lease_until=None)
    ).rowcount


def cancel(connection: Connection, delivery: str, why: str) -> bool:
    """Take a row out that was not delivered; False when there is nothing to take out."""
    still = (DeliveryState.DEAD, DeliveryState.PENDING, DeliveryState.HELD)
    changed = connection.execute(
        update(deliveries)
        .where(deliveries.c.id == delivery, deliveries.c.state.in_(still), deliveries.c.batch == "")
        .values(state=DeliveryState.CANCELLED, last_result=why, lease_until=None)
    )
    if changed.rowcount:
        follow(connection, delivery, DeliveryState.CANCELLED, why)
    return bool(changed.rowcount)


def listed(connection: Connection, wanted: Wanted, limit: int) -> list[Delivery]:
    """Give outbox rows, newest first."""
    query = fitting(select(deliveries).order_by(deliveries.c.seq.desc()).limit(limit), wanted)
    return [delivery_of(row) for row in connection.execute(query)]


def fitting(query: Select[Any], wanted: Wanted) -> Select[Any]:
    """Ask for those rows only that are wanted."""
    asked = {name: getattr(wanted, name) for name in ("state", "channel", "server", "batch", "alert")}
    for column, value in asked.items():
        if value is not None:
            query = query.where(deliveries.c[column] == value)
    if wanted.since is not None:
        query = query.where(deliveries.c.created_at >= wanted.since)
    return query


def about(connection: Connection, alert: str, state: DeliveryState) -> list[Delivery]:
    """Give the rows of one alert that are in a state, oldest first."""
    return [delivery_of(row) for row in connection.execute(_ABOUT, {"of": alert, "as": state})]


def find(connection: Connection, prefix: str) -> list[Delivery]:
    """Give the rows whose id begins so, two at most: enough to know whether it is one."""
    query = select(deliveries).where(deliveries.c.id.startswith(prefix, autoescape=True)).order_by(deliveries.c.id)
    return [delivery_of(row) for row in connection.execute(query.limit(2))]


def channels_told(connection: Connection, alert: str) -> frozenset[str]:
    """Give the channels that were told of this alert, or will be: those whose rows were not all given up."""
    return frozenset(connection.scalars(_TOLD, {"of": alert}))


def channels_waiting(connection: Connection, alert: str) -> frozenset[str]:
    """Give the channels that something about this alert has yet to be sent to."""
    unsent = (DeliveryState.HELD, DeliveryState.BATCHED, DeliveryState.PENDING)
    rows = select(deliveries.c.channel).where(deliveries.c.alert == alert, deliveries.c.state.in_(unsent))
    return frozenset(connection.scalars(rows.distinct()))


def said(connection: Connection, channel: str, after: int) -> tuple[list[Delivery], int]:
    """Give a page of what a channel took last of each alert that stands, and where the next page begins."""
    newest = (
        select(func.max(deliveries.c.seq))
        .join(alerts, deliveries.c.alert == alerts.c.id)
        .where(
            deliveries.c.channel == channel,
            deliveries.c.state == DeliveryState.DELIVERED,
            alerts.c.state != AlertState.RESOLVED,
        )
        .group_by(deliveries.c.alert)
    )
    page = select(deliveries).where(deliveries.c.seq.in_(newest), deliveries.c.seq > after)
    rows = connection.execute(page.order_by(deliveries.c.seq).limit(PAGE)).all()
    return [delivery_of(row) for row in rows], rows[-1].seq if rows else after
