"""Signals that need no language: new addresses, another script, a length that leaps."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from driftwatch.judge.text import landmarks
from driftwatch.judge.text.added import covers
from driftwatch.judge.text.base import TextContext
from driftwatch.judge.text.known import Known
from driftwatch.judge.text.normalise import fold
from driftwatch.judge.text.signals.base import EXFILTRATION, HIDDEN, SIZE
from driftwatch.judge.text.weigh import Seen
from driftwatch.model import Confidence, Severity, Span

_LEAP: Final = 4
_LEAP_LEAST: Final = 2000
"""A text that was approved at some length and is now four times and two thousand characters longer has leapt."""
_DRESSED: Final = (
    (
        "ornamental",
        re.compile("[\U0001d400-\U0001d7ff\U0001f110-\U0001f189\U00002460-\U000024ff]+"),
        10,
        "It holds words in ornamental letters, which filters do not read and models do.",
    ),
    (
        "full-width",
        re.compile("[\uff21-\uff3a\uff41-\uff5a][\uff21-\uff3a\uff41-\uff5a\uff3f\u3000]{9,}"),
        10,
        "It holds words in full-width letters, which filters do not read and models do.",
    ),
    (
        "mixed-word",
        re.compile(
            "[a-zA-Z][\u0400-\u052f\u0531-\u0587\u13a0-\u13ff]|[\u0400-\u052f\u0531-\u0587\u13a0-\u13ff][a-zA-Z]"
        ),
        2,
        "It mixes look-alike letters of another script into a word.",
    ),
)
_SCRIPT_LEAST: Final = 12
"""So many letters of another script make a passage."""


def seen(text: str, old: str, new: list[tuple[int, int]], known: Known, context: TextContext) -> Iterator[Seen]:
    """Give what the new parts show on their surface. All of it is weak on its own."""
    yield from _addresses(text, new, known, context)
    yield from _letters(text, old, new, context)
    if old:
        yield from _script(text, old, new, context)
        if len(text) > _LEAP * len(old) and len(text) - len(old) > _LEAP_LEAST:
            span = Span(context.pointer, new[0][0], new[-1][1], target=context.target)
            why = f"The text grew from {len(old):,} to {len(text):,} characters."
            yield Seen("size.leap", SIZE, Severity.LOW, Confidence.HIGH, (span,), why)


def _addresses(text: str, new: list[tuple[int, int]], known: Known, context: TextContext) -> Iterator[Seen]:
    for start, end in new:
        folded = fold(text[start:end])
        for mark in landmarks.addresses(folded.text):
            if known.has(mark):
                continue
            low, high = folded.origin(mark.start, mark.end)
            span = Span(context.pointer, start + low, start + high, target=context.target)
            why = "It names an address that was not there before."
            yield Seen("address.new", EXFILTRATION, Severity.LOW, Confidence.MEDIUM, (span,), why)


def _letters(text: str, old: str, new: list[tuple[int, int]], context: TextContext) -> Iterator[Seen]:
    """Give letters that only pass for Latin ones: whole words in ornamental letters, and scripts mixed in a word."""
    if text.isascii():
        return
    for kind, expression, least, why in _DRESSED:
        places = [match.span() for match in expression.finditer(text) if covers(new, *match.span())]
        if sum(end - start for start, end in places) >= least and not expression.search(old):
            spans = tuple(Span(context.pointer, *place, target=context.target) for place in places[:20])
            yield Seen(f"hidden.{kind}", HIDDEN, Severity.MEDIUM, Confidence.MEDIUM, spans, why)


def _script(text: str, old: str, new: list[tuple[int, int]], context: TextContext) -> Iterator[Seen]:
    before = _scripts(old)
    for start, end in new:
        here = _scripts(text[start:end])
        for script, count in here.items():
            if count >= _SCRIPT_LEAST and not before[script] and before.total() >= _SCRIPT_LEAST:
                span = Span(context.pointer, start, end, target=context.target)
                why = f"It gained a passage in another script ({script.lower()}) than the text had."
                yield Seen("hidden.script", HIDDEN, Severity.LOW, Confidence.MEDIUM, (span,), why)


def _scripts(text: str) -> Counter[str]:
    """Count letters per script, as far as character names tell it."""
    if text.isascii():
        return Counter({"LATIN": sum(map(str.isalpha, text))})
    return Counter(_script_of(char) for char in text if char.isalpha())


@lru_cache(maxsize=4096)
def _script_of(char: str) -> str:
    first = unicodedata.name(char, "UNKNOWN").split(" ", 1)[0]
    return {"HIRAGANA": "CJK", "KATAKANA": "CJK", "FULLWIDTH": "LATIN", "MODIFIER": "LATIN"}.get(first, first)
