"""The words that the lexicons know, for telling whether a decoded or re-spelled text says something."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

from driftwatch.judge.text import lexicon
from driftwatch.judge.text.normalise import fold
from driftwatch.judge.text.words import texts

_MORE: Final = """
a i in it as at do go he we me my no so up us our out who why how all any can had has have her his was were will would
each every file files data key keys name time into over then than them they their there here what which where while
before after previous secret password tool message messages content contents address account server system user model
please now next one two home folder directory path read write send call list full last first text word words answer
question reply email web site page
"""


@cache
def vocabulary() -> frozenset[str]:
    """Give every single word of every lexicon in Latin letters, folded, with some hundred plain English ones."""
    known = set(_MORE.split())
    plain = " ".join(term for term in _terms() if term.isascii())
    known.update(texts(fold(plain.replace("*", "")).text))
    for term in _terms():
        if not term.isascii():
            known.update(word for word in texts(fold(term.replace("*", "")).text) if word.isascii())
    return frozenset(known)


@cache
def every_word() -> frozenset[str]:
    """Give the same with the words of every other script whose words are parted by spaces."""
    known = set(vocabulary())
    for term in _terms():
        if not term.isascii():
            found = texts(fold(term.replace("*", ""), look_alikes=False).text)
            known.update(word for word in found if len(word) > 1)
    return frozenset(known)


@cache
def every_spelling() -> frozenset[str]:
    """Give the same with the single words as their language spells them, in small letters."""
    spelled = {part.strip("*") for term in _terms() for part in unicodedata.normalize("NFC", term).casefold().split()}
    return every_word() | spelled


def _terms() -> Iterator[str]:
    """Give the terms of every language that tell whether a text says something."""
    for concepts in lexicon.LEXICONS.values():
        for concept, terms in concepts.items():
            if concept not in lexicon.ASIDE:
                yield from terms


def coverage(parts: Sequence[str]) -> float:
    """Give how large a part of the letters stands in known words of more than two letters."""
    size = sum(map(len, parts))
    return sum(len(part) for part in parts if len(part) > 2 and part in every_word()) / size if size else 0.0


def parted(letters: str) -> list[str]:
    """Cut letters that lost their spaces into known words, leaving as few letters unknown as can be.

    Work is the length times the longest word. Unknown stretches stay together.
    """
    known = every_word()
    best: list[tuple[int, int, int]] = [(0, 0, 0)]
    for end in range(1, len(letters) + 1):
        unknown, count, _ = best[end - 1]
        choice = (unknown + 1, count, end - 1)
        for start in range(max(0, end - 14), end):
            if letters[start:end] in known:
                choice = min(choice, (best[start][0], best[start][1] + 1, start))
        best.append(choice)
    cuts: list[str] = []
    end = len(letters)
    while end:
        start = best[end][2]
        cuts.append(letters[start:end])
        end = start
    return _joined(cuts[::-1], known)


def _joined(parts: list[str], known: frozenset[str]) -> list[str]:
    """Put single unknown letters back together."""
    out: list[str] = []
    loose = False
    for part in parts:
        if part in known:
            out.append(part)
            loose = False
        elif loose:
            out[-1] += part
        else:
            out.append(part)
            loose = True
    return out
