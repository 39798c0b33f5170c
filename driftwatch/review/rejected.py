"""What people said no to of what a server shows: what is shown just so all the same, and what has changed since.

A rejection is of what an item was then. It holds for as long as the server shows that, whatever else it changes, until
somebody approves it. Reads the store.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, TypeAlias

from driftwatch.model import Baseline, Decision, Place, Review, Snapshot
from driftwatch.report.asides import Rejected
from driftwatch.store.store import Store
from driftwatch.watch.known.starts import standing as starts

_MOST: Final = 200
"""Decisions that are read, the newest: each is about a list of its own."""

_FEW: Final = 500
"""Names that are asked for; where more are in question, lists are read whole."""

_Held: TypeAlias = Mapping[str, Mapping[Place, str]]


@dataclass(slots=True)
class _Said:
    """What was said last of each item: of it just as it was, of its place, and of the list as a whole."""

    so: dict[tuple[Place, str | None], Review] = field(default_factory=dict)
    there: dict[Place, Review] = field(default_factory=dict)
    whole: Review | None = None

    def add(self, review: Review, places: Iterable[Place], held: Mapping[Place, str]) -> None:
        """Take a decision down, on what a list `held` at these places; a later one counts before an earlier one."""
        if review.decision is Decision.APPROVED:
            self.whole = None
        elif not review.items:
            self.whole = review
        for place in places:
            as_it_was = place, held.get(place)
            if review.decision is Decision.REJECTED:
                self.so[as_it_was] = self.there[place] = review
            else:
                self.so.pop(as_it_was, None)
                self.there.pop(place, None)


def rejected_of(
    store: Store, server: str, live: Snapshot, places: Collection[Place], reviews: Sequence[Review] | None = None
) -> tuple[Rejected, ...]:
    """Give what stands rejected in a list, or was rejected before it changed: the list as a whole first, then items.

    `places` are those at which it differs from what is approved: nothing else is in question. `reviews` are the
    decisions on the server, oldest first, where they are known already.

    Raises:
        StoreError: the database could not be read.

    """
    reviews = store.reviews(server) if reviews is None else reviews
    first = next((number for number, one in enumerate(reviews) if one.decision is Decision.REJECTED), len(reviews))
    decided = reviews[first:][-_MOST:]
    if not decided:
        return ()
    # What agents were shown, and what came to light at another start, is another matter (see `refused`).
    beside = {one.digest for one in store.testimonies(server)} | {one.other for one in starts(store, server)}
    decided = [one for one in decided if one.digest not in beside - {live.digest}]
    said = _said(store, server, decided, frozenset(places))
    now = {item.place: item.digest for item in live.items}
    whole, found = said.whole, list[Rejected]()
    # What is as approved again is no matter any more.
    if whole is not None and (places or whole.digest == live.digest):
        found.append(_rejected(None, whole, stands=whole.digest == live.digest))
    for place in sorted(places):
        review = said.so.get((place, now.get(place)))
        before = said.there.get(place)
        if review is not None and not (review is whole and review.digest == live.digest):
            found.append(_rejected(place, review, stands=True))
        elif review is None and before is not None:
            found.append(_rejected(place, before, stands=False))
    return tuple(found)


def _said(store: Store, server: str, decided: Sequence[Review], places: frozenset[Place]) -> _Said:
    """Read through decisions, oldest first."""
    baselines = store.baselines(server)
    before = {id(one): _baseline_at(baselines, one.at) for one in decided if _refuses_all(one)}
    lists = [*(one.digest for one in decided), *filter(None, before.values())]
    keys = {key for _, key, _ in places}
    held: _Held = store.places(lists, keys=keys if len(keys) <= _FEW else None)
    said = _Said()
    for one in decided:
        has = held[one.digest]
        about = places.intersection(one.items) if one.items else places
        if _refuses_all(one):
            # What was the same as before was not what they said no to.
            was = held.get(before[id(one)], {})
            about = frozenset(place for place in places if was.get(place) != has.get(place))
        said.add(one, about, has)
    return said


def _refuses_all(review: Review) -> bool:
    return review.decision is Decision.REJECTED and not review.items


def _baseline_at(baselines: Sequence[Baseline], at: datetime) -> str:
    """Give the digest of what a list was held against at a moment; empty for nothing."""
    return next((one.digest for one in reversed(baselines) if one.since <= at), "")


def _rejected(place: Place | None, review: Review, *, stands: bool) -> Rejected:
    return Rejected(place, review.by, review.at, review.note, stands)
