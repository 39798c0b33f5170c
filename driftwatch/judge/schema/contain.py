"""Is every value that one schema accepts accepted by another? Proved, or not proved.

What is compared at every step is the meeting of some schemas (what is left of the value) with one other schema. A pair
that comes up again while it is being proved is taken as proved: values are finite, and every way back to the same pair
leads through a property or an item of the value.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from driftwatch.judge.canonical import canonical
from driftwatch.judge.schema import patterns
from driftwatch.judge.schema.accept import accepts
from driftwatch.judge.schema.marks import mark
from driftwatch.judge.schema.numbers import exact
from driftwatch.judge.schema.root import Sub
from driftwatch.judge.schema.shape import Members, Row, Shape, at_index, may, must
from driftwatch.judge.schema.shapes import apart, shapes
from driftwatch.judge.schema.work import DEEPEST, Work

_TURNS = 2
"""How many proofs about what a `not` refuses may stand inside one another."""


def contained(subs: tuple[Sub, ...], other: Sub, work: Work) -> bool:
    """Say whether whatever meets all of some schemas meets the other, for sure. Raises `Spent`."""
    return _Proof(work).contained(subs, other)


@dataclass(eq=False)
class _Proof:
    """One proof on its way. `open` are the pairs that are being proved, by how many are open above them."""

    work: Work
    open: dict[object, int] = field(default_factory=dict)
    leaned: int = DEEPEST
    """The outermost open pair that something was taken from since this was last reset."""
    nested: int = 0

    def contained(self, subs: tuple[Sub, ...], other: Sub) -> bool:
        """Prove one pair."""
        self.work.spend()
        if other.anything and not other.root.strange:
            return True
        told = mark(other, self.work)
        if told is not None and any(mark(sub, self.work) == told for sub in subs):
            return True
        pair = (tuple(sub.key for sub in subs), other.key)
        if pair in self.work.proved:
            return self.work.proved[pair]
        if pair in self.open:
            self.leaned = min(self.leaned, self.open[pair])
            return True
        if len(self.open) >= DEEPEST:
            return False
        return self.settled(pair, subs, other)

    def settled(self, pair: object, subs: tuple[Sub, ...], other: Sub) -> bool:
        """Prove a pair anew, and remember what came out where it rests on nothing that is still open."""
        level, outer = len(self.open), self.leaned
        self.open[pair], self.leaned = level, DEEPEST
        found = all(self.covered(shape, subs, other) for shape in shapes(subs, self.work))
        del self.open[pair]
        if not found or self.leaned >= level:
            self.work.proved[pair] = found
            self.leaned = outer
        else:
            self.leaned = min(outer, self.leaned)
        return found

    def covered(self, shape: Shape, subs: tuple[Sub, ...], other: Sub) -> bool:
        """Prove that all values of one shape are accepted."""
        if shape.values is not None and len(shape.values) * 4 < self.work.left:
            kept = [one for one in shape.values if not any(accepts(sub, one, self.work) is False for sub in subs)]
            if all(accepts(other, value, self.work) for value in kept):
                return True
        targets = shapes((other,), self.work)
        return any(self.within(shape, target) for target in targets if target.sort == shape.sort)

    def within(self, shape: Shape, target: Shape) -> bool:
        """Prove that one shape lies in another of the same sort."""
        self.work.spend()
        if target.values is not None:
            known = {canonical(value) for value in target.values}
            if shape.values is None or not all(canonical(value) in known for value in shape.values):
                return False
        by_sort = {"number": self.number, "string": self.string, "array": self.array, "object": self.object}
        inside = by_sort.get(shape.sort)
        return (inside is None or inside(shape, target)) and self.conditions(shape, target)

    def number(self, shape: Shape, target: Shape) -> bool:
        """Prove the bounds and steps of numbers."""
        low = target.low is None or (shape.low is not None and shape.low >= target.low)
        high = target.high is None or (
            shape.high is not None and (shape.high[0], not shape.high[1]) <= (target.high[0], not target.high[1])
        )
        steps = all(
            any(exact(own) % exact(step) == 0 for own in (*shape.steps, *([1] if shape.integer else [])))
            for step in target.steps
        )
        whole = not target.integer or shape.integer or any(exact(own).denominator == 1 for own in shape.steps)
        return low and high and steps and whole and set(target.formats) <= set(shape.formats)

    def string(self, shape: Shape, target: Shape) -> bool:
        """Prove lengths, patterns and formats of texts."""
        lengths = target.least <= shape.least and shape.most <= target.most
        return (
            lengths
            and set(target.formats) <= set(shape.formats)
            and all(patterns.includes(shape.patterns, pattern, self.work) for pattern in target.patterns)
        )

    def array(self, shape: Shape, target: Shape) -> bool:
        """Prove counts and items of lists."""
        if not (target.least <= shape.least and shape.most <= target.most):
            return False
        if target.unique and not shape.unique and shape.most > 1:
            return False
        return all(self.row(shape, row) for row in target.rows)

    def row(self, shape: Shape, row: Row) -> bool:
        """Prove the items: each of the first ones, then all others at once."""
        first = max([len(row.first), *(len(one.first) for one in shape.rows)])
        for index in range(first + 1):
            if index >= shape.most:
                return True
            asked = row.first[index] if index < len(row.first) else row.rest
            if asked is not None and not self.contained(at_index(shape.rows, index), asked):
                return False
        return True

    def object(self, shape: Shape, target: Shape) -> bool:
        """Prove counts and properties of objects."""
        closed = _names_if_closed(shape)
        most = min(shape.most, len(closed)) if closed is not None else shape.most
        if max(shape.least, len(shape.required)) < target.least or most > target.most:
            return False
        if not target.required <= shape.required:
            return False
        never = closed is not None
        needs = all(
            other in shape.required or (name, other) in shape.needs or (never and name not in (closed or ()))
            for name, other in target.needs
        )
        names = all(self.names(shape, closed, sub) for sub in target.names)
        return needs and names and all(self.members(shape, members) for members in target.members)

    def names(self, shape: Shape, closed: frozenset[str] | None, asked: Sub) -> bool:
        """Prove that all property names are accepted by the schema for them."""
        if closed is not None and all(accepts(asked, name, self.work) for name in closed):
            return True
        text = [one for one in shapes(shape.names, self.work) if one.sort == "string"]
        return all(self.covered(one, shape.names, asked) for one in text)

    def members(self, shape: Shape, members: Members) -> bool:
        """Prove the properties: those that either side names, then all others by what may apply to them."""
        named = {*members.named, *(name for own in shape.members for name in own.named)}
        for name in sorted(named):
            found = may(shape, name, self.work)
            if not all(self.contained(found, asked) for asked in must(members, name, self.work)):
                return False
        for pattern, asked in members.by_pattern.items():
            if not self.others(shape, asked, pattern, frozenset()):
                return False
        return members.rest is None or self.others(shape, members.rest, None, frozenset(members.by_pattern))

    def others(self, shape: Shape, asked: Sub, pattern: str | None, left_out: frozenset[str]) -> bool:
        """Prove a schema for all names that nobody names, that match a pattern, or match none of those left out."""
        sure: list[Sub] = []
        possible: list[list[Sub | None]] = []
        for own in shape.members:
            if pattern is not None and pattern in own.by_pattern:
                sure.append(own.by_pattern[pattern])
                continue
            ways = [sub for text, sub in own.by_pattern.items() if text not in left_out]
            if not ways:
                sure += [own.rest] if own.rest is not None else []
            else:
                possible.append([*ways, own.rest])
        if len(possible) != 1:
            return self.contained(tuple(sure), asked)
        return all(self.contained((*sure, *([way] if way is not None else [])), asked) for way in possible[0])

    def conditions(self, shape: Shape, target: Shape) -> bool:
        """Prove every further condition of the target."""
        for asked in target.conditions:
            if any(own.same(asked) for own in shape.conditions):
                continue
            if asked.kind != "not" or not self.refused(shape, asked.subs[0]):
                return False
        return True

    def refused(self, shape: Shape, sub: Sub) -> bool:
        """Prove that no value of a shape is accepted by a schema."""
        if all(apart(shape, one, self.work) for one in shapes((sub,), self.work)):
            return True
        if self.nested >= _TURNS:
            return False
        # About the same value, so nothing that is still open may be taken as proved.
        afresh = _Proof(self.work, nested=self.nested + 1)
        own = [condition.subs[0] for condition in shape.conditions if condition.kind == "not"]
        return any(afresh.contained((sub,), one) for one in own)


def _names_if_closed(shape: Shape) -> frozenset[str] | None:
    """Give the only names that an object of a shape can have; None when it can have others."""
    for members in shape.members:
        if members.rest is not None and members.rest.raw is False and not members.by_pattern:
            return frozenset(members.named)
    return None
