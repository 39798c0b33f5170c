"""The head of a review: what happened in a sentence, what was decided so far; and one page of what it holds. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from driftwatch.judge.landing import running
from driftwatch.model import Baseline, Decision, Finding, Place, Report, Review, Snapshot
from driftwatch.model.amounts import many
from driftwatch.report.asides import Rejected
from driftwatch.report.cut import clipped, shown
from driftwatch.report.excerpt import sentence
from driftwatch.report.headline import verdict, worst_words
from driftwatch.report.page import contents
from driftwatch.report.subject import Judged, against
from driftwatch.report.text import hidden_words
from driftwatch.review.reading import Reading
from driftwatch.web.pages.changes import PAGE, Chapter, Entry, apart, contents_of, on_page, ticked
from driftwatch.web.pages.laying import Laid, laid
from driftwatch.web.pages.telling import Told, sure_words, tell_all

HEAD: Final = 15
"""Findings that the head of a review tells; the rest stands with its items."""

_FEW: Final = 8
"""Items that are found without a table of contents."""

_TITLE: Final = 400
_BRIEF: Final = 160
_VERSION: Final = 60
_NAME: Final = 100
_ALONE: Final = 100
"""Findings with no item of their own that are told besides."""
_NAMES: Final = 6
"""Items of a decision that are named."""


@dataclass(frozen=True, slots=True)
class Given:
    """A difference that is to be shown: `before` is None where there is nothing to compare with."""

    server: str
    before: Snapshot | None
    live: Snapshot
    report: Report
    entries: Sequence[Entry]
    called: str = ""
    baseline: Baseline | None = None

    @property
    def versions(self) -> tuple[str, str]:
        """The versions of both sides, as far as they are known, safe to show."""
        known = (running(side) if side is not None else "" for side in (self.before, self.live))
        before, after = (shown(version, _VERSION) for version in known)
        return before, after

    @property
    def title(self) -> str:
        """What happened and how bad it is, in one sentence that is safe to show."""
        before, after = self.versions
        subject = replace(against(self.baseline), server=self.server, before_version=before, after_version=after)
        if self.called:
            subject = replace(subject, before=self.called)
        elif self.before is None:
            subject = replace(subject, before="")
        return clipped(sentence(verdict(Judged(subject, self.report))), _TITLE)

    @property
    def worst(self) -> str:
        """The worst that was found, in a sentence that is safe to show; empty for nothing."""
        found = sorted(self.report.findings, key=lambda one: one.order)
        return clipped(sentence(worst_words(found[0])), _TITLE) if found else ""

    @property
    def sure(self) -> str:
        """How sure that is."""
        return sure_words(self.report.findings)

    @property
    def severity(self) -> str:
        """The worst severity, empty for nothing found."""
        return self.report.worst.value if self.report.worst is not None else ""

    @property
    def size(self) -> str:
        """How much there is to read."""
        return contents(self.live)

    @property
    def hidden(self) -> str:
        """How much the policy hides, in words; empty for nothing."""
        return hidden_words(self.report.hidden) if self.report.hidden else ""

    @property
    def notes(self) -> list[str]:
        """What was not looked at, safe to show."""
        return [sentence(note) for note in self.report.notes]


@dataclass(frozen=True, slots=True)
class Decided:
    """One decision as it is told: `names` are some of the items that it was about (none: all of the list)."""

    review: Review
    names: tuple[str, ...]
    more: int

    @property
    def words(self) -> str:
        """What was done."""
        ahead = " ahead of its roll-out" if self.review.ahead else ""
        return f"{'approved' if self.review.decision is Decision.APPROVED else 'rejected'}{ahead}"


def decisions_of(reviews: Sequence[Review], reading: Reading, *, most: int) -> list[Decided]:
    """Give the latest decisions on a list, newest first."""
    about = [one for one in reversed(reviews) if one.digest == reading.live.digest]
    return [
        Decided(one, tuple(named(place) for place in one.items[:_NAMES]), max(0, len(one.items) - _NAMES))
        for one in about[:most]
    ]


@dataclass(frozen=True, slots=True)
class Refused:
    """What people said no to: all of the list (`whole`, of an earlier one where that does not stand), and items.

    `items` holds what is to be told with each entry, by its id.
    """

    whole: Rejected | None
    items: Mapping[str, tuple[Rejected, ...]]

    @property
    def words(self) -> str:
        """How many items stand rejected, and how many were before they changed; empty for none."""
        found = [one for some in self.items.values() for one in some[:1]]
        stand = sum(one.stands for one in found)
        parts = [f"{many(stand, 'item')} as somebody rejected {'it' if stand == 1 else 'them'}"] if stand else []
        moved = len(found) - stand
        parts += [f"{many(moved, 'item')} rejected before, changed since"] if moved else []
        return "; ".join(parts)


def refused_of(rejected: Sequence[Rejected], entries: Sequence[Entry]) -> Refused:
    """Sort what people said no to by the entries that tell of it; a decision is told once with each."""
    by_place = {one.place: one for one in rejected}
    items: dict[str, tuple[Rejected, ...]] = {}
    for entry in entries:
        sides = [side.place for side in (entry.after, entry.before) if side is not None]
        places = dict.fromkeys((*sides, *entry.places))
        told = {(one.by, one.at, one.stands): one for place in places if (one := by_place.get(place)) is not None}
        if told:
            items[entry.id] = tuple(told.values())
    return Refused(by_place.get(None), items)


def contents_for(entries: Sequence[Entry]) -> list[Chapter]:
    """Give the table of contents, where there is enough to need one."""
    return contents_of(entries) if len(entries) > _FEW else []


@dataclass(frozen=True, slots=True)
class Heading:
    """A finding as the head of a review tells it.

    With `entry`, the id of the item that it is about, on that `page`, it is a line only, for itself and for `more` of
    the same rule in that item: all else stands there.
    """

    told: Told
    entry: str = ""
    page: int = 0
    more: int = 0

    @property
    def brief(self) -> str:
        """What was found, in one line that is safe to show."""
        whole = self.told.said
        words = whole[:_BRIEF].rpartition(" ")[0] if len(whole) > _BRIEF else ""
        return f"{words}…" if words else clipped(whole, _BRIEF)


def head_of(given: Given) -> list[Heading]:
    """Give the worst findings, each kind of an item once, and all that stand with no item alone, worst first."""
    found = sorted(given.report.findings, key=lambda one: one.order)
    alone = {id(one) for one in apart(found, given.entries)}
    entry_of = {
        id(one): (entry.id, number // PAGE + 1) for number, entry in enumerate(given.entries) for one in entry.findings
    }
    kinds: dict[object, list[Finding]] = {}
    for one in found:
        kind = id(one) if id(one) in alone else (entry_of[id(one)], one.rule)
        kinds.setdefault(kind, []).append(one)
    kept = list(islice((kind for number, kind in enumerate(kinds) if number < HEAD or kind in alone), HEAD + _ALONE))
    told = tell_all([kinds[kind][0] for kind in kept], values=[kind in alone for kind in kept])
    return [
        Heading(row, *(("", 0) if kind in alone else entry_of[id(row.finding)]), len(kinds[kind]) - 1)
        for kind, row in zip(kept, told, strict=True)
    ]


@dataclass(frozen=True, slots=True)
class Sheet:
    """One page of a review: its items, and what is ticked: of all items their ids, and those on other pages."""

    rows: tuple[Laid, ...]
    ticked: frozenset[str]
    elsewhere: tuple[Entry, ...]
    decidable: int


def sheet_of(entries: Sequence[Entry], number: int, items: Collection[str]) -> Sheet:
    """Give one page; `items` are the ids that were ticked."""
    chosen, here = ticked(entries, items), on_page(entries, number)
    return Sheet(
        rows=tuple(laid(here)),
        ticked=frozenset(one.id for one in chosen),
        elsewhere=tuple(one for one in chosen if one not in here),
        decidable=sum(bool(one.places) for one in entries),
    )


def named(place: Place) -> str:
    """Name an item as a sentence does; safe to show."""
    kind, key, occurrence = place
    which = f" (number {occurrence + 1} of that name)" if occurrence else ""
    return f"{kind.noun} {shown(key, _NAME)}{which}" if key else kind.noun
