"""Every change inside a schema with what it does to what is accepted.

Three answers are laid together: that of the keyword by itself, that of the schema it stands in, and that of the whole
schema. The two latter are decided by meaning. What means the same as a whole is the same, however it is spelled; what
only widens as a whole narrows nowhere.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

from driftwatch.judge import pointer as at
from driftwatch.judge.context import Context, Look
from driftwatch.judge.schema.edits import Edit, above_mixed, edits, together
from driftwatch.judge.schema.keyword import direction
from driftwatch.judge.schema.keywords import (
    ANNOTATIONS,
    ASSERTIONS,
    DEFINITIONS,
    INPUT,
    KNOWN,
    NAMING,
    OUTPUT,
    SHAPING,
)
from driftwatch.judge.schema.meaning import TOTAL, UNDECIDED, Answer, Direction, Meaning, meaning
from driftwatch.judge.schema.root import Root, Sub
from driftwatch.judge.schema.sides import Sides, sides, without
from driftwatch.judge.schema.work import Work
from driftwatch.model import ChangeKind, Json, Kind

_CLEAR = frozenset({Direction.WIDENED, Direction.NARROWED})
_Place: TypeAlias = tuple[str, int, str]


@dataclass(frozen=True)
class Judged:
    """One change inside a schema and what it does. `gained` and `lost` hold an example value where one is telling."""

    edit: Edit
    direction: Direction
    gained: tuple[Json] | None = None
    lost: tuple[Json] | None = None


def judged(context: Context, root: str) -> Iterator[tuple[Look, Judged]]:
    """Give every change inside the input or output schemas of tools that are there on both sides."""
    known = context.once(_all)
    for look in context.altered(Kind.TOOL):
        yield from ((look, one) for one in known[look.after.key, look.after.occurrence, root])


def _all(context: Context) -> Mapping[_Place, tuple[Judged, ...]]:
    """Judge every schema that changed."""
    found = {}
    for root in (INPUT, OUTPUT):
        slotted = sides(context, root)
        for look in context.altered(Kind.TOOL):
            place = (look.after.key, look.after.occurrence)
            reading = _Reading(look, root, slotted.get(place, Sides(look, {}, {})))
            found[*place, root] = tuple(reading.judged())
    return found


@dataclass(eq=False)
class _Reading:
    """One schema of one tool, before and after; of an input without the parameters that came or went."""

    look: Look
    root: str
    slotted: Sides
    before: Root = field(init=False)
    after: Root = field(init=False)
    work: Work = field(init=False)
    edits: tuple[Edit, ...] = field(init=False)
    _whole: Meaning | None = field(init=False, default=None)
    _nodes: dict[tuple[str, ...], Meaning] = field(init=False, default_factory=dict)
    _keywords: dict[tuple[tuple[str, ...], str, str], Direction] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        """Find the changes; the documents are read only where there are some."""
        self.edits = tuple(together(edits(self.look, self.root)))
        if self.edits:
            moved = self._apart
            sides_of = [self._raw(before=before) for before in (True, False)]
            self.before, self.after = (Root(without(raw, moved) if moved else raw) for raw in sides_of)
            self.work = Work(TOTAL)

    def _raw(self, *, before: bool) -> Json:
        item = self.look.before if before else self.look.after
        return at.follow(item.raw if item is not None else None, [self.root], None)

    @property
    def _apart(self) -> frozenset[str]:
        """The properties that have rules of their own: those of inputs that came or went."""
        return self.slotted.came_or_went if self.root == INPUT else frozenset()

    def judged(self) -> Iterator[Judged]:
        """Judge every change."""
        for edit in self.edits:
            yield self._judged(edit)

    @property
    def whole(self) -> Meaning:
        """The schema as a whole."""
        if self._whole is None:
            self._whole = meaning(self.before.sub, self.after.sub, self.work)
        return self._whole

    def node(self, tokens: tuple[str, ...]) -> Meaning:
        """Compare the schema that a keyword stands in, or the nearest above whose widening widens the whole."""
        place = above_mixed(tokens)
        if len(place) == 1 or self._twisted(place) or self._annotating:
            return self.whole
        if place not in self._nodes:
            sides = [at.follow(root.raw, place[1:]) for root in (self.before, self.after)]
            usable = all(isinstance(side, dict | bool) for side in sides)
            subs = Sub(sides[0], self.before), Sub(sides[1], self.after)
            self._nodes[place] = meaning(*subs, self.work) if usable else UNDECIDED
        return self._nodes[place]

    def _twisted(self, place: tuple[str, ...]) -> bool:
        """Say whether a place is in a definition that something under a `not` or its like may refer to."""
        return (self.before.twisted or self.after.twisted) and bool(DEFINITIONS & set(place[1:]))

    @cached_property
    def _relinked(self) -> Direction:
        """What it does that a reference, spelled as before, leads elsewhere: to another anchor, or to nothing."""
        kept = self.before.references & self.after.references
        ways = [(self.before.way(reference), self.after.way(reference)) for reference in kept]
        moved = [way for way in ways if way[0] != way[1]]
        if any(None in way for way in moved):
            return Direction.UNKNOWN
        return self.whole.direction if moved else Direction.SAME

    @property
    def _annotating(self) -> bool:
        """Whether a keyword depends on what others looked at, so that no part means anything alone."""
        return self.before.annotating or self.after.annotating

    def _judged(self, edit: Edit) -> Judged:
        own = self._own(edit)
        moved = edit.keyword == "properties" and edit.name in self._apart
        replaced = _replaces_definition(edit)
        if moved or not (replaced or edit.keyword in ASSERTIONS):
            return Judged(edit, self._moved(edit) if moved else own)
        place = (*edit.node, edit.keyword, edit.name) if replaced else edit.node
        node = self._of_slot(edit) or self.node(place)
        if edit.keyword == "required" and self._apart:
            node = UNDECIDED if node.direction is Direction.SAME else node
        if node.direction is Direction.SAME:
            return Judged(edit, self._relinked)
        # What has a clear answer nearby needs none of the whole, which costs more.
        if own not in _CLEAR or node.direction not in (own, Direction.UNKNOWN, Direction.OTHER):
            own = self._settled(own, node, self.whole)
        elif node.direction is not own and self._replaced(edit, own):
            own = Direction.SAME if self.whole.direction is Direction.SAME else Direction.OTHER
        elif self.whole.direction is Direction.SAME:
            own = Direction.SAME
        return Judged(edit, own, *self._examples(edit, own, node))

    def _of_slot(self, edit: Edit) -> Meaning | None:
        """Compare a property that is declared elsewhere now with what it was, where it is on both sides."""
        path = edit.parameter
        before, after = self.slotted.before.get(path), self.slotted.after.get(path)
        if edit.keyword != "properties" or before is None or after is None or before.also or after.also:
            return None
        return None if self._annotating else meaning(before.sub, after.sub, self.work)

    def _moved(self, edit: Edit) -> Direction:
        """Judge a property that came or went: it narrows an object that took any before, and widens a closed one."""
        came = edit.change.change is ChangeKind.VALUE_ADDED
        shut = at.follow(self._raw(before=False), [*edit.node[1:], "additionalProperties"]) is False
        return Direction.WIDENED if came is shut else Direction.NARROWED

    def _settled(self, own: Direction, node: Meaning, whole: Meaning) -> Direction:
        """Lay the three answers together where the keyword's own is none, or contradicts."""
        if whole.direction is Direction.SAME or own is Direction.SAME:
            return Direction.SAME
        return next((one.direction for one in (whole, node) if one.direction in _CLEAR), own)

    def _examples(self, edit: Edit, found: Direction, node: Meaning) -> tuple[tuple[Json] | None, tuple[Json] | None]:
        """Give a value that shows the direction where the keyword does not show it."""
        if edit.keyword not in SHAPING and edit.keyword in ("maxLength", "minLength", "maximum", "minimum"):
            return None, None
        gained = node.gained if found is not Direction.NARROWED and node.known is Answer.NO else None
        lost = node.lost if found is not Direction.WIDENED and node.kept is Answer.NO else None
        return gained, lost

    def _replaced(self, edit: Edit, own: Direction) -> bool:
        """Say whether keywords of one schema took each other's place, so that none of them tells anything alone."""
        return edit.keyword in SHAPING and any(
            other.keyword != edit.keyword and self._own(other) in _CLEAR - {own} for other in self._shaping[edit.node]
        )

    @cached_property
    def _shaping(self) -> Mapping[tuple[str, ...], list[Edit]]:
        """The changes of keywords that often take each other's place, by the schema that they are in."""
        found: dict[tuple[str, ...], list[Edit]] = defaultdict(list)
        for edit in self.edits:
            if edit.keyword in SHAPING:
                found[edit.node].append(edit)
        return found

    def _own(self, edit: Edit) -> Direction:
        """Say what one keyword does by itself."""
        place = (edit.node, edit.keyword, edit.name)
        if place not in self._keywords:
            self._keywords[place] = self._keyword(edit)
        return self._keywords[place]

    def _keyword(self, edit: Edit) -> Direction:
        if edit.joined:
            return self.node(edit.node).direction
        if edit.keyword in DEFINITIONS:
            return self._definition(edit)
        if edit.keyword == "$schema" or edit.keyword in NAMING:
            return self._relinked if edit.keyword in NAMING else self._dialect()
        if edit.keyword in ("anyOf", "oneOf", "allOf") and edit.name and edit.change.change is ChangeKind.VALUE_CHANGED:
            return Direction.OTHER
        turned = above_mixed(edit.node) != edit.node or self._twisted(edit.node) or self._annotating
        if edit.keyword not in KNOWN or turned:
            return Direction.SAME if edit.keyword in ANNOTATIONS else Direction.UNKNOWN
        sides = [at.follow(root.raw, [*edit.node[1:], edit.keyword]) for root in (self.before, self.after)]
        return direction(edit.keyword, *sides)

    def _definition(self, edit: Edit) -> Direction:
        """Judge a definition that came or went: it accepts nothing, only a reference to it does, unless that dangles.

        One that was replaced says by itself as little as any other schema that was.
        """
        if not edit.name:
            return self.whole.direction
        if _replaces_definition(edit):
            return Direction.UNKNOWN
        reference = at.join("#", *edit.node[1:], edit.keyword, edit.name)
        dangling = self.before.dangles(reference) or self.after.dangles(reference)
        return Direction.UNKNOWN if dangling else self._relinked

    def _dialect(self) -> Direction:
        """Another dialect changes something only where the drafts differ."""
        if self.before.strange or self.after.strange:
            return Direction.UNKNOWN
        told = [(root.legacy, root.tuples) for root in (self.before, self.after)]
        differs = told[0] != told[1] and (self.before.drafted or self.after.drafted)
        return self.whole.direction if differs else Direction.SAME


def _replaces_definition(edit: Edit) -> bool:
    """Say whether a definition became another as a whole, as where one side is `true` or `false`."""
    return edit.keyword in DEFINITIONS and bool(edit.name) and edit.change.change is ChangeKind.VALUE_CHANGED
