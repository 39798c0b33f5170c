"""Read what characters spell that show nothing: one by one over a text, or as the bits of letters."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import Final

from driftwatch.judge.text import chars
from driftwatch.judge.text.chars import unseen_class
from driftwatch.judge.text.hidden import hidden, reads, tag_message
from driftwatch.judge.text.normalise import fold
from driftwatch.judge.text.views import View
from driftwatch.judge.text.vocabulary import every_word
from driftwatch.judge.text.words import is_cjk

_SCATTERED: Final = 8
"""So many single characters that spell something are no chance."""
_TRIED: Final = 256
"""A way to read signs as bits is tried on so many of them first."""
_BIT_KINDS: Final = frozenset({chars.ZERO_WIDTH, chars.JOINER, chars.BOM, chars.BIDI_MARK, chars.FILLER})
_SELECTOR: Final = re.compile("[\U000e0100-\U000e01ef]")
_TAG: Final = re.compile("[\U000e0020-\U000e007e]")


def zero_width_message(text: str) -> str:
    """Give the message that zero-width characters spell bit by bit over the whole text, or an empty string."""
    drawn = "".join(text[run.start : run.end] for run in hidden(text) if run.kind in _BIT_KINDS)
    kinds = sorted(set(drawn), key=drawn.index)
    if len(drawn) < 24 or not 2 <= len(kinds) <= 4:
        return ""
    base, widths = (4, (4,)) if len(kinds) == 4 else (2, (8, 7, 16))
    orders = list(permutations(kinds, base))
    found = (max((_digits(drawn, order, width) for order in orders), key=_sense) for width in widths)
    return next((said for said in found if said), "")


def scattered(text: str) -> Iterator[View]:
    """Give what tags and variation selectors spell that stand apart from each other, one or a few at a time."""
    for expression, kind in ((_TAG, chars.TAG), (_SELECTOR, chars.VARIATION)):
        places = [match.start() for match in expression.finditer(text)]
        if len(places) < _SCATTERED or places[-1] - places[0] == len(places) - 1:
            continue
        signs = "".join(text[at] for at in places)
        if kind == chars.TAG:
            said = tag_message(signs)
        else:
            said, places = _bytes(signs, places)
        if len(said) >= _SCATTERED and reads(said):
            yield View(said, places, [at + 1 for at in places], kind, tuple((at, at + 1) for at in places))


def _bytes(signs: str, places: Sequence[int]) -> tuple[str, list[int]]:
    """Read selectors as the bytes of letters; give the letters and where each begins."""
    raw = bytes(ord(sign) - 0xE0100 + 16 for sign in signs)
    said = raw.decode("utf-8", "replace")
    if "\ufffd" in said:
        return "", []
    begins = [at for at, byte in zip(places, raw, strict=True) if byte & 0xC0 != 0x80]
    return said, begins


def _digits(drawn: str, order: Sequence[str], width: int) -> str:
    """Read signs as digits to the base of their number, so many for a byte, or for a letter where there are 16."""
    base = len(order)
    digit = {sign: number for number, sign in enumerate(order)}
    numbers = [digit[sign] for sign in drawn if sign in digit]
    said = ""
    for most in (_TRIED, len(numbers)):
        last = min(most, len(numbers)) - width
        said = _said([_value(numbers[at : at + width], base) for at in range(0, last + 1, width)], width)
        if len(said) < 3 or not reads(said):
            return ""
    return said


def _sense(said: str) -> float:
    """Rate what one of many ways to read signs gives: letters in words that a lexicon has, and bytes that fit."""
    known = sum(len(word) for word in fold(said, look_alikes=False).text.split() if word in every_word())
    return known + sum(map(is_cjk, said)) + len(said.encode("utf-8", "ignore")) / 1000


def _value(digits: Sequence[int], base: int) -> int:
    value = 0
    for one in digits:
        value = value * base + one
    return value


def _said(values: Sequence[int], width: int) -> str:
    if width == 16:
        return "".join(chr(value) for value in values if not 0xD800 <= value < 0xE000)
    return bytes(values).decode("utf-8", "ignore") if max(values, default=0) < 256 else ""


def is_gap(text: str, start: int, end: int) -> bool:
    """Say whether a run that shows nothing stands between two letters: it may be there in the place of a space."""
    return (
        text[start - 1 : start].isalnum() and text[end : end + 1].isalnum() and unseen_class(text[start]) != chars.ANSI
    )
