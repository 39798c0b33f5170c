"""Match the signal table against one sentence: concepts near each other, with what voids and what excuses."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from driftwatch.judge.text import landmarks
from driftwatch.judge.text.concepts import Hit
from driftwatch.judge.text.lexicon import CANCELS, NOT_LAST, VERB_LAST
from driftwatch.judge.text.signals.base import Entry

_TRIED: Final = 12
"""At most this many places of one concept are tried as an anchor in one sentence."""
_NEGATION_REACH: Final = 3.5
"""A "not" governs a word that follows within so many words (that stands before it, where verbs come last)."""
_CLAUSE_REACH: Final = 8.0
_BAN_REACH: Final = 12.0
"""A "without …" at the head of a sentence belongs to a "never" that follows within so many words."""
_CLAUSE: Final = re.compile(r"[,;:(){}—–、；：，|\n]|\s-\s")
"""What a "not" does not reach across."""

_LINE: Final = re.compile(r"(?<![^\n.!?;。！？])[^\n.!?;。！？]*\Z")
_SHORT: Final = 32
_FEWEST: Final = 4
"""A line of fewer words, on so many characters, is no clause by itself."""

_QUOTES: Final = re.compile(r"[\"'`“„«‘「『]")
_QUOTE_REACH: Final = 16
_ADVICE_REACH: Final = 14.0
"""Talk of attacks so many words before a quotation makes it an example; so near must the quotation mark be."""


@dataclass(frozen=True)
class Match:
    """One entry met: the hits that meet its needs, in the order of the needs."""

    entry: Entry
    hits: tuple[Hit, ...]


class Scene:
    """The hits of one sentence by concept, in order of place. `text` is the folded text that they stand in."""

    def __init__(self, hits: Sequence[Hit], text: str) -> None:
        """Sort the hits by concept."""
        by: dict[str, list[Hit]] = defaultdict(list)
        for hit in hits:
            by[hit.concept].append(hit)
        self._by: Mapping[str, list[Hit]] = by
        self._text = text

    def of(self, need: str) -> list[Hit]:
        """Give the hits of any of the `|`-parted concepts, in order."""
        names = need.split("|")
        if len(names) == 1:
            return self._by.get(need, [])
        return sorted((hit for name in names for hit in self._by.get(name, ())), key=lambda hit: hit.place)

    def matches(self, entries: Sequence[Entry], accept: Callable[[Match], bool]) -> Iterator[Match]:
        """Give every entry that the sentence meets, once each: the first place that `accept` takes."""
        present = self._by.keys()
        for entry in entries:
            for choice in entry.choices:
                if present.isdisjoint(choice):
                    break
            else:
                match = next((match for match in self._meet(entry) if accept(match)), None)
                if match is not None:
                    yield match

    def _meet(self, entry: Entry) -> Iterator[Match]:
        if entry.needs[0] == "NOT":
            yield from self._meet_negated(entry)
            return
        wanted = [self.of(need) for need in entry.needs]
        anchor = min(range(len(wanted)), key=lambda index: len(wanted[index]))
        for hit in wanted[anchor][:_TRIED]:
            chosen = _around(hit, anchor, wanted, entry.window)
            if chosen and not self._void(entry, chosen) and not (entry.negatable and self._negated(chosen)):
                yield Match(entry, tuple(chosen))

    def _meet_negated(self, entry: Entry) -> Iterator[Match]:
        """Meet an entry whose first need is a "not" that must govern its second."""
        wanted = [self.of(need) for need in entry.needs[1:]]
        for verb in wanted[0][:_TRIED]:
            negation = self._governor(verb)
            if negation is None or self._cancelled(negation):
                continue
            if entry.subject and self._stands_before(entry.subject, negation):
                continue
            chosen = _around(verb, 0, wanted, entry.window)
            if any(self._split(verb, hit) for hit in chosen):
                continue
            if chosen and not self._void(entry, [negation, *chosen]):
                yield Match(entry, (negation, *chosen))

    def _split(self, verb: Hit, hit: Hit) -> bool:
        """Say whether what follows a negated verb stands in another clause."""
        return hit.start > verb.end and self._parted(verb, hit)

    def _cancelled(self, negation: Hit) -> bool:
        """Say whether another "not" makes this one its opposite ("do not go on without …").

        In most languages two of them in a row stay one ("ne … jamais"), but for "without".
        """
        without = any(_shares(hit, (negation,)) for hit in self._by.get("WITHOUT", ()))
        if not without and negation.language not in CANCELS:
            return False
        return self._stands_before("NOT", negation) or (without and self._forbids_behind(negation))

    def _forbids_behind(self, without: Hit) -> bool:
        """Say whether a "without …" at the head of its clause is followed by a ban ("without a yes never send it")."""
        if any(self._stands_before(act, without) for act in _ACTS):
            return False
        acts = [hit for act in _ACTS for hit in self._by.get(act, ()) if hit.first > without.last]
        for no in self._by.get("NOT", ()):
            if not 0 < no.place - without.place <= _BAN_REACH or no.first <= without.last:
                continue
            breaks = list(_CLAUSE.finditer(self._text, without.end, no.start))
            last = without.language in VERB_LAST
            until = breaks[0].start() if breaks else without.end if last else no.start
            done = any(hit.start < until for hit in acts)
            banned = (hit for hit in acts if last or hit.first > no.last)
            near = any(abs(hit.place - no.place) <= _NEGATION_REACH and not self._apart(hit, no) for hit in banned)
            if len(breaks) <= 1 and not done and near:
                return True
        return False

    def _stands_before(self, concept: str, hit: Hit) -> bool:
        """Say whether a concept stands within a clause's reach before a hit."""
        return any(
            other.last < hit.first and hit.place - other.place <= _CLAUSE_REACH and not self._parted(other, hit)
            for other in self._by.get(concept, ())
        )

    def _governor(self, verb: Hit) -> Hit | None:
        """Give the "not" that governs a word, if one does: the nearest."""
        nearest: tuple[float, Hit] | None = None
        for no in self._by.get("NOT", ()):
            if no.first <= verb.last and verb.first <= no.last:
                continue
            behind = verb.language in VERB_LAST or (verb.language in NOT_LAST and no.place > verb.place)
            first, second = (verb, no) if behind else (no, verb)
            apart = second.place - first.place
            if not 0 <= apart <= _NEGATION_REACH + (first.last - first.first) or self._parted(first, second):
                continue
            if nearest is None or apart < nearest[0]:
                nearest = (apart, no)
        return nearest[1] if nearest else None

    def _apart(self, one: Hit, other: Hit) -> bool:
        """Say whether a clause ends between two hits, whichever comes first."""
        return self._parted(*sorted((one, other), key=lambda hit: hit.start))

    def _parted(self, first: Hit, second: Hit) -> bool:
        """Say whether a clause ends between two hits; a line break ends none where only a few words stand before."""
        ends = _CLAUSE.finditer(self._text, first.end, max(first.end, second.start))
        return any(match.group() != "\n" or not self._is_short(match.start()) for match in ends)

    def _is_short(self, end: int) -> bool:
        """Say whether what stands on a line up to its break is too short to be a clause."""
        line = _LINE.search(self._text, max(0, end - _SHORT), end)
        return line is not None and len(line.group().split()) < _FEWEST

    def _negated(self, chosen: Sequence[Hit]) -> bool:
        """Say whether the sentence advises against what it names."""
        return any(self._governor(hit) is not None for hit in chosen if hit.concept in _VERBS)

    def _quoted_as_bad(self, chosen: Sequence[Hit]) -> bool:
        """Say whether the words stand in quotation marks after talk of attacks: then they are shown, not said."""
        first = min(chosen, key=lambda hit: hit.start)
        opening = self._text[max(0, first.start - _QUOTE_REACH) : first.start]
        if not _QUOTES.search(opening):
            return False
        return any(0 <= first.place - hit.place <= _ADVICE_REACH for hit in self._by.get("ADVICE", ()))

    def _void(self, entry: Entry, chosen: Sequence[Hit]) -> bool:
        low = min(hit.place for hit in chosen) - 4
        high = max(hit.place for hit in chosen) + 4
        if self._quoted_as_bad(chosen):
            return True
        for name in entry.unless:
            # An example is announced before it is given; a word of it behind the address excuses nothing.
            end = high - 4 if name == landmarks.SAMPLE else high
            if any(low <= hit.place <= end and not _shares(hit, chosen) for hit in self._by.get(name, ())):
                return True
        return False


_ACTS: Final = ("SEND", "READ", "CALL", "EXEC", "INCLUDE", "WRITE")

_VERBS: Final = frozenset(
    {
        "SEND",
        "READ",
        "INCLUDE",
        "CALL",
        "EXEC",
        "WRITE",
        "IGNORE",
        "DISABLE",
        "PREFER",
        "TELL",
        "SUPERSEDE",
        "RECIPIENT",
    }
)


def _shares(hit: Hit, chosen: Sequence[Hit]) -> bool:
    """Say whether a hit stands on a word that is taken."""
    return any(hit.first <= other.last and other.first <= hit.last for other in chosen)


def _around(anchor_hit: Hit, anchor: int, wanted: Sequence[Sequence[Hit]], window: float) -> list[Hit]:
    """Choose for every need the hit nearest to the anchor that shares no word with the others; empty if one lacks."""
    chosen: dict[int, Hit] = {anchor: anchor_hit}
    for index in sorted(range(len(wanted)), key=lambda index: len(wanted[index])):
        if index == anchor:
            continue
        near = _nearest(anchor_hit, wanted[index], window, list(chosen.values()))
        if near is None:
            return []
        chosen[index] = near
    places = [hit.place for hit in chosen.values()]
    return [chosen[index] for index in range(len(wanted))] if max(places) - min(places) <= window else []


def _nearest(centre: Hit, hits: Sequence[Hit], window: float, taken: Sequence[Hit]) -> Hit | None:
    """Give the hit closest to the centre within the window that does not stand on a word already taken."""
    low = bisect_left(hits, centre.place - window, key=lambda hit: hit.place)
    best: Hit | None = None
    for hit in hits[low : low + 4 * _TRIED]:
        if hit.place > centre.place + window:
            break
        if _shares(hit, taken):
            continue
        if best is None or abs(hit.place - centre.place) < abs(best.place - centre.place):
            best = hit
    return best


PATTERNS: Final = (_CLAUSE, _LINE, _QUOTES)
"""Every expression of this file, for the test that they take linear time."""
