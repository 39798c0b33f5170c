"""Parameters that came, went or became required: of tools (input schema) and of prompts (arguments)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from driftwatch.judge import pointer as at
from driftwatch.judge.context import Context, Look
from driftwatch.judge.schema import INPUT, Edit, edits, parameter_path
from driftwatch.model import Change, ChangeKind, Json, Kind

_ARGUMENT = re.compile(r"^/arguments/\d+$")
_ARGUMENT_DESCRIPTION = re.compile(r"^/arguments/\d+/description$")
_ARGUMENT_REQUIRED = re.compile(r"^/arguments/\d+/required$")


@dataclass(frozen=True)
class Parameter:
    """One parameter that came or went. `path` is for people; `schema` is what is said about it."""

    look: Look
    change: Change
    name: str
    path: str
    schema: Json
    required: bool = False


def added(context: Context) -> Iterator[Parameter]:
    """Give every parameter that is new, those of new items (and in a scan, all) included."""
    for look in context.looks(Kind.TOOL, Kind.PROMPT):
        if look.before is None:
            yield from _all_of(look)
            continue
        needed: dict[tuple[str, ...], frozenset[str]] = {}
        for edit in edits(look, INPUT):
            if edit.keyword == "properties" and edit.name and edit.change.change is ChangeKind.VALUE_ADDED:
                if edit.node not in needed:
                    needed[edit.node] = _required(look.after.raw, edit.node)
                yield _property(look, edit, edit.change.after, edit.name in needed[edit.node])
        yield from _arguments(look, ChangeKind.VALUE_ADDED)


def removed(context: Context) -> Iterator[Parameter]:
    """Give every parameter that went, of items that are still there."""
    for look in context.altered(Kind.TOOL, Kind.PROMPT):
        for edit in edits(look, INPUT):
            if edit.keyword == "properties" and edit.name and edit.change.change is ChangeKind.VALUE_REMOVED:
                yield _property(look, edit, edit.change.before, required=False)
        yield from _arguments(look, ChangeKind.VALUE_REMOVED)


def became_required(context: Context) -> Iterator[tuple[Change, list[str]]]:
    """Give every change by which parameters became required, with their names."""
    for look in context.altered(Kind.TOOL, Kind.PROMPT):
        for edit in edits(look, INPUT):
            if edit.keyword == "required":
                mentioned = frozenset(_mentioned(edit.change))
                names = [name for name in _newly_required(edit, look) if name in mentioned]
                if names:
                    yield edit.change, names
        for change in look.changes:
            if _ARGUMENT_REQUIRED.match(change.pointer) and change.after is True:
                yield change, [str(at.get(look.after.raw, change.pointer.rsplit("/", 1)[0] + "/name", "?"))]


def described(pointer: str) -> str | None:
    """Give the name of the parameter whose description a pointer leads to ("" for an argument of a prompt), or None."""
    if _ARGUMENT_DESCRIPTION.match(pointer):
        return ""
    tokens = at.split(pointer)
    inside = tokens[:1] == [INPUT] and tokens[-1:] == ["description"] and tokens[-3:-2] == ["properties"]
    return tokens[-2] if inside else None


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


def _property(look: Look, edit: Edit, schema: Json, required: bool) -> Parameter:
    return Parameter(look, edit.change, edit.name, edit.parameter, schema, required)


def _arguments(look: Look, kind: ChangeKind) -> Iterator[Parameter]:
    """Give the prompt arguments that came or went, one by one or all at once."""
    for change in look.changes:
        if change.kind is not Kind.PROMPT or change.change is not kind:
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
    change = Change(
        kind, look.after.kind, look.after.key, pointer, None if came else entry, entry if came else None, look.after.key
    )
    return Parameter(look, change, name, name, entry, isinstance(entry, dict) and entry.get("required") is True)


def _all_of(look: Look) -> Iterator[Parameter]:
    """Give every parameter of a whole item, as if each had just come."""
    item = look.after
    if not isinstance(item.raw, dict):
        return
    for place, value in at.walk(item.raw.get(INPUT), f"/{INPUT}"):
        tokens = at.split(place)
        if isinstance(value, dict) and tokens[-1] == "properties" and tokens[-2:-1] != ["properties"]:
            for name, schema in value.items():
                pointer = at.join(place, name)
                change = Change(ChangeKind.VALUE_ADDED, item.kind, item.key, pointer, None, schema, item.key)
                yield Parameter(look, change, name, parameter_path([*tokens, name]), schema)
    arguments = item.raw.get("arguments") if item.kind is Kind.PROMPT else None
    for index, entry in enumerate(arguments if isinstance(arguments, list) else ()):
        yield _argument(look, ChangeKind.VALUE_ADDED, at.join("/arguments", index), entry)
