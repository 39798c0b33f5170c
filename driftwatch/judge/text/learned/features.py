"""From folded text to numbered features: buckets of a table of weights.

Four families, each weighed by a table of its own: `words` (words, marks, and neighbours), `parts` (letters inside
words), `narrow` and `wide` (word classes that hold across languages, and neighbours). A feature that stands in a text
twice counts once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple
from zlib import crc32

from driftwatch.judge.text.learned.pieces import pieces
from driftwatch.judge.text.words import Word, is_cjk, words

FAMILIES: Final = ("words", "parts", "narrow", "wide")
BUCKETS: Final = 1 << 18
"""How many weights a family has."""
_MASK: Final = BUCKETS - 1
_GRAMS: Final = (3, 4, 5)
"""How long the parts of words are, in characters."""
_LONGEST: Final = 40
"""A word is read up to so many letters; a run of ideographs is cut after so many."""
_MARK: Final = re.compile(r"[^\w\s]")
_MARKS_FROM: Final = 1 << 20
"""Marks are classes of their own, numbered from here."""
_REMEMBERED: Final = 8192


class Unit(NamedTuple):
    """A word, a mark, or a run of ideographs, with its offset in folded text."""

    text: str
    start: int
    spaced: bool = True


class Features(NamedTuple):
    """The buckets of a text, by family; in `parts` a bucket may come twice, where two words share it."""

    words: Sequence[int]
    parts: Sequence[int]
    narrow: Sequence[int]
    wide: Sequence[int]


def features(text: str) -> Features:
    """Give the features of folded text. Work grows with its length, no faster."""
    found = words(text)
    marks = [Unit(match.group(), match.start()) for match in _MARK.finditer(text)]
    units = list(_units(found))
    kinds = [_kind(said) for _, said in sorted([*map(_placed, found), *map(_placed, marks)])]
    narrow, wide = _classes(units, marks)
    parts = [bucket for unit in dict.fromkeys(unit.text for unit in units) for bucket in _parts(unit)]
    return Features(_beside(kinds, 1), parts, _beside(narrow, 2), _beside(wide, 3, beyond=True))


def _placed(one: Word | Unit) -> tuple[int, str]:
    return one.start, one.text


def _units(found: Sequence[Word]) -> Iterator[Unit]:
    """Join neighbouring ideographs to runs; words stay as they are."""
    run, start = "", 0
    for word in found:
        joined = len(word.text) == 1 and is_cjk(word.text)
        if run and not (joined and word.start == start + len(run) and len(run) < _LONGEST):
            yield Unit(run, start, spaced=False)
            run = ""
        if not joined:
            yield Unit(word.text[:_LONGEST], word.start)
        else:
            start = start if run else word.start
            run += word.text
    if run:
        yield Unit(run, start, spaced=False)


def _classes(units: Sequence[Unit], marks: Sequence[Unit]) -> tuple[list[int], list[int]]:
    """Give the narrow and the wide classes of a text in order."""
    placed = [(unit.start + at, number) for unit in units for number, at in _cut(unit.text, spaced=unit.spaced)]
    placed.extend((mark.start, _MARKS_FROM + ord(mark.text)) for mark in marks)
    placed.sort()
    wider = pieces().wider
    narrow = [number for _, number in placed]
    return narrow, [number if number >= _MARKS_FROM else wider[number] for number in narrow]


def _beside(numbers: Sequence[int], family: int, *, beyond: bool = False) -> list[int]:
    """Give the buckets of numbers and of neighbours; `beyond` pairs each with the one after its neighbour, too."""
    found = {_bucket(number, 0, family) for number in numbers}
    found.update(_bucket(first, second, family) for first, second in pairwise(numbers))
    if beyond:
        found.update(_bucket(first, second, family + 1) for first, second in zip(numbers, numbers[2:], strict=False))
    return list(found)


@lru_cache(maxsize=4 * _REMEMBERED)
def _bucket(first: int, second: int, family: int) -> int:
    """Give the bucket of one number, or of two in their order."""
    mixed = (first * 0x9E3779B1 + second * 0x85EBCA6B + family * 0xC2B2AE35) & 0xFFFFFFFFFFFF
    mixed ^= mixed >> 19
    return (mixed * 0x2545F491 >> 9) & _MASK


@lru_cache(maxsize=_REMEMBERED)
def _kind(word: str) -> int:
    """Give the number of a word; every whole number is the same word."""
    return crc32(b"#" if word.isdecimal() else word.encode("utf-8", "surrogatepass")) | 1


@lru_cache(maxsize=_REMEMBERED)
def _parts(word: str) -> tuple[int, ...]:
    """Give the buckets of the parts of a word; a space stands for its two ends."""
    padded = " # " if word.isdecimal() else f" {word} "
    return tuple(
        crc32(padded[low : low + length].encode("utf-8", "surrogatepass"), length) & _MASK
        for length in _GRAMS
        for low in range(len(padded) - length + 1)
    )


@lru_cache(maxsize=_REMEMBERED)
def _cut(word: str, *, spaced: bool) -> tuple[tuple[int, int], ...]:
    return tuple(pieces().cut(word, spaced=spaced))


PATTERNS: Final = (_MARK,)
"""Every expression of this file, for the test that they take linear time."""
