"""Which changes does a set of findings speak of? No change may go unmentioned."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from driftwatch.judge.context import VALUES
from driftwatch.judge.pointer import parents
from driftwatch.model import Change, Finding, Kind


def uncovered(changes: Iterable[Change], findings: Sequence[Finding]) -> Iterator[Change]:
    """Give the changes that no finding speaks of.

    A finding speaks of a change when it names the item and a place at, above or inside the changed one. A finding
    about the item as a whole speaks of the item's coming and going only, not of every value in it.
    """
    places: dict[tuple[Kind, str], set[str]] = defaultdict(set)
    above: dict[tuple[Kind, str], set[str]] = defaultdict(set)
    for finding in findings:
        for name, pointer in finding.places or ((name, finding.pointer) for name in finding.items or (finding.item,)):
            places[finding.kind, name].add(pointer)
            above[finding.kind, name].update(parents(pointer))
    for change in changes:
        item = (change.kind, change.key)
        whole = change.change not in VALUES
        named = change.pointer in places[item] or change.pointer in above[item]
        if not named and not any(parent in places[item] for parent in parents(change.pointer) if parent or whole):
            yield change
