"""Two JSON Schemas as one tree: what is the same, what came, went or changed at each place, and what it means. Pure.

The meaning is that of `judge/schema`: decided by proof and by example, and not said where neither is found.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import TypeAlias

from driftwatch.judge import pointer as at
from driftwatch.judge.canonical import same
from driftwatch.judge.pointer import ABSENT
from driftwatch.judge.schema.meaning import TOTAL, Direction, Meaning, meaning
from driftwatch.judge.schema.root import Root, Sub
from driftwatch.judge.schema.work import Work
from driftwatch.model import Json
from driftwatch.report.cut import shown
from driftwatch.report.excerpt import value_text
from driftwatch.report.myers import Budget
from driftwatch.report.schema import DEEPEST, accepts, children, told
from driftwatch.report.worddiff import WORK, Stretch, TextDiff, word_diff

NODES = 2_000
"""Places of one tree that are laid out; what lies below the last of them is there as it was received."""

_EXAMPLE = 80
_IN = {
    Direction.SAME: "takes the same values as before",
    Direction.WIDENED: "takes more than before",
    Direction.NARROWED: "takes less than before",
    Direction.OTHER: "takes some values that it did not, and refuses some that it took",
}
_OUT = {
    Direction.SAME: "may be the same values as before",
    Direction.WIDENED: "may be more than before",
    Direction.NARROWED: "may be less than before",
    Direction.OTHER: "may be values that it could not be, and no longer some that it could",
}
_Key: TypeAlias = tuple[str, str]


class State(StrEnum):
    """What became of a place."""

    SAME = "same"
    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"


@dataclass(frozen=True, slots=True)
class Fact:
    """What one keyword says, before and after; `ABSENT` where it says nothing. Texts also come word by word."""

    keyword: str
    before: Json
    after: Json
    state: State
    text: TextDiff | None = None


@dataclass(frozen=True, slots=True)
class SchemaNode:
    """One schema and what stands inside it.

    `lead` are our words before the server's `name` (raw: escape it); both are empty for the whole. `pointer` leads to
    it inside the item, on the live side where there is one. `was` and `now` say on one line which values it accepts,
    safe to show, empty where it is not there. `facts` are the keywords that this line does not tell. `state` takes what
    lies below into account, `itself` does not. `deeper` says that what lies below is not laid out.
    """

    lead: str
    name: str
    pointer: str
    state: State
    itself: State
    before: Json
    after: Json
    was: str
    now: str
    facts: tuple[Fact, ...] = ()
    children: tuple[SchemaNode, ...] = ()
    meaning: Meaning | None = None
    deeper: bool = False

    @property
    def changes(self) -> int:
        """How many places in it differ themselves, it included."""
        return (self.itself is not State.SAME) + sum(child.changes for child in self.children)

    def walk(self) -> Iterator[SchemaNode]:
        """Give it and every node below it, in the order of reading."""
        yield self
        for child in self.children:
            yield from child.walk()


def meaning_words(found: Meaning | None, *, returned: bool = False) -> str:
    """Say what a change does to the values of a place, with an example; empty where it is not known. Safe to show.

    `returned` says that the values are what a tool returns, not what it takes.
    """
    if found is None or found.direction is Direction.UNKNOWN:
        return ""
    words = (_OUT if returned else _IN)[found.direction]
    examples = [("new", found.gained), ("gone", found.lost)]
    told_by = [f"{word}, for example: {_example(value[0])}" for word, value in examples if value is not None]
    return "; ".join([words, *told_by])


def _example(value: Json) -> str:
    return shown(value_text([value])[1:-1], _EXAMPLE)


@dataclass(slots=True)
class _Laying:
    """What is known while a tree is made: the two documents, and what may still be spent."""

    before: Root
    after: Root
    marks: Mapping[str, Sequence[Stretch]]
    budget: Budget
    nodes: int = NODES
    work: Work = field(default_factory=lambda: Work(TOTAL))


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a node stands: what to call it, its pointer, its depth, and whether it is required before and after."""

    key: _Key = ("", "")
    pointer: str = ""
    depth: int = 0
    required: tuple[bool, bool] = (False, False)


def schema_tree(
    before: Json,
    after: Json,
    pointer: str = "",
    marks: Mapping[str, Sequence[Stretch]] = MappingProxyType({}),
    *,
    budget: Budget | None = None,
) -> SchemaNode:
    """Lay two schemas over each other; `ABSENT` for none. `pointer` leads to them inside the item. Never raises.

    `marks` are the stretches that findings point at, by the pointers of the texts that they lie in. `budget` is what
    comparing the texts in it may cost.
    """
    raw = [{} if side is ABSENT else side for side in (before, after)]
    laying = _Laying(Root(raw[0]), Root(raw[1]), marks, budget or Budget(WORK))
    return _node(before, after, _Place(pointer=pointer), laying)


def _node(before: Json, after: Json, place: _Place, laying: _Laying) -> SchemaNode:
    laying.nodes -= 1
    state = _state(before, after)
    if state is State.SAME and place.required[0] is not place.required[1]:
        state = State.CHANGED
    facts = tuple(_facts(before, after, place.pointer, laying))
    was, now = (
        "" if side is ABSENT else accepts(side, required=required)
        for side, required in zip((before, after), place.required, strict=True)
    )
    differs = was != now or any(fact.state is not State.SAME for fact in facts)
    itself = state if state in (State.ADDED, State.REMOVED) else State.CHANGED if differs else State.SAME
    # The whole is judged before its parts, which share what it may cost.
    meant = _meaning(before, after, laying) if state is State.CHANGED else None
    below = list(_below(before, after, place))
    deep = bool(below) and (place.depth >= DEEPEST or laying.nodes < len(below))
    inner = () if deep else tuple(_node(old, new, where, laying) for old, new, where in below)
    if state is State.CHANGED and itself is State.SAME and all(child.state is State.SAME for child in inner):
        # What no line tells: an order, an empty list, or what lies too deep.
        facts, itself = (*facts, *_untold(before, after)), State.CHANGED
    return SchemaNode(*place.key, place.pointer, state, itself, before, after, was, now, facts, inner, meant, deep)


def _state(before: Json, after: Json) -> State:
    if before is ABSENT or after is ABSENT:
        return State.SAME if before is after else State.ADDED if before is ABSENT else State.REMOVED
    return State.SAME if same(before, after) else State.CHANGED


def _meaning(before: Json, after: Json, laying: _Laying) -> Meaning | None:
    """Say what a change does to what is accepted, where both sides are schemas."""
    if not all(isinstance(side, dict | bool) for side in (before, after)):
        return None
    return meaning(Sub(before, laying.before), Sub(after, laying.after), laying.work)


def _facts(before: Json, after: Json, pointer: str, laying: _Laying) -> Iterator[Fact]:
    """Give what keywords say that neither the line of a node nor the nodes below it tell."""
    old, new = _own(before), _own(after)
    for keyword in dict.fromkeys((*old, *new)):
        was, now = old.get(keyword, ABSENT), new.get(keyword, ABSENT)
        state = _state(was, now)
        yield Fact(keyword, was, now, state, _text(was, now, at.join(pointer, keyword), laying))


def _text(was: Json, now: Json, pointer: str, laying: _Laying) -> TextDiff | None:
    """Compare the texts of a keyword that changed or that a finding points into."""
    sides = ["" if side is ABSENT else side for side in (was, now)]
    marks = laying.marks.get(pointer, ())
    if not all(isinstance(side, str) for side in sides) or not (marks or sides[0] != sides[1]):
        return None
    return word_diff(sides[0], sides[1], marks, budget=laying.budget)


def _untold(before: Json, after: Json) -> Iterator[Fact]:
    """Give every keyword that differs, as it was received."""
    if isinstance(before, dict) and isinstance(after, dict):
        for keyword in sorted({*before, *after}):
            was, now = before.get(keyword, ABSENT), after.get(keyword, ABSENT)
            state = _state(was, now)
            if state is not State.SAME:
                yield Fact(keyword, was, now, state)


def _own(schema: Json) -> Mapping[str, Json]:
    """Give the keywords of one side that are facts: texts first, then by name; what is no schema is a fact itself."""
    if not isinstance(schema, dict):
        return {} if schema is ABSENT or isinstance(schema, bool) else {"": schema}
    texts = [key for key in ("title", "description") if key in schema]
    rest = sorted(set(schema) - told(schema) - set(texts))
    return {key: schema[key] for key in (*texts, *rest)}


def _below(before: Json, after: Json, place: _Place) -> Iterator[tuple[Json, Json, _Place]]:
    """Give the schemas inside both sides, laid by what they are called: those of the live side first, in its order."""
    old, new = _named(before), _named(after)
    for key in dict.fromkeys((*new, *old)):
        was, now = old.get(key, _NOTHING), new.get(key, _NOTHING)
        tokens = now.tokens or was.tokens
        required = (was.required, now.required)
        where = _Place(key, at.join(place.pointer, *tokens), place.depth + 1, required)
        yield was.schema, now.schema, where


@dataclass(frozen=True, slots=True)
class _Child:
    schema: Json = ABSENT
    tokens: tuple[str, ...] = ()
    required: bool = False


_NOTHING = _Child()


def _named(schema: Json) -> dict[_Key, _Child]:
    """Give the schemas inside one side by what they are called."""
    if not isinstance(schema, dict):
        return {}
    required = schema.get("required")
    names = frozenset(one for one in required if isinstance(one, str)) if isinstance(required, list) else frozenset()
    return {
        name: _Child(child, tokens, is_property and name[1] in names)
        for name, child, is_property, tokens in children(schema)
    }
