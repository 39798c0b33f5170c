"""Part of a list over another one: what a baseline becomes when a person approves single items. Pure."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from driftwatch.judge.snapshot import document_of, oddities_of, take
from driftwatch.model import Place, Snapshot

_TWICE = "duplicate-name"
"""The oddity of items that share a name; whether they still do is for the snapshot to say that comes out."""


def differing(before: Snapshot, after: Snapshot) -> tuple[Place, ...]:
    """Give the places at which two snapshots differ, in order: what was added, removed or changed there.

    What only `before` looked at is left out: an absence there is no removal.
    """
    was = {item.place: item.digest for item in before.items if item.kind in after.sections}
    now = {item.place: item.digest for item in after.items}
    order = dict.fromkeys((*now, *was))
    return tuple(sorted(place for place in order if was.get(place) != now.get(place)))


def composed(baseline: Snapshot, shown: Snapshot, places: Collection[Place]) -> Snapshot:
    """Give the baseline with what `shown` has at these places: added, changed, or taken out where it has nothing.

    All differing places together give what `shown` holds, and none gives the baseline.
    """
    wanted = frozenset(places)
    kept = [item for item in baseline.items if item.place not in wanted]
    taken = [item for item in shown.items if item.place in wanted]
    mixed = replace(
        baseline, items=(*kept, *taken), sections=baseline.sections | {item.kind for item in taken}, digest=""
    )
    # Taken anew, so that it is the very snapshot that a server would give which showed just this.
    return take(document_of(mixed), [odd for odd in oddities_of(mixed) if odd.code != _TWICE])
