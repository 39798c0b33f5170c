"""Objects that took named properties only and take any now."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from driftwatch.judge import pointer as at
from driftwatch.judge.context import Context, Look
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
    tools = {(look.after.key, look.after.occurrence): _Tool(look) for look in context.altered(Kind.TOOL)}
    by_keyword = [
        found
        for one in schema_changes(context)
        if one.direction in (Direction.WIDENED, Direction.OTHER, Direction.UNKNOWN)
        for found in tools[one.edit.change.key, one.edit.change.occurrence].opened(one.edit)
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


@dataclass(frozen=True)
class _Tool:
    """One tool, its input schema read once."""

    look: Look

    @cached_property
    def root(self) -> Root:
        """The input schema as it is now."""
        return Root(at.follow(self.look.after.raw, [INPUT], None))

    def was(self, edit: Edit, keyword: str) -> Json:
        """Give what a keyword said beside a change before."""
        return at.follow(self.look.before.raw if self.look.before else None, [*edit.node, keyword])

    def now(self, edit: Edit, keyword: str) -> Json:
        """Give what a keyword says beside a change now."""
        return at.follow(self.root.raw, [*edit.node[1:], keyword])

    def opened(self, edit: Edit) -> Iterator[Opening]:
        """Say whether a change opens the object that it is about: nothing closes it now, or a pattern lets names in."""
        schema: Json = ABSENT
        if edit.keyword in _OPENERS and not edit.rest and self.was(edit, edit.keyword) is False:
            still = any(self.now(edit, keyword) is False for keyword in _OPENERS)
            present = self.now(edit, edit.keyword)
            schema = ABSENT if still else True if present is ABSENT else present
        elif edit.keyword == "patternProperties" and edit.name and edit.change.change is ChangeKind.VALUE_ADDED:
            shut = any(self.was(edit, keyword) is False for keyword in _OPENERS)
            schema = edit.change.after if shut and edit.change.after is not False else ABSENT
        around = at.follow(self.root.raw, edit.node[1:])
        if schema is not ABSENT and takes_objects(Sub(around, self.root)):
            yield Opening(edit.change, edit.parameter, free(Sub(schema, self.root)))
