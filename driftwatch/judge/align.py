"""Lay two JSON values side by side, so that what differs can be found in linear time.

Lists are the hard part: an item that moved is not a change of every item after it. Here the positions of the one list
are matched with those of the other (`Slot`), and every value becomes a number that stands for its canonical form, so
that "same" means the same here as in the digests. What comes out are two flat mappings from places to numbers, which a
structural differ can compare without ever seeing a hostile value, and without copying anything level by level.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TypeAlias

from driftwatch.judge.canonical import canonical
from driftwatch.model import Json

MANY = 200
"""A list with more differences than this is one change as a whole: nobody reads them one by one."""


@dataclass(frozen=True)
class Slot:
    """A place in a pair of lists: the position in each, None where the item is only in the other.

    Both None stands for the order of the items that the lists share.
    """

    before: int | None = None
    after: int | None = None


Path: TypeAlias = "tuple[str | Slot, ...]"


@dataclass
class Alignment:
    """Finds the places where two values differ. Below the level `deepest` a value is compared whole.

    `paths` are the places, and `left` and `right` say what stands at each by its index: a number for a value, nothing
    where there is none. What is equal is in neither. Every value is looked at once, however deep it lies.
    """

    deepest: int
    paths: list[Path] = field(default_factory=list)
    left: dict[int, int] = field(default_factory=dict)
    right: dict[int, int] = field(default_factory=dict)
    _numbers: dict[Hashable, int] = field(default_factory=dict)
    _known: dict[tuple[int, int], int] = field(default_factory=dict)

    def lay(self, before: Json, after: Json, path: Path = ()) -> None:
        """Lay two values side by side; they must not change while this is in use."""
        depth = len(path)
        if self._number(before, depth) == self._number(after, depth):
            return
        if depth < self.deepest and isinstance(before, dict) and isinstance(after, dict):
            self._objects(before, after, path)
        elif depth < self.deepest and isinstance(before, list) and isinstance(after, list):
            self._arrays(before, after, path)
        else:
            self._note(path, self._number(before, depth), self._number(after, depth))

    def _note(self, path: Path, before: int | None, after: int | None) -> None:
        if before is not None:
            self.left[len(self.paths)] = before
        if after is not None:
            self.right[len(self.paths)] = after
        self.paths.append(path)

    def _number(self, value: Json, depth: int) -> int:
        """Give the number that a value has in common with all that are equal to it at the same depth."""
        spelled: Hashable
        place = (id(value), depth)
        if depth >= self.deepest or not isinstance(value, dict | list):
            spelled = canonical(value)
            return self._numbers.setdefault(spelled, len(self._numbers))
        if place not in self._known:
            if isinstance(value, dict):
                spelled = frozenset((key, self._number(inner, depth + 1)) for key, inner in value.items())
            else:
                spelled = tuple(self._number(inner, depth + 1) for inner in value)
            self._known[place] = self._numbers.setdefault(spelled, len(self._numbers))
        return self._known[place]

    def _objects(self, before: dict[str, Json], after: dict[str, Json], path: Path) -> None:
        for key, value in before.items():
            if key not in after:
                self._note((*path, key), -1, None)
            else:
                self.lay(value, after[key], (*path, key))
        for key in after:
            if key not in before:
                self._note((*path, key), None, -1)

    def _arrays(self, before: list[Json], after: list[Json], path: Path) -> None:
        inner = len(path) + 1

        def number(item: Json) -> int:
            return self._number(item, inner)

        def equal(slot: Slot) -> bool:
            if slot.before is None or slot.after is None:
                return False
            return number(before[slot.before]) == number(after[slot.after])

        slots = match(before, after, number)
        differing = [slot for slot in slots if not equal(slot)]
        if len(differing) > MANY:
            self._note(path, self._number(before, len(path)), self._number(after, len(path)))
            return
        for slot in differing:
            if slot.after is None:
                self._note((*path, slot), -1, None)
            elif slot.before is None:
                self._note((*path, slot), None, -1)
            else:
                self.lay(before[slot.before], after[slot.after], (*path, slot))
        if _order_moved(slots):
            self._note((*path, Slot()), -1, -2)


def match(before: Sequence[Json], after: Sequence[Json], number: Callable[[Json], int]) -> list[Slot]:
    """Say which items of two lists answer each other: by name where all have one, else equal ones, else by place.

    Equal items have equal numbers.
    """
    if _named(before) and _named(after):
        return _match_by(before, after, lambda item: item["name"])
    equal = _match_by(before, after, number)
    gone = {slot.before for slot in equal if slot.after is None}
    new = {slot.after for slot in equal if slot.before is None}
    here = gone & new
    kept = [slot for slot in equal if not (slot.after is None and slot.before in here)]
    return [Slot(slot.after, slot.after) if slot.before is None and slot.after in here else slot for slot in kept]


def _named(items: Sequence[Json]) -> bool:
    """Say whether every item is an object with a name of its own, as prompt arguments are."""
    names = [item["name"] for item in items if isinstance(item, dict) and isinstance(item.get("name"), str)]
    return len(names) == len(items) == len(set(names))


def _match_by(before: Sequence[Json], after: Sequence[Json], key: Callable[[Json], Hashable]) -> list[Slot]:
    """Pair the n-th item of a key with the n-th item of the same key."""
    waiting: dict[Hashable, list[int]] = defaultdict(list)
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
