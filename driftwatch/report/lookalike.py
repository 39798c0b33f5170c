"""What words in letters that pass for others read as: look-alikes of other scripts, ornamental letters, marked ones."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left

from driftwatch.judge.text.chars import TERMINAL
from driftwatch.judge.text.normalise import Folded, fold

_WORD = re.compile(r"\S+")
_LEAST = 3
"""So many ornamental letters or needless marks in one word are no flag, sign or number."""
_SCRIPT_OF_ITS_OWN = re.compile("[\u0370-\u058f\u13a0-\u13ff]")
"""Greek, Cyrillic, Armenian and Cherokee: a word of such letters alone may be meant as it stands."""


def reads_as(text: str) -> str:
    """Give a text with its disguised words in plain letters; empty where it has none.

    A word with accents, or in a script of its own, is none: only a word of plain Latin letters beneath counts.
    """
    if text.isascii() or TERMINAL.search(text):
        return ""
    text = unicodedata.normalize("NFC", text)
    folded = fold(text)
    said, end, disguised = [], 0, False
    for match in _WORD.finditer(text):
        word = match.group()
        plain = "" if word.isascii() else _within(folded, *match.span())
        if plain.isascii() and any(map(_passes, word)):
            disguised = disguised or _is_disguise(word)
            said.append(text[end : match.start()] + plain)
            end = match.end()
    return "".join(said) + text[end:] if disguised else ""


def _within(folded: Folded, start: int, end: int) -> str:
    """Give what a stretch of the original folds to."""
    return folded.text[bisect_left(folded.offsets, start) : bisect_left(folded.offsets, end)]


def _is_disguise(word: str) -> bool:
    """Say whether a word is disguised beyond doubt: it mixes scripts, or is full of ornamental letters."""
    mixes = any(char.isascii() and char.isalpha() for char in word) and _SCRIPT_OF_ITS_OWN.search(word) is not None
    return mixes or sum(_passes(char) and not _SCRIPT_OF_ITS_OWN.match(char) for char in word) >= _LEAST


def _passes(char: str) -> bool:
    """Say whether a character passes for a Latin letter, or is a mark that no spelling needs."""
    if char.isascii() or unicodedata.name(char, "").startswith(("LATIN SMALL LETTER", "LATIN CAPITAL LETTER")):
        return False
    return unicodedata.combining(char) > 0 or char.isalpha() or unicodedata.category(char) in {"So", "Lm"}
