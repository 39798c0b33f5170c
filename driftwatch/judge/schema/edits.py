"""Where a change inside a JSON Schema stands: in which schema, at which keyword, of which parameter.

Read by the keywords of JSON Schema, so that a property called `required` is not taken for the keyword.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from driftwatch.judge import pointer as at
from driftwatch.judge.context import VALUES, Look
from driftwatch.judge.schema.keywords import ARRAYS, CONDITION, MAPS, MIXED, NESTED, SHAPING
from driftwatch.model import Change, ChangeKind

_PARTS = re.compile(r'[\\.\[*<"]')


@dataclass(frozen=True)
class Edit:
    """One change inside a schema, placed: the schema it is in, the keyword, and what is left of the pointer.

    `node` are the tokens of the schema that holds the keyword; `name` is the property or definition for keywords
    that hold several schemas; `rest` leads on inside the keyword's value. `joined` are the keywords of one schema that
    took each other's place, or that mean nothing alone: their change is one, from and to an object that holds them.
    """

    change: Change
    node: tuple[str, ...]
    keyword: str
    name: str = ""
    rest: tuple[str, ...] = ()
    joined: tuple[str, ...] = ()

    @property
    def parameter(self) -> str:
        """Name the parameter that this is about, as a path for people; empty for the schema itself."""
        return parameter_path([*self.node, self.keyword, self.name] if self.name else self.node)


def along(path: str, name: str) -> str:
    """Write the way on to a named property. What parts names in a path is escaped in one, so that no two look alike."""
    return path + ("." if path else "") + (_PARTS.sub(r"\\\g<0>", name) or '""')


def parameter_path(tokens: Sequence[str]) -> str:
    """Write the way to a property for people: `filters[].field`."""
    path, at_name = "", False
    for part in tokens:
        if at_name:
            path, at_name = along(path, part), False
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


def together(found: Iterable[Edit]) -> Iterator[Edit]:
    """Give the edits with those as one that are false alone: a type that became branches, a condition and its outcome.

    Taken alone the first would say that any value is accepted now, and the second that one is refused more.
    """
    kept = list(found)
    groups: dict[tuple[tuple[str, ...], bool], list[Edit]] = defaultdict(list)
    for edit in kept:
        if edit.keyword in SHAPING | CONDITION and not edit.name and not edit.rest:
            groups[edit.node, edit.keyword in CONDITION].append(edit)
    joined = [_joined(several) for (_, condition), several in groups.items() if _belong(several, condition=condition)]
    done = {(one.node, keyword) for one in joined for keyword in one.joined}
    yield from (edit for edit in kept if edit.name or edit.rest or (edit.node, edit.keyword) not in done)
    yield from joined


def _belong(several: Sequence[Edit], *, condition: bool) -> bool:
    """Say whether keywords took each other's place, or are a condition with its outcome."""
    kinds = {edit.change.change for edit in several}
    return len(several) > 1 and (condition or {ChangeKind.VALUE_ADDED, ChangeKind.VALUE_REMOVED} <= kinds)


def _joined(several: Sequence[Edit]) -> Edit:
    """Make one edit of several keywords of one schema."""
    first = several[0]
    changes = {edit.keyword: edit.change for edit in several}
    was = {keyword: one.before for keyword, one in changes.items() if one.change is not ChangeKind.VALUE_ADDED}
    now = {keyword: one.after for keyword, one in changes.items() if one.change is not ChangeKind.VALUE_REMOVED}
    pointer = at.join("", *first.node)
    change = replace(first.change, change=ChangeKind.VALUE_CHANGED, pointer=pointer, before=was, after=now)
    return replace(first, change=change, joined=tuple(edit.keyword for edit in several))


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


def above_mixed(node: Sequence[str]) -> tuple[str, ...]:
    """Give the way to a schema up to the first keyword under which accepting more is not accepting more."""
    at_token = 1
    while at_token < len(node):
        keyword = node[at_token]
        if keyword in MIXED:
            return tuple(node[:at_token])
        named = keyword in MAPS or keyword in ARRAYS or (keyword == "items" and _is_index(node[at_token + 1 :]))
        at_token += 2 if named else 1
    return tuple(node)
