"""Undo odd spelling of letters: set apart, digits in their place, turned upside down."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Final

from driftwatch.judge.text import views
from driftwatch.judge.text.added import merged
from driftwatch.judge.text.concepts import index
from driftwatch.judge.text.normalise import fold
from driftwatch.judge.text.sentences import sentences
from driftwatch.judge.text.views import View
from driftwatch.judge.text.vocabulary import coverage, parted, vocabulary
from driftwatch.judge.text.words import MARKS, is_cjk

SPACED_OUT: Final = "letters spaced out"
"""A heading or a word for emphasis, as print has it."""
_ONE: Final = rf"(?:[^\W\d_][{MARKS}]{{0,4}}|[{MARKS}])"
_TWO: Final = rf"(?<![^\W_])(?<![{MARKS}])[^\W\d_][{MARKS}]{{0,4}}([ .\-_*·|,/:+~•\xa0\u2009\u200a]|\r?\n){_ONE}"
_APART: Final = re.compile(rf"{_TWO}(?:\1{_ONE}){{1,600}}+(?![^\W_]|[{MARKS}])")
_PAIRS: Final = re.compile(rf"{_TWO}(?:\1{_ONE}){{0,600}}+(?![^\W_]|[{MARKS}])(?:\1[ \t]{{1,3}}\1)?+")
"""The same with words of two letters, for a text that has longer ones, and with the marks around the next gap.

What sets letters apart stands around the gaps between words as well, where it would end a sentence.
"""
_LETTER: Final = re.compile(_ONE)
_LEET: Final = re.compile(r"(?<![\w@$!|+\\])(?=[^\W\d]{0,39}[\d@$!|+])[\w@$!|+]{2,40}(?![\w@$!|+])")
_MEANT: Final[dict[str, str]] = {
    "0": "o", "1": "il", "2": "z", "3": "e", "4": "a", "5": "s", "6": "gb", "7": "t", "8": "b", "9": "g",
    "@": "a", "$": "s", "!": "il", "|": "li", "+": "t",
}  # fmt: skip
"""What letters a digit or a sign may stand for."""
_AMBIGUOUS: Final = 3
"""At most so many signs of a word are tried in two ways."""
_INFLECTED: Final = 5
"""So long a word may have any ending that a lexicon leaves open."""
_LONG_ENOUGH: Final = 12
"""So many letters set apart in one text are no abbreviation."""
_ONE_WORD: Final = 20
"""So many letters may be one word that no lexicon has."""
_PROSE: Final = 30
"""So many of them are no heading, unless all are capitals."""
_THROUGHOUT: Final = 8
"""So many words with digits for letters are no sample of that way to write."""
_FLIPPED: Final = str.maketrans("ɐqɔpǝɟƃɓɥᴉıɾʞlɯuodbɹsʇnʌʍxʎz", "abcdefgghiijklmnopqrstuvwxyz")
_TURNED: Final = frozenset("ɐɔǝɟƃɥᴉɾʞɯɹʇʌʍʎ")


def readings(text: str) -> Iterator[View]:
    """Give the readings with odd spelling undone."""
    if len(_letters(text, _APART)) >= _LONG_ENOUGH:
        view = views.rewritten(text, _PAIRS, _closed_up, "letters set apart")
        if view is not None:
            yield view if _is_prose(_letters(text, _PAIRS)) else view.named(SPACED_OUT)
    view = views.rewritten(text, _LEET, lambda match: undressed(match.group().lower()), "digits for letters")
    if view is not None and len(view.changed) >= 2:
        said = {text[start:end].lower() for start, end in view.changed}
        every = {word for match in _LEET.finditer(text) if is_dressed(word := match.group().lower())}
        throughout = len(every) >= _THROUGHOUT and len(said) >= max(3, len(every) // 4)
        yield view.named("digits for letters throughout") if throughout else view
    if not text.isascii() and len(_TURNED.intersection(text)) >= 4:
        yield from _upright(text)


def _letters(text: str, expression: re.Pattern[str]) -> list[str]:
    return [letter for match in expression.finditer(text) for letter in _LETTER.findall(match.group())]


def _is_prose(letters: Sequence[str]) -> bool:
    """Say whether letters set apart are more than a heading; a syllable or an ideograph counts twice."""
    size = len(letters) + sum(is_cjk(letter) for letter in letters)
    return size >= _PROSE and 2 * sum(letter[0].isupper() for letter in letters) < size


def _closed_up(match: re.Match[str]) -> str:
    """Put letters together again, and cut them into words where they are several."""
    word = "".join(_LETTER.findall(match.group()))
    parts = parted(fold(word, look_alikes=False).text)
    return f" {word if len(word) <= _ONE_WORD and coverage(parts) < 0.85 else ' '.join(parts)} "


def undressed(word: str) -> str | None:
    """Give the word that digits and signs spell among small letters, when it is a known one."""
    if word.isalpha() or not any(char.isalpha() for char in word) or "_" in word:
        return None
    meant = [_MEANT.get(char, char) for char in word]
    if sum(len(one) > 1 for one in meant) > _AMBIGUOUS:
        return None
    for letters in product(*meant):
        said = "".join(letters)
        known = said in vocabulary() if len(said) < _INFLECTED else index().knows(said) or said in vocabulary()
        if known and said.isalpha() and len(said) > 2:
            return said
    return None


def is_dressed(word: str) -> bool:
    """Say whether a word is letters and signs that can stand for letters, and no mere number or code."""
    letters = sum(char.isalpha() for char in word)
    return "_" not in word and 0 < letters < len(word) <= 3 * letters


def _upright(text: str) -> Iterator[View]:
    """Give the text with letters that stand on their heads set upright, read from either end."""
    size = len(text)
    said = text.translate(_FLIPPED)
    turned = [place for place in sentences(text) if not _TURNED.isdisjoint(text[slice(*place)])]
    changed = tuple(merged(turned))
    yield View(said, range(size), range(1, size + 1), "letters upside down", changed)
    yield View(said[::-1], range(size - 1, -1, -1), range(size, 0, -1), "letters upside down", changed)


PATTERNS: Final = (_APART, _PAIRS, _LETTER, _LEET)
"""Every expression of this file, for the test that they take linear time."""
