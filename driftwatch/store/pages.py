"""Long lists a page at a time, newest first: alerts, messages, silences, approvals ahead, tokens.

A page begins after a place in the list, which the page before gave. New rows come before it, so nothing is shown twice
and nothing is left out, whatever is written meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, Generic, TypeAlias, TypeVar

from sqlalchemy import Column, ColumnElement, Row, Select, and_, func, or_, select, true

from driftwatch.model import Ahead, Alert, AlertKind, AlertState, Delivery, Review, Severity, Silence, Token
from driftwatch.store.access_tables import tokens
from driftwatch.store.aheads import ahead_of
from driftwatch.store.alerts import alert_of
from driftwatch.store.baselines import review_of
from driftwatch.store.columns import kept_as
from driftwatch.store.engine import reading
from driftwatch.store.outbox import delivery_of, fitting
from driftwatch.store.records import Wanted
from driftwatch.store.shelf import Shelf
from driftwatch.store.silences import silence_of
from driftwatch.store.tables import aheads, alerts, deliveries, reviews, silences

_Kept = TypeVar("_Kept")

Spot: TypeAlias = tuple[datetime, str]
"""A place in a list that is sorted by time, then by id: the time and id of the row there."""


@dataclass(frozen=True, slots=True)
class AlertsWanted:
    """Which alerts are wanted; empty or None: whatever it is. `severity` is the least one.

    `batch` is the message that told of them together with others.
    """

    states: Collection[AlertState] = ()
    kind: AlertKind | None = None
    severity: Severity | None = None
    server: str | None = None
    channel: str | None = None
    batch: str | None = None


@dataclass(frozen=True, slots=True)
class Stretch(Generic[_Kept]):
    """Some rows of a list, and the place that the next ones come after: None when there are none."""

    rows: tuple[_Kept, ...]
    after: Spot | None = None


@dataclass(frozen=True, slots=True)
class Messages:
    """Some outbox rows, without what they say, and the number that the next ones come before."""

    rows: tuple[Delivery, ...]
    before: int | None = None


class PageShelf(Shelf):
    """The part of the Store that gives long lists a page at a time."""

    def alert_page(self, wanted: AlertsWanted, *, after: Spot | None = None, limit: int) -> Stretch[Alert]:
        """Give alerts, those that were opened last first."""
        query = select(alerts).where(*_conditions(wanted))
        return self._stretch(query, (alerts.c.opened_at, alerts.c.id), after, limit, alert_of)

    def alert_counts(self, wanted: AlertsWanted) -> dict[AlertState, int]:
        """Count alerts by their state."""
        query = select(alerts.c.state, func.count().label("number")).where(*_conditions(wanted))
        with reading(self._engine) as connection:
            rows = connection.execute(query.group_by(alerts.c.state))
            return {row.state: row.number for row in rows}

    def silence_page(self, *, at: datetime | None = None, after: Spot | None = None, limit: int) -> Stretch[Silence]:
        """Give silences, those that were made last first; with `at` only those in force then."""
        query = select(silences)
        if at is not None:
            query = query.where(silences.c.until > at, silences.c.ended_at.is_(None))
        return self._stretch(query, (silences.c.created_at, silences.c.id), after, limit, silence_of)

    def ahead_page(
        self, *, server: str | None = None, at: datetime | None = None, after: Spot | None = None, limit: int
    ) -> Stretch[Ahead]:
        """Give approvals ahead, those that were given last first; with `at` only those that are good then."""
        query = select(aheads)
        if server is not None:
            query = query.where(aheads.c.server == server)
        if at is not None:
            query = query.where(aheads.c.used_at.is_(None), aheads.c.ended_at.is_(None), aheads.c.until > at)
        return self._stretch(query, (aheads.c.at, aheads.c.id), after, limit, ahead_of)

    def review_page(
        self, server: str, *, before: int | None = None, limit: int
    ) -> tuple[tuple[Review, ...], int | None]:
        """Give decisions on a server, newest first, and the number that the next ones come before; None for none."""
        query = select(reviews).where(reviews.c.server == server).order_by(reviews.c.id.desc()).limit(limit + 1)
        if before is not None:
            query = query.where(reviews.c.id < before)
        with reading(self._engine) as connection:
            rows = connection.execute(query).all()
        return tuple(map(review_of, rows[:limit])), rows[limit - 1].id if len(rows) > limit else None

    def token_page(self, *, by: str | None = None, after: Spot | None = None, limit: int) -> Stretch[Token]:
        """Give tokens, those that were made last first, over or not; with `by` only those of one maker."""
        query = select(tokens) if by is None else select(tokens).where(tokens.c.by == by)
        return self._stretch(query, (tokens.c.created_at, tokens.c.id), after, limit, partial(kept_as, Token))

    def delivery_page(self, wanted: Wanted, *, before: int | None = None, limit: int) -> Messages:
        """Give outbox rows, newest first, without what they say: that may be a quarter of a megabyte each."""
        columns = [column for column in deliveries.c if column is not deliveries.c.payload]
        query = fitting(select(*columns).order_by(deliveries.c.seq.desc()).limit(limit + 1), wanted)
        if before is not None:
            query = query.where(deliveries.c.seq < before)
        with reading(self._engine) as connection:
            rows = connection.execute(query).all()
        return Messages(tuple(map(delivery_of, rows[:limit])), rows[limit - 1].seq if len(rows) > limit else None)

    def _stretch(
        self,
        query: Select[Any],
        order: tuple[Column[Any], Column[Any]],
        after: Spot | None,
        limit: int,
        read: Callable[[Row[Any]], _Kept],
    ) -> Stretch[_Kept]:
        moment, key = order
        query = query.where(_after(moment, key, after)).order_by(moment.desc(), key).limit(limit + 1)
        with reading(self._engine) as connection:
            rows = connection.execute(query).all()
        last = rows[limit - 1]._mapping if len(rows) > limit else None  # noqa: SLF001 - its public name for mappings
        return Stretch(tuple(map(read, rows[:limit])), None if last is None else (last[moment], last[key]))


def _after(moment: Column[Any], key: Column[Any], after: Spot | None) -> ColumnElement[bool]:
    if after is None:
        return true()
    at, last = after
    return or_(moment < at, and_(moment == at, key > last))


def _conditions(wanted: AlertsWanted) -> list[ColumnElement[bool]]:
    found: list[ColumnElement[bool]] = []
    if wanted.states:
        found.append(alerts.c.state.in_(tuple(wanted.states)))
    if wanted.severity is not None:
        found.append(alerts.c.severity.in_([one for one in Severity if one >= wanted.severity]))
    if wanted.batch is not None:
        members = select(deliveries.c.alert).where(deliveries.c.batch == wanted.batch, deliveries.c.batch != "")
        found.append(alerts.c.id.in_(members))
    for name in ("kind", "server", "channel"):
        value = getattr(wanted, name)
        if value is not None:
            found.append(alerts.c[name] == value)
    return found
