"""Dropping what was kept for long enough. What is to go is found in one reading, then goes in small steps.

So nobody who writes waits for long. Each step looks once more whether what it drops is still not needed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any, Final, TypeVar

from sqlalchemy import Column, ColumnElement, Connection, Subquery, and_, delete, exists, false, func, or_, select

from driftwatch.model import Act, Action, Actor, AlertState, DeliveryState, EventKind, Json
from driftwatch.store import audit
from driftwatch.store.engine import reading
from driftwatch.store.records import Pruned, Retention
from driftwatch.store.shelf import Shelf
from driftwatch.store.tables import (
    aheads,
    alerts,
    baselines,
    deliveries,
    face_sightings,
    faces,
    items,
    rehearsed,
    reviews,
    servers,
    sightings,
    snapshot_items,
    snapshots,
)
from driftwatch.store.witness_tables import witnessed

RECENT: Final = timedelta(days=8)
"""Over so long looks are judged (`flapping.WINDOW` is a week); nothing of that goes, however much there is."""

NEWEST: Final = 10
"""Sightings of a server, the newest, that stay however old they are: more than any judgement asks for by number."""

_STEP: Final = 200
"""Rows that go in one transaction."""

_OVER: Final = (DeliveryState.DELIVERED, DeliveryState.DEAD, DeliveryState.CANCELLED)

_Key = TypeVar("_Key")

_ALWAYS: Final[tuple[Column[Any], ...]] = (
    *(table.c.digest for table in (baselines, reviews, aheads, rehearsed, witnessed)),
    *(reviews.c.baseline, rehearsed.c.other, witnessed.c.before, witnessed.c.against, servers.c.last_digest),
    *(faces.c[name] for name in ("shown", "ordinary", "learned", "suspect", "beside", "settled")),
)
"""What names lists that stay, whatever the retention is: decisions, and what is judged by."""


@dataclass(frozen=True, slots=True)
class _Plan:
    """What is to go, by its keys."""

    sightings: tuple[int, ...]
    face_sightings: tuple[tuple[str, str, str], ...]
    alerts: tuple[str, ...]
    deliveries: tuple[int, ...]
    snapshots: tuple[str, ...]
    items: tuple[str, ...]

    @property
    def counts(self) -> Pruned:
        looks = len(self.sightings) + len(self.face_sightings)
        return Pruned(looks, len(self.snapshots), len(self.items), len(self.alerts), len(self.deliveries))


class PruneShelf(Shelf):
    """The part of the Store that drops what was kept for long enough."""

    def would_prune(self, keep: Retention, *, now: datetime) -> Pruned:
        """Count what `prune` would drop; nothing is written."""
        with reading(self._engine) as connection:
            return _plan(connection, keep, now).counts

    def prune(self, keep: Retention, *, now: datetime, by: Actor, enough: Callable[[], bool] = lambda: False) -> Pruned:
        """Drop what is over and was kept for long enough, and write down how much that was.

        It ends early, between two steps, once `enough` says so; the rest goes the next time.

        Baselines, decisions and the lists that they are about stay, approvals ahead, alerts that are open with all that
        belongs to them, messages that wait, what witnesses handed in, and the audit log.

        Raises:
            StoreError: the database could not be read or written; what was dropped by then is gone.

        """
        with reading(self._engine) as connection:
            plan = _plan(connection, keep, now)

        def drop(keys: Collection[_Key], step: Callable[[Connection, list[_Key]], int]) -> int:
            return self._drop(keys, step, enough)

        done = Pruned(
            deliveries=drop(plan.deliveries, _drop_deliveries),
            alerts=drop(plan.alerts, _drop_alerts),
            looks=drop(plan.sightings, _drop_sightings) + drop(plan.face_sightings, _drop_face_sightings),
            lists=drop(plan.snapshots, _drop_snapshots),
            items=drop(plan.items, _drop_items),
        )
        if done.any:
            details: dict[str, Json] = {"dropped": asdict(done), "kept": _said(keep)}
            with self._write() as connection:
                audit.write(connection, Act(Action.PRUNED, by, self._clock(), details=details))
        return done

    def _drop(
        self, keys: Collection[_Key], drop: Callable[[Connection, list[_Key]], int], enough: Callable[[], bool]
    ) -> int:
        count = 0
        for some in _chunks(keys):
            if enough():
                break
            with self._write() as connection:
                count += drop(connection, some)
        return count


def _said(keep: Retention) -> dict[str, Json]:
    """Give a retention as the audit log has it, without what is kept for ever."""
    told = asdict(keep).items()
    return {
        name: value.total_seconds() if isinstance(value, timedelta) else value
        for name, value in told
        if value is not None
    }


def _plan(connection: Connection, keep: Retention, now: datetime) -> _Plan:
    over = _over_alerts(connection, keep, now)
    messages = _messages(connection, keep, now, over)
    looks, by_face, lists = _looks(connection, keep, now, over)
    return _Plan(looks, by_face, tuple(sorted(over)), messages, lists, _items_of(connection, lists))


# Alerts and messages


def _over_alerts(connection: Connection, keep: Retention, now: datetime) -> frozenset[str]:
    """Find alerts that are over for long enough, and of which no message waits."""
    if keep.alerts is None and keep.alerts_count is None:
        return frozenset()
    ended = func.coalesce(alerts.c.resolved_at, alerts.c.updated_at, type_=alerts.c.updated_at.type)
    rank = func.row_number().over(order_by=(ended.desc(), alerts.c.id)).label("rank")
    resolved = alerts.c.state == AlertState.RESOLVED
    ranked = select(alerts.c.id, ended.label("at"), rank).where(resolved).subquery()
    unsent = exists().where(deliveries.c.alert == ranked.c.id, deliveries.c.state.not_in(_OVER))
    return frozenset(
        connection.scalars(select(ranked.c.id).where(_late(ranked, keep.alerts, keep.alerts_count, now), ~unsent))
    )


def _messages(connection: Connection, keep: Retention, now: datetime, over: Collection[str]) -> tuple[int, ...]:
    """Find messages of which nobody waits for anything: also those of alerts that go.

    A message about several stays for as long as one of them does.
    """
    rank = func.row_number().over(order_by=deliveries.c.seq.desc()).label("rank")
    columns = (deliveries.c.seq, deliveries.c.alert, deliveries.c.id, deliveries.c.batch, deliveries.c.event)
    ranked = select(*columns, deliveries.c.created_at.label("at"), rank).where(deliveries.c.state.in_(_OVER)).subquery()
    late = _late(ranked, keep.deliveries, keep.deliveries_count, now)
    stands = exists().where(alerts.c.id == ranked.c.alert, alerts.c.state != AlertState.RESOLVED)
    rows = connection.execute(select(ranked.c.seq, ranked.c.id, ranked.c.event).where(late, ~stands)).all()
    going = {row.id: row.seq for row in rows if row.event is not EventKind.BATCH}
    for some in _chunks(over):
        mine = select(deliveries.c.id, deliveries.c.seq).where(deliveries.c.alert.in_(some))
        going |= {row.id: row.seq for row in connection.execute(mine)}
    told: dict[str, bool] = {}
    members = select(deliveries.c.id, deliveries.c.batch).where(deliveries.c.batch != "")
    for row in connection.execute(members):
        told[row.batch] = told.get(row.batch, True) and row.id in going
    batches = [row.seq for row in rows if row.event is EventKind.BATCH and told.get(row.id, True)]
    # The newest number of all is never given out again.
    newest = connection.scalar(select(func.max(deliveries.c.seq)))
    return tuple(sorted({*going.values(), *batches} - {newest}))


def _late(ranked: Subquery, age: timedelta | None, count: int | None, now: datetime) -> ColumnElement[bool]:
    """Whether a row is older than it is kept, or beyond how many are kept."""
    old = false() if age is None else ranked.c.at < now - age
    return or_(old, false() if count is None else ranked.c.rank > count)


# Looks and lists


def _looks(
    connection: Connection, keep: Retention, now: datetime, over: Collection[str]
) -> tuple[tuple[int, ...], tuple[tuple[str, str, str], ...], tuple[str, ...]]:
    """Find sightings that are over for long enough, those of identities, and lists that nothing needs any more."""
    if keep.looks is None and keep.looks_count is None:
        return (), (), ()
    before = now - max(keep.looks or RECENT, RECENT)
    decided = set[str]()
    for column in _ALWAYS:
        decided.update(connection.scalars(select(column).distinct()))
    for row in connection.execute(select(alerts.c.id, alerts.c.snapshot_digest, alerts.c.baseline_digest)):
        if row.id not in over:
            decided |= {row.snapshot_digest, row.baseline_digest}
    looks, needed = _sightings(connection, keep, now, decided)
    by_face = []
    columns = (face_sightings.c.server, face_sightings.c.identity, face_sightings.c.digest)
    for server, identity, digest, last in connection.execute(select(*columns, face_sightings.c.last_seen)):
        if keep.looks is not None and last < before and digest not in decided:
            by_face.append((server, identity, digest))
        else:
            needed.add(digest)
    old = select(snapshots.c.digest).where(snapshots.c.first_seen < before)
    lists = sorted(digest for digest in connection.scalars(old) if digest not in decided and digest not in needed)
    return looks, tuple(by_face), tuple(lists)


def _sightings(
    connection: Connection, keep: Retention, now: datetime, decided: Collection[str]
) -> tuple[tuple[int, ...], set[str]]:
    """Find sightings to drop, and the lists of those that stay: of what was decided on, the last one always does."""
    by_list = (sightings.c.server, sightings.c.digest)
    rank = func.row_number().over(partition_by=sightings.c.server, order_by=sightings.c.id.desc()).label("rank")
    again = func.row_number().over(partition_by=by_list, order_by=sightings.c.id.desc()).label("again")
    ranked = select(sightings.c.id, sightings.c.digest, sightings.c.last_seen.label("at"), rank, again).subquery()
    going, needed = [], set[str]()
    late = and_(
        ranked.c.at.is_not(None),
        ranked.c.rank > NEWEST,
        ranked.c.at < now - RECENT,
        _late(ranked, keep.looks, keep.looks_count, now),
    )
    for row in connection.execute(select(ranked.c.id, ranked.c.digest, ranked.c.again, late.label("late"))):
        if row.late and (row.again > 1 or row.digest not in decided):
            going.append(row.id)
        else:
            needed.add(row.digest)
    return tuple(going), needed


def _items_of(connection: Connection, lists: Collection[str]) -> tuple[str, ...]:
    """Find the items that only these lists have."""
    gone = frozenset(lists)
    theirs = set[str]()
    for some in _chunks(lists):
        theirs.update(connection.scalars(select(snapshot_items.c.item).where(snapshot_items.c.snapshot.in_(some))))
    for some in _chunks(sorted(theirs)):
        of = select(snapshot_items.c.item, snapshot_items.c.snapshot).where(snapshot_items.c.item.in_(some)).distinct()
        theirs.difference_update(row.item for row in connection.execute(of) if row.snapshot not in gone)
    return tuple(sorted(theirs))


# Steps: each drops what is still not needed


def _drop_deliveries(connection: Connection, some: list[int]) -> int:
    # One may have been sent again meanwhile.
    return _deleted(connection, delete(deliveries).where(deliveries.c.seq.in_(some), deliveries.c.state.in_(_OVER)))


def _drop_alerts(connection: Connection, some: list[str]) -> int:
    told = exists().where(deliveries.c.alert == alerts.c.id)
    over = alerts.c.state == AlertState.RESOLVED
    return _deleted(connection, delete(alerts).where(alerts.c.id.in_(some), over, ~told))


def _drop_sightings(connection: Connection, some: list[int]) -> int:
    return _deleted(connection, delete(sightings).where(sightings.c.id.in_(some), sightings.c.last_seen.is_not(None)))


def _drop_face_sightings(connection: Connection, some: list[tuple[str, str, str]]) -> int:
    count = 0
    for server, identity, digest in some:
        mine = (face_sightings.c.server == server, face_sightings.c.identity == identity)
        count += _deleted(connection, delete(face_sightings).where(*mine, face_sightings.c.digest == digest))
    return count


def _drop_snapshots(connection: Connection, some: list[str]) -> int:
    needed = set[str]()
    named = (sightings.c.digest, face_sightings.c.digest, alerts.c.snapshot_digest, alerts.c.baseline_digest)
    for column in (*_ALWAYS, *named):
        needed.update(connection.scalars(select(column).where(column.in_(some)).distinct()))
    going = [digest for digest in some if digest not in needed]
    connection.execute(delete(snapshot_items).where(snapshot_items.c.snapshot.in_(going)))
    return _deleted(connection, delete(snapshots).where(snapshots.c.digest.in_(going)))


def _drop_items(connection: Connection, some: list[str]) -> int:
    held = exists().where(snapshot_items.c.item == items.c.digest)
    return _deleted(connection, delete(items).where(items.c.digest.in_(some), ~held))


def _deleted(connection: Connection, statement: Any) -> int:
    return int(connection.execute(statement).rowcount)


def _chunks(keys: Iterable[_Key]) -> Iterator[list[_Key]]:
    wanted = list(keys)
    return (wanted[start : start + _STEP] for start in range(0, len(wanted), _STEP))
