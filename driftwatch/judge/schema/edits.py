"""What a change inside a JSON Schema means: which keyword, whose, and whether more or less is accepted.

Understands where a pointer stands by the keywords of JSON Schema 2020-12 and draft-07, so that a property called
`required` is not taken for the keyword. Comparing is by keyword; what cannot be compared is said to be unknown.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from driftwatch.judge import pointer as at
from driftwatch.judge.canonical import canonical
from driftwatch.judge.context import VALUES, Look
from driftwatch.judge.names import word_set
from driftwatch.judge.pointer import ABSENT
from driftwatch.model import Change, ChangeKind, Json

INPUT, OUTPUT = "inputSchema", "outputSchema"

MAPS = frozenset({"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"})
ARRAYS = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
NESTED = word_set(
    "items additionalItems unevaluatedItems contains additionalProperties unevaluatedProperties propertyNames "
    "not if then else contentSchema"
)
OPENNESS = frozenset({"additionalProperties", "unevaluatedProperties", "additionalItems", "unevaluatedItems", "items"})
UPPER = frozenset({"maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties", "maxContains"})
LOWER = frozenset({"minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties", "minContains"})
FILTERS = frozenset({"pattern", "format", "contentEncoding", "contentMediaType"})
COSMETIC = word_set("$schema $id $comment $anchor examples example deprecated readOnly writeOnly")
WORDED = frozenset({"description", "title", "x-mcp-header", "default"})
"""Keywords that have rules of their own."""


class Direction(StrEnum):
    """What a change does to the set of accepted values."""

    SAME = "same"
    WIDENED = "widened"
    NARROWED = "narrowed"
    OTHER = "other"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Edit:
    """One change inside a schema, placed: the schema it is in, the keyword, and what is left of the pointer.

    `node` are the tokens of the schema that holds the keyword; `name` is the property or definition for keywords
    that hold several schemas; `rest` leads on inside the keyword's value.
    """

    change: Change
    node: tuple[str, ...]
    keyword: str
    name: str = ""
    rest: tuple[str, ...] = ()

    @property
    def parameter(self) -> str:
        """Name the parameter that this is about, as a path for people; empty for the schema itself."""
        return parameter_path([*self.node, self.keyword, self.name] if self.name else self.node)


def parameter_path(tokens: Sequence[str]) -> str:
    """Write the way to a property for people: `filters[].field`."""
    path, at_name = "", False
    for part in tokens:
        if at_name:
            path, at_name = path + ("." if path else "") + part, False
        elif part == "properties":
            at_name = True
        elif part == "items" and path:
            path += "[]"
    return path


def edits(look: Look, root: str) -> Iterator[Edit]:
    """Give the changes inside one of an item's schemas, placed; added or removed maps one entry at a time."""
    for change in look.changes:
        tokens = at.split(change.pointer)
        if change.change in VALUES and tokens[:1] == [root]:
            yield from _expand(place(change, tokens))


def place(change: Change, tokens: Sequence[str]) -> Edit:
    """Find out which keyword of which schema a change is about."""
    node, rest = tuple(tokens[:1]), tuple(tokens[1:])
    while rest:
        keyword = rest[0]
        several = keyword in MAPS or keyword in ARRAYS or (keyword == "items" and _is_index(rest[1:]))
        if several:
            if len(rest) <= 2:
                return Edit(change, node, keyword, rest[1] if len(rest) == 2 else "")
            node, rest = (*node, *rest[:2]), rest[2:]
        elif keyword in NESTED and len(rest) > 1:
            node, rest = (*node, keyword), rest[1:]
        else:
            return Edit(change, node, keyword, "", rest[1:])
    return Edit(change, node, "")


def _is_index(rest: Sequence[str]) -> bool:
    return bool(rest) and at.is_index(rest[0])


def _expand(edit: Edit) -> Iterator[Edit]:
    """Take a whole map of schemas that came, went or was replaced apart into its entries."""
    change = edit.change
    old = change.before if isinstance(change.before, dict) else {}
    new = change.after if isinstance(change.after, dict) else {}
    names = [name for name in (*old, *(name for name in new if name not in old)) if not (name in old and name in new)]
    if edit.keyword not in MAPS or edit.name or not names:
        yield edit
        return
    for name in names:
        came = name in new
        one = replace(
            change,
            change=ChangeKind.VALUE_ADDED if came else ChangeKind.VALUE_REMOVED,
            pointer=at.join(change.pointer, name),
            before=None if came else old[name],
            after=new[name] if came else None,
        )
        yield replace(edit, change=one, name=name)


def direction(keyword: str, old: Json, new: Json) -> Direction:
    """Say what a keyword's change does to what an input accepts. `ABSENT` stands for no such keyword."""
    found = Direction.SAME if keyword in COSMETIC else Direction.UNKNOWN
    if keyword in OPENNESS:
        found = _by_rank(_openness(old), _openness(new), _same(old, new))
    elif keyword in {"type", "enum", "const"}:
        found = _by_sets(_choices(keyword, old), _choices(keyword, new))
    elif keyword in UPPER | LOWER:
        found = _by_bound(old, new, upper=keyword in UPPER)
    elif keyword == "required":
        found = _FLIPPED[_by_sets(_members(old) or frozenset(), _members(new) or frozenset())]
    elif keyword in {"anyOf", "oneOf"}:
        found = _by_sets(_members(old), _members(new))
    elif keyword == "allOf":
        found = _FLIPPED[_by_sets(_members(old) or frozenset(), _members(new) or frozenset())]
    elif keyword in {"uniqueItems", "nullable"}:
        strict = keyword == "uniqueItems"
        found = _by_rank(int((old is True) is not strict), int((new is True) is not strict), same=True)
    elif keyword in FILTERS | {"multipleOf", "propertyNames", "contains"}:
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


def judged(look: Look, root: str) -> Iterator[tuple[Edit, Direction]]:
    """Give the changes inside one of an item's schemas with what each does to what is accepted."""
    known: dict[tuple[tuple[str, ...], str], Direction] = {}
    for edit in edits(look, root):
        place_of = (edit.node, edit.keyword)
        if place_of not in known:
            known[place_of] = _judge(edit, look)
        branch = edit.keyword in {"anyOf", "oneOf", "allOf"} and edit.name
        replaced = branch and edit.change.change is ChangeKind.VALUE_CHANGED
        yield edit, Direction.OTHER if replaced else known[place_of]


def _judge(edit: Edit, look: Look) -> Direction:
    before = look.before.raw if look.before is not None else None
    old = at.follow(before, [*edit.node, edit.keyword])
    new = at.follow(look.after.raw, [*edit.node, edit.keyword])
    return direction(edit.keyword, old, new)
