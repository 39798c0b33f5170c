"""Other lists that came to light because one was looked at again, and that nobody approved. Reads the store."""

from __future__ import annotations

from collections.abc import Collection, Iterator
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
    said_no = refusals(store, state.server) if rows else {}
    others = (one for one in rows.values() if one.other not in (live.digest, approved))
    found = (_judged(store, one, approved, said_no) for one in others)
    return tuple(one for some in found for one in some)


def standing(store: Store, server: str) -> list[Rehearsed]:
    """Give the lists that were looked at again of which another list came to light, and no list was approved since.

    A rejection settles nothing: what was rejected stands, and says so.
    """
    rows = [one for one in store.rehearsals(server) if one.other]
    reviews = store.reviews(server) if rows else []
    approved = [one.at for one in reviews if one.decision is Decision.APPROVED and not one.items]
    return [row for row in rows if not any(at >= row.at for at in approved)]


def refusals(store: Store, server: str) -> dict[str, Review]:
    """Give of each list as a whole the rejection that was the last decision on it."""
    last = {one.digest: one for one in store.reviews(server) if not one.items}
    return {digest: one for digest, one in last.items() if one.decision is Decision.REJECTED}


def _judged(store: Store, row: Rehearsed, approved: str, said_no: Collection[str]) -> Iterator[OtherStart]:
    after, before = store.snapshot(row.other), store.snapshot(approved or row.digest)
    if after is not None and before is not None:
        findings = compare_snapshots(before, after).findings
        rejected = row.other in said_no
        yield OtherStart(row.digest, after, row.at, findings, approved=bool(approved), rejected=rejected)
