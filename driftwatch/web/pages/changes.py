"""What a review is made of: an entry for each item, worst first, in pages; and what was ticked among them. Pure."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from driftwatch.judge.composite import differing
from driftwatch.model import Finding, Item, Kind, Place, Severity, Snapshot
from driftwatch.report.itemdiff import item_pairs

PAGE: Final = 25
"""Items on one page."""

LISTED: Final = 100
"""Entries of one severity that the table of contents names."""

_ID: Final = 16
"""Hex digits of an entry's id."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One item before and after; either side may be missing. `findings` are all about it, worst first.

    `places` is what a decision on it takes, empty where it cannot be decided on by itself: all of that name, where
    there are several. `is_whole` says that there is nothing to compare it with: then all of it is to be read.
    """

    before: Item | None
    after: Item | None
    findings: tuple[Finding, ...] = ()
    places: tuple[Place, ...] = ()
    is_whole: bool = False

    @property
    def item(self) -> Item:
        """The live form, or the one that went."""
        found = self.after or self.before
        if found is None:
            raise ValueError("an entry with neither side")
        return found

    @property
    def id(self) -> str:
        """What a form calls it: another content on either side is another id, so no tick outlives what was read."""
        sides = [None if side is None else [*side.place, side.digest] for side in (self.before, self.after)]
        return hashlib.sha256(json.dumps(sides).encode("ascii")).hexdigest()[:_ID]

    @property
    def worst(self) -> Severity | None:
        """The worst that was found of it, None for nothing."""
        return max((one.severity for one in self.findings), default=None)

    @property
    def renamed_from(self) -> str:
        """The name that it had, empty where it is the same."""
        if self.before is None or self.after is None or self.before.key == self.after.key:
            return ""
        return self.before.key

    @property
    def state(self) -> str:
        """What became of it, in one word; empty for nothing."""
        if self.is_whole:
            return ""
        if self.before is None or self.after is None:
            return "added" if self.before is None else "removed"
        if self.renamed_from:
            return "renamed"
        return "changed" if self.before.digest != self.after.digest else "unchanged"

    @property
    def takes_more(self) -> bool:
        """Whether a decision on it is one on others of that name as well."""
        return len(self.places) > len({place[:2] for place in self.places})

    @property
    def name(self) -> str:
        """What to call it: its name, not yet safe to show, or what it is where it has none."""
        which = f" (number {self.item.occurrence + 1} of that name)" if self.item.occurrence else ""
        alone = {Kind.SERVER: "what the server says of itself", Kind.LAUNCH: "how the server is started or reached"}
        return (self.item.key or alone.get(self.item.kind, "(no name)")) + which


def entries_of(
    before: Snapshot | None, live: Snapshot, findings: Sequence[Finding], *, approved: bool, decidable: bool = True
) -> list[Entry]:
    """Give the entries of a review, worst first.

    Beside what a person `approved` these are the items that differ or that something is found of; until somebody has
    approved anything, all that a model sees. Only with an approval can items be decided on (`decidable`: at all).
    """
    places: dict[tuple[Kind, str], list[Place]] = {}
    for place in differing(before, live) if approved and decidable and before is not None else ():
        places.setdefault(place[:2], []).append(place)
    found = []
    for pair, about in item_pairs(before, live, findings, every=not approved):
        sides = [item for item in (pair.before, pair.after) if item is not None]
        same = pair.before is not None and pair.after is not None and pair.before.digest == pair.after.digest
        whole = not approved and (before is None or same)
        # Which of several of one name is which is chance, so a decision takes all of that name or none.
        named = dict.fromkeys((item.kind, item.key) for item in sides)
        taken = tuple(sorted(place for name in named for place in places.get(name, ())))
        found.append(Entry(None if whole else pair.before, pair.after, tuple(about), taken, is_whole=whole))
    return found


@dataclass(frozen=True, slots=True)
class Chapter:
    """The entries of one severity in the table of contents: the first of them, each with its page, and how many."""

    severity: Severity | None
    entries: tuple[tuple[Entry, int], ...]
    total: int


def contents_of(entries: Sequence[Entry]) -> list[Chapter]:
    """Give the table of contents: a chapter for each severity, the worst first; None for nothing found."""
    found: dict[Severity | None, list[tuple[Entry, int]]] = {}
    for number, entry in enumerate(entries):
        found.setdefault(entry.worst, []).append((entry, number // PAGE + 1))
    return [Chapter(severity, tuple(rows[:LISTED]), len(rows)) for severity, rows in found.items()]


def pages_of(entries: Sequence[Entry]) -> int:
    """Count the pages; one at least."""
    return max(1, -(-len(entries) // PAGE))


def on_page(entries: Sequence[Entry], number: int) -> Sequence[Entry]:
    """Give the entries of a page, from 1 on."""
    return entries[(number - 1) * PAGE : number * PAGE]


def ticked(entries: Iterable[Entry], ids: Collection[str]) -> list[Entry]:
    """Give the entries that a person ticked and that can be decided on."""
    wanted = frozenset(ids)
    return [entry for entry in entries if entry.places and entry.id in wanted]


def places_of(entries: Iterable[Entry]) -> tuple[Place, ...]:
    """Give all places that a decision on these entries takes, each once."""
    return tuple(dict.fromkeys(place for entry in entries for place in entry.places))


def apart(findings: Sequence[Finding], entries: Sequence[Entry]) -> list[Finding]:
    """Give the findings that no entry tells, or that more than one of them would: they stand for themselves."""
    told = {id(one) for entry in entries for one in entry.findings if len(one.items) < 2}
    return [one for one in findings if id(one) not in told]


def own(entry: Entry) -> list[Finding]:
    """Give the findings that are told with an entry: those about it alone."""
    return [one for one in entry.findings if len(one.items) < 2]


def shared(entry: Entry) -> list[Finding]:
    """Give the findings about an entry and others together, which are told in the head."""
    return [one for one in entry.findings if len(one.items) > 1]
