"""Baselines with their history, and the reviews that moved them. Looking never moves one."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Any

from sqlalchemy import Connection, Row, bindparam, insert, select, update

from driftwatch.errors import BaselineMovedError
from driftwatch.model import Act, Action, Actor, Baseline, BaselineState, Decision, Json, Kind, Review
from driftwatch.store import audit
from driftwatch.store.codec import pack, unpack
from driftwatch.store.tables import baselines, reviews

_NOTHING: Mapping[str, Json] = MappingProxyType({})

_CURRENT = select(baselines).where(baselines.c.server == bindparam("of"), baselines.c.superseded_at.is_(None))
"""Put together once: every look asks it several times."""


def history(connection: Connection, server: str) -> list[Baseline]:
    """Give every baseline that the server ever had, oldest first; the last one is the current one."""
    query = select(baselines).where(baselines.c.server == server).order_by(baselines.c.id)
    return [
        Baseline(server=row.server, digest=row.digest, state=row.state, since=row.since, by=row.by, note=row.note)
        for row in connection.execute(query)
    ]


def current(connection: Connection, server: str) -> Baseline | None:
    """Give the baseline in force. A closed one is always followed by another, so it is the newest."""
    row = connection.execute(_CURRENT, {"of": server}).one_or_none()
    if row is None:
        return None
    return Baseline(server=row.server, digest=row.digest, state=row.state, since=row.since, by=row.by, note=row.note)


def expect(
    connection: Connection, server: str, digest: str | None, state: BaselineState | None = None
) -> Baseline | None:
    """Give the current baseline if it is the one that the caller judged against, in the state it had (None: in any).

    Raises:
        BaselineMovedError: it is another one.

    """
    baseline = current(connection, server)
    approved_since = baseline is not None and state is not None and baseline.state is not state
    if (baseline.digest if baseline else None) != digest or approved_since:
        raise BaselineMovedError(f"The baseline of {server!r} moved while the check ran.")
    return baseline


def stand_in(connection: Connection, server: str, digest: str, at: datetime) -> None:
    """Let the first list seen stand in until a person approves one."""
    _open(connection, Baseline(server=server, digest=digest, state=BaselineState.PROVISIONAL, since=at))


def move(connection: Connection, review: Review, before: Baseline | None) -> None:
    """Close the current baseline and open the approved one; approving what is approved changes nothing."""
    if before is not None and before.state is BaselineState.APPROVED and before.digest == review.approves:
        return
    connection.execute(
        update(baselines)
        .where(baselines.c.server == review.server, baselines.c.superseded_at.is_(None))
        .values(superseded_at=review.at)
    )
    _open(
        connection,
        Baseline(
            server=review.server,
            digest=review.approves,
            state=BaselineState.APPROVED,
            since=review.at,
            by=review.by,
            note=review.note,
        ),
    )


def _open(connection: Connection, baseline: Baseline) -> None:
    connection.execute(
        insert(baselines).values(
            server=baseline.server,
            digest=baseline.digest,
            state=baseline.state,
            since=baseline.since,
            by=baseline.by,
            note=baseline.note,
        )
    )


def write_review(
    connection: Connection,
    review: Review,
    *,
    settled: Mapping[str, Json] = _NOTHING,
    looked: Mapping[str, Json] = _NOTHING,
) -> None:
    """Keep a decision, and write it into the audit log; decisions are only ever added.

    `settled` is what it settled of other identities (see `faces.accept`), `looked` how often the list was looked at.
    """
    connection.execute(
        insert(reviews).values(
            server=review.server,
            digest=review.digest,
            decision=review.decision,
            by=review.by,
            at=review.at,
            note=review.note,
            origin=review.origin,
            items=pack([[kind.value, key, occurrence] for kind, key, occurrence in review.items])
            if review.items
            else None,
            baseline=review.baseline,
            ahead=review.ahead,
        )
    )
    if not review.ahead:
        audit.write(connection, _act(review, settled, looked))


def _act(review: Review, settled: Mapping[str, Json], looked: Mapping[str, Json]) -> Act:
    """Give what the audit log has of a decision; the use of an approval ahead has an entry of its own."""
    details: dict[str, Json] = {}
    if review.items:
        details["items"] = [[kind.value, key, occurrence] for kind, key, occurrence in review.items]
    if review.baseline:
        details["baseline"] = review.baseline
    if settled:
        details["identities"] = dict(settled)
    if looked:
        details["looked"] = dict(looked)
    action = Action.APPROVED if review.decision is Decision.APPROVED else Action.REJECTED
    by = Actor(review.by, review.origin)
    return Act(action, by, review.at, review.server, review.digest, review.note, details)


def reviewed(connection: Connection, server: str, limit: int | None = None) -> list[Review]:
    """Give the decisions on a server, oldest first; the newest ones where there are more than `limit`."""
    query = select(reviews).where(reviews.c.server == server).order_by(reviews.c.id.desc()).limit(limit)
    return [review_of(row) for row in reversed(connection.execute(query).all())]


def review_of(row: Row[Any]) -> Review:
    """Read one row."""
    return Review(
        server=row.server,
        digest=row.digest,
        decision=row.decision,
        by=row.by,
        origin=row.origin,
        at=row.at,
        note=row.note,
        items=tuple((Kind(kind), key, number) for kind, key, number in unpack(row.items)) if row.items else (),
        baseline=row.baseline,
        ahead=row.ahead,
    )
