"""What a schema accepts, taken apart: a list of shapes, each of one sort of value.

A value is accepted when it fits one of the shapes. What a shape cannot hold is kept beside it as a condition
(`not`, `if`, a reference that leads nowhere): leaving conditions out makes a shape larger, never smaller.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar

from driftwatch.judge.canonical import canonical
from driftwatch.judge.schema import patterns
from driftwatch.judge.schema.numbers import whole
from driftwatch.judge.schema.root import Sub
from driftwatch.judge.schema.work import Work
from driftwatch.model import Json

T = TypeVar("T")
SORTS = ("null", "boolean", "number", "string", "array", "object")
WIDEST = 48
"""How many shapes one schema may come to; with more it counts as not understood."""


@dataclass(frozen=True)
class Condition:
    """Something more that must hold. Conditions of one kind and one mark are the same; without a mark, never."""

    kind: str
    mark: bytes | None = None
    subs: tuple[Sub, ...] = field(default=(), compare=False)

    def same(self, other: Condition) -> bool:
        """Say whether two conditions are certainly the same."""
        return self.mark is not None and self == other


@dataclass(frozen=True, eq=False)
class Members:
    """What one schema says of an object's properties: by name, by pattern, of all others (None: nothing)."""

    named: Mapping[str, Sub]
    by_pattern: Mapping[str, Sub]
    rest: Sub | None


@dataclass(frozen=True, eq=False)
class Row:
    """What one schema says of a list's items: of the first ones, and of all others (None: nothing)."""

    first: tuple[Sub, ...]
    rest: Sub | None


@dataclass(frozen=True, eq=False)
class Shape:
    """Values of one sort. `values` are all there are, when they are few; every other field narrows further.

    Bounds are (number, whether it is itself left out). `least` and `most` count characters, items or properties.
    """

    sort: str
    values: tuple[Json, ...] | None = None
    integer: bool = False
    low: tuple[float, bool] | None = None
    high: tuple[float, bool] | None = None
    steps: tuple[float, ...] = ()
    least: int = 0
    most: float = math.inf
    patterns: tuple[str, ...] = ()
    formats: tuple[str, ...] = ()
    unique: bool = False
    rows: tuple[Row, ...] = ()
    members: tuple[Members, ...] = ()
    required: frozenset[str] = frozenset()
    needs: frozenset[tuple[str, str]] = frozenset()
    names: tuple[Sub, ...] = ()
    conditions: tuple[Condition, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether no value fits, as far as it shows."""
        if self.values is not None and not self.values:
            return True
        crossed = self.low is not None and self.high is not None and _crossed(self.low, self.high)
        return crossed or self.least > self.most


def _crossed(low: tuple[float, bool], high: tuple[float, bool]) -> bool:
    return low[0] > high[0] or (low[0] == high[0] and (low[1] or high[1]))


UNKNOWN = Condition("unknown")
"""Something that is not understood: never shown to hold."""
ALL = (
    *(Shape(sort) for sort in SORTS if sort not in ("null", "boolean")),
    Shape("null", values=(None,)),
    Shape("boolean", values=(False, True)),
)
"""Every value there is."""


def under(found: Iterable[Shape], condition: Condition) -> tuple[Shape, ...]:
    """Put all shapes under one more condition."""
    return tuple(replace(shape, conditions=(*shape.conditions, condition)) for shape in found)


def meet(some: tuple[Shape, ...], others: tuple[Shape, ...], work: Work) -> tuple[Shape, ...]:
    """Give the shapes of what fits both."""
    if some is ALL or others is ALL:
        return others if some is ALL else some
    found = []
    for one in some:
        for other in others:
            if one.sort == other.sort:
                work.spend(3)
                both = _both(one, other)
                if not both.empty:
                    found.append(both)
    return tuple(found) if len(found) <= WIDEST else under(ALL, UNKNOWN)


def _both(one: Shape, other: Shape) -> Shape:
    """Give the shape of what fits two shapes of one sort."""
    values = one.values if other.values is None else other.values
    if one.values is not None and other.values is not None:
        known = {canonical(value) for value in other.values}
        values = tuple(value for value in one.values if canonical(value) in known)
    return tidy(
        Shape(
            sort=one.sort,
            values=values,
            integer=one.integer or other.integer,
            low=max(filter(None, (one.low, other.low)), default=None),
            high=min(filter(None, (one.high, other.high)), key=lambda bound: (bound[0], not bound[1]), default=None),
            steps=_joined(one.steps, other.steps),
            least=max(one.least, other.least),
            most=min(one.most, other.most),
            patterns=_joined(one.patterns, other.patterns),
            formats=_joined(one.formats, other.formats),
            unique=one.unique or other.unique,
            rows=one.rows + other.rows,
            members=one.members + other.members,
            required=one.required | other.required,
            needs=one.needs | other.needs,
            names=one.names + other.names,
            conditions=one.conditions + other.conditions,
        )
    )


def _joined(some: tuple[T, ...], others: tuple[T, ...]) -> tuple[T, ...]:
    return tuple(dict.fromkeys((*some, *others)))


def tidy(shape: Shape) -> Shape:
    """Round the bounds of whole numbers inwards: above 0 is from 1 on."""
    if not shape.integer:
        return shape
    low, high = shape.low, shape.high
    if low is not None:
        low = (math.floor(low[0]) + 1 if low[1] else math.ceil(low[0]), False)
    if high is not None:
        high = (math.ceil(high[0]) - 1 if high[1] else math.floor(high[0]), False)
    values = None if shape.values is None else tuple(value for value in shape.values if whole(value))
    return replace(shape, low=low, high=high, values=values)


def may(shape: Shape, name: str, work: Work) -> tuple[Sub, ...]:
    """Give the schemas that a property certainly has to meet in a shape of objects; there may be more."""
    found: list[Sub] = []
    for members in shape.members:
        hits = [patterns.matches(pattern, name, work) for pattern in members.by_pattern]
        applied = [sub for hit, sub in zip(hits, members.by_pattern.values(), strict=True) if hit]
        if name in members.named:
            applied.append(members.named[name])
        if not applied and None not in hits and members.rest is not None:
            applied = [members.rest]
        found += applied
    return tuple(found)


def must(members: Members, name: str, work: Work) -> tuple[Sub, ...]:
    """Give all schemas that may be asked of a property: one that meets them all is accepted for sure."""
    hits = [patterns.matches(pattern, name, work) for pattern in members.by_pattern]
    applied = [sub for hit, sub in zip(hits, members.by_pattern.values(), strict=True) if hit is not False]
    if name in members.named:
        applied.append(members.named[name])
    elif True not in hits and members.rest is not None:
        applied.append(members.rest)
    return tuple(applied)


def at_index(rows: Iterable[Row], index: int) -> tuple[Sub, ...]:
    """Give the schemas that the item at a position has to meet."""
    found = (row.first[index] if index < len(row.first) else row.rest for row in rows)
    return tuple(sub for sub in found if sub is not None)
