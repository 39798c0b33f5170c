"""Values that one schema accepts and another may refuse: guesses at the edges, tried one by one.

A guess proves nothing by itself. What `accepts` says of it on both sides does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from driftwatch.judge.canonical import canonical
from driftwatch.judge.schema import patterns
from driftwatch.judge.schema.accept import FORMATS, accepts
from driftwatch.judge.schema.marks import mark
from driftwatch.judge.schema.numbers import whole
from driftwatch.judge.schema.root import Sub
from driftwatch.judge.schema.shape import Shape, at_index, may
from driftwatch.judge.schema.shapes import shapes
from driftwatch.judge.schema.work import Work
from driftwatch.model import Json

_EACH = 24
"""How many guesses are made for one property or item."""
_DEEPEST = 6
_LONGEST = 300
"""The longest text that is tried, in characters."""
_ITEMS = 40
_NEW_NAME = "anything-else"


def counterexample(subs: tuple[Sub, ...], other: Sub, work: Work) -> tuple[Json] | None:
    """Give a value that all of some schemas accept for sure and the other one refuses for sure; None for none found."""
    for value in _guesses(subs, (other,), work, 0):
        work.spend()
        if accepts(other, value, work) is False and all(accepts(sub, value, work) for sub in subs):
            return (value,)
    return None


def _guesses(subs: tuple[Sub, ...], others: tuple[Sub, ...], work: Work, depth: int) -> Iterator[Json]:
    """Give values for what some schemas say, with an eye on where the others draw their lines."""
    if depth > _DEEPEST:
        return
    lines = [shape for other in others for shape in shapes((other,), work)]
    for shape in shapes(subs, work):
        work.spend()
        if shape.values is not None:
            refused = {canonical(value) for line in lines for value in line.values or ()}
            yield from sorted(shape.values, key=lambda value: canonical(value) in refused)
            continue
        alike = [line for line in lines if line.sort == shape.sort]
        if shape.sort == "number":
            yield from _numbers(shape, alike)
        elif shape.sort == "string":
            yield from _texts(shape, alike, work)
        elif shape.sort == "array":
            yield from _lists(shape, alike, work, depth)
        else:
            yield from _objects(shape, alike, work, depth)


def _numbers(shape: Shape, lines: Iterable[Shape]) -> Iterator[Json]:
    edges = [bound[0] for one in (shape, *lines) for bound in (one.low, one.high) if bound is not None]
    steps = [step for one in (shape, *lines) for step in one.steps]
    for value in (1, 0, 0.5, -1, *edges, *steps, 10**6, -(10**6)):
        around = (value,) if value in (1, 0, 0.5) else (value, value + 1, value - 1, value + 0.5)
        yield from (one for one in around if whole(one) or not shape.integer)


def _texts(shape: Shape, lines: list[Shape], work: Work) -> Iterator[Json]:
    for text in shape.formats:
        yield from FORMATS.get(text, ())
    yield "value"
    refusals = [(shape.least, None), *((shape.least, pattern) for line in lines for pattern in line.patterns)]
    refusals += [(int(line.most) + 1, None) for line in lines if line.most < _ITEMS and shape.patterns]
    for least, refused in refusals:
        found, _ = patterns.between(shape.patterns, refused, work, at_least=min(least, _ITEMS))
        if found is not None:
            yield found
    if not shape.patterns:
        edges = {0, 1, shape.least}
        for line in (shape, *lines):
            edges |= {line.least - 1, *({int(line.most), int(line.most) + 1} if line.most <= _LONGEST else ())}
        yield from ("a" * length for length in sorted(edges) if 0 <= length <= _LONGEST)
    yield from ("a b", "é")


def _first(subs: tuple[Sub, ...], others: tuple[Sub, ...], work: Work, depth: int) -> Iterator[Json]:
    """Give guesses that the schemas do not refuse, a few."""
    fitting = (
        value
        for value in islice(_guesses(subs, others, work, depth), 4 * _EACH)
        if all(accepts(sub, value, work) is not False for sub in subs)
    )
    yield from islice(fitting, _EACH)


def _lists(shape: Shape, lines: list[Shape], work: Work, depth: int) -> Iterator[Json]:
    base: list[Json] = []
    while len(base) < min(shape.least, _ITEMS):
        value = next(_first(at_index(shape.rows, len(base)), (), work, depth + 1), None)
        base.append(value if not shape.unique else len(base))
    yield base
    longest = max([len(base), *(len(line.rows[0].first) + 1 for line in lines if line.rows)])
    for index in range(min(longest, _ITEMS)):
        asked = tuple(sub for line in lines for sub in at_index(line.rows, index))
        base.extend(
            next(_first(at_index(shape.rows, number), (), work, depth + 1), None) for number in range(len(base), index)
        )
        for value in _first(at_index(shape.rows, index), asked, work, depth + 1):
            yield [*base[:index], value, *base[index + 1 :]]
    one = next(_first(at_index(shape.rows, 0), (), work, depth + 1), None)
    for line in (shape, *lines):
        for count in (line.least - 1, line.most, line.most + 1, 2):
            if 0 < count <= _ITEMS:
                yield [one] * int(count)
                yield list(range(int(count)))


def _objects(shape: Shape, lines: list[Shape], work: Work, depth: int) -> Iterator[Json]:
    base = {name: next(_first(may(shape, name, work), (), work, depth + 1), None) for name in sorted(shape.required)}
    yield base
    named = {name for one in (shape, *lines) for members in one.members for name in members.named}
    for name in (*sorted(named | _patterned(shape, lines, work)), _NEW_NAME):
        own = may(shape, name, work)
        asked = tuple(sub for line in lines for sub in may(line, name, work))
        if _alike(own, asked, work):
            continue
        for value in _first(own, asked, work, depth + 1):
            yield {**base, name: value}
    whole_object = dict(base)
    for name in sorted(named)[:_ITEMS]:
        whole_object.setdefault(name, next(_first(may(shape, name, work), (), work, depth + 1), None))
        if len(whole_object) >= max([2, *(line.least - 1 for line in lines)]):
            yield dict(whole_object)
    yield whole_object
    for line in lines:
        for count in {line.most + 1, line.least - 1, shape.least}:
            if len(base) < count <= _ITEMS:
                extra = {f"{_NEW_NAME}-{number}": None for number in range(int(count) - len(base))}
                yield {**base, **extra}


def _patterned(shape: Shape, lines: list[Shape], work: Work) -> set[str]:
    """Give a name for every pattern of property names."""
    texts = {text for one in (shape, *lines) for members in one.members for text in members.by_pattern}
    found = {patterns.between([text], None, work)[0] for text in sorted(texts)}
    return {name for name in found if name is not None}


def _alike(own: tuple[Sub, ...], asked: tuple[Sub, ...], work: Work) -> bool:
    """Say whether both sides ask the same of a property, so that it tells nothing."""
    marks = [{mark(sub, work) for sub in side} for side in (own, asked)]
    return marks[0] == marks[1] and None not in marks[0]
