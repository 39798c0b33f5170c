"""What a text gained: sentences first (hashed), then words inside the sentences that changed."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final

from driftwatch.judge.text.denied import denials, turned
from driftwatch.judge.text.sentences import sentences

_WORD: Final = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+|[^\w\s]"
)
_ITEM: Final = re.compile(r"[-*•] |\d{1,3}[.)] ")
_HEADED: Final = (":", "：", ":**", "**")
"""How a line ends that stands above a list."""
_WORDS_COMPARED: Final = 400
"""Sentences of more words than this, and texts of more changed sentences, count as new as a whole."""
_SENTENCES_COMPARED: Final = 200
_PAIRS_COMPARED: Final = 20_000
"""So many pairs of equal words between two sentences at most: the work of comparing grows with them. One word over and
over makes very many, and the sentence then counts as new as a whole."""


@dataclass(frozen=True)
class Gained:
    """One sentence of the new text that the old text does not have.

    `spans` are the words in it that are new; when `cut` is true the sentence only lost words, and then the whole
    sentence stands in `spans`, because taking a word away ("never send" → "send") can turn a sentence round.
    `before` is the old sentence that it came from, or an empty string. `turned`: that one denied or quoted something
    that this one does not deny or quote.
    """

    start: int
    end: int
    spans: tuple[tuple[int, int], ...]
    before: str = ""
    cut: bool = False
    turned: bool = False

    def touches(self, start: int, end: int) -> bool:
        """Say whether the stretch overlaps something new."""
        return any(low < end and start < high for low, high in self.spans)


def gained(before: str, after: str) -> tuple[Gained, ...]:
    """Give the sentences that `after` has over `before`, in order. Moving a sentence gains nothing."""
    places = sentences(after)
    if not before:
        return tuple(Gained(start, end, ((start, end),)) for start, end in places)
    old = _headed(before, sentences(before))
    have = Counter((said, bool(heading)) for said, heading in old)
    new: list[tuple[tuple[int, int], str]] = []
    for place, (said, heading) in zip(places, _headed(after, places), strict=True):
        # What is put under a heading that forbids it asks for no more than before.
        if not _take(have, (said, bool(heading))) and not (heading and _take(have, (said, False))):
            new.append((place, heading))
    unused = (f"{heading} {said}" if heading else said for said, heading in old if _take(have, (said, bool(heading))))
    left = [text for text in unused if len(text) <= 8 * _WORDS_COMPARED]
    counted = [(text, Counter(word for word, _, _ in _words(text))) for text in left[:_SENTENCES_COMPARED]]
    return tuple(
        _compare(after, place, heading, counted if index < _SENTENCES_COMPARED else [])
        for index, (place, heading) in enumerate(new)
    )


def _key(text: str) -> str:
    """Give what makes two sentences the same: white space apart."""
    return " ".join(text.split())


def _headed(text: str, places: Sequence[tuple[int, int]]) -> list[tuple[str, str]]:
    """Give the sentences, white space apart, each with the heading that forbids it where it stands in such a list."""
    out: list[tuple[str, str]] = []
    heading = ""
    for start, end in places:
        said = _key(text[start:end])
        if not _ITEM.match(said):
            above = said.startswith("#") or said.endswith(_HEADED)
            heading = said if above and denials(said) else ""
            out.append((said, ""))
        else:
            out.append((said, heading))
    return out


def _take(have: Counter[tuple[str, bool]], key: tuple[str, bool]) -> bool:
    """Use up one of the old sentences."""
    if have[key]:
        have[key] -= 1
        return True
    return False


def _words(text: str) -> list[tuple[str, int, int]]:
    """Cut into words, single ideographs and marks, case apart, with offsets."""
    return [(match.group().casefold(), match.start(), match.end()) for match in _WORD.finditer(text)]


def _compare(after: str, place: tuple[int, int], heading: str, left: list[tuple[str, Counter[str]]]) -> Gained:
    """Find the old sentence that this one grew from, and what it gained over it."""
    start, end = place
    words = _words(after[start:end])
    source = _closest([word for word, _, _ in words], left) if words and len(words) <= _WORDS_COMPARED else ""
    if not source:
        return Gained(start, end, ((start, end),))
    old = [word for word, _, _ in _words(source)]
    spans: list[tuple[int, int]] = []
    matcher = SequenceMatcher(None, old, [word for word, _, _ in words], autojunk=False)
    for tag, _, _, low, high in matcher.get_opcodes():
        if tag in ("insert", "replace"):
            spans.append((start + words[low][1], start + words[high - 1][2]))
    another = turned(source, f"{heading} {after[start:end]}")
    if spans:
        return Gained(start, end, tuple(spans), source, turned=another)
    return Gained(start, end, ((start, end),), source, cut=True, turned=another)


def _closest(words: list[str], left: list[tuple[str, Counter[str]]]) -> str:
    """Give the old sentence that shares most words, when they share at least a third of the shorter one."""
    mine = Counter(words)
    best, score = "", 0.34
    for text, theirs in left:
        size = theirs.total()
        if not size or size > _WORDS_COMPARED:
            continue
        if sum(count * theirs[word] for word, count in mine.items()) > _PAIRS_COMPARED:
            continue
        shared = (mine & theirs).total() / min(size, len(words))
        if shared > score:
            best, score = text, shared
    return best


def stood(said: str, places: Iterable[tuple[int, int]], before: Collection[tuple[str, bool]]) -> bool:
    """Say whether every sentence of a text that one of the stretches touches is one of `before`, as `keys` has them."""
    if not before:
        return False
    spans, every = merged(list(places)), sentences(said)
    keyed = zip(every, keys(said), strict=True)
    touched = [key for (start, end), key in keyed if covers(spans, start, end)]
    return bool(touched) and all((key, forbidden) in before or (key, False) in before for key, forbidden in touched)


def keys(text: str) -> Iterator[tuple[str, bool]]:
    """Give the sentences of a text for `stood`, and of each whether it stands in a list under what forbids it."""
    return ((_bare(said), bool(heading)) for said, heading in _headed(text, sentences(text)))


def _bare(text: str) -> str:
    """Give what makes two sentences the same wherever they stand: white space, list signs and the full stop apart."""
    return text.lstrip("-*•# ").rstrip(".;, ")


def merged(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Join stretches that touch or overlap, in order."""
    out: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if out and start <= out[-1][1]:
            out[-1] = (out[-1][0], max(end, out[-1][1]))
        else:
            out.append((start, end))
    return out


def covers(spans: Sequence[tuple[int, int]], start: int, end: int) -> bool:
    """Say whether sorted, merged `spans` overlap the stretch."""
    at = bisect_left(spans, (end, -1))
    return at > 0 and spans[at - 1][1] > start


PATTERNS: Final = (_WORD, _ITEM)
"""Every expression of this file, for the test that they take linear time."""
