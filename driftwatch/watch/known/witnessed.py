"""What agents were shown and stands apart, judged by the ordinary rules, for the rule about it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime

from driftwatch.judge.judge import compare_snapshots, scan_snapshot
from driftwatch.judge.witnessed import Testified, within
from driftwatch.model import Finding, Snapshot, Testimony, TestimonyState
from driftwatch.store.store import Store
from driftwatch.store.witnessed import STANDING


def witnessed_of(store: Store, server: str, *, at: datetime | None = None) -> tuple[Testified, ...]:
    """Give what stands apart of what agents were shown; with `at` only what did by then, as it stands now."""
    standing = store.testimonies(server, states=STANDING)
    if at is not None:
        standing = [one for one in standing if one.settled_at is not None and one.settled_at <= at]
    alike: dict[tuple[str, ...], list[Testimony]] = defaultdict(list)
    for one in standing:
        alike[one.witness, one.state, one.prompt, one.before, one.digest].append(one)
    return tuple(found for group in alike.values() for found in _judged(store, group))


def found_in(after: Snapshot, before: Snapshot | None) -> tuple[Finding, ...]:
    """Give what the ordinary rules find on the way to what an agent was shown; without a `before` in that alone."""
    if before is None:
        return scan_snapshot(after).findings
    return compare_snapshots(within(before, after.sections), after).findings


def _judged(store: Store, group: list[Testimony]) -> Iterator[Testified]:
    first = group[0]
    kept = store.snapshot(first.digest)
    before = store.snapshot(first.before) if first.before else None
    if kept is None:
        return
    after = within(kept, first.sections)
    yield Testified(
        witness=first.witness,
        way=TestimonyState(first.state),
        after=after,
        before=before,
        against=first.against,
        findings=found_in(after, before),
        at=first.seen_at,
        prompt=first.prompt,
        calls=first.calls,
        tool=first.tool,
        client=first.client,
        noticed=first.noticed,
        unseen=first.unseen,
        sessions=len({one.session for one in group}),
    )
