"""Undo ciphers that keep words apart: rotations, reversal, mirrored alphabet.

A cipher is tried when words show it, and only on the stretches of a text that they stand in.
"""

from __future__ import annotations

import re
import string
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import accumulate
from typing import Final, NamedTuple

from driftwatch.judge.text.concepts import index
from driftwatch.judge.text.lexicon import ASIDE
from driftwatch.judge.text.normalise import fold
from driftwatch.judge.text.spelling import is_dressed, undressed
from driftwatch.judge.text.views import View
from driftwatch.judge.text.vocabulary import every_spelling, every_word
from driftwatch.judge.text.words import CJK, words

_LITTLE: Final = (
    *(
        "the",
        "and",
        "you",
        "all",
        "with",
        "this",
        "that",
        "from",
        "not",
        "for",
        "are",
        "your",
        "before",
        "every",
        "any",
    ),
    *("user", "send", "read", "file", "files", "must", "never", "call"),
)
_PLAIN: Final = frozenset(_LITTLE)
_STRETCH: Final = re.compile(r"[^.:;!?()\[\]\"'`«»“”„‘’。\n]{12,2000}")
_UNGAPPED: Final = re.compile(rf"[{CJK}\u0900-\u097f][{CJK}\u3000-\u3004\u0900-\u097f\uff0c ]{{9,2000}}")
_WORD: Final = re.compile(r"(?:[^\W_]|[@$!|+]){2,40}")
_TOKEN: Final = re.compile(r"\S+")
_ESCAPED: Final = re.compile(
    r";(?:\d{2,6}|[0-9A-Fa-f]{2,5}[xX])#&|[0-9A-Fa-f]{4}u\\|[0-9A-Fa-f]{2}x\\|(?<=[^\W\d_])[0-9A-Fa-f]{2}%(?=[^\W\d_])"
)
"""An escape that stands from its end to its beginning."""
_ESCAPES_LEAST: Final = 3
_STOP: Final = re.compile(r"[.!?]\s|\n\s*\n")
_ROW: Final = 5
"""So many more words in a row read from their ends than as they stand are no chance."""
_LONG: Final = 4
"""Shorter words read both ways by chance."""
_RUN: Final = 2
"""A stretch has at least so many more words under its cipher than as it stands."""
_UNKNOWN: Final = 0.1
"""What a word costs a stretch that is none either way."""
_DROP: Final = 3
"""So much lost at once ends a stretch."""
_EDGE: Final = 12
"""So many words that say nothing as they stand belong to a stretch on either side: names and addresses."""
REVERSED: Final = "reversed"


class _Unit(NamedTuple):
    """One word: where it stands, whether it says something there, and the ciphers under which it does."""

    start: int
    end: int
    word: str
    stands: bool
    told: frozenset[str]


def readings(text: str) -> Iterator[View]:
    """Give the stretches that words speak for a cipher in, each read under it."""
    units = [_Unit(*match.span(), match.group(), *_heard(match.group())) for match in _WORD.finditer(text)]
    for name in sorted(_by_little_words(text) | _by_known_words(text, units)):
        said = _tokens(text) if name == _WIDEST else units
        for first, last in _runs(said, name):
            yield _view(text, name, *_widened(text, said, name, first, last))
    for start, end in _turned_around(text):
        low = bisect_left(units, start, key=lambda unit: unit.end)
        high = bisect_left(units, end, key=lambda unit: unit.start) - 1
        first, last = _widened(text, units, REVERSED, low, high) if low <= high else (start, end)
        yield _view(text, REVERSED, min(first, start), max(last, end))


def _by_little_words(text: str) -> set[str]:
    """Give the ciphers that three of its little words speak for, or two in a text that is nothing else."""
    told: dict[str, set[str]] = defaultdict(set)
    known = _table()
    plain = 0
    for token in text.split():
        bare = token.lower().strip(string.punctuation)
        for form in (token, bare):
            for name, said in known.get(form, ()):
                told[name].add(said)
        plain += bare in _PLAIN
    return {name for name, seen in told.items() if len(seen) >= 3 or (len(seen) == 2 and plain <= 1)}


def _by_known_words(text: str, units: Sequence[_Unit]) -> set[str]:
    """Give the ciphers under which a stretch has words of a lexicon, in any language, and as it stands has not."""
    names: set[str] = set()
    at = 0
    for match in _STRETCH.finditer(text):
        while at < len(units) and units[at].start < match.start():
            at += 1
        first = at
        while at < len(units) and units[at].end <= match.end():
            at += 1
        said = [unit for unit in units[first:at] if len(unit.word) >= _LONG]
        stands = sum(unit.stands for unit in said)
        if len(said) < 3 or 5 * stands > len(said):
            continue
        told: dict[str, set[str]] = defaultdict(set)
        for unit in said:
            for name in unit.told:
                told[name].add(unit.word)
        tried = told.keys() - {REVERSED} if 10 * stands <= len(said) > _LONG else told.keys() & _COMMON.keys()
        names.update(name for name in tried if len(told[name]) >= 3 and 2 * len(told[name]) >= len(said))
    if max(accumulate(map(_back, units), lambda score, more: max(0.0, score + more), initial=0.0)) >= _ROW:
        names.add(REVERSED)
    return names


def _back(unit: _Unit) -> float:
    """Rate how much more a word says from its end."""
    back = REVERSED in unit.told
    return back - unit.stands if back or unit.stands else -0.25


def _runs(units: Sequence[_Unit], name: str) -> Iterator[tuple[int, int]]:
    """Give (first, last) of the words in a row that say more under a cipher than as they stand."""
    stands = list(accumulate((unit.stands for unit in units), initial=0))
    first = last = before = -1
    score = best = 0.0
    for at, unit in enumerate(units):
        if name not in unit.told or unit.stands:
            continue
        score -= stands[at] - stands[before + 1] + _UNKNOWN * (at - before - 1)
        if first < 0 or score <= 0 or best - score > _DROP:
            if best >= _RUN:
                yield first, last
            first, score, best = at, 0.0, 0.0
        score += 1
        before = at
        if score >= best:
            best, last = score, at
    if best >= _RUN:
        yield first, last


def _widened(text: str, units: Sequence[_Unit], name: str, first: int, last: int) -> tuple[int, int]:
    """Give where some words stand, with those on either side that say no more as they stand, up to white space."""
    low, high = first, last
    for at in range(first - 1, max(-1, first - _EDGE - 1), -1):
        if _says_more(units[at], name) or not _goes_on(text, units, at):
            break
        low = low if units[at].stands else at
    for at in range(last + 1, min(len(units), last + _EDGE + 1)):
        if _says_more(units[at], name) or not _goes_on(text, units, at - 1):
            break
        high = high if units[at].stands else at
    start, end = units[low].start, units[high].end
    least = units[low - 1].end if low else 0
    most = units[high + 1].start if high + 1 < len(units) else len(text)
    while start > least and not text[start - 1].isspace():
        start -= 1
    while end < most and not text[end].isspace():
        end += 1
    return start, end


def _says_more(unit: _Unit, name: str) -> bool:
    """Say whether a word says something as it stands and nothing under a cipher."""
    return unit.stands and not _spoken((unit.word[::-1] if name == REVERSED else _CIPHERS[name](unit.word)).lower())


def _goes_on(text: str, units: Sequence[_Unit], at: int) -> bool:
    """Say whether a word and the next stand in one sentence."""
    return _STOP.search(text, units[at].end, units[at + 1].start) is None


def _turned_around(text: str) -> Iterator[tuple[int, int]]:
    """Give stretches that read from their end and have no words to tell it by: escapes, scripts without gaps."""
    if not text.isascii():
        for match in _UNGAPPED.finditer(text):
            forth, back = (_terms(said) for said in (match.group(), match.group()[::-1]))
            if back >= 3 and back > 2 * forth:
                yield match.span()
    escaped = [match.span() for match in _ESCAPED.finditer(text)]
    if len(escaped) >= _ESCAPES_LEAST:
        yield escaped[0][0], escaped[-1][1]


def _terms(said: str) -> int:
    """Count the different terms of more than one character that a text has."""
    folded = fold(said, look_alikes=False).text
    hits = (hit for hit in index().find(words(folded)) if hit.concept not in ASIDE)
    return len({folded[hit.start : hit.end] for hit in hits if hit.end - hit.start > 1})


def _tokens(text: str) -> list[_Unit]:
    """Give what white space parts, for the one cipher that makes signs of letters."""
    found: list[_Unit] = []
    undo = _CIPHERS[_WIDEST]
    for match in _TOKEN.finditer(text):
        token = match.group()[:40]
        said = undo(token).strip(string.punctuation)
        told = {_WIDEST} if said.isalpha() and _spoken(said.lower()) else set[str]()
        stands = _spoken(token.strip(string.punctuation).lower())
        found.append(_Unit(*match.span(), token, stands, frozenset(told)))
    return found


@lru_cache(maxsize=16_384)
def _heard(word: str) -> tuple[bool, frozenset[str]]:
    """Say whether a word says something as it stands, and under which ciphers it does; digits may be letters in it."""
    low = word.lower()
    if not low.isalpha():
        if not is_dressed(low):
            return False, frozenset()
        tried = {REVERSED: low[::-1], **{name: undo(low) for name, undo in _COMMON.items()}}
        return undressed(low) is not None, frozenset(name for name, said in tried.items() if undressed(said))
    told = {name for name, _ in _table().get(low, ())}
    told.update(name for name, undo in _COMMON.items() if len(low) >= _LONG and _known(undo(low)))
    told.update(_rotations(low))
    if _spoken(low[::-1]):
        told.add(REVERSED)
    stands = _spoken(low) or (len(low) >= _LONG and _known(low))
    return stands, frozenset(told)


def _rotations(word: str) -> Iterator[str]:
    """Give the rotations that make a word of a lexicon of a word, as it stands there: some word begins like it."""
    first, turned = _from_a(word)
    for other in _turned_words().get(turned, ()) if first else ():
        if other != first:
            yield f"rotation by {(ord(other) - ord(first)) % 26}"


@cache
def _turned_words() -> dict[str, tuple[str, ...]]:
    """Give each word turned so that its first plain letter is an a → the letters it may have there."""
    table: dict[str, set[str]] = defaultdict(set)
    for word in every_spelling():
        if len(word) >= _LONG and word.isalpha():
            first, turned = _from_a(word)
            if first:
                table[turned].add(first)
    return {turned: tuple(sorted(letters)) for turned, letters in table.items()}


def _from_a(word: str) -> tuple[str, str]:
    """Give a word's first plain letter, and the word turned so far that this is an a; nothing where it has none."""
    first = next((char for char in word if "a" <= char <= "z"), "")
    return (first, word.translate(_TURNS[first])) if first else ("", "")


@lru_cache(maxsize=4096)
def _known(word: str) -> bool:
    """Say whether a lexicon has the word."""
    return index().knows(fold(word, look_alikes=False).text)


@lru_cache(maxsize=16_384)
def _spoken(word: str) -> bool:
    """Say whether a word is one of a lexicon, or begins like one if it is long."""
    folded = fold(word, look_alikes=False).text
    return folded in every_word() or (len(folded) > _LONG + 1 and _known(folded))


def _view(text: str, name: str, start: int, end: int) -> View:
    """Give a stretch of the text read under one cipher."""
    said, changed = text[start:end], ((start, end),)
    if name == REVERSED:
        return View(said[::-1], range(end - 1, start - 1, -1), range(end, start, -1), "reversed text", changed)
    return View(_CIPHERS[name](said), range(start, end), range(start + 1, end + 1), name, changed)


def _rotate(shift: int) -> Callable[[str], str]:
    lower, upper = string.ascii_lowercase, string.ascii_uppercase
    table = str.maketrans(lower + upper, lower[shift:] + lower[:shift] + upper[shift:] + upper[:shift])
    return lambda text: text.translate(table)


def _rot47(text: str) -> str:
    return text.translate(_ROT47)


def _mirror(text: str) -> str:
    return text.translate(_MIRROR)


_ROT47: Final = {33 + at: 33 + (at + 47) % 94 for at in range(94)}
_MIRROR: Final = str.maketrans(
    string.ascii_lowercase + string.ascii_uppercase, string.ascii_lowercase[::-1] + string.ascii_uppercase[::-1]
)
_CIPHERS: Final[dict[str, Callable[[str], str]]] = {
    **{f"rotation by {shift}": _rotate(shift) for shift in range(1, 26)},
    "rotation by 47": _rot47,
    "mirrored alphabet": _mirror,
}
_WIDEST: Final = "rotation by 47"
_COMMON: Final = {name: _CIPHERS[name] for name in ("rotation by 13", "mirrored alphabet")}
"""What is tried on every stretch that few words of are known, with any ending of a word."""
_TURNS: Final = {
    letter: str.maketrans(string.ascii_lowercase, string.ascii_lowercase[26 - at :] + string.ascii_lowercase[: 26 - at])
    for at, letter in enumerate(string.ascii_lowercase)
}


@cache
def _table() -> dict[str, tuple[tuple[str, str], ...]]:
    """Give enciphered little word → (cipher, word), leaving out what is itself an English word."""
    table: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for word in _LITTLE:
        for name, decode in _CIPHERS.items():
            for form in _enciphered(word, decode):
                table[form].append((name, word))
        table[word[::-1]].append((REVERSED, word))
    return {form: tuple(pairs) for form, pairs in table.items() if form not in _LITTLE and form not in _HARMLESS}


def _enciphered(word: str, decode: Callable[[str], str]) -> tuple[str, ...]:
    """Give the form that decodes to the word."""
    letters = {decode(chr(code)): chr(code) for code in range(33, 127)}
    return ("".join(letters[char] for char in word),)


_HARMLESS: Final = frozenset(
    {
        "max",
        "min",
        "png",
        "api",
        "url",
        "get",
        "set",
        "add",
        "key",
        "uri",
        "sql",
        "css",
        "xml",
        "tag",
        "ton",
        "era",
        "rof",
    }
)
PATTERNS: Final = (_STRETCH, _UNGAPPED, _WORD, _TOKEN, _ESCAPED, _STOP)
"""Every expression of this file, for the test that they take linear time."""
