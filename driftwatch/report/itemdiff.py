"""One item before and after, taken apart into what people look at: texts, schemas, hints, and all the rest. Pure.

This is what the pages for a review and the HTML report lay out.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from driftwatch.judge import pointer as at
from driftwatch.judge.canonical import same
from driftwatch.judge.hints import HINTS
from driftwatch.judge.pairing import NAME_FIELD, Pair, changed_pairs
from driftwatch.judge.pointer import ABSENT
from driftwatch.judge.schema import INPUT, OUTPUT
from driftwatch.model import Finding, Item, Json, Kind, Snapshot
from driftwatch.report.excerpt import merged
from driftwatch.report.hinttable import HintTable, hint_table
from driftwatch.report.myers import Budget
from driftwatch.report.schematree import SchemaNode, State, schema_tree
from driftwatch.report.shape import TOO_DEEP, plain
from driftwatch.report.worddiff import Stretch, TextDiff, word_diff

TEXT_WORK = 6_000_000
"""What comparing all texts of all items of two lists may cost; some seconds at the very worst."""

_SCHEMAS = (INPUT, OUTPUT)
_FIRST = ("title", "description", "instructions")
"""The texts that are read first."""

_KINDS = list(Kind)


@dataclass(frozen=True, slots=True)
class Part:
    """One key of an item, before and after, as text. `is_json` says that the text is our spelling of another value."""

    key: str
    pointer: str
    state: State
    diff: TextDiff
    is_json: bool = False


@dataclass(frozen=True, slots=True)
class ItemDiff:
    """One item before and after. Either side may be None. `findings` are those about it, worst first.

    `schemas` has the trees of what a tool takes (`inputSchema`) and returns (`outputSchema`), by key. `parts` are all
    other keys that differ or that a finding points into.
    """

    before: Item | None
    after: Item | None
    parts: tuple[Part, ...] = ()
    schemas: tuple[tuple[str, SchemaNode], ...] = ()
    hints: HintTable | None = None
    findings: tuple[Finding, ...] = ()

    @property
    def item(self) -> Item:
        """The live form, or the one that went."""
        found = self.after or self.before
        if found is None:
            raise ValueError("an item on neither side")
        return found

    @property
    def state(self) -> State:
        """What became of the item."""
        if self.before is None or self.after is None:
            return State.ADDED if self.before is None else State.REMOVED
        return State.SAME if self.before.digest == self.after.digest else State.CHANGED

    @property
    def renamed_from(self) -> str:
        """The name that it had, empty where it is the same."""
        renamed = self.before is not None and self.after is not None and self.before.key != self.after.key
        return self.before.key if renamed and self.before is not None else ""


def item_diffs(baseline: Snapshot | None, live: Snapshot, findings: Sequence[Finding] = ()) -> Iterator[ItemDiff]:
    """Give every item that differs or that a finding is about: the worst first. What was not looked at is left out.

    Without a baseline there is nothing to compare with: that is every item with a finding, as it stands. Items are
    taken apart one at a time, as they are asked for.
    """
    budget = Budget(TEXT_WORK)
    for pair, found in item_pairs(baseline, live, findings):
        yield item_diff(pair.before, pair.after, found, budget=budget)


def item_pairs(
    baseline: Snapshot | None, live: Snapshot, findings: Sequence[Finding] = (), *, every: bool = False
) -> list[tuple[Pair, list[Finding]]]:
    """Give the two sides of each item of `item_diffs` with the findings about it, worst first, in that order.

    With `every` that is each item of the live list, and of the baseline those that went.
    """
    pairs = [] if baseline is None else [one for one in changed_pairs(baseline, live) if _was_looked_at(one, live)]
    known = {one.after.place for one in pairs if one.after is not None}
    about = _by_item(findings)
    approved = {item.place: item for item in (live if baseline is None else baseline).items}
    pairs += [
        Pair(approved.get(item.place), item)
        for item in live.items
        if item.place not in known and (every or _about(item, about))
    ]
    # Once for all: the order of a wave is worked out over all of its members.
    ranks = {id(one): number for number, one in enumerate(sorted(findings, key=lambda one: one.order))}
    rows = [(pair, sorted(_findings_of(pair, about), key=lambda one: ranks[id(one)])) for pair in pairs]
    return sorted(rows, key=_order)


def item_diff(
    before: Item | None, after: Item | None, findings: Sequence[Finding] = (), *, budget: Budget | None = None
) -> ItemDiff:
    """Take one item apart. `findings` are those about it, worst first; the texts that they point at are marked."""
    live = after or before
    old, new = (_fields(side) for side in (before, after))
    marks = _marks(live, findings) if live is not None and after is not None else {}
    kind = live.kind if live is not None else None
    schemas = tuple(
        (key, schema_tree(old.get(key, ABSENT), new.get(key, ABSENT), at.join("", key), marks, budget=budget))
        for key in _SCHEMAS
        if kind is Kind.TOOL and (key in old or key in new)
    )
    hints = hint_table(before, after) if kind is Kind.TOOL else None
    # That `{}` came or went is no change of a hint, so no table tells it.
    tells = hints is not None and (hints.changed or before is None or after is None)
    apart = {key for key, _ in schemas} | ({"annotations"} if tells and _hinted(old, new) else set())
    parts = tuple(_parts(old, new, apart, marks, budget))
    return ItemDiff(before, after, parts, schemas, hints, tuple(findings))


def _fields(item: Item | None) -> Mapping[str, Json]:
    """Give the keys of an item but its name; what is no object is one value without a key."""
    if item is None:
        return {}
    if not isinstance(item.raw, dict):
        return {"": item.raw}
    name = NAME_FIELD.get(item.kind)
    return {key: value for key, value in item.raw.items() if key != name or value != item.key}


def _hinted(old: Mapping[str, Json], new: Mapping[str, Json]) -> bool:
    """Say whether the annotations of both sides hold nothing but hints, so that their table tells all."""
    sides = [side["annotations"] for side in (old, new) if "annotations" in side]
    return all(isinstance(side, dict) and all(key in HINTS for key in side) for side in sides)


def _parts(
    old: Mapping[str, Json],
    new: Mapping[str, Json],
    apart: set[str],
    marks: Mapping[str, Sequence[Stretch]],
    budget: Budget | None,
) -> Iterator[Part]:
    """Give the other keys that differ or hold a mark: texts that are read first, then those of the live side."""
    for key in dict.fromkeys((*(one for one in _FIRST if one in old or one in new), *new, *old)):
        was, now = old.get(key, ABSENT), new.get(key, ABSENT)
        pointer = at.join("", key) if key else ""
        state = _state(was, now)
        marked = any(at.covers(pointer, place) for place in marks)
        if key in apart or (state is State.SAME and not marked):
            continue
        texts = all(isinstance(side, str) or side is ABSENT for side in (was, now))
        sides = [spelled(side, texts=texts) for side in (was, now)]
        diff = word_diff(sides[0], sides[1], marks.get(pointer, ()) if texts else (), budget=budget)
        yield Part(key, pointer, state, diff, not texts)


def _state(was: Json, now: Json) -> State:
    if was is ABSENT or now is ABSENT:
        return State.ADDED if was is ABSENT else State.REMOVED
    return State.SAME if same(was, now) else State.CHANGED


def spelled(value: Json, *, texts: bool = False) -> str:
    """Write a value as text: JSON over several lines, unless all there is are texts."""
    if value is ABSENT:
        return ""
    if texts:
        return str(value)
    try:
        return json.dumps(plain(value), ensure_ascii=False, sort_keys=True, indent=2)
    except (RecursionError, TypeError, ValueError):
        return TOO_DEEP


def _marks(item: Item, findings: Iterable[Finding]) -> dict[str, list[Stretch]]:
    """Give the stretches that findings point at, by the pointers of the texts that they lie in, inside the item."""
    found: dict[str, list[Stretch]] = {}
    for finding in findings:
        own = at.join("", item.key)
        across = len(finding.items) > 1 and not finding.places
        if finding.places and finding.places[0][0] != item.key:
            continue
        for span in finding.spans:
            pointer = span.pointer.removeprefix(own) if across and at.covers(own, span.pointer) else span.pointer
            text = at.get(item.raw, pointer, None) if span.target == "value" else None
            if isinstance(text, str) and (not across or pointer != span.pointer):
                found.setdefault(pointer, []).extend(merged([span], len(text)))
    return found


def _was_looked_at(pair: Pair, live: Snapshot) -> bool:
    """Say whether an item that is not there was asked for at all."""
    return pair.after is not None or (pair.before is not None and pair.before.kind in live.sections)


def _by_item(findings: Iterable[Finding]) -> dict[tuple[Kind, str], list[Finding]]:
    found: dict[tuple[Kind, str], list[Finding]] = {}
    for finding in findings:
        for key in dict.fromkeys((*finding.items, *([] if finding.items else [finding.item]))):
            found.setdefault((finding.kind, key), []).append(finding)
    return found


def _about(item: Item, about: Mapping[tuple[Kind, str], Sequence[Finding]]) -> list[Finding]:
    """Give the findings about one item: a finding that has its name alone also has which of several it is."""
    found = about.get((item.kind, item.key), ())
    return [one for one in found if one.items or one.occurrence == item.occurrence]


def _findings_of(pair: Pair, about: Mapping[tuple[Kind, str], Sequence[Finding]]) -> list[Finding]:
    sides = [item for item in (pair.after, pair.before) if item is not None]
    found = {id(one): one for item in sides for one in _about(item, about)}
    return list(found.values())


def _order(row: tuple[Pair, Sequence[Finding]]) -> tuple[int, int, str, int]:
    pair, findings = row
    item = pair.after or pair.before
    worst = max((one.severity.rank for one in findings), default=-1)
    return (-worst, _KINDS.index(item.kind), item.key, item.occurrence) if item is not None else (0, 0, "", 0)
