"""Find the concepts that words stand for, in any of the languages of the lexicon.

A lexicon term is one or more words; `*` at the end of a word takes any ending ("send*"). Chinese, Japanese and
Korean terms match anywhere, because those languages do not part words by spaces.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from driftwatch.judge.text import lexicon
from driftwatch.judge.text.normalise import fold
from driftwatch.judge.text.words import Word, is_cjk, words

_SIGNS: Final = 1
"""A sentence is in another language than English when English has at most so many times its little words."""

MARK: Final = "MARK"
"""The concept of the little words that tell which language a text is in."""


@dataclass(frozen=True, slots=True)
class Hit:
    """One concept found: which, in which language, and the words that carry it (indices and offsets of folded text)."""

    concept: str
    language: str
    first: int
    last: int
    start: int
    end: int
    place: float


@dataclass(frozen=True, slots=True)
class _Term:
    concept: str
    language: str
    rest: tuple[tuple[str, bool], ...]


class Index:
    """All terms of all languages, found by their first word."""

    def __init__(self, lexicons: Mapping[str, Mapping[str, Sequence[str]]]) -> None:
        """Take language → concept → terms."""
        self._exact: dict[str, list[_Term]] = defaultdict(list)
        self._prefix: dict[str, list[_Term]] = defaultdict(list)
        for language, concepts in lexicons.items():
            for concept, terms in concepts.items():
                for term in terms:
                    self._add(language, concept, term)
        self._lengths = sorted({len(prefix) for prefix in self._prefix})

    def _add(self, language: str, concept: str, term: str) -> None:
        parts = _parts(term)
        head, any_ending = parts[0]
        table = self._prefix if any_ending else self._exact
        table[head].append(_Term(concept, language, parts[1:]))

    def find(self, found: Sequence[Word]) -> list[Hit]:
        """Give every concept in the words, in order of place."""
        hits: list[Hit] = []
        for at, word in enumerate(found):
            for term in self._starting(word.text):
                last = _follow(found, at, term.rest)
                if last >= 0:
                    hits.append(Hit(term.concept, term.language, at, last, word.start, found[last].end, word.place))
        return hits

    def _starting(self, word: str) -> list[_Term]:
        terms = list(self._exact.get(word, ()))
        for length in self._lengths:
            if length > len(word):
                break
            terms.extend(self._prefix.get(word[:length], ()))
        return terms


def _follow(found: Sequence[Word], at: int, rest: tuple[tuple[str, bool], ...]) -> int:
    """Give the index of the last word when the following words are the rest of the term, else -1."""
    for offset, (text, any_ending) in enumerate(rest, start=at + 1):
        if offset >= len(found):
            return -1
        word = found[offset].text
        if word != text and not (any_ending and word.startswith(text)):
            return -1
    return at + len(rest)


def _parts(term: str) -> tuple[tuple[str, bool], ...]:
    """Cut a term into folded words, each with whether it takes any ending."""
    parts: list[tuple[str, bool]] = []
    for piece in term.split():
        any_ending = piece.endswith("*")
        cut = [word.text for word in words(fold(piece.removesuffix("*"), look_alikes=False).text)]
        parts.extend((text, False) for text in cut[:-1])
        parts.append((cut[-1], any_ending and not is_cjk(cut[-1][0])))
    return tuple(parts)


@cache
def index() -> Index:
    """Give the index over every language, built once."""
    return Index(lexicon.LEXICONS)


def spoken(hits: Sequence[Hit]) -> frozenset[str]:
    """Give the languages that a sentence can be in, told by script and by little words; English always counts.

    Words look alike between languages ("no", "data", "con"): a term of a language counts only where the sentence
    shows other signs of that language, or no sign of any.
    """
    counts: dict[str, set[int]] = defaultdict(set)
    for hit in hits:
        if hit.concept == MARK:
            counts[hit.language].add(hit.first)
    english = len(counts.pop("en", ()))
    most = max((len(seen) for seen in counts.values()), default=0)
    if not most and not english:
        return frozenset({_richest(hits), *lexicon.OWN_SCRIPT})
    likely = {language for language, seen in counts.items() if 2 * len(seen) >= most and _SIGNS * len(seen) >= english}
    return frozenset({"en", *lexicon.OWN_SCRIPT, *likely})


def _richest(hits: Sequence[Hit]) -> str:
    """Give the language that most concepts are found in; English where none has more."""
    concepts: dict[str, set[str]] = defaultdict(set)
    for hit in hits:
        concepts[hit.language].add(hit.concept)
    return max(("en", *sorted(concepts.keys() - {""})), key=lambda language: len(concepts.get(language, ())))
