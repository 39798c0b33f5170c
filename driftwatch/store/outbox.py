"""The outbox: rows written with the alert that they tell of, claimed under a lease, closed after the send.

A crash between send and close repeats the send under the same id, so a receiver can tell; it never loses one.

A row whose route gathers is `held` until its window ends (`next_attempt_at`). Then all that its route holds for its
channel is sealed into one message, and the rows in it follow that message's fate.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, and_, case, exists, func, not_, or_, select, update

from driftwatch.errors import BaselineMovedError
from driftwatch.model import AlertState, Delivery, DeliveryState, EventKind, SendResult
from driftwatch.store.codec import pack, unpack
from driftwatch.store.engine import insert_new
from driftwatch.store.records import Wanted
from driftwatch.store.tables import alerts, deliveries

_BEGINS = (EventKind.OPENED, EventKind.UPDATED, EventKind.REMINDED)

_UNSENT = (DeliveryState.HELD, DeliveryState.BATCHED, DeliveryState.PENDING)

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


def _delivery(row: Row[Any]) -> Delivery:
    return Delivery(
        id=row.id,
        channel=row.channel,
        server=row.server,
        alert_id=row.alert or "",
        event=row.event,
        payload=unpack(row.payload),
        state=row.state,
        attempts=row.attempts,
        created_at=row.created_at,
        next_attempt_at=row.next_attempt_at,
        last_result=row.last_result,
        route=row.route,
        batch=row.batch,
    )


def claim(
    connection: Connection, *, now: datetime, lease: timedelta, limit: int, paused: Collection[str]
) -> list[Delivery]:
    """Lease rows that are due, oldest first. A claim is not yet an attempt: the claimer may never get to send it."""
    due = (
        select(deliveries.c.seq)
        .where(
            deliveries.c.state == DeliveryState.PENDING,
            _has_come(deliveries.c.next_attempt_at, now),
            _is_free(now),
            deliveries.c.channel.not_in(paused),
            _in_turn(),
        )
        .order_by(deliveries.c.next_attempt_at, deliveries.c.seq)
        .limit(limit)
    )
    claimed = [seq for seq in list(connection.scalars(due)) if _lease(connection, seq, now, now + lease)]
    # One row at a time: `claimed` may be longer than a database takes parameters.
    rows = [connection.execute(select(deliveries).where(deliveries.c.seq == seq)).one() for seq in claimed]
    return [_with_what_is_over(connection, _delivery(row)) for row in rows]


def _with_what_is_over(connection: Connection, delivery: Delivery) -> Delivery:
    """Add to the end of alerts which batches, that told of them, are wholly over, and which were told of alone."""
    if delivery.event is EventKind.RESOLVED:
        ending = [delivery.alert_id]
    elif delivery.event is EventKind.BATCH:
        ends = (deliveries.c.batch == delivery.id, deliveries.c.event == EventKind.RESOLVED)
        ending = list(connection.scalars(select(deliveries.c.alert).where(*ends).order_by(deliveries.c.seq)))
    else:
        return delivery
    over: dict[str, None] = {}
    alone: list[str] = []
    for alert in ending:
        told = select(deliveries.c.batch).where(
            deliveries.c.alert == alert,
            deliveries.c.channel == delivery.channel,
            deliveries.c.event.in_(_BEGINS),
            deliveries.c.state.not_in((DeliveryState.DEAD, DeliveryState.CANCELLED)),
        )
        told_in = list(connection.scalars(told.order_by(deliveries.c.seq)))
        alone += [alert] if "" in told_in else []
        over.update(dict.fromkeys(one for one in told_in if one not in {"", delivery.id}))
    return replace(
        delivery,
        opened_in=next(iter(over), "") if delivery.event is EventKind.RESOLVED else "",
        over=tuple(one for one in over if _is_over(connection, one)),
        alone=tuple(alone),
    )


def _is_over(connection: Connection, batch: str) -> bool:
    """Say whether no alert that a batch told of stands any more."""
    members = deliveries.join(alerts, deliveries.c.alert == alerts.c.id)
    standing = select(alerts.c.id).select_from(members).where(deliveries.c.batch == batch)
    return connection.scalar(standing.where(alerts.c.state != AlertState.RESOLVED).limit(1)) is None


def _has_come(moment: ColumnElement[datetime], now: datetime) -> ColumnElement[bool]:
    """Whether a moment is over, or so far away that the clock must have been set back since it was written."""
    return or_(moment <= now, moment > now + FARTHEST)


def _in_turn() -> ColumnElement[bool]:
    """Whether nothing of the same alert for the same channel has to go first: the end never overtakes the beginning."""
    earlier = deliveries.alias()
    same = (earlier.c.alert == deliveries.c.alert, earlier.c.channel == deliveries.c.channel)
    return not_(exists().where(*same, earlier.c.seq < deliveries.c.seq, earlier.c.state.in_(_UNSENT)))


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
) -> bool:
    """Count an attempt, write how it ended and free the row. What was delivered stays delivered.

    Say whether other rows waited for this one to be over. Holding the lease is not asked for: a sender that lost it has
    sent all the same, and what it learnt counts. Of a row that a person took out meanwhile only a success is news.
    """
    open_to_it = {DeliveryState.PENDING}
    if state is DeliveryState.DELIVERED:
        open_to_it |= {DeliveryState.DEAD, DeliveryState.CANCELLED}
    changed = connection.execute(
        update(deliveries)
        .where(deliveries.c.id == delivery, deliveries.c.state.in_(open_to_it))
        .values(
            state=state,
            attempts=deliveries.c.attempts + 1,
            lease_until=None,
            last_result=result.detail,
            next_attempt_at=next_attempt_at or now,
        )
    )
    if not changed.rowcount or state is DeliveryState.PENDING:
        return False
    _follow(connection, delivery, state, result.detail)
    return _is_waited_for(connection, delivery)


def _is_waited_for(connection: Connection, delivery: str) -> bool:
    """Say whether something of the same alerts is to go to the same channel after this row."""
    this = deliveries.alias()
    about = or_(this.c.id == delivery, this.c.batch == delivery)
    same = (deliveries.c.alert == this.c.alert, deliveries.c.channel == this.c.channel)
    waiting = select(deliveries.c.seq).join(this, and_(*same, deliveries.c.seq > this.c.seq))
    query = waiting.where(about, deliveries.c.state == DeliveryState.PENDING).limit(1)
    return connection.scalar(query) is not None


def _follow(connection: Connection, batch: str, state: DeliveryState, result: str = "") -> None:
    """Let the rows that went into one message share its fate."""
    connection.execute(update(deliveries).where(deliveries.c.batch == batch).values(state=state, last_result=result))


def due_groups(connection: Connection, now: datetime | None) -> list[list[Delivery]]:
    """Give what is held and whose window has ended, gathered by channel and route, each group oldest first."""
    held = deliveries.c.state == DeliveryState.HELD
    pairs = select(deliveries.c.channel, deliveries.c.route).where(held)
    if now is not None:
        pairs = pairs.where(_has_come(deliveries.c.next_attempt_at, now))
    groups = [(row.channel, row.route) for row in connection.execute(pairs.distinct())]
    return [
        [
            _delivery(row)
            for row in connection.execute(
                select(deliveries)
                .where(held, deliveries.c.channel == channel, deliveries.c.route == route)
                .order_by(deliveries.c.seq)
            )
        ]
        for channel, route in groups
    ]


def seal(connection: Connection, members: Sequence[str], batch: Delivery | None, now: datetime) -> None:
    """Send held rows on their way: into `batch`, or, without one, each by itself.

    Raises:
        BaselineMovedError: one of them is not held any more.

    """
    state = DeliveryState.PENDING if batch is None else DeliveryState.BATCHED
    for member in members:
        row = update(deliveries).where(deliveries.c.id == member, deliveries.c.state == DeliveryState.HELD)
        change = row.values(state=state, next_attempt_at=now, batch="" if batch is None else batch.id)
        if connection.execute(change).rowcount != 1:
            raise BaselineMovedError(f"The message {member} was sent or taken out meanwhile.")
    if batch is not None:
        put(connection, batch, now)


def retry(connection: Connection, delivery: str, now: datetime) -> bool:
    """Let a row be sent anew, now; False when there is nothing to send: it was delivered, or is in a batch."""
    again = (DeliveryState.DEAD, DeliveryState.CANCELLED, DeliveryState.PENDING, DeliveryState.HELD)
    changed = connection.execute(
        update(deliveries)
        .where(deliveries.c.id == delivery, deliveries.c.state.in_(again), deliveries.c.batch == "")
        .values(state=DeliveryState.PENDING, attempts=0, created_at=now, next_attempt_at=now, lease_until=None)
    )
    if changed.rowcount:
        _follow(connection, delivery, DeliveryState.BATCHED)
    return bool(changed.rowcount)


def cancel(connection: Connection, delivery: str, why: str) -> bool:
    """Take a row out that was not delivered; False when there is nothing to take out."""
    still = (DeliveryState.DEAD, DeliveryState.PENDING, DeliveryState.HELD)
    changed = connection.execute(
        update(deliveries)
        .where(deliveries.c.id == delivery, deliveries.c.state.in_(still), deliveries.c.batch == "")
        .values(state=DeliveryState.CANCELLED, last_result=why, lease_until=None)
    )
    if changed.rowcount:
        _follow(connection, delivery, DeliveryState.CANCELLED, why)
    return bool(changed.rowcount)


def next_at(connection: Connection, paused: Collection[str]) -> datetime | None:
    """Give the time at which the next row can be claimed: when it is due, or when its lease ends if that is later."""
    leased_longer = deliveries.c.lease_until > deliveries.c.next_attempt_at
    ready = case((leased_longer, deliveries.c.lease_until), else_=deliveries.c.next_attempt_at)
    query = select(func.min(ready)).where(
        deliveries.c.state == DeliveryState.PENDING, deliveries.c.channel.not_in(paused), _in_turn()
    )
    moment: datetime | None = connection.scalar(query)
    return moment


def listed(connection: Connection, wanted: Wanted, limit: int) -> list[Delivery]:
    """Give outbox rows, newest first."""
    query: Select[Any] = select(deliveries).order_by(deliveries.c.seq.desc()).limit(limit)
    asked = {name: getattr(wanted, name) for name in ("state", "channel", "server", "batch", "alert")}
    for column, value in asked.items():
        if value is not None:
            query = query.where(deliveries.c[column] == value)
    return [_delivery(row) for row in connection.execute(query)]


def about(connection: Connection, alert: str, state: DeliveryState) -> list[Delivery]:
    """Give the rows of one alert that are in a state, oldest first."""
    query = select(deliveries).where(deliveries.c.alert == alert, deliveries.c.state == state)
    return [_delivery(row) for row in connection.execute(query.order_by(deliveries.c.seq))]


def channel_of(connection: Connection, delivery: str) -> str:
    """Give the channel that a row is for, empty when there is no such row."""
    return connection.scalar(select(deliveries.c.channel).where(deliveries.c.id == delivery)) or ""


def find(connection: Connection, prefix: str) -> list[Delivery]:
    """Give the rows whose id begins so, two at most: enough to know whether it is one."""
    query = select(deliveries).where(deliveries.c.id.startswith(prefix, autoescape=True)).order_by(deliveries.c.id)
    return [_delivery(row) for row in connection.execute(query.limit(2))]


def channels_told(connection: Connection, alert: str) -> frozenset[str]:
    """Give the channels that were told of this alert, or will be: those whose rows were not all given up."""
    gone = (DeliveryState.DEAD, DeliveryState.CANCELLED)
    rows = select(deliveries.c.channel).where(deliveries.c.alert == alert, deliveries.c.state.not_in(gone))
    return frozenset(connection.scalars(rows.distinct()))


def said(connection: Connection, channel: str) -> list[Delivery]:
    """Give what a channel was told last of each alert that stands, of what it took."""
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
    rows = connection.execute(select(deliveries).where(deliveries.c.seq.in_(newest)).order_by(deliveries.c.seq))
    return [_delivery(row) for row in rows]
