"""How the outbox is emptied: rows are claimed under a lease, and closed after the send.

A claim is a promise to try. One that is not kept ends by itself, and the row is due again under the same id.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import (
    Boolean,
    ColumnElement,
    Connection,
    FromClause,
    Row,
    Select,
    and_,
    bindparam,
    case,
    exists,
    func,
    not_,
    or_,
    select,
    update,
)

from driftwatch.model import AlertState, Delivery, DeliveryState, EventKind, SendResult
from driftwatch.store.outbox import AT_ONCE, delivery_of, follow, has_come, moments
from driftwatch.store.records import Wait
from driftwatch.store.tables import alerts, deliveries

_BEGINS = (EventKind.OPENED, EventKind.UPDATED, EventKind.REMINDED)

_NEWS = (EventKind.ACKNOWLEDGED, EventKind.RESOLVED)

_ON_THEIR_WAY = (DeliveryState.BATCHED, DeliveryState.PENDING)

_UNSENT = (DeliveryState.HELD, DeliveryState.BATCHED, DeliveryState.PENDING)

_member = deliveries.alias()


def _in_turn() -> ColumnElement[bool]:
    """Whether nothing about the same alerts for the same channel has to go first: no end overtakes its beginning.

    What counts is when the message was made that carries a row: the row itself, or the batch that it went into. So
    there is one order, and no two messages wait for each other.
    """
    earlier, member = deliveries.alias(), deliveries.alias()
    alone = exists().where(
        earlier.c.alert == deliveries.c.alert, earlier.c.channel == deliveries.c.channel, _goes_before(earlier)
    )
    gathered = exists().where(
        member.c.batch == deliveries.c.id,
        member.c.batch != "",
        earlier.c.alert == member.c.alert,
        earlier.c.channel == member.c.channel,
        earlier.c.batch != deliveries.c.id,
        _goes_before(earlier),
    )
    return and_(not_(alone), or_(deliveries.c.event != EventKind.BATCH, not_(gathered)))


def _goes_before(earlier: FromClause) -> ColumnElement[bool]:
    """Whether a row is not sent yet, and the message that carries it was made before."""
    carrier = deliveries.alias()
    made = select(carrier.c.seq).where(carrier.c.id == earlier.c.batch).scalar_subquery()
    return and_(earlier.c.state.in_(_UNSENT), func.coalesce(made, earlier.c.seq) < deliveries.c.seq)


# Built once: every delivery runs them, and building one costs more than running it.
_IS_PENDING = deliveries.c.state == DeliveryState.PENDING
_IS_FREE = or_(deliveries.c.lease_until.is_(None), has_come(deliveries.c.lease_until))
_IS_FOR = or_(
    bindparam("anybody", type_=Boolean).is_(True),
    deliveries.c.channel.in_(bindparam("only", expanding=True, type_=deliveries.c.channel.type)),
)
_DUE = (
    select(deliveries.c.seq)
    .where(_IS_PENDING, has_come(deliveries.c.next_attempt_at), _IS_FREE, _IS_FOR, _in_turn())
    .order_by(deliveries.c.next_attempt_at, deliveries.c.seq)
    .limit(bindparam("most"))
)
# The conditions decide, not the query before it.
_LEASED = (
    update(deliveries)
    .where(deliveries.c.seq.in_(bindparam("found", expanding=True)), _IS_PENDING, _IS_FREE)
    .values(lease_until=bindparam("until"))
    .returning(deliveries)
)
_NEXT = select(
    func.min(
        case(
            (deliveries.c.lease_until > deliveries.c.next_attempt_at, deliveries.c.lease_until),
            else_=deliveries.c.next_attempt_at,
        )
    )
).where(_IS_PENDING, _IS_FOR, _in_turn())
_FINISHED = (
    update(deliveries)
    .where(
        deliveries.c.id == bindparam("message"),
        deliveries.c.state.in_(bindparam("open_to_it", expanding=True, type_=deliveries.c.state.type)),
    )
    .values(
        state=bindparam("is"),
        attempts=deliveries.c.attempts + 1,
        lease_until=None,
        last_result=bindparam("said"),
        next_attempt_at=bindparam("again"),
    )
    .returning(deliveries.c.seq, deliveries.c.alert, deliveries.c.channel, deliveries.c.event)
)
_NEXT_OF_ONE = (
    select(deliveries.c.seq)
    .where(
        deliveries.c.alert == bindparam("about"),
        deliveries.c.channel == bindparam("to"),
        deliveries.c.seq > bindparam("after"),
        deliveries.c.state.in_(_ON_THEIR_WAY),
    )
    .limit(1)
)
_NEXT_OF_MEMBERS = (
    select(deliveries.c.seq)
    .join(
        _member,
        and_(
            deliveries.c.alert == _member.c.alert,
            deliveries.c.channel == _member.c.channel,
            deliveries.c.seq > _member.c.seq,
        ),
    )
    .where(_member.c.batch == bindparam("message"), _member.c.batch != "", deliveries.c.state.in_(_ON_THEIR_WAY))
    .limit(1)
)


def _for(only: Collection[str] | None) -> dict[str, Any]:
    """Give what `_IS_FOR` asks for: the channels that are wanted, None for all."""
    return {"anybody": only is None, "only": sorted(only or ())}


def claim(
    connection: Connection, *, now: datetime, lease: timedelta, limit: int, only: Collection[str] | None
) -> list[Delivery]:
    """Lease rows that are due for these channels (None: for any), oldest first.

    A claim is not yet an attempt: the claimer may never get to send it.
    """
    found = list(connection.scalars(_DUE, {**moments(now), **_for(only), "most": limit}))
    until = {**moments(now), "until": now + lease}
    rows: list[Row[Any]] = []
    for start in range(0, len(found), AT_ONCE):
        rows += connection.execute(_LEASED, {**until, "found": found[start : start + AT_ONCE]})
    order = {seq: place for place, seq in enumerate(found)}
    rows.sort(key=lambda row: order[row.seq])
    return [_with_what_became(connection, delivery_of(row)) for row in rows]


def _with_what_became(connection: Connection, delivery: Delivery) -> Delivery:
    """Add to news of alerts what became of the batches that told of them, and which ended that were told of alone."""
    if delivery.event is EventKind.BATCH:
        news = select(_member.c.alert, _member.c.event).where(
            _member.c.batch == delivery.id, _member.c.event.in_(_NEWS)
        )
        about: ColumnElement[bool] = deliveries.c.alert.in_(select(news.subquery().c.alert))
        ended = {row.alert for row in connection.execute(news) if row.event is EventKind.RESOLVED}
    elif delivery.event in _NEWS:
        about = deliveries.c.alert == delivery.alert_id
        ended = {delivery.alert_id} if delivery.event is EventKind.RESOLVED else set()
    else:
        return delivery
    told = select(deliveries.c.alert, deliveries.c.batch).where(
        about,
        deliveries.c.channel == delivery.channel,
        deliveries.c.event.in_(_BEGINS),
        deliveries.c.state.not_in((DeliveryState.DEAD, DeliveryState.CANCELLED)),
    )
    told_in = connection.execute(told.order_by(deliveries.c.seq)).all()
    batches = dict.fromkeys(row.batch for row in told_in if row.batch not in {"", delivery.id})
    states = {one: _states_in(connection, one) for one in batches}
    return replace(
        delivery,
        opened_in=next(iter(batches), "") if delivery.event is EventKind.RESOLVED else "",
        over=tuple(one for one, has in states.items() if has <= {AlertState.RESOLVED}),
        known=tuple(
            one for one, has in states.items() if AlertState.ACKNOWLEDGED in has and AlertState.OPEN not in has
        ),
        alone=tuple(dict.fromkeys(row.alert for row in told_in if not row.batch and row.alert in ended)),
    )


def _states_in(connection: Connection, batch: str) -> frozenset[AlertState]:
    """Give the states of the alerts that a batch told of; of some it may only have had news."""
    members = deliveries.join(alerts, deliveries.c.alert == alerts.c.id)
    told = (deliveries.c.batch == batch, deliveries.c.batch != "", deliveries.c.event.in_(_BEGINS))
    return frozenset(connection.scalars(select(alerts.c.state).select_from(members).where(*told).distinct()))


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
    values = {"is": state, "said": result.detail, "again": next_attempt_at or now}
    row = connection.execute(_FINISHED, {"message": delivery, "open_to_it": open_to_it, **values}).one_or_none()
    if row is None or state is DeliveryState.PENDING:
        return False
    if row.event is not EventKind.BATCH:
        behind = {"about": row.alert, "to": row.channel, "after": row.seq}
        return connection.scalar(_NEXT_OF_ONE, behind) is not None
    follow(connection, delivery, state, result.detail)
    return connection.scalar(_NEXT_OF_MEMBERS, {"message": delivery}) is not None


def hurry(connection: Connection, channel: str, now: datetime) -> int:
    """Let go at once what waits to be tried again on a channel, and say how many messages that are."""
    waiting = (deliveries.c.state == DeliveryState.PENDING, deliveries.c.lease_until.is_(None))
    change = update(deliveries).where(*waiting, deliveries.c.channel == channel, deliveries.c.next_attempt_at > now)
    return connection.execute(change.values(next_attempt_at=now)).rowcount


def next_at(connection: Connection, only: Collection[str] | None) -> datetime | None:
    """Give the time at which the next row can be claimed: when it is due, or when its lease ends if that is later."""
    moment: datetime | None = connection.scalar(_NEXT, _for(only))
    return moment


def channel_of(connection: Connection, delivery: str) -> str:
    """Give the channel that a row is for, empty when there is no such row."""
    return connection.scalar(select(deliveries.c.channel).where(deliveries.c.id == delivery)) or ""


def waits(connection: Connection, ids: Collection[str], now: datetime) -> dict[str, Wait]:
    """Say of rows what keeps them from being claimed beside their time: the oldest message before them, or a lease."""
    behind: dict[str, tuple[int, str]] = {}
    leased: dict[str, datetime] = {}
    names = sorted(ids)
    for start in range(0, len(names), AT_ONCE):
        some = deliveries.c.id.in_(names[start : start + AT_ONCE])
        for query in _before(some):
            for row in connection.execute(query):
                behind[row.id] = min(behind.get(row.id, (row.made, row.carrier)), (row.made, row.carrier))
        held = select(deliveries.c.id, deliveries.c.lease_until).where(some, _IS_PENDING, not_(_IS_FREE))
        leased |= {row.id: row.lease_until for row in connection.execute(held, moments(now))}
    return {name: Wait(behind.get(name, (0, ""))[1], leased.get(name)) for name in behind.keys() | leased.keys()}


def _before(some: ColumnElement[bool]) -> tuple[Select[Any], ...]:
    """Give what goes before rows, as `_in_turn` has it: with the id that carries it, and when that was made."""
    earlier, member, carrier = deliveries.alias(), deliveries.alias(), deliveries.alias()
    made = select(carrier.c.seq).where(carrier.c.id == earlier.c.batch).scalar_subquery()
    found = select(
        deliveries.c.id,
        func.coalesce(made, earlier.c.seq).label("made"),
        case((earlier.c.batch != "", earlier.c.batch), else_=earlier.c.id).label("carrier"),
    ).where(some, _IS_PENDING, _goes_before(earlier))
    return (
        found.where(earlier.c.alert == deliveries.c.alert, earlier.c.channel == deliveries.c.channel),
        found.where(
            member.c.batch == deliveries.c.id,
            member.c.batch != "",
            earlier.c.alert == member.c.alert,
            earlier.c.channel == member.c.channel,
            earlier.c.batch != deliveries.c.id,
        ),
    )
