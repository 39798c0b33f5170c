"""Which item of the baseline is which item of the live snapshot: same place, or the same thing renamed.

Unchanged items are left out by their digests, so the work grows with what changed.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from driftwatch.judge.names import loose, skeleton, words
from driftwatch.judge.snapshot import LISTS, digest_of
from driftwatch.model import Item, Json, Kind, Snapshot

NAME_FIELD: dict[Kind, str] = dict(LISTS.values())
"""The field that names an item of a kind."""

_TELLING_TEXT = 20
"""A description shorter than this (code points) is too common to recognise a tool by."""
_WEIGHTS = {"body": 4, "name": 2, "looks": 2, "description": 1, "schema": 1}
"""How much it says that two items have a trait in common; a name that passes for the old one says enough by itself."""
_ENOUGH = 2
_NEAR = 0.6
"""From which share of common words on two names or descriptions are nearly the same."""
_CLOSE = 0.85
"""From which share of characters on that stand in both in the same order two names are nearly the same."""
_READ = 400
"""How much of a description (code points) is compared word by word."""
_DIGITS = re.compile(r"[0-9]+")
_CANDIDATES = 8
"""How many items with one trait are weighed; a list of a thousand twins has no renames worth finding."""


@dataclass(frozen=True)
class Pair:
    """An item that changed: what it was and what it is, None where it was not or is not."""

    before: Item | None
    after: Item | None

    @property
    def renamed(self) -> bool:
        """Say whether this is one item under two names."""
        return self.before is not None and self.after is not None and self.before.key != self.after.key


def changed_pairs(baseline: Snapshot, live: Snapshot) -> tuple[Pair, ...]:
    """Give every item that differs, paired across places and renames; in no order that means anything."""
    pairs = list(_by_place(baseline, live))
    gone = [pair.before for pair in pairs if pair.after is None and pair.before is not None]
    new = [pair.after for pair in pairs if pair.before is None and pair.after is not None]
    renames = list(_renames(gone, new))
    moved = {id(pair.before) for pair in renames} | {id(pair.after) for pair in renames}
    kept = [pair for pair in pairs if id(pair.before) not in moved and id(pair.after) not in moved]
    return tuple(kept + renames)


def _by_place(baseline: Snapshot, live: Snapshot) -> Iterator[Pair]:
    """Pair items with the same kind and key: equal digests first, what is left in order."""
    before, after = _by_key(baseline.items), _by_key(live.items)
    for place in sorted(before.keys() | after.keys()):
        old, new = _without_twins(before.get(place, []), after.get(place, []))
        if old and len(new) > 1:
            new = _in_order_of(old, new)
        for number in range(max(len(old), len(new))):
            yield Pair(old[number] if number < len(old) else None, new[number] if number < len(new) else None)


def _in_order_of(old: Sequence[Item], new: Sequence[Item]) -> list[Item]:
    """Put new items of one name so that each stands where the old one does that it has most in common with.

    Which entry of several a digest puts first is chance, and must not decide which of them is read as the approved one.
    """
    left = list(new)
    ordered: list[Item] = []
    for item in old[: len(new)]:
        mine = _traits(item)
        near = range(min(len(left), _CANDIDATES))
        best = max(near, key=lambda place: sum(_WEIGHTS[kind] for kind, _ in mine & _traits(left[place])))
        ordered.append(left.pop(best))
    return [*ordered, *left]


def copies(new: Iterable[Item], approved: Iterable[Item]) -> Iterator[Pair]:
    """Give every new item with each approved one that it could be taken for, whatever became of that one.

    That is the same text and parameters, or the same name but for its spelling and a number. A rename pairs an item
    with one other; here a second copy is held against the same approved one.
    """
    by_trait: dict[tuple[str, str], list[Item]] = defaultdict(list)
    for item in approved:
        for trait in _copied(item):
            by_trait[trait].append(item)
    for item in new:
        found = {id(one): one for trait in _copied(item) for one in by_trait[trait][:_CANDIDATES]}
        yield from (Pair(one, item) for one in found.values())


def _copied(item: Item) -> frozenset[tuple[str, str]]:
    """Give what a copy of an item has in common with it."""
    if item.kind not in NAME_FIELD or not isinstance(item.raw, dict):
        return frozenset()
    kind, raw = item.kind.value, item.raw
    name = _DIGITS.sub("", item.key)
    found = {("name", kind + loose(name)), ("looks", kind + skeleton(name))} if loose(name) else set()
    description = raw.get("description")
    if isinstance(description, str) and len(description) >= _TELLING_TEXT:
        found.add(("body", kind + digest_of([" ".join(description.split()), raw.get("inputSchema")])))
    return frozenset(found)


def _by_key(items: Iterable[Item]) -> dict[tuple[Kind, str], list[Item]]:
    groups: dict[tuple[Kind, str], list[Item]] = defaultdict(list)
    for item in items:
        groups[item.kind, item.key].append(item)
    return groups


def _without_twins(old: list[Item], new: list[Item]) -> tuple[list[Item], list[Item]]:
    """Take out the items that both sides have, each as often as both have it."""
    shared: dict[str, int] = defaultdict(int)
    for item in old:
        shared[item.digest] += 1
    changed = []
    for item in new:
        if shared[item.digest]:
            shared[item.digest] -= 1
        else:
            changed.append(item)
    left = []
    for item in reversed(old):
        if shared[item.digest]:
            shared[item.digest] -= 1
            left.append(item)
    return left[::-1], changed


def _renames(gone: Sequence[Item], new: Sequence[Item]) -> Iterator[Pair]:
    """Pair what went with what came where they are one thing.

    That is the same body, a name that passes for the other, or one telling trait in common and another nearly so.
    """
    by_trait: dict[tuple[str, str], list[Item]] = defaultdict(list)
    traits = {id(item): _traits(item) for item in (*gone, *new)}
    for item in new:
        for trait in traits[id(item)]:
            by_trait[trait].append(item)
    scored = []
    for item in gone:
        candidates = {id(twin): twin for trait in traits[id(item)] for twin in by_trait[trait][:_CANDIDATES]}
        for twin in candidates.values():
            score = sum(_WEIGHTS[kind] for kind, _ in traits[id(item)] & traits[id(twin)]) + _resembles(item, twin)
            if score >= _ENOUGH:
                scored.append((-score, item.key, twin.key, item.occurrence, twin.occurrence, item, twin))
    taken: set[int] = set()
    for *_, item, twin in sorted(scored, key=lambda row: row[:5]):
        if not {id(item), id(twin)} & taken:
            taken |= {id(item), id(twin)}
            yield Pair(item, twin)


def _traits(item: Item) -> frozenset[tuple[str, str]]:
    """Give what an item can be recognised by under another name."""
    if item.kind not in NAME_FIELD or not isinstance(item.raw, dict) or not item.key:
        return frozenset()
    kind, raw = item.kind.value, item.raw
    body = {key: value for key, value in raw.items() if key != NAME_FIELD[item.kind]}
    found = {("name", kind + loose(item.key)), ("looks", kind + skeleton(item.key))}
    if body:
        found.add(("body", kind + digest_of(body)))
    description = raw.get("description")
    if isinstance(description, str) and len(description) >= _TELLING_TEXT:
        found.add(("description", kind + description))
    if _telling(raw.get("inputSchema")):
        found.add(("schema", kind + digest_of(raw["inputSchema"])))
    return frozenset(found)


def _resembles(item: Item, twin: Item) -> int:
    """Say whether two items have nearly the same name, or nearly the same description (1), or neither (0)."""
    one, other = loose(item.key[:_READ]), loose(twin.key[:_READ])
    near = SequenceMatcher(None, one, other, autojunk=False).ratio() >= _CLOSE
    if near or _share(one.split("_"), other.split("_")):
        return 1
    texts = [side.raw.get("description") for side in (item, twin)]
    if not all(isinstance(text, str) and len(text) >= _TELLING_TEXT for text in texts):
        return 0
    return int(_share(*(words(text[:_READ]) for text in texts)))


def _share(one: Sequence[str], other: Sequence[str]) -> bool:
    """Say whether two lists of words have most of them in common."""
    return len(set(one) & set(other)) >= _NEAR * len(set(one) | set(other)) > 0


def _telling(schema: Json) -> bool:
    return isinstance(schema, dict) and isinstance(schema.get("properties"), dict) and len(schema["properties"]) > 0
