"""What agents were shown and stands apart, judged by the ordinary rules, for the rule about it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from driftwatch.judge.faces import face_of
from driftwatch.judge.judge import compare_snapshots, scan_snapshot
from driftwatch.judge.witnessed import Testified, filled, is_among, within
from driftwatch.model import (
    STANDING,
    BaselineState,
    Finding,
    ServerState,
    Snapshot,
    Testimony,
    TestimonyState,
)
from driftwatch.store.store import Store


def witnessed_of(
    store: Store, state: ServerState, live: Snapshot | None, *, at: datetime | None = None
) -> tuple[Testified, ...]:
    """Give what stands apart of what agents were shown; with `at` only what did by then, as it stands now.

    What is approved is left out for as long as it is, and not forgotten. What driftwatch is shown too by now (`live`)
    is told on, as just that: an alert is not to fall, and rise again, for one and the same list.
    """
    standing = store.testimonies(state.server, states=STANDING)
    if at is not None:
        standing = [one for one in standing if one.settled_at is not None and one.settled_at <= at]
    if not standing:
        return ()
    approved, ours = _approved(store, state), [] if live is None else [face_of(live)]
    alike: dict[tuple[str, ...], list[Testimony]] = defaultdict(list)
    for one in standing:
        alike[one.witness, one.state, one.prompt, one.before, one.digest].append(one)
    return tuple(found for group in alike.values() for found in _judged(store, group, approved, ours))


def _approved(store: Store, state: ServerState) -> list[Snapshot]:
    """Give what is approved as what agents were shown is held against it: one list, or none."""
    baseline = state.baseline
    is_approved = baseline is not None and baseline.state is BaselineState.APPROVED
    approved = store.snapshot(baseline.digest) if baseline is not None and is_approved else None
    return [] if approved is None else [face_of(approved)]


def found_in(after: Snapshot, before: Snapshot | None) -> tuple[Finding, ...]:
    """Give what the ordinary rules find on the way to what an agent was shown; without a `before` in that alone."""
    if before is None:
        return scan_snapshot(after).findings
    return compare_snapshots(within(before, after.sections), after).findings


@dataclass(frozen=True)
class Sides:
    """What an agent was shown, `shown`, and what that is held against, `before`: None where there is nothing.

    `after` is what it is compared as: of a list that the agent asked for in part the rest is taken from the other side.
    """

    one: Testimony
    shown: Snapshot
    before: Snapshot | None

    @property
    def after(self) -> Snapshot:
        """What the agent was shown, with what it did not ask for as it is on the other side."""
        return filled(self.shown, self.one.partial, self.before)

    def is_among(self, known: Iterable[Snapshot]) -> bool:
        """Say whether it is one of some lists, such as those that driftwatch is shown."""
        return is_among(self.shown, known, self.one.partial)


def sides_of(store: Store, one: Testimony) -> Sides | None:
    """Give both sides of a look that was compared, None where what it showed is not kept."""
    kept = store.snapshot(one.digest)
    if kept is None:
        return None
    return Sides(one, within(kept, one.sections), store.snapshot(one.before) if one.before else None)


def _judged(
    store: Store, group: list[Testimony], approved: Sequence[Snapshot], ours: Sequence[Snapshot]
) -> Iterator[Testified]:
    first = group[0]
    sides = sides_of(store, first)
    if sides is None or sides.is_among(approved):
        return
    after = sides.after
    yield Testified(
        witness=first.witness,
        way=TestimonyState(first.state),
        after=after,
        before=sides.before,
        against=first.against,
        findings=found_in(after, sides.before),
        at=first.seen_at,
        prompt=first.prompt,
        calls=first.calls,
        number=first.number,
        tool=first.tool,
        client=first.client,
        noticed=first.noticed,
        unseen=first.unseen,
        sessions=len({one.session for one in group}),
        kept=first.digest,
        shared=not first.prompt and sides.is_among(ours),
        shown_at=max((one.shown_at for one in group if one.shown_at is not None), default=None),
    )
