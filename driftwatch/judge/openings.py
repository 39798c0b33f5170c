"""Objects that took named properties only and take any now."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from driftwatch.judge import pointer as at
from driftwatch.judge.context import Context
from driftwatch.judge.parameters import Kept, kept, schema_changes
from driftwatch.judge.pointer import ABSENT
from driftwatch.judge.schema import INPUT, Direction, Edit
from driftwatch.judge.schema.root import Root, Sub
from driftwatch.judge.schema.slots import closed, free, takes_objects
from driftwatch.model import Change, ChangeKind, Json, Kind

_OPENERS = frozenset({"additionalProperties", "unevaluatedProperties"})


@dataclass(frozen=True)
class Opening:
    """One object that was closed. `free` says whether the new properties can hold free text."""

    change: Change
    path: str
    free: bool


def openings(context: Context) -> tuple[Opening, ...]:
    """Give every object of an input schema that was closed and is open."""
    return context.once(_all)


def _all(context: Context) -> tuple[Opening, ...]:
    sides = {
        (look.after.key, look.after.occurrence): tuple(item.raw if item else None for item in (look.before, look.after))
        for look in context.altered(Kind.TOOL)
    }
    by_keyword = [
        found
        for one in schema_changes(context)
        if one.direction in (Direction.WIDENED, Direction.OTHER, Direction.UNKNOWN)
        for found in _opened(one.edit, *sides[one.edit.change.key, one.edit.change.occurrence])
    ]
    told = {(one.change.key, one.change.occurrence, one.path) for one in by_keyword}
    by_meaning = [
        _replaced(one)
        for one in kept(context)
        if (one.look.after.key, one.look.after.occurrence, one.after.path) not in told
        and closed(one.before.sub)
        and _open(one.after.sub)
    ]
    return (*by_keyword, *by_meaning)


def _open(sub: Sub) -> bool:
    """Say whether a schema takes objects and is not closed."""
    return not closed(sub) and takes_objects(sub)


def _replaced(one: Kept) -> Opening:
    """Make the opening of an object whose schema was put in the place of another."""
    item, slot = one.look.after, one.after
    before, after = one.before.sub.raw, slot.sub.raw
    kind = ChangeKind.VALUE_CHANGED
    change = Change(kind, item.kind, item.key, slot.pointer, before, after, item.key, item.occurrence)
    return Opening(change, slot.path, slot.free())


def _opened(edit: Edit, before: Json, after: Json) -> Iterator[Opening]:
    """Say whether a change opens the object that it is about: the closing keyword goes, or patterns let names in."""
    if edit.keyword in _OPENERS and not edit.rest:
        was, now = (at.follow(raw, [*edit.node, edit.keyword]) for raw in (before, after))
        others = _OPENERS - {edit.keyword}
        still = any(at.follow(after, [*edit.node, keyword]) is False for keyword in others)
        if was is False and now is not False and not still:
            schema = True if now is ABSENT else now
            yield Opening(edit.change, edit.parameter, free(Sub(schema, Root(after.get(INPUT)))))
    elif edit.keyword == "patternProperties" and edit.name and edit.change.before is None:
        closed = any(at.follow(before, [*edit.node, keyword]) is False for keyword in _OPENERS)
        if closed and edit.change.after is not False:
            yield Opening(edit.change, edit.parameter, free(Sub(edit.change.after, Root(after.get(INPUT)))))
