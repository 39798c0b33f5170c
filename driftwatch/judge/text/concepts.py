"""Find the concepts that words stand for, in any of the languages of the lexicon.

A lexicon term is one or more words; `*` at the end of a word takes any ending ("send*"). Chinese, Japanese and
Korean terms match anywhere, because those languages do not part words by spaces.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from operator import itemgetter
from typing import Final, NamedTuple

from driftwatch.judge.text import lexicon
from driftwatch.judge.text.normalise import fold
from driftwatch.judge.text.words import Word, is_cjk, texts, words

_REMEMBERED: Final = 16_384
"""For so many words the terms that start with them are kept at hand."""

_SIDES: Final = ((10.0, 1.0), (6.0, 6.0), (1.0, 10.0))
"""So many words before and behind a word tell which language it is in where the sentence as a whole does not."""
_FEWEST: Final = 2
"""So many little words must be among them."""

MARK: Final = "MARK"
"""The concept of the little words that tell which language a text is in."""


class Hit(NamedTuple):
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


@dataclass(frozen=True, slots=True)
class _Head:
    """The terms that start with one word, each with its rank: those of this word alone, and those that go on.

    `following` holds those that go on by their second word, `loose` those whose second word takes any ending.
    `telling`: one of them shows that a text says something.
    """

    alone: tuple[tuple[int, _Term], ...]
    following: Mapping[str, tuple[tuple[int, _Term], ...]]
    loose: tuple[tuple[int, _Term], ...]
    telling: bool

    @classmethod
    def of(cls, terms: Sequence[_Term]) -> _Head:
        """Sort terms by how they go on."""
        ranked = list(enumerate(terms))
        following: dict[str, list[tuple[int, _Term]]] = defaultdict(list)
        for rank, term in ranked:
            if term.rest and not term.rest[0][1]:
                following[term.rest[0][0]].append((rank, term))
        return cls(
            tuple(pair for pair in ranked if not pair[1].rest),
            {word: tuple(pairs) for word, pairs in following.items()},
            tuple(pair for pair in ranked if pair[1].rest and pair[1].rest[0][1]),
            any(term.concept not in lexicon.ASIDE for term in terms),
        )

    def terms(self, found: Sequence[Word], at: int) -> Iterator[tuple[_Term, int]]:
        """Give the terms that stand at a place with the index of their last word, in the order of the lexicons."""
        here = [(rank, term, at) for rank, term in self.alone]
        if at + 1 < len(found) and (self.following or self.loose):
            for rank, term in (*self.following.get(found[at + 1].text, ()), *self.loose):
                last = _follow(found, at, term.rest)
                if last >= 0:
                    here.append((rank, term, last))
            here.sort(key=itemgetter(0))
        return ((term, last) for _, term, last in here)


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
        self._head = lru_cache(maxsize=_REMEMBERED)(self._head_of)

    def _add(self, language: str, concept: str, term: str) -> None:
        parts = _parts(term)
        head, any_ending = parts[0]
        table = self._prefix if any_ending else self._exact
        table[head].append(_Term(concept, language, parts[1:]))

    def knows(self, word: str) -> bool:
        """Say whether some term starts with the word, of a concept that shows that a text says something."""
        head = self._head(word)
        return head is not None and head.telling

    def find(self, found: Sequence[Word]) -> list[Hit]:
        """Give every concept in the words, in order of place."""
        hits: list[Hit] = []
        for at, word in enumerate(found):
            head = self._head(word.text)
            if head is not None:
                for term, last in head.terms(found, at):
                    hits.append(Hit(term.concept, term.language, at, last, word.start, found[last].end, word.place))
        return hits

    def _head_of(self, word: str) -> _Head | None:
        terms = list(self._exact.get(word, ()))
        for length in self._lengths:
            if length > len(word):
                break
            terms.extend(self._prefix.get(word[:length], ()))
        return _Head.of(terms) if terms else None


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
        cut = _folded_words(piece.removesuffix("*"))
        parts.extend((text, False) for text in cut[:-1])
        parts.append((cut[-1], any_ending and not is_cjk(cut[-1][0])))
    return tuple(parts)


def _folded_words(piece: str) -> list[str]:
    """Give the folded words of a piece of a term; most are one plain word, which needs no more than small letters."""
    if piece.isascii() and piece.isalnum():
        return [piece.lower()]
    return texts(fold(piece, look_alikes=False).text)


@cache
def index() -> Index:
    """Give the index over every language, built once."""
    return Index(lexicon.LEXICONS)


@lru_cache(maxsize=_REMEMBERED)
def is_little(word: str) -> bool:
    """Say whether a folded word only joins others, in some language."""
    return any(hit.concept == MARK for hit in index().find(words(word)))


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
    likely = {language for language, seen in counts.items() if 2 * len(seen) >= most and len(seen) >= english}
    return frozenset({"en", *lexicon.OWN_SCRIPT, *likely})


def heard(hits: Sequence[Hit]) -> list[Hit]:
    """Give the hits of a sentence that are in a language which it is in, as a whole or around them.

    Half a sentence in one language does not hide the other half in another.
    """
    languages = spoken(hits)
    marks = {language: found for language, found in _marks(hits).items() if language not in languages - {"en"}}
    others = {language for language, found in marks.items() if len(found) >= _FEWEST and language != "en"}
    if not others:
        return [hit for hit in hits if not hit.language or hit.language in languages]
    return [
        hit
        for hit in hits
        if not hit.language or hit.language in languages or (hit.language in others and _around(hit, marks))
    ]


def _marks(hits: Sequence[Hit]) -> dict[str, list[float]]:
    """Give where the little words of each language stand, in order."""
    marks: dict[str, list[float]] = defaultdict(list)
    for hit in hits:
        if hit.concept == MARK and (not marks[hit.language] or marks[hit.language][-1] != hit.place):
            marks[hit.language].append(hit.place)
    return marks


def _around(hit: Hit, marks: Mapping[str, Sequence[float]]) -> bool:
    """Say whether the words before, around or behind a hit are in its language."""
    for before, behind in _SIDES:
        counts = {
            language: bisect_right(found, hit.place + behind) - bisect_left(found, hit.place - before)
            for language, found in marks.items()
        }
        own = counts.pop(hit.language)
        if own >= _FEWEST and own > counts.get("en", 0) and own >= max(counts.values(), default=0):
            return True
    return False


def _richest(hits: Sequence[Hit]) -> str:
    """Give the language that most concepts are found in; English where none has more."""
    concepts: dict[str, set[str]] = defaultdict(set)
    for hit in hits:
        concepts[hit.language].add(hit.concept)
    return max(("en", *sorted(concepts.keys() - {""})), key=lambda language: len(concepts.get(language, ())))
