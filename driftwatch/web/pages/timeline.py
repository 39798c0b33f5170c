"""The story of one server: which list it began to show when, what that changed, and what people decided. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

from driftwatch.model import Ahead, Baseline, BaselineState, Decision, Kind, Place, Review, Sighting
from driftwatch.model.amounts import many
from driftwatch.report.arrived import arrival_words

NAMED: Final = 12
"""So many changed items are named; of the others only the number is said."""


class Turn(StrEnum):
    """What became of an item from one list to the next."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"


@dataclass(frozen=True, slots=True)
class Moved:
    """One item that is not as it was in the list before; `turn` is None where it is one that was decided on."""

    turn: Turn | None
    place: Place
    words: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that happened. `kind` is the class of its mark; `previous` the list that it is compared with.

    `moved` names some of the `total` items that differ.
    """

    at: datetime
    kind: str
    title: str
    digest: str = ""
    until: datetime | None = None
    details: tuple[str, ...] = ()
    note: str = ""
    previous: str = ""
    moved: tuple[Moved, ...] = ()
    total: int = 0


def moved(before: Mapping[Place, str], after: Mapping[Place, str]) -> list[Moved]:
    """Say which items differ between two lists, given as the digest of the item at each place."""
    found = [Moved(Turn.ADDED, place, item_words(place)) for place in after if place not in before]
    found += [
        Moved(Turn.CHANGED if place in after else Turn.REMOVED, place, item_words(place))
        for place, digest in before.items()
        if after.get(place) != digest
    ]
    return sorted(found, key=lambda one: (list(Kind).index(one.place[0]), one.place[1], one.place[2]))


def item_words(place: Place) -> str:
    """Name an item. The name is the server's own."""
    kind, key, occurrence = place
    if kind is Kind.SERVER:
        return "what it says of itself"
    if kind is Kind.LAUNCH:
        return "how it is reached"
    again = f" (number {occurrence + 1} of that name)" if occurrence else ""
    return f"{kind.noun} {key}{again}" if key else f"{kind.noun} without a name{again}"


def timeline(
    sightings: Sequence[Sighting],
    lists: Mapping[str, Mapping[Place, str]],
    *,
    reviews: Iterable[Review],
    baselines: Iterable[Baseline],
    aheads: Iterable[Ahead],
) -> list[Entry]:
    """Put everything in order, newest first.

    `lists` holds what is in each list, by its digest.
    """
    decided = list(reviews)
    entries = [_seen(one, lists, _was_approved(one, decided)) for one in sightings]
    entries += [_decided(one) for one in decided]
    entries += [
        Entry(one.since, "", "Stands in as the baseline until somebody approves a list", one.digest)
        for one in baselines
        if one.state is BaselineState.PROVISIONAL
    ]
    entries += [entry for one in aheads for entry in _ahead(one)]
    return sorted(entries, key=lambda entry: entry.at, reverse=True)


def within(entries: Iterable[Entry], *, since: datetime | None, before: datetime | None) -> list[Entry]:
    """Give the entries of a stretch of time, `since` included and `before` not; None: without an end."""
    return [one for one in entries if (since is None or one.at >= since) and (before is None or one.at < before)]


def _was_approved(sighting: Sighting, reviews: Iterable[Review]) -> bool:
    """Say whether somebody had approved a list before it was shown again."""
    return any(one.approves == sighting.digest and one.at < sighting.first_seen for one in reviews)


def _seen(sighting: Sighting, lists: Mapping[str, Mapping[Place, str]], approved: bool) -> Entry:
    previous = sighting.arrival.previous if sighting.arrival is not None else ""
    after = lists.get(sighting.digest, {})
    found = moved(lists.get(previous, {}), after) if previous else []
    looks = f"{many(sighting.looks, 'look')}"
    title = f"Began to show another list: {_counted(found)}" if previous else f"First seen, with {_contents(after)}"
    return Entry(
        at=sighting.first_seen,
        kind="seen",
        title=title,
        digest=sighting.digest,
        until=sighting.last_seen if sighting.looks > 1 else None,
        details=(
            f"seen in {looks}",
            *(("back to a list that was approved",) if approved else ()),
            *arrival_words(sighting.arrival),
        ),
        previous=previous,
        moved=tuple(found[:NAMED]),
        total=len(found),
    )


def _counted(found: Sequence[Moved]) -> str:
    counts = [(turn, sum(one.turn is turn for one in found)) for turn in Turn]
    return ", ".join(f"{count} {turn.value}" for turn, count in counts if count) or "only in how it is spelled"


def _contents(places: Iterable[Place]) -> str:
    kinds = [kind for kind, _, _ in places if kind not in {Kind.SERVER, Kind.LAUNCH}]
    said = [
        f"{kinds.count(kind):,} {kind.noun if kinds.count(kind) == 1 else kind.nouns}" for kind in dict.fromkeys(kinds)
    ]
    return ", ".join(said) or "nothing for a model"


def _decided(review: Review) -> Entry:
    approved = review.decision is Decision.APPROVED
    what = "Approved" if approved else "Rejected"
    count = f": {many(len(review.items), 'item')} of it" if review.items else ""
    details = [f"from {review.origin}"] if review.origin else []
    details += ["it had been approved ahead, and here it is shown"] if review.ahead else []
    return Entry(
        at=review.at,
        kind="approved" if approved else "rejected",
        title=f"{what} by {review.by}{count}",
        digest=review.digest,
        details=tuple(details),
        note=review.note,
        moved=tuple(Moved(None, place, item_words(place)) for place in review.items[:NAMED]),
        total=len(review.items),
    )


def _ahead(ahead: Ahead) -> Iterator[Entry]:
    version = f" for version {ahead.version}" if ahead.version else ""
    yield Entry(
        ahead.at, "approved", f"Approved ahead by {ahead.by}{version}", ahead.digest,
        details=(f"good until {ahead.until:%Y-%m-%d %H:%M} UTC",), note=ahead.note,
    )  # fmt: skip
    if ahead.ended_at is not None:
        yield Entry(ahead.ended_at, "", f"The approval ahead was ended by {ahead.ended_by}", ahead.digest)
