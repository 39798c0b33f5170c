"""Read several texts of one item as one: a sentence that goes on in the next field, a word to each name or value.

Fields are joined only where something shows that they belong together: a text that breaks off, one that begins in the
middle, or single words in a row with "and" and "the" among them. Honest fields stand each on its own.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from driftwatch.judge.text.added import gained
from driftwatch.judge.text.base import Signal, TextContext
from driftwatch.judge.text.concepts import is_little
from driftwatch.judge.text.examine import examined
from driftwatch.judge.text.lengths import EXAMINED
from driftwatch.judge.text.signals.base import HIDDEN, SIZE, UNEXAMINED
from driftwatch.judge.text.suspect import LEARNED
from driftwatch.judge.text.visible import visible
from driftwatch.judge.text.words import words
from driftwatch.model import Severity, Span

_READ: Final = 16_384
"""So many characters of what is new in one text are joined to others; a split sentence needs few."""
_FIELDS: Final = 64
"""So many texts make up one chain at most; a longer one goes on in the next, with its last texts once more."""
_CHAIN: Final = EXAMINED - _READ - _FIELDS
"""From so many characters on a chain takes up no further text."""
APART: Final = 6
"""A text that begins in the middle may go on one that broke off so many texts before."""
_WORDS: Final = 6
_QUOTED: Final = 80
"""So much of what was approved is quoted."""
_LITTLE: Final = 3
"""A row of names or values with so many different little words strewn among so many words is a sentence."""
_AROUND: Final = 8
"""So many names or values before the first little word and behind the last one may belong to the sentence."""
_NAME: Final = 80
"""So many characters are no more than a name."""
_SHORT: Final = 3
"""A text of so many words at most may be one in such a row."""
_BREAKS_OFF: Final = re.compile(
    r"[,;:(\u2014\u2013\u2026\u3001\uff1b\uff1a\uff0c\u060c\u061b-]\s{0,8}\Z|\.\.\.\s{0,8}\Z"
)
_ENDS: Final = re.compile(r"[.!?\u3002\uff01\uff1f\u061f\u0964\uff61][\"'\u201d\u300d\u00bb)\]]{0,2}\s{0,8}\Z")
_NUMBERED: Final = re.compile(r"\s{0,8}(?:\u2026|\.\.\.|\(?\d{1,2}[).:/]|\([^()\n]{1,24}\)|[,;]|-> |\u2192)")
"""How a text begins that says itself that it goes on another."""
_COUNTED: Final = re.compile(
    r"\W{0,4}(?:[^\W\d]{1,12}\s{1,2})?\(?(\d{1,2})(?!\d)(?:\s{0,2}(?:/|[^\W\d]{1,4}\s)\s{0,2}\d{1,2})?[)\].:]{0,2}\s{0,4}"
)
"""How a text begins that says which part it is."""
_DOTS_BEFORE: Final = re.compile(r"\s{0,8}(?:\u2026|\.{3})\s{0,8}")
_DOTS_BEHIND: Final = re.compile(r"\s{0,8}(?:\u2026|\.{3})\s{0,8}\Z")
_HUMP: Final = re.compile(r"(?<=[a-z\d])(?=[A-Z])|[_\W]+")
_LAST_WORD: Final = re.compile(r"(\w{1,40})\s{0,8}\Z")
_SURFACE: Final = frozenset({HIDDEN, SIZE, UNEXAMINED})
"""Kinds of signals that one field gives by itself."""


@dataclass(frozen=True)
class Part:
    """One text of an item: where it stands (`target` as in `Span`), what it says, and what stood there before.

    What was `approved` as it is may be the beginning of what a new text goes on.
    """

    pointer: str
    target: str
    said: str
    before: str = ""
    approved: bool = False


@dataclass(frozen=True)
class Together:
    """What several texts say together: the texts in order, their signals with spans in each, and how much was read."""

    parts: tuple[Part, ...]
    signals: tuple[Signal, ...]
    read: int


@dataclass(frozen=True)
class _Fragment:
    """What is new in one text, from the first new word to the last; `words` are put in for it where it is a name."""

    part: Part
    start: int
    end: int
    words: str = ""

    @property
    def raw(self) -> str:
        return self.words or self.part.said[self.start : self.end]

    @property
    def lead(self) -> int:
        """How long the dots are that it begins with."""
        dots = _DOTS_BEFORE.match(self.raw)
        return dots.end() if dots else 0

    @property
    def said(self) -> str:
        """What it says without the dots that stand for the rest of the sentence."""
        return _DOTS_BEHIND.sub("", self.raw[self.lead :])

    @property
    def appended(self) -> bool:
        """Whether it stands behind a finished sentence of the same text."""
        return _ENDS.search(self.part.said[max(0, self.start - 16) : self.start]) is not None


def together(
    parts: Sequence[Part], context: TextContext, heard: Collection[tuple[str, str, str]]
) -> Iterator[Together]:
    """Give what texts of one item say together and none of them alone, chain by chain.

    `parts` are its texts in the order of the document, plain names and values included; `heard` tells what was found
    in single ones, as (pointer, target, signal). What approved texts said together before is no news.
    """
    told = set(heard)
    context = replace(context, pointer="", target="value")
    for chain in (*_sentences(parts), *_rows(parts)):
        if all(one.part.approved for one in chain):
            continue
        survey = examined(" ".join(one.said for one in chain), "", context)
        old = " ".join(one.said for one in chain if one.part.approved)
        places = {_place(one.part) for one in chain}
        known = {signal for pointer, target, signal in told if (pointer, target) in places}
        known.update(signal.id for signal in examined(old, "", context).signals if survey.signals)
        found = [
            _placed(signal, chain) for signal in survey.signals if _counts(signal, chain) and signal.id not in known
        ]
        split = tuple(signal for signal in found if len({(span.pointer, span.target) for span in signal.spans}) > 1)
        used = {(span.pointer, span.target) for signal in split for span in signal.spans}
        told.update((*place, signal.id) for signal in split for place in used)
        new = tuple(one.part for one in chain if _place(one.part) in used and not one.part.approved)
        yield Together(new, tuple(_news(signal, chain) for signal in split), survey.read)


def across(parts: Sequence[Part], context: TextContext) -> Together | None:
    """Give what new texts of several items say as one and none of them alone; None where they do not belong together.

    `parts` are one text of each item. Lists have no order that counts: numbers order what is numbered; else what opens
    a sentence comes before what stands in the middle of one, and that before its end.
    """
    loose = [one for one in _fragments(parts) if _is_unfinished(one) or _is_inside(one)]
    if len(loose) < 2 or not any(map(_is_unfinished, loose)) or not any(map(_is_inside, loose)):
        return None
    chain = _in_order(loose)[:_FIELDS]
    survey = examined(" ".join(one.said for one in chain), "", context)
    alone = {signal.id for one in chain for signal in examined(one.said, "", context).signals if survey.signals}
    found = [
        _placed(signal, chain)
        for signal in survey.signals
        if signal.severity >= Severity.MEDIUM
        and signal.category not in _SURFACE
        and signal.id not in alone
        and not signal.id.startswith(LEARNED)
    ]
    split = tuple(signal for signal in found if len({span.pointer for span in signal.spans}) > 1)
    used = {span.pointer for signal in split for span in signal.spans}
    return Together(tuple(one.part for one in chain if one.part.pointer in used), split, 2 * survey.read)


def _in_order(loose: Sequence[_Fragment]) -> list[_Fragment]:
    """Put pieces of sentences in order: by their numbers, which are then left out, or by how they begin and end."""
    counted = [match for one in loose if (match := _COUNTED.match(one.raw))]
    if len(counted) < len(loose):
        return sorted(loose, key=lambda one: 2 * _is_inside(one) - _is_unfinished(one))
    numbered = sorted(zip(counted, loose, strict=True), key=lambda pair: int(pair[0].group(1)))
    return [replace(one, start=one.start + match.end()) for match, one in numbered]


def _is_unfinished(one: _Fragment) -> bool:
    """Say whether a sentence was put before or behind what stood there and does not end."""
    put = one.appended or (bool(one.part.before) and one.start == 0 and one.end < len(one.part.said))
    return _breaks_off(one) or (put and not _ENDS.search(one.raw[-16:]))


def _is_inside(one: _Fragment) -> bool:
    """Say whether a text begins as no sentence does, and one that stood there did not."""
    said = one.raw.lstrip()
    first = said[:1]
    inside = first.isalpha() and not first.isupper() and not one.part.before[:1].islower()
    return _NUMBERED.match(said) is not None or (inside and (one.appended or one.start == 0))


def _place(part: Part) -> tuple[str, str]:
    return part.pointer, part.target


def _counts(signal: Signal, chain: Sequence[_Fragment]) -> bool:
    """Say whether a signal is one of texts read together: values in a row only sound like what was learned."""
    if signal.id.startswith(LEARNED) and (chain[0].words or len({_list(one.part) for one in chain}) == 1):
        return False
    return signal.severity >= Severity.MEDIUM and signal.category not in _SURFACE


def _list(part: Part) -> str:
    """Give the list that a text is an entry of, or where it stands by itself."""
    above, _, name = part.pointer.rpartition("/")
    return above if name.isdecimal() else part.pointer


def _placed(signal: Signal, chain: Sequence[_Fragment]) -> Signal:
    """Put a signal's spans back into the texts that they come from."""
    spans: list[Span] = []
    for span in signal.spans:
        at = 0
        for one in chain:
            size = len(one.said)
            low, high = max(span.start - at, 0), min(span.end - at, size)
            if low < high:
                whole = bool(one.words)
                start, end = (
                    (one.start, one.end) if whole else (one.start + one.lead + low, one.start + one.lead + high)
                )
                spans.append(Span(one.part.pointer, start, end, span.decoded, one.part.target))
            at += size + 1
    return replace(signal, spans=tuple(dict.fromkeys(spans)))


def _news(signal: Signal, chain: Sequence[_Fragment]) -> Signal:
    """Point at what is new only, and quote what it goes on."""
    approved = [one for one in chain if one.part.approved]
    if not approved:
        return signal
    places = {_place(one.part) for one in approved}
    spans = tuple(span for span in signal.spans if (span.pointer, span.target) not in places)
    quoted = visible(" ".join(one.said for one in approved)[-_QUOTED:])
    return replace(signal, spans=spans, why=f"{signal.why} It goes on what was approved: “{quoted}”.")


def _sentences(parts: Sequence[Part]) -> Iterator[list[_Fragment]]:
    """Give chains of texts that go on one another."""
    chain: list[_Fragment] = []
    last = -APART
    for number, one in enumerate(_fragments(parts)):
        near = number - last
        waits = bool(chain) and near <= APART and _is_open(chain[-1])
        if waits and near == 1 and one.appended and not _is_open(one) and not _goes_on(chain[-1], one, near):
            # Names are written with capitals in some languages: it may be the end, or something else in between.
            yield [*chain, one]
            continue
        if waits and not _is_open(one) and not _begins_inside(one):
            continue
        on = bool(chain) and _goes_on(chain[-1], one, near)
        if not on or _is_full(chain):
            if len(chain) > 1:
                yield chain
            chain = chain[-APART:] if on else []
        chain.append(one)
        last = number
    if len(chain) > 1:
        yield chain


def _is_full(chain: Sequence[_Fragment]) -> bool:
    return len(chain) >= _FIELDS or sum(one.end - one.start for one in chain) >= _CHAIN


def _goes_on(first: _Fragment, second: _Fragment, apart: int) -> bool:
    """Say whether one text goes on another that stands so many before it."""
    if apart == 1 and (
        _breaks_off(first) or (first.appended and _is_open(first) and second.appended and _is_open(second))
    ):
        return True
    if apart <= APART and _is_open(first) and _begins_inside(second):
        return True
    return apart == 1 and second.appended and second.raw[:1].islower() and not _ENDS.search(first.raw[-16:])


def _fragments(parts: Sequence[Part]) -> Iterator[_Fragment]:
    """Give what is new in each text that is more than a name, and where an approved one breaks off."""
    for part in parts:
        if part.target == "key" or len(part.said) < 4 or part.said.isalnum():
            continue
        said = part.said[:EXAMINED]
        new = [span for one in gained(part.before[:EXAMINED], said) for span in one.spans]
        if new:
            start, end = _loose_end(part, new) if not part.before else min(new)[0], max(high for _, high in new)
            # What comes last is often a mark, which is no word.
            one = _clipped(_Fragment(part, start, len(said) if not said[end:].strip(" .,;:\u3002") else end))
            if not part.approved or _is_open(one):
                yield one


def _clipped(one: _Fragment) -> _Fragment:
    """Leave the end of what breaks off, and the beginning of what does not."""
    if one.end - one.start <= _READ:
        return one
    return replace(one, start=one.end - _READ) if _is_open(one) else replace(one, end=one.start + _READ)


def _loose_end(part: Part, sentences: Sequence[tuple[int, int]]) -> int:
    """Give where in a text that is new as a whole the sentence begins that goes on another or breaks off."""
    later = [_Fragment(part, start, end) for start, end in sentences[1:]]
    loose = [one.start for one in later if _begins_inside(one)]
    if not loose and later and _is_open(later[-1]):
        loose = [later[-1].start]
    return loose[0] if loose else sentences[0][0]


def _breaks_off(one: _Fragment) -> bool:
    """Say whether a text ends in the middle of a sentence beyond doubt."""
    said = one.raw
    last = _LAST_WORD.search(said[-48:])
    return _BREAKS_OFF.search(said[-16:]) is not None or (last is not None and is_little(last.group(1).lower()))


def _is_open(one: _Fragment) -> bool:
    """Say whether a text may end in the middle of a sentence: it stands behind a finished one and is none itself."""
    return _breaks_off(one) or (one.appended and not _ENDS.search(one.raw[-16:])) or bool(_NUMBERED.match(one.raw))


def _begins_inside(one: _Fragment) -> bool:
    """Say whether a text begins in the middle of a sentence."""
    said = one.raw.lstrip()
    return _NUMBERED.match(said) is not None or (one.appended and said[:1].islower())


def _rows(parts: Sequence[Part]) -> Iterator[list[_Fragment]]:
    """Give names or values in a row of one or a few words each that make up a sentence."""
    rows: dict[tuple[str, str, str], list[Part]] = defaultdict(list)
    for part in parts:
        if len(part.said) <= _NAME:
            above, _, name = part.pointer.rpartition("/")
            listed = part.target == "key" or name.isdecimal()
            row = (above, part.target, "") if listed else (above.rpartition("/")[0], part.target, name)
            rows[row].append(part)
    for named in rows.values():
        if len(named) > 2:
            found = [one for part in named if (one := _worded(part)) is not None]
            # A sentence that does not fit into one stretch of the row fits into the next, which begins in the middle.
            for at in range(0, max(1, len(found) - _FIELDS // 2), _FIELDS // 2):
                stretch = _spoken(found[at : at + _FIELDS])
                if _is_sentence([word.text for one in stretch for word in words(one.words.lower())]):
                    yield stretch


def _spoken(row: list[_Fragment]) -> list[_Fragment]:
    """Leave what stands near little words: plain names before and behind would drown the sentence."""
    little = [at for at, one in enumerate(row) if any(is_little(word.text) for word in words(one.words.lower()))]
    return row[max(0, little[0] - _AROUND) : little[-1] + _AROUND + 1] if little else []


def _worded(part: Part) -> _Fragment | None:
    """Give the words of a short name or value."""
    said = " ".join(_HUMP.sub(" ", part.said).split())
    return _Fragment(part, 0, len(part.said), said) if 0 < said.count(" ") + 1 <= _SHORT else None


def _is_sentence(spoken: Sequence[str]) -> bool:
    """Say whether words have enough little ones strewn among them."""
    little = [is_little(word) for word in spoken]
    strewn = sum(here and not before for before, here in pairwise((False, *little)))
    kinds = {word for word, here in zip(spoken, little, strict=True) if here}
    return len(spoken) >= _WORDS and min(len(kinds), strewn) >= _LITTLE


PATTERNS: Final = (_BREAKS_OFF, _ENDS, _NUMBERED, _COUNTED, _DOTS_BEFORE, _DOTS_BEHIND, _HUMP, _LAST_WORD)
"""Every expression of this file, for the test that they take linear time."""
