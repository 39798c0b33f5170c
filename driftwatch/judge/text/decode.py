"""Every other reading of a text: encodings undone, hidden text brought out, odd spelling made plain.

Work is bounded: so many stretches of a kind, so many characters each, and three encodings inside each other at most.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Final

from driftwatch.judge.text import broken, ciphers, encoded, escapes, numbered, spelling, views, wrapped
from driftwatch.judge.text.base import Hidden
from driftwatch.judge.text.chars import PRIVATE, TERMINAL, UNSEEN
from driftwatch.judge.text.gate import lower
from driftwatch.judge.text.hidden import RIGHT_TO_LEFT, hidden
from driftwatch.judge.text.messages import is_gap, scattered, zero_width_message
from driftwatch.judge.text.views import View

_PIECES: Final = 64
"""At most this many stretches of one kind are decoded in one text."""
_INNER: Final = 4096
"""Readings up to this many characters are looked into for a second encoding."""
_BUDGET: Final = 65_536
"""All readings together have at most this many characters and four times the text."""
_THIRD: Final = 8
"""So many readings of a text are looked into for a third encoding."""

_FULL_WIDTH: Final = re.compile("[\uff01-\uff5e](?:[ \u3000]{0,2}[\uff01-\uff5e]){3,4095}+")
_NARROW: Final[dict[int, int | str]] = {**{code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}, 0x3000: " "}
_TOKEN: Final = re.compile(r"\S{1,400}")
_UNBROKEN: Final = re.compile(r"\S+")
_MARKED: Final = frozenset("<[|{`")
"""What every mark begins with that a model takes for structure."""
_OVERRIDDEN: Final = re.compile(r"[\u202e\u2067]([^\u202c\u2069\u202e\u2067]{1,4096})[\u202c\u2069]?")


def decodings(text: str) -> Iterator[View]:
    """Give every other reading of the text, within a budget. What decodes to noise is left out."""
    budget = _BUDGET + 4 * len(text)
    third = _THIRD
    for view in _readings(text):
        yield view
        budget -= len(view.text)
        if budget < 0:
            return
        if len(view.text) > _INNER:
            continue
        for deeper in _readings(view.text):
            second = views.inner(view, deeper)
            yield second
            budget -= len(deeper.text)
            if budget < 0:
                return
            if third and len(deeper.text) <= _INNER and len(deeper.text.split()) <= 2:
                third -= 1
                yield from (views.inner(second, last) for last in _readings(deeper.text))


def _readings(text: str) -> Iterator[View]:
    for start, end, said, how in _pieces(text):
        if said != text[start:end]:
            yield views.piece(said, start, end, how)
    if not text.isascii():
        yield from _narrow(text)
        yield from scattered(text)
        yield from _spaced(text)
    view = views.rewritten(text, _OVERRIDDEN, _turned, "bidi override")
    if view is not None:
        yield view
    yield from escapes.readings(text, lower(text))
    yield from spelling.readings(text)
    yield from broken.readings(text)
    yield from ciphers.readings(text)


def _pieces(text: str) -> Iterator[tuple[int, int, str, str]]:
    """Give stretches that say something as a piece: (start, end, what, how)."""
    if not text.isascii():
        for run in hidden(text):
            if run.decoded:
                yield run.start, run.end, run.decoded, run.kind
        spelled = zero_width_message(text)
        if spelled:
            yield 0, len(text), spelled, "zero-width"
    yield from chain(encoded.pieces(text), numbered.pieces(text), wrapped.pieces(text), _bare_marks(text))


def _turned(match: re.Match[str]) -> str | None:
    """Give what is written backwards; an isolate around letters that run from the right is what it is for."""
    said = match.group(1)
    return None if match.group()[0] == "\u2067" and RIGHT_TO_LEFT.search(said) else said[::-1]


def _narrow(text: str) -> Iterator[View]:
    """Give stretches in full-width letters in common ones, letter for letter."""
    for count, match in enumerate(_FULL_WIDTH.finditer(text)):
        if count >= _PIECES:
            return
        start, end = match.span()
        said = match.group().translate(_NARROW)
        if any(char.isalpha() for char in said):
            yield View(said, range(start, end), range(start + 1, end + 1), "full-width letters", ((start, end),))


def _spaced(text: str) -> Iterator[View]:
    """Give the text with spaces for what shows nothing and stands where a space could."""
    gaps = [run for run in hidden(text) if run.kind != PRIVATE and is_gap(text, run.start, run.end)]
    if not 2 <= len(gaps) <= len(text) // 3:
        return
    shown = list(text)
    for gap in gaps:
        shown[gap.start : gap.end] = " " * (gap.end - gap.start)
    yield View(
        "".join(shown), range(len(text)), range(1, len(text) + 1), "hidden characters for spaces", _tokens(text, gaps)
    )


def _tokens(text: str, gaps: Sequence[Hidden]) -> tuple[tuple[int, int], ...]:
    """Give the stretches without white space that the gaps stand in."""
    found: list[tuple[int, int]] = []
    for match in _UNBROKEN.finditer(text):
        at = bisect_left(gaps, match.start(), key=lambda gap: gap.start)
        if at < len(gaps) and gaps[at].start < match.end():
            found.append(match.span())
    return tuple(found)


def _bare_marks(text: str) -> Iterator[tuple[int, int, str, str]]:
    """Give marks such as tags that characters without a shape break up, as they read without."""
    if text.isascii() and text.isprintable():
        return
    left = _PIECES
    for match in _TOKEN.finditer(text):
        token = match.group()
        if UNSEEN.search(token) is None or _MARKED.isdisjoint(token):
            continue
        said = UNSEEN.sub("", TERMINAL.sub("", token))
        if said.isascii() and said != token:
            yield match.start(), match.end(), said, "hidden characters"
            left -= 1
        if not left:
            return


GATES: Final = (*escapes.GATES, *wrapped.GATES)
"""Every gated expression of the readings, for the test that its literals are in whatever it matches."""
PATTERNS: Final = (
    *(_FULL_WIDTH, _TOKEN, _OVERRIDDEN),
    *(*encoded.PATTERNS, *numbered.PATTERNS, *escapes.PATTERNS, *wrapped.PATTERNS, *broken.PATTERNS),
)
"""Every expression of the readings but those of odd spelling, for the test that they take linear time."""
