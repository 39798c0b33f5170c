"""Which changes does a set of findings speak of? No change may go unmentioned."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import replace

from driftwatch.judge.canonical import same
from driftwatch.judge.context import VALUES
from driftwatch.judge.pointer import join, parents
from driftwatch.model import Change, ChangeKind, Finding, Kind


def uncovered(changes: Iterable[Change], findings: Sequence[Finding]) -> Iterator[Change]:
    """Give the changes that no finding speaks of.

    A finding speaks of a change when it names the item and a place at or above the changed one. One about a place
    inside speaks of that only: of an object that came or went, the rest is given part by part. A finding about the
    item as a whole speaks of the item's coming and going only, not of every value in it.
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
        named = change.pointer in places[item]
        if not named and not any(parent in places[item] for parent in parents(change.pointer) if parent or whole):
            yield from _rest(change, places[item], above[item])


def _rest(change: Change, places: Container[str], above: Container[str]) -> Iterator[Change]:
    """Give a change, or those of its parts that no finding stands at or in."""
    waiting = [change]
    while waiting:
        one = waiting.pop()
        if one.pointer in above and one.change in VALUES:
            waiting.extend(part for part in _parts(one) if part.pointer not in places)
        elif one.pointer not in above:
            yield one


def _parts(change: Change) -> Iterator[Change]:
    """Give the changes of the values in an object that came, went or took the place of something else."""
    old, new = (side if isinstance(side, dict) else {} for side in (change.before, change.after))
    for key in sorted(old.keys() | new.keys()):
        was, now, place = old.get(key), new.get(key), join(change.pointer, key)
        kind = ChangeKind.VALUE_CHANGED
        if key not in old or key not in new:
            kind = ChangeKind.VALUE_ADDED if key in new else ChangeKind.VALUE_REMOVED
        elif same(was, now):
            continue
        yield replace(change, change=kind, pointer=place, before=was, after=now)
