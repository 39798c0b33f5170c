"""What a sentence forbids, and what it only quotes: it names those things without asking for them."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from driftwatch.judge.text.concepts import Hit, heard, index
from driftwatch.judge.text.normalise import fold
from driftwatch.judge.text.sentences import sentences
from driftwatch.judge.text.words import words

_BAN: Final = "BAN"
_DENIALS: Final = frozenset({"NOT", _BAN})
_QUOTATION: Final = re.compile(
    r"[\"“«„「『`][^\"”“»”」』`\n]{2,400}[\"”“»”」』`]|[‘‚][^’\n]{2,400}’|(?<!\w)'(?=\w)[^'\n]{2,400}'(?!\w)"
)

_PARTED: Final = re.compile(r"(?<=[;()])|(?=\bbut\b)")
"""What ends the reach of a "not": commas do not ("never, whatever happens, read")."""


@lru_cache(maxsize=256)
def denials(sentence: str) -> int:
    """Count the words of a sentence that deny or forbid, in the languages that it is in."""
    return _count(heard(_hits(sentence)))


def _hits(sentence: str) -> list[Hit]:
    return index().find(words(fold(sentence).text))


def _count(hits: Sequence[Hit]) -> int:
    count = end = 0
    for hit in hits:
        if hit.concept in _DENIALS:
            count += hit.start >= end
            end = max(end, hit.end)
    return count


def bans(hits: Sequence[Hit]) -> list[float]:
    """Give where words forbid what follows them ("refuse to", "it is forbidden to"), of the hits of one sentence."""
    return [hit.place for hit in hits if hit.concept == _BAN]


def quotations(text: str) -> list[tuple[int, int]]:
    """Give where words stand in quotation marks, in order."""
    return [match.span() for match in _QUOTATION.finditer(text)]


def is_quoted(places: list[tuple[int, int]], start: int, end: int) -> bool:
    """Say whether a stretch lies inside one of these quotations."""
    at = bisect_right(places, (start, end)) - 1
    return at >= 0 and places[at][0] <= start and end <= places[at][1]


def turned(before: str, now: str) -> bool:
    """Say whether a sentence no longer denies, or no longer quotes, something that it denied or quoted before.

    Words count in whatever language they deny: what was lost says more than what a sentence is in as a whole.
    """
    return _count(_hits(now)) < _count(_hits(before)) or len(quotations(now)) < len(quotations(before))


def allowed(text: str) -> str:
    """Give a text without the clauses that deny or forbid something."""
    clauses = (one for start, end in sentences(text) for one in _PARTED.split(text[start:end]))
    return " ".join(one for one in clauses if not denials(one))


PATTERNS: Final = (_QUOTATION, _PARTED)
"""Every expression of this file, for the test that they take linear time."""
