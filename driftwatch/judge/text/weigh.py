"""From what was seen to signals: purpose excuses, disguise and company make worse, one signal an entry."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from driftwatch.judge.text import landmarks
from driftwatch.judge.text.base import Signal, TextContext
from driftwatch.judge.text.concepts import index
from driftwatch.judge.text.normalise import fold
from driftwatch.judge.text.signals.base import AUTHORITY, HIDDEN, Entry, Pattern
from driftwatch.judge.text.words import words
from driftwatch.model import Confidence, Severity, Span

SPANS: Final = 20
"""At most this many spans are listed in one signal."""
_STEPS: Final = tuple(Severity)
BORNE: Final = 0.60
"""From this chance on the learned opinion bears out what a rule saw at medium: it becomes high."""
_BORNE_FRESH: Final = 0.35
"""The same in an item that nobody approved, on a server that somebody did."""
_BORNE_FIRST: Final = 0.90
"""The same in a first list: the same words weigh less than after an approval."""
_BORNE_HIDDEN: Final = 0.85
"""The same for text that was hidden: what it says, not that it was hidden, must be bad."""
DOUBTED: Final = 0.50
"""Below this chance it doubts it: what is no more than medium, plain and not for certain becomes low."""
_CONTESTED: Final = 0.20
"""Below this chance a rule that stands nevertheless is unsure."""
_UNLIKELY: Final = 0.05
"""Below this chance a text that lays down how the server's other tools are used is taken for guidance."""
_UNHEARD: Final = 0.15
"""Below this chance a first list that names a tool which it does not hold is taken for a part of a longer one."""


@dataclass(frozen=True)
class Seen:
    """One entry met at one place, before it is weighed with the others. `how` names the disguise, if any.

    `learned`: the learned opinion alone says so. `chance` is what that opinion holds of the words that a rule saw
    something in, from 0 to 1. `informed`: the rule knew of tools of others, `own` of the server's other tools;
    `firm`: it stands though that is doubted; `first`: from which chance on it stands in a first list.
    """

    id: str
    category: str
    severity: Severity
    confidence: Confidence
    spans: tuple[Span, ...]
    why: str
    how: str = ""
    excused: tuple[str, ...] = ()
    learned: bool = False
    chance: float | None = None
    informed: bool = False
    own: bool = False
    firm: bool = False
    first: float = 0.0

    @classmethod
    def of(cls, entry: Entry | Pattern, spans: tuple[Span, ...], how: str) -> Seen:
        """Make one from an entry of the signal table."""
        plain = cls(entry.id, entry.category, entry.severity, entry.confidence, spans, entry.why, how, entry.excused)
        if isinstance(entry, Pattern):
            return plain
        return replace(plain, informed=entry.informed, own=entry.own, firm=entry.firm, first=entry.first)


def weigh(seen: Iterable[Seen], context: TextContext) -> tuple[Signal, ...]:
    """Give one signal per entry, worst first.

    What the tool's purpose already names is low. What was disguised is one step worse. Two categories in
    one text lift each other from medium to high; three, or two of which one hides text, from high to critical.
    """
    kept: dict[str, list[tuple[Severity, Seen]]] = {}
    for one in seen:
        kept.setdefault(one.id, []).append((_level(one, context), one))
    if not kept:
        return ()
    # An opinion beside a rule is no second witness: both read the same words.
    met = [one for group in kept.values() for level, one in group if level >= Severity.MEDIUM and not one.learned]
    firm = {one.category for one in met if one.confidence is not Confidence.LOW} - {AUTHORITY}
    loose = {one.category for one in met} - firm
    company = len(firm) + len(loose) // 2
    hides = HIDDEN in firm
    signals = [_signal(group, company, hides) for group in kept.values()]
    return tuple(sorted(signals, key=lambda signal: (-signal.severity.rank, signal.spans[0].start, signal.id)))


def _level(one: Seen, context: TextContext) -> Severity:
    """Rate one on its own."""
    if one.excused and any(purposes(context.purpose).issuperset(names.split("+")) for names in one.excused):
        return Severity.LOW
    level = _raised(one.severity) if one.how and one.category != HIDDEN else one.severity
    if one.learned:
        return level
    if one.chance is None:
        # A few words about the server's own tools are guidance, unless the tool that says them is itself new.
        guides = one.own and not one.how and (context.first or not context.fresh)
        return Severity.LOW if guides and level is Severity.MEDIUM else level
    if context.first and not one.how and 0 < one.chance < one.first:
        return Severity.LOW
    if level is Severity.MEDIUM and one.chance >= _enough(one, context):
        return Severity.HIGH
    return Severity.LOW if level is Severity.MEDIUM and one.chance < _bar(one, context) else level


def _enough(one: Seen, context: TextContext) -> float:
    """Give the chance from which the learned opinion bears out a rule."""
    if one.category == HIDDEN:
        return max(_BORNE_HIDDEN, _BORNE_FIRST if context.first else 0.0)
    if context.first:
        return _BORNE_FIRST
    return _BORNE_FRESH if context.fresh else BORNE


def _bar(one: Seen, context: TextContext) -> float:
    """Give the chance below which something plain is doubted; 0 where it never is."""
    if one.how or one.firm or one.confidence is Confidence.HIGH:
        return 0.0
    if one.informed:
        return _UNHEARD if context.first else 0.0
    if one.own:  # a new tool that lays down how the others are used is a shape of its own
        return 0.0 if context.fresh and not context.first else _UNLIKELY
    return DOUBTED


def _contested(one: Seen) -> bool:
    """Say whether a rule stands by its words alone while the learned opinion doubts them."""
    if one.chance is None or one.how or one.informed or one.own:
        return False
    return one.chance < _CONTESTED and one.confidence is not Confidence.HIGH


def _raised(level: Severity) -> Severity:
    """Give the next worse severity."""
    return _STEPS[min(level.rank + 1, len(_STEPS) - 1)]


def _signal(group: list[tuple[Severity, Seen]], company: int, hides: bool) -> Signal:
    """Join all places of one entry into one signal."""
    level, worst = max(group, key=lambda pair: pair[0].rank)
    confidence = Confidence.LOW if _contested(worst) else worst.confidence
    if level >= Severity.MEDIUM and company >= 2:
        level = _raised(level) if company >= 3 or level is Severity.MEDIUM or hides else level
        confidence = Confidence.HIGH
    spans = list(dict.fromkeys(span for _, one in group for span in one.spans))
    why = worst.why + (f" It was disguised: {worst.how}." if worst.how else "")
    return Signal(
        worst.category, level, confidence, tuple(sorted(spans, key=lambda span: span.start)[:SPANS]), why, worst.id
    )


@lru_cache(maxsize=64)
def purposes(text: str) -> frozenset[str]:
    """Give the concepts that a tool's name and approved description already name."""
    folded = fold(text).text
    named = {hit.concept for hit in index().find(words(folded))}
    return frozenset(named | {mark.concept for mark in landmarks.others(folded)})
