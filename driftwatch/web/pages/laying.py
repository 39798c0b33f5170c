"""One item of a review taken apart for a template: texts on one side or two, disguises undone, raw JSON. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from driftwatch.judge import pointer as at
from driftwatch.judge.pointer import ABSENT
from driftwatch.judge.text.visible import visible
from driftwatch.model import Finding, Item, Json
from driftwatch.report.cut import clipped, shown
from driftwatch.report.excerpt import value_text
from driftwatch.report.hinttable import HintTable
from driftwatch.report.itemdiff import ItemDiff, Part, item_diff, spelled
from driftwatch.report.laid import COARSE, cut_segment
from driftwatch.report.lookalike import reads_as
from driftwatch.report.myers import Budget
from driftwatch.report.page import characters
from driftwatch.report.schematree import Fact, SchemaNode, State, meaning_words
from driftwatch.report.worddiff import Segment, TextDiff, Was
from driftwatch.web.pages.changes import Entry, own, shared
from driftwatch.web.pages.telling import Told, tell_all

TEXT_WORK: Final = 3_000_000
"""What comparing all texts of one page may cost; a second or so at the worst."""

RAW: Final = 6_000
"""Characters of an item whose JSON stands on the page; that of a larger one has a page of its own."""

_UNDONE: Final = 5
"""Disguised texts that are told of one place."""
_SAID: Final = 600
_READ: Final = 4_000
_VALUE: Final = 2_000
_KEYS: Final = {"inputSchema": "What it takes", "outputSchema": "What it returns"}
_CALLED: Final = {"": "As received", "_meta": "Metadata (_meta)"}


@dataclass(frozen=True, slots=True)
class Stretch:
    """A stretch of text that is safe to show; `was` is `same`, `removed` or `added`."""

    text: str
    was: str
    marked: bool = False


@dataclass(frozen=True, slots=True)
class Sides:
    """A text before and after, in columns (`left`, `right`) and in one (`inline`); of what is on one side only this.

    `coarse` says how it was compared where that was not by words.
    """

    inline: tuple[Stretch, ...]
    left: tuple[Stretch, ...] = ()
    right: tuple[Stretch, ...] = ()
    coarse: str = ""


@dataclass(frozen=True, slots=True)
class TextPart:
    """One key of an item. `undone` is what disguised stretches in it say once undone."""

    key: str
    pointer: str
    state: str
    sides: Sides
    undone: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FactLine:
    """What one keyword of a schema says: as a text, or in words before and after."""

    keyword: str
    state: str
    sides: Sides | None = None
    was: str = ""
    now: str = ""
    undone: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Branch:
    """One place of a schema. `same` counts what lies below and is left out because it did not change."""

    lead: str
    name: str
    state: str
    was: str
    now: str
    meant: str = ""
    facts: tuple[FactLine, ...] = ()
    branches: tuple[Branch, ...] = ()
    same: int = 0
    deeper: bool = False


@dataclass(frozen=True, slots=True)
class Laid:
    """One entry, laid out; `shared` is what is found of it and of others together.

    `raw` has each side that differs with what to call it, and as JSON, empty where that is too large for the page.
    """

    entry: Entry
    findings: tuple[Told, ...]
    shared: tuple[Told, ...]
    parts: tuple[TextPart, ...]
    schemas: tuple[tuple[str, Branch], ...]
    hints: HintTable | None
    raw: tuple[tuple[Item, str, str], ...]


def laid(entries: Iterable[Entry]) -> list[Laid]:
    """Lay the entries of one page out."""
    budget, said = Budget(TEXT_WORK), set[tuple[str, str]]()
    return [lay(entry, budget, said) for entry in entries]


def lay(entry: Entry, budget: Budget | None = None, said: set[tuple[str, str]] | None = None) -> Laid:
    """Lay one entry out; `said` is what of meanings the page told already."""
    found = item_diff(entry.before, entry.after, entry.findings, budget=budget)
    is_new = found.hints is not None and (found.state in (State.ADDED, State.REMOVED) or found.hints.changed)
    return Laid(
        entry=entry,
        findings=tuple(tell_all(own(entry), values=entry.state == "unchanged", said=said)),
        shared=tuple(tell_all(shared(entry), advised=False)),
        parts=tuple(_part(one, entry) for one in found.parts),
        schemas=tuple(_schemas(found, entry)),
        hints=found.hints if is_new else None,
        raw=tuple(_raw(entry)),
    )


def sides_of(diff: TextDiff, *, plainly: bool = False) -> Sides:
    """Lay a text out; `plainly` shows what is there as such, not as new."""
    coarse = "" if plainly else COARSE.get(diff.level, "")
    inline = tuple(_stretches(diff.segments, plainly=plainly))
    if plainly or not (diff.before and diff.after and diff.changed):
        return Sides(inline, coarse=coarse)
    left, right = (tuple(_stretches(diff.side(was))) for was in (Was.REMOVED, Was.ADDED))
    return Sides(inline, left, right, coarse)


def undone_in(findings: Iterable[Finding], pointer: str, key: str = "") -> tuple[str, ...]:
    """Give what the disguised stretches at a place of the item `key` say once undone, each once, safe to show."""
    there = {pointer, at.join("", key) + pointer}
    said = dict.fromkeys(
        span.decoded.strip()
        for finding in findings
        for span in finding.spans
        if span.decoded.strip() and span.pointer in there
    )
    return tuple(shown(one, _SAID) for one in list(said)[:_UNDONE])


def _stretches(segments: Sequence[Segment], *, plainly: bool = False) -> Iterator[Stretch]:
    last = len(segments) - 1
    for number, one in enumerate(segments):
        # What stands alone, or is to be read whole, is cut no sooner than what is new.
        asked = replace(one, was=Was.ADDED) if plainly or last == 0 else one
        text = cut_segment(asked, first=number == 0, last=number == last)
        yield Stretch(text, Was.SAME.value if plainly else one.was.value, one.marked)


def _part(part: Part, entry: Entry) -> TextPart:
    undone = undone_in(entry.findings, part.pointer, entry.item.key)
    if not undone and any(one.marked for one in part.diff.segments):
        plain = reads_as(part.diff.after[:_READ])
        undone = (clipped(shown(plain, _SAID), _SAID),) if plain else ()
    state = "" if entry.is_whole or part.state is State.CHANGED else part.state.value
    name = _CALLED.get(part.key, part.key.capitalize() if part.key in ("title", "description") else part.key)
    return TextPart(name, part.pointer, state, sides_of(part.diff, plainly=entry.is_whole), undone)


def _schemas(found: ItemDiff, entry: Entry) -> Iterator[tuple[str, Branch]]:
    for key, tree in found.schemas:
        if tree.state is not State.SAME or any(fact.text for node in tree.walk() for fact in node.facts):
            yield _KEYS[key], _branch(tree, entry, returned=key == "outputSchema")


def _branch(node: SchemaNode, entry: Entry, *, returned: bool) -> Branch:
    """Lay a place of a schema out, and below it what changed."""
    below = [child for child in node.children if _tells(child)]
    came = node.itself in (State.ADDED, State.REMOVED)
    facts = [fact for fact in node.facts if came or fact.state is not State.SAME or fact.text is not None]
    same = len(node.children) - len(below)
    meant = meaning_words(node.meaning, returned=returned) if node.itself is State.CHANGED else ""
    was, now = (clipped(side, _VALUE) for side in (node.was, node.now))
    return Branch(
        lead=node.lead,
        name=node.name,
        state="" if entry.is_whole or node.itself is State.SAME else node.itself.value,
        was=was if was != now and now else "",
        now=now or was,
        meant=meant,
        facts=tuple(_fact(fact, at.join(node.pointer, fact.keyword), entry) for fact in facts),
        branches=tuple(_branch(child, entry, returned=returned) for child in below),
        same=same if node.state is not State.SAME else 0,
        deeper=node.deeper,
    )


def _tells(node: SchemaNode) -> bool:
    return node.state is not State.SAME or any(fact.text for one in node.walk() for fact in one.facts)


def _fact(fact: Fact, pointer: str, entry: Entry) -> FactLine:
    state = "" if entry.is_whole or fact.state is State.SAME else fact.state.value
    undone = undone_in(entry.findings, pointer, entry.item.key)
    if fact.text is not None:
        return FactLine(fact.keyword, state, sides_of(fact.text, plainly=entry.is_whole), undone=undone)
    return FactLine(fact.keyword, state, was=_value(fact.before), now=_value(fact.after), undone=undone)


def _value(value: Json) -> str:
    return "" if value is ABSENT else shown(value_text(value), _VALUE)


def _raw(entry: Entry) -> Iterator[tuple[Item, str, str]]:
    before, after = entry.before, entry.after
    if before is not None and (after is None or before.digest != after.digest):
        yield before, "before", _json(before)
    if after is not None:
        yield after, "now" if before is not None else "", _json(after)


def _json(item: Item) -> str:
    return visible(spelled(item.raw), multiline=True) if characters(item.raw) <= RAW else ""
