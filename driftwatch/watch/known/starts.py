"""Other lists that came to light because one was looked at again, and that nobody decided on. Reads the store."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from driftwatch.judge.facts import OtherStart
from driftwatch.judge.judge import compare_snapshots
from driftwatch.model import BaselineState, Decision, Rehearsed, Review, ServerState, Snapshot
from driftwatch.store.store import Store


def starts_of(
    store: Store, state: ServerState, live: Snapshot, *, at: datetime | None = None
) -> tuple[OtherStart, ...]:
    """Give what came to light so and stands, each list once; with `at` only what did by then, as it stands now.

    What the server shows now, or what is approved, is judged as itself.
    """
    baseline = state.baseline
    approved = baseline.digest if baseline and baseline.state is BaselineState.APPROVED else ""
    rows = {one.other: one for one in standing(store, state.server) if at is None or one.at <= at}
    found = (_judged(store, one, approved) for one in rows.values() if one.other not in (live.digest, approved))
    return tuple(one for some in found for one in some)


def standing(store: Store, server: str) -> list[Rehearsed]:
    """Give the lists that were looked at again of which another list came to light that nobody decided on since."""
    rows = [one for one in store.rehearsals(server) if one.other]
    reviews = store.reviews(server) if rows else []
    return [row for row in rows if not any(_decides(one, row) for one in reviews)]


def _decides(review: Review, row: Rehearsed) -> bool:
    """Say whether a decision settles it: any approval of a whole list does, and the rejection of one of the two."""
    if review.items or review.at < row.at:
        return False
    return review.decision is Decision.APPROVED or review.digest in (row.digest, row.other)


def _judged(store: Store, row: Rehearsed, approved: str) -> Iterator[OtherStart]:
    after, before = store.snapshot(row.other), store.snapshot(approved or row.digest)
    if after is not None and before is not None:
        findings = compare_snapshots(before, after).findings
        yield OtherStart(row.digest, after, row.at, findings, approved=bool(approved))
