"""What the change of one keyword does to what is accepted, looked at by itself."""

from __future__ import annotations

from typing import Any

from driftwatch.judge.canonical import canonical
from driftwatch.judge.pointer import ABSENT
from driftwatch.judge.schema.keywords import ANNOTATIONS, FILTERS, LOWER, OPENNESS, UPPER
from driftwatch.judge.schema.meaning import Direction
from driftwatch.model import Json


def direction(keyword: str, old: Json, new: Json) -> Direction:
    """Say what a keyword's change does to what an input accepts. `ABSENT` stands for no such keyword."""
    found = Direction.SAME if keyword in ANNOTATIONS else Direction.UNKNOWN
    if keyword in OPENNESS:
        found = _by_rank(_openness(old), _openness(new), _same(old, new))
    elif keyword in {"type", "enum", "const"}:
        found = _by_sets(_choices(keyword, old), _choices(keyword, new))
    elif keyword in UPPER | LOWER:
        found = _by_bound(old, new, upper=keyword in UPPER)
    elif keyword == "required":
        found = _FLIPPED[_by_sets(_members(old) or frozenset(), _members(new) or frozenset())]
    elif keyword == "anyOf":
        found = _by_sets(_members(old), _members(new))
    elif keyword == "oneOf":
        # One more branch can refuse what two of them accept.
        found = _by_presence(old, new) if old is ABSENT or new is ABSENT else Direction.UNKNOWN
    elif keyword == "allOf":
        found = _FLIPPED[_by_sets(_members(old) or frozenset(), _members(new) or frozenset())]
    elif keyword in {"uniqueItems", "nullable"}:
        strict = keyword == "uniqueItems"
        found = _by_rank(int((old is True) is not strict), int((new is True) is not strict), same=True)
    elif keyword in FILTERS | {"$ref", "multipleOf", "propertyNames", "contains"}:
        found = _by_presence(old, new)
    return found


_FLIPPED = {
    Direction.WIDENED: Direction.NARROWED,
    Direction.NARROWED: Direction.WIDENED,
    Direction.SAME: Direction.SAME,
    Direction.OTHER: Direction.OTHER,
}


def _same(old: Json, new: Json) -> bool:
    return old is new or (old is not ABSENT and new is not ABSENT and canonical(old) == canonical(new))


def _openness(value: Json) -> int:
    """Rate how much is let in: absent, true and an empty schema are the same by definition."""
    if value is ABSENT or value is True or value == {}:
        return 2
    return 0 if value is False else 1


def _by_rank(old: int, new: int, same: bool) -> Direction:
    if old != new:
        return Direction.WIDENED if new > old else Direction.NARROWED
    return Direction.SAME if same or old != 1 else Direction.OTHER


def _choices(keyword: str, value: Json) -> frozenset[Any] | None:
    """Give the set of choices, None for no limit."""
    if value is ABSENT:
        return None
    several = value if isinstance(value, list) else [value]
    if keyword == "const":
        several = [value]
    found = {canonical(choice) for choice in several}
    return frozenset(found | {b'"integer"'} if keyword == "type" and b'"number"' in found else found)


def _members(value: Json) -> frozenset[Any] | None:
    return frozenset(canonical(member) for member in value) if isinstance(value, list) else None


def _by_sets(old: frozenset[Any] | None, new: frozenset[Any] | None) -> Direction:
    if old == new:
        return Direction.SAME
    if new is None or (old is not None and old < new):
        return Direction.WIDENED
    if old is None or new < old:
        return Direction.NARROWED
    return Direction.OTHER


def _by_bound(old: Json, new: Json, *, upper: bool) -> Direction:
    numbers = [value for value in (old, new) if isinstance(value, int | float) and not isinstance(value, bool)]
    if len(numbers) < 2:
        return _by_presence(old, new)
    if numbers[0] == numbers[1]:
        return Direction.SAME
    return Direction.WIDENED if (numbers[1] > numbers[0]) == upper else Direction.NARROWED


def _by_presence(old: Json, new: Json) -> Direction:
    if _same(old, new):
        return Direction.SAME
    if new is ABSENT:
        return Direction.WIDENED
    return Direction.NARROWED if old is ABSENT else Direction.OTHER
