"""Undo odd spelling: letters set apart, digits for letters, words without spaces in names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from driftwatch.judge.text import views
from driftwatch.judge.text.normalise import fold
from driftwatch.judge.text.views import View
from driftwatch.judge.text.vocabulary import parted, vocabulary

_APART: Final = re.compile(r"(?<![^\W_])[^\W\d_](?:[ .\-_*·|\xa0][^\W\d_]){2,600}(?![^\W_])")
_LEET: Final = re.compile(r"(?<![\w@$!|])(?=[^\W\d]{0,39}[\d@$!|])[\w@$!|]{3,40}(?![\w@$!|])")
_LETTERS: Final = str.maketrans("013457@$!|", "oieastasil")
_OTHER_LETTERS: Final = str.maketrans("01345@$!|", "olezsasii")
_LONG_ENOUGH: Final = 12
"""So many letters set apart in one text are no abbreviation."""


def readings(text: str) -> Iterator[View]:
    """Give the readings with odd spelling undone."""
    if sum(len(match.group()) // 2 + 1 for match in _APART.finditer(text)) >= _LONG_ENOUGH:
        view = views.rewritten(text, _APART, _closed_up, "letters set apart")
        if view is not None:
            yield view
    view = views.rewritten(text, _LEET, _plain_letters, "digits for letters")
    if view is not None and len(view.changed) >= 2:
        yield view


def _closed_up(match: re.Match[str]) -> str:
    """Put letters together again and cut them into words."""
    letters = fold(match.group()[::2]).text
    return f" {' '.join(parted(letters))} "


def _plain_letters(match: re.Match[str]) -> str | None:
    """Give the word that digits and signs spell, when it is a known one."""
    word = match.group().lower()
    if word.isalpha() or not any(char.isalpha() for char in word) or "_" in word:
        return None
    for table in (_LETTERS, _OTHER_LETTERS):
        said = word.translate(table)
        if len(said) >= 3 and said in vocabulary():
            return said
    return None


PATTERNS: Final = (_APART, _LEET)
"""Every expression of this file, for the test that they take linear time."""
