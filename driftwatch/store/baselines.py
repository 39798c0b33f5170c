"""Baselines with their history, and the reviews that moved them. Looking never moves one."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, insert, select, update

from driftwatch.errors import BaselineMovedError
from driftwatch.model import Baseline, BaselineState, Review
from driftwatch.store.tables import baselines, reviews


def history(connection: Connection, server: str) -> list[Baseline]:
    """Give every baseline that the server ever had, oldest first; the last one is the current one."""
    query = select(baselines).where(baselines.c.server == server).order_by(baselines.c.id)
    return [
        Baseline(server=row.server, digest=row.digest, state=row.state, since=row.since, by=row.by, note=row.note)
        for row in connection.execute(query)
    ]


def current(connection: Connection, server: str) -> Baseline | None:
    """Give the baseline in force. A closed one is always followed by another, so it is the newest."""
    query = select(baselines).where(baselines.c.server == server, baselines.c.superseded_at.is_(None))
    row = connection.execute(query).one_or_none()
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
    if before is not None and before.state is BaselineState.APPROVED and before.digest == review.digest:
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
            digest=review.digest,
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


def write_review(connection: Connection, review: Review) -> None:
    """Keep a decision; decisions are only ever added."""
    connection.execute(
        insert(reviews).values(
            server=review.server,
            digest=review.digest,
            decision=review.decision,
            by=review.by,
            at=review.at,
            note=review.note,
        )
    )


def reviewed(connection: Connection, server: str) -> list[Review]:
    """Give the decisions on a server, oldest first."""
    query = select(reviews).where(reviews.c.server == server).order_by(reviews.c.id)
    return [
        Review(server=row.server, digest=row.digest, decision=row.decision, by=row.by, at=row.at, note=row.note)
        for row in connection.execute(query)
    ]
