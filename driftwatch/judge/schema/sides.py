"""What callers fill in, or get back, of one tool before and after: slots laid side by side by their paths."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from driftwatch.judge import pointer as at
from driftwatch.judge.context import Context, Look
from driftwatch.judge.schema.keywords import ARRAYS, INPUT, MAPS, NESTED, OUTPUT
from driftwatch.judge.schema.slots import Slot, slots
from driftwatch.model import Item, Json, Kind

_DEEPEST = 72
"""Levels below which nothing is left out: more than an honest schema has."""

Place: TypeAlias = tuple[str, int]
"""Which tool: its name, and which of several with one name."""


@dataclass(frozen=True)
class Sides:
    """The slots of one schema of one tool, before and after, by path."""

    look: Look
    before: Mapping[str, Slot]
    after: Mapping[str, Slot]

    @property
    def new(self) -> Iterator[Slot]:
        """Those that were not there before."""
        return (slot for path, slot in self.after.items() if path not in self.before)

    @property
    def gone(self) -> Iterator[Slot]:
        """Those that are not there any more."""
        return (slot for path, slot in self.before.items() if path not in self.after)

    @cached_property
    def came_or_went(self) -> frozenset[str]:
        """The names of properties that are on one side only, wherever they stand."""
        names = [{slot.name for slot in side.values() if slot.named} for side in (self.before, self.after)]
        return frozenset(names[0] ^ names[1])


def sides(context: Context, root: str) -> Mapping[Place, Sides]:
    """Give the sides of every tool to judge whose schema is new or changed."""
    return context.once(_inputs if root == INPUT else _outputs)


def _inputs(context: Context) -> Mapping[Place, Sides]:
    return _all(context, INPUT)


def _outputs(context: Context) -> Mapping[Place, Sides]:
    return _all(context, OUTPUT)


def _all(context: Context, root: str) -> Mapping[Place, Sides]:
    found = {}
    for look in context.looks(Kind.TOOL):
        if look.before is None or any(at.covers(f"/{root}", change.pointer) for change in look.changes):
            before, after = (slots(_schema(item, root), f"/{root}") for item in (look.before, look.after))
            found[look.after.key, look.after.occurrence] = Sides(look, before, after)
    return found


def _schema(item: Item | None, root: str) -> Json:
    return item.raw.get(root) if item is not None and isinstance(item.raw, dict) else None


def without(raw: Json, names: frozenset[str], depth: int = 0) -> Json:
    """Give a schema without some properties: what is left to compare when these are told by themselves."""
    if not isinstance(raw, dict) or depth > _DEEPEST:
        return raw
    left = {keyword: _under(keyword, value, names, depth + 1) for keyword, value in raw.items()}
    declared, required = left.get("properties"), raw.get("required")
    out = names & declared.keys() if isinstance(declared, dict) else frozenset()
    if isinstance(declared, dict) and out:
        left["properties"] = {name: schema for name, schema in declared.items() if name not in out}
        if isinstance(required, list):
            left["required"] = [name for name in required if not isinstance(name, str) or name not in out]
    return left


def _under(keyword: str, value: Json, names: frozenset[str], depth: int) -> Json:
    """Leave them out of the schemas under a keyword: a property may be called `properties` and hold none."""
    if keyword in MAPS and isinstance(value, dict):
        return {name: without(schema, names, depth) for name, schema in value.items()}
    if isinstance(value, list):
        holds = keyword in ARRAYS or keyword == "items"
        return [without(schema, names, depth) for schema in value] if holds else value
    return without(value, names, depth) if keyword in NESTED else value
