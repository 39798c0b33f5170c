"""Lay two JSON values side by side, so that what differs can be found in linear time.

Lists are the hard part: an item that moved is not a change of every item after it. Here lists become mappings whose
keys (`Slot`) say which position of the one list answers which position of the other, and every leaf becomes a number
that stands for its canonical bytes, so that "same" means the same here as in the digests. What comes out are two trees
of plain mappings and numbers, which a structural differ can compare without ever seeing a hostile value.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TypeAlias

from driftwatch.judge.canonical import canonical
from driftwatch.model import Json

MANY = 200
"""A list with more differences than this is one change as a whole: nobody reads them one by one."""

Tree: TypeAlias = "int | dict[str | Slot, Tree]"


@dataclass(frozen=True)
class Slot:
    """A place in a pair of lists: the position in each, None where the item is only in the other.

    Both None stands for the order of the items that the lists share.
    """

    before: int | None = None
    after: int | None = None


@dataclass
class Alignment:
    """Builds the two trees; what is equal is left out of both. Below the level `deepest` a value is compared whole."""

    deepest: int
    _leaves: dict[bytes, int] = field(default_factory=dict)

    def trees(self, before: Json, after: Json, depth: int = 0) -> tuple[Tree, Tree]:
        """Give the two trees for two values."""
        if depth < self.deepest:
            if isinstance(before, dict) and isinstance(after, dict):
                return self._objects(before, after, depth)
            if isinstance(before, list) and isinstance(after, list):
                return self._arrays(before, after, depth)
        return self._leaf(canonical(before)), self._leaf(canonical(after))

    def _leaf(self, spelled: bytes) -> int:
        return self._leaves.setdefault(spelled, len(self._leaves))

    def _objects(self, before: dict[str, Json], after: dict[str, Json], depth: int) -> tuple[Tree, Tree]:
        left: dict[str | Slot, Tree] = {key: -1 for key in before if key not in after}
        right: dict[str | Slot, Tree] = {key: -1 for key in after if key not in before}
        for key in before.keys() & after.keys():
            if not _spelled_alike(before[key], after[key]):
                left[key], right[key] = self.trees(before[key], after[key], depth + 1)
        return left, right

    def _arrays(self, before: list[Json], after: list[Json], depth: int) -> tuple[Tree, Tree]:
        slots = match(before, after)
        differing = [slot for slot in slots if not _equal(slot, before, after)]
        if len(differing) > MANY:
            return self._leaf(canonical(before)), self._leaf(canonical(after))
        left: dict[str | Slot, Tree] = {}
        right: dict[str | Slot, Tree] = {}
        for slot in differing:
            if slot.after is None:
                left[slot] = -1
            elif slot.before is None:
                right[slot] = -1
            else:
                left[slot], right[slot] = self.trees(before[slot.before], after[slot.after], depth + 1)
        if _order_moved(slots):
            left[Slot()], right[Slot()] = -1, -2
        return left, right


def _spelled_alike(before: Json, after: Json) -> bool:
    """Say whether two values are equal beyond doubt: a cheap look that spares most of the work.

    Equal spelling means equal values; the reverse does not hold (key order, 1 and 1.0) and costs only time.
    """
    try:
        return repr(before) == repr(after)
    except RecursionError:  # nested deeper than Python prints
        return False


def _equal(slot: Slot, before: Sequence[Json], after: Sequence[Json]) -> bool:
    if slot.before is None or slot.after is None:
        return False
    return _spelled_alike(before[slot.before], after[slot.after])


def match(before: Sequence[Json], after: Sequence[Json]) -> list[Slot]:
    """Say which items of two lists answer each other: by name where all have one, else equal ones, else by place."""
    if _named(before) and _named(after):
        return _match_by(before, after, lambda item: item["name"])
    equal = _match_by(before, after, canonical)
    gone = {slot.before for slot in equal if slot.after is None}
    new = {slot.after for slot in equal if slot.before is None}
    here = gone & new
    kept = [slot for slot in equal if not (slot.after is None and slot.before in here)]
    return [Slot(slot.after, slot.after) if slot.before is None and slot.after in here else slot for slot in kept]


def _named(items: Sequence[Json]) -> bool:
    """Say whether every item is an object with a name of its own, as prompt arguments are."""
    names = [item["name"] for item in items if isinstance(item, dict) and isinstance(item.get("name"), str)]
    return len(names) == len(items) == len(set(names))


def _match_by(before: Sequence[Json], after: Sequence[Json], key: Callable[[Json], str | bytes]) -> list[Slot]:
    """Pair the n-th item of a key with the n-th item of the same key."""
    waiting: dict[str | bytes, list[int]] = defaultdict(list)
    for index in range(len(before) - 1, -1, -1):
        waiting[key(before[index])].append(index)
    slots = []
    for index, item in enumerate(after):
        found = waiting[key(item)]
        slots.append(Slot(found.pop() if found else None, index))
    return slots + [Slot(index, None) for left in waiting.values() for index in left]


def _order_moved(slots: list[Slot]) -> bool:
    shared = sorted((slot.after, slot.before) for slot in slots if slot.after is not None and slot.before is not None)
    return any(one[1] > two[1] for one, two in pairwise(shared))
