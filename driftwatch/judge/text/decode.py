"""Every other reading of a text: encodings undone, hidden text brought out, odd spelling made plain.

Work is bounded by the characters of all readings together; that some were left out is told.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final, NamedTuple

from driftwatch.judge.text import broken, ciphers, encoded, escapes, listed, numbered, spelling, views, wrapped
from driftwatch.judge.text.added import covers
from driftwatch.judge.text.base import Hidden
from driftwatch.judge.text.chars import PRIVATE, TERMINAL, UNSEEN
from driftwatch.judge.text.gate import lower
from driftwatch.judge.text.hidden import RIGHT_TO_LEFT, hidden
from driftwatch.judge.text.messages import is_gap, scattered, zero_width_message
from driftwatch.judge.text.views import View

_BUDGET: Final = 65_536
_FOR_EACH: Final = 4
"""All readings together have at most `_BUDGET` characters and so many for each of the text."""
_EACH: Final = 64
"""So many characters one reading costs besides its own."""
_SHORTEST: Final = 4
"""Fewer hidden characters in a row say nothing by themselves."""
_LAYERS: Final = 4
"""So many disguises inside each other are undone."""

_FULL_WIDTH: Final = re.compile("[\uff01-\uff5e](?:[ \u3000]{0,2}[\uff01-\uff5e]){3,4095}+")
_NARROW: Final[dict[int, int | str]] = {**{code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}, 0x3000: " "}
_TOKEN: Final = re.compile(r"\S{1,400}")
_UNBROKEN: Final = re.compile(r"\S+")
_MARKED: Final = frozenset("<[|{`")
"""What every mark begins with that a model takes for structure."""
_OVERRIDDEN: Final = re.compile(r"[\u202e\u2067]([^\u202c\u2069\u202e\u2067]+)[\u202c\u2069]?")


class Decoded(NamedTuple):
    """Every other reading of a text; `whole` is false where more was found than is read."""

    views: tuple[View, ...]
    whole: bool


def decodings(text: str) -> Decoded:
    """Give every other reading of the text, within a budget. What decodes to noise is left out.

    A reading holds the sentences that it undid something in. Each is read in turn: a second disguise may stand inside
    the first or beside it in its sentences, a third and fourth count only where they rest on what was undone before.
    """
    budget = _BUDGET + _FOR_EACH * len(text)
    found: list[View] = []
    met: set[tuple[str, tuple[int, int]]] = set()
    outers = [_Layer(views.plain(text))]
    for depth in range(_LAYERS):
        layers: list[_Layer] = []
        for outer in outers:
            for view in map(views.cropped, _readings(outer.text)):
                if not view.text or (depth > 1 and not outer.carries(view)):
                    continue
                layer = _Layer(views.inner(outer.view, view) if depth else view, view)
                if layer.key in met:
                    continue
                met.add(layer.key)
                budget -= len(view.text) + _EACH
                if budget < 0:
                    return Decoded(tuple(found), whole=False)
                found.append(layer.view)
                layers.append(layer)
        outers = layers
    return Decoded(tuple(found), whole=True)


@dataclass(frozen=True, slots=True)
class _Layer:
    """A reading of the original, and the same as a reading of the reading that it was found in."""

    view: View
    last: View | None = None

    @property
    def text(self) -> str:
        return self.view.text

    @property
    def key(self) -> tuple[str, tuple[int, int]]:
        """Two ways to the same text at the same place are one."""
        return self.view.text, self.view.changed[0]

    def carries(self, view: View) -> bool:
        """Say whether a reading of this one's text rests on what was undone last."""
        return self.last is None or any(
            covers(self.last.changed, *self.last.origin(start, end)) for start, end in view.changed
        )


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
            if len(run.decoded) >= _SHORTEST:
                yield run.start, run.end, run.decoded, run.kind
        spelled = zero_width_message(text)
        if spelled:
            yield 0, len(text), spelled, "zero-width"
    yield from chain(
        encoded.pieces(text), listed.pieces(text), numbered.pieces(text), wrapped.pieces(text), _bare_marks(text)
    )


def _turned(match: re.Match[str]) -> str | None:
    """Give what is written backwards; an isolate around letters that run from the right is what it is for."""
    said = match.group(1)
    return None if match.group()[0] == "\u2067" and RIGHT_TO_LEFT.search(said) else said[::-1]


def _narrow(text: str) -> Iterator[View]:
    """Give stretches in full-width letters in common ones, letter for letter."""
    for match in _FULL_WIDTH.finditer(text):
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
    for match in _TOKEN.finditer(text):
        token = match.group()
        if UNSEEN.search(token) is None or _MARKED.isdisjoint(token):
            continue
        said = UNSEEN.sub("", TERMINAL.sub("", token))
        if said.isascii() and said != token:
            yield match.start(), match.end(), said, "hidden characters"


GATES: Final = (*escapes.GATES, *wrapped.GATES)
"""Every gated expression of the readings, for the test that its literals are in whatever it matches."""
PATTERNS: Final = (
    *(_FULL_WIDTH, _TOKEN, _OVERRIDDEN),
    *(*encoded.PATTERNS, *listed.PATTERNS, *numbered.PATTERNS, *escapes.PATTERNS, *wrapped.PATTERNS, *broken.PATTERNS),
)
"""Every expression of the readings but those of odd spelling, for the test that they take linear time."""
