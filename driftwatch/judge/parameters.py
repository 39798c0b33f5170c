"""Parameters that came, went, took another name or became required: of tools (input schema) and of prompts (arguments).

Those of tools are told by their path (`filters[].field`), however the schema spells the way there.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass

from driftwatch.judge import pointer as at
from driftwatch.judge.context import Context, Look
from driftwatch.judge.schema import INPUT, Direction, Edit, Judged, judged
from driftwatch.judge.schema.sides import sides
from driftwatch.judge.schema.slots import Slot
from driftwatch.model import Change, ChangeKind, Json, Kind

_ARGUMENT = re.compile(r"^/arguments/\d+$")
_ARGUMENT_REQUIRED = re.compile(r"^/arguments/\d+/required$")


@dataclass(frozen=True)
class Parameter:
    """One parameter that came or went. `path` is for people; `schema` is what is said about it.

    `nested` says that what it lies in came or went with it.
    """

    look: Look
    change: Change
    name: str
    path: str
    schema: Json
    required: bool = False
    nested: bool = False
    slot: Slot | None = None

    @property
    def free(self) -> bool:
        """Whether it can hold free text: an argument of a prompt always can."""
        return self.slot is None or self.slot.free()


@dataclass(frozen=True)
class Kept:
    """One slot that is there on both sides and of which something else is said now."""

    look: Look
    before: Slot
    after: Slot


@dataclass(frozen=True)
class Renamed:
    """One parameter under another name, in the same object."""

    look: Look
    before: Slot
    after: Slot


def added(context: Context, *, unnamed: bool = False) -> Iterator[Parameter]:
    """Give every parameter that is new, those of new items (and in a scan, all) included.

    With `unnamed`, items of lists and properties of any name are given too.
    """
    for tool in sides(context, INPUT).values():
        for slot in tool.new:
            if slot.named or unnamed:
                nested = slot.parent in tool.after and slot.parent not in tool.before
                yield _parameter(tool.look, slot, ChangeKind.VALUE_ADDED, nested=nested)
    for look in context.looks(Kind.PROMPT):
        yield from _all_arguments(look) if look.before is None else _arguments(look, ChangeKind.VALUE_ADDED)


def removed(context: Context) -> Iterator[Parameter]:
    """Give every parameter that went, of items that are still there."""
    for tool in sides(context, INPUT).values():
        for slot in tool.gone if tool.look.before is not None else ():
            if slot.named:
                nested = slot.parent in tool.before and slot.parent not in tool.after
                yield _parameter(tool.look, slot, ChangeKind.VALUE_REMOVED, nested=nested)
    for look in context.altered(Kind.PROMPT):
        yield from _arguments(look, ChangeKind.VALUE_REMOVED)


def kept(context: Context) -> Iterator[Kept]:
    """Give every slot that is there on both sides and of which something else is said now."""
    for tool in sides(context, INPUT).values():
        for path, slot in tool.after.items():
            before = tool.before.get(path)
            if before is not None and (before.required is not slot.required or before.said() != slot.said()):
                yield Kept(tool.look, before, slot)


def renamed(context: Context) -> Iterator[Renamed]:
    """Give every parameter that took another name: the same body in the same object, and no other like it."""
    for tool in sides(context, INPUT).values():
        if tool.look.before is None:
            continue
        gone, new = _by_body(tool.gone), _by_body(tool.new)
        for body in gone.keys() & new.keys():
            if len(gone[body]) == len(new[body]) == 1:
                yield Renamed(tool.look, gone[body][0], new[body][0])


def schema_changes(context: Context) -> Iterator[Judged]:
    """Give every change inside an input schema that is no parameter which came, went or took another name."""
    spoken = context.once(_spoken)
    for _, one in judged(context, INPUT):
        change = one.edit.change
        if (change.key, change.occurrence, change.pointer) not in spoken:
            yield one


def _spoken(context: Context) -> frozenset[tuple[str, int, str]]:
    """Give the places of parameters that came or went: item, occurrence, pointer."""
    found = [*added(context), *removed(context)]
    return frozenset((one.change.key, one.change.occurrence, one.change.pointer) for one in found)


def became_required(context: Context) -> Iterator[tuple[Change, list[str]]]:
    """Give every change by which parameters became required, with their names."""
    for look, one in judged(context, INPUT):
        edit = one.edit
        if edit.keyword == "required" and one.direction is Direction.NARROWED:
            mentioned = frozenset(_mentioned(edit.change))
            names = [name for name in _newly_required(edit, look) if name in mentioned]
            if names:
                yield edit.change, names
    for look in context.altered(Kind.PROMPT):
        for change in look.changes:
            if _ARGUMENT_REQUIRED.match(change.pointer) and change.after is True:
                yield change, [str(at.get(look.after.raw, change.pointer.rsplit("/", 1)[0] + "/name", "?"))]


def _by_body(found: Iterable[Slot]) -> dict[tuple[str, Hashable], list[Slot]]:
    """Sort named slots by the object they are in and what is said about them, the title left out.

    A body that says nothing but a type is told apart only where it is the one that came or went.
    """
    named = [slot for slot in found if slot.named]
    lonely = Counter(slot.parent for slot in named)
    bodies: dict[tuple[str, Hashable], list[Slot]] = {}
    for slot in named:
        schema = slot.schema if isinstance(slot.schema, dict) else {}
        if len(schema.keys() - {"title"}) > 1 or lonely[slot.parent] == 1:
            bodies.setdefault((slot.parent, slot.said(but="title")), []).append(slot)
    return bodies


def _parameter(look: Look, slot: Slot, kind: ChangeKind, *, nested: bool) -> Parameter:
    came = kind is ChangeKind.VALUE_ADDED
    schema = slot.sub.raw
    item = look.after
    change = Change(
        kind, item.kind, item.key, slot.pointer, None if came else schema, schema if came else None, item.key,
        item.occurrence,
    )  # fmt: skip
    return Parameter(look, change, slot.name, slot.path, slot.schema, slot.required, nested, slot)


def _required(raw: Json, node: tuple[str, ...]) -> frozenset[str]:
    """Give the names that the schema at a place requires."""
    names = at.follow(raw, [*node, "required"], [])
    return frozenset(name for name in names if isinstance(name, str)) if isinstance(names, list) else frozenset()


def _newly_required(edit: Edit, look: Look) -> list[str]:
    before = look.before.raw if look.before is not None else None
    return sorted(_required(look.after.raw, edit.node) - _required(before, edit.node))


def _mentioned(change: Change) -> list[str]:
    several = change.after if isinstance(change.after, list) else [change.after]
    return [name for name in several if isinstance(name, str)]


def _arguments(look: Look, kind: ChangeKind) -> Iterator[Parameter]:
    """Give the prompt arguments that came or went, one by one or all at once."""
    for change in look.changes:
        if change.change is not kind:
            continue
        value = change.after if kind is ChangeKind.VALUE_ADDED else change.before
        entries = [(change.pointer, value)] if _ARGUMENT.match(change.pointer) else []
        if change.pointer == "/arguments" and isinstance(value, list):
            entries = [(at.join("/arguments", index), entry) for index, entry in enumerate(value)]
        for pointer, entry in entries:
            yield _argument(look, kind, pointer, entry)


def _argument(look: Look, kind: ChangeKind, pointer: str, entry: Json) -> Parameter:
    came = kind is ChangeKind.VALUE_ADDED
    name = entry.get("name") if isinstance(entry, dict) else None
    name = name if isinstance(name, str) else "?"
    item = look.after
    change = Change(
        kind, item.kind, item.key, pointer, None if came else entry, entry if came else None, item.key, item.occurrence
    )
    return Parameter(look, change, name, name, entry, isinstance(entry, dict) and entry.get("required") is True)


def _all_arguments(look: Look) -> Iterator[Parameter]:
    """Give every argument of a prompt."""
    arguments = look.after.raw.get("arguments") if isinstance(look.after.raw, dict) else None
    for index, entry in enumerate(arguments if isinstance(arguments, list) else ()):
        yield _argument(look, ChangeKind.VALUE_ADDED, at.join("/arguments", index), entry)
