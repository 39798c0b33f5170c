"""From schemas to shapes, and whether two of them have anything in common."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from driftwatch.judge.canonical import canonical
from driftwatch.judge.schema.accept import UNSURE, odd_draft
from driftwatch.judge.schema.local import conditions, local, marked
from driftwatch.judge.schema.root import Key, Sub
from driftwatch.judge.schema.shape import ALL, UNKNOWN, WIDEST, Condition, Shape, may, meet, under
from driftwatch.judge.schema.work import DEEPEST, Work
from driftwatch.model import Json


def shapes(subs: tuple[Sub, ...], work: Work) -> tuple[Shape, ...]:
    """Give the shapes of what several schemas accept together; without any schema, of everything."""
    key = tuple(sub.key for sub in subs)
    if key not in work.shapes:
        found = ALL
        for sub in subs:
            found = meet(found, _expand(sub, work, ()), work)
        work.shapes[key] = found
    made: tuple[Shape, ...] = work.shapes[key]
    return made


def _expand(sub: Sub, work: Work, seen: tuple[Key, ...]) -> tuple[Shape, ...]:
    """Give the shapes of one schema. `seen` are the schemas of which it is a part for the same value."""
    work.spend(1 + len(sub.raw if isinstance(sub.raw, dict) else ()))
    if sub.raw is False:
        return ()
    if sub.anything and not sub.root.strange:
        return ALL
    # Where readers differ, a keyword may not narrow at all.
    if not isinstance(sub.raw, dict) or odd_draft(sub.raw, sub) or sub.key in seen or len(seen) > DEEPEST:
        return under(ALL, UNKNOWN)
    if sub.key not in work.expanded:
        # What came out too large on one way (a circle, too deep) is still right on another.
        work.expanded[sub.key] = _whole(sub, work, seen)
    made: tuple[Shape, ...] = work.expanded[sub.key]
    return made


def _whole(sub: Sub, work: Work, seen: tuple[Key, ...]) -> tuple[Shape, ...]:
    """Give the shapes of a schema that is an object with keywords."""
    found = local(sub, work)
    for part in _parts(sub, sub.raw, work, (*seen, sub.key)):
        found = meet(found, part, work)
    for sort, condition in conditions(sub, work):
        found = tuple(
            replace(one, conditions=(*one.conditions, condition)) if sort in ("", one.sort) else one for one in found
        )
    return found


def _parts(sub: Sub, raw: dict[str, Json], work: Work, seen: tuple[Key, ...]) -> Iterable[tuple[Shape, ...]]:
    """Give the shapes of every schema that holds for the same value."""
    if "$ref" in raw:
        target = sub.root.resolve(raw["$ref"])
        if target is not None:
            yield _expand(target[1], work, seen)
        else:
            yield under(ALL, Condition("elsewhere", canonical(raw["$ref"])))
    several = raw.get("allOf", [])
    for schema in several if isinstance(several, list) else (UNSURE,):
        yield _expand(Sub(schema, sub.root), work, seen)
    for keyword in sorted(raw.keys() & {"anyOf", "oneOf"}):
        choices = raw[keyword]
        if not isinstance(choices, list) or not choices:
            yield under(ALL, UNKNOWN)
            continue
        branches = [_expand(Sub(schema, sub.root), work, seen) for schema in choices]
        joined = tuple(shape for branch in branches for shape in branch)
        if keyword == "oneOf" and not _exclusive(branches, work):
            told = marked([Sub(schema, sub.root) for schema in choices], work, ordered=False)
            joined = under(joined, Condition("oneOf", told))
        yield joined if len(joined) <= WIDEST else under(ALL, UNKNOWN)


def _exclusive(branches: Sequence[tuple[Shape, ...]], work: Work) -> bool:
    """Say whether no value fits two of several branches, for sure."""
    pairs = [(one, other) for index, one in enumerate(branches) for other in branches[index + 1 :]]
    return len(pairs) <= WIDEST and all(_none_in_common(one, other, work) for one, other in pairs)


def _none_in_common(some: tuple[Shape, ...], others: tuple[Shape, ...], work: Work, depth: int = 0) -> bool:
    return all(apart(one, other, work, depth) for one in some for other in others)


def apart(one: Shape, other: Shape, work: Work, depth: int = 0) -> bool:
    """Say whether no value fits both shapes, for sure."""
    work.spend()
    if one.sort != other.sort:
        return True
    if not meet((one,), (other,), work):
        return True
    if one.sort != "object" or depth > 4:
        return False
    for name in sorted(one.required | other.required):
        here, there = may(one, name, work), may(other, name, work)
        if here and there and _none_in_common(shapes(here, work), shapes(there, work), work, depth + 1):
            return True
        # A shape that asks for a property which the other refuses.
        if not shapes((*here, *there), work):
            return True
    return False
