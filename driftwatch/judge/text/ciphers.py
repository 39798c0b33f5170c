"""Undo ciphers that keep words apart: rotations, reversal, mirrored alphabet.

A cipher is tried when little words show it.
"""

from __future__ import annotations

import re
import string
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from itertools import islice
from typing import Final

from driftwatch.judge.text.concepts import index
from driftwatch.judge.text.lexicon import ASIDE
from driftwatch.judge.text.normalise import fold
from driftwatch.judge.text.views import View
from driftwatch.judge.text.vocabulary import every_word
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
_WORD: Final = re.compile(r"[^\W\d_]{2,40}")
_ROW: Final = 5
"""So many more words in a row read from their ends than as they stand are no chance."""
_LONG: Final = 4
"""Shorter words read both ways by chance."""
_WORDS_TRIED: Final = 20_000


def readings(text: str) -> Iterator[View]:
    """Give the reading under every cipher that at least three of its little words speak for."""
    told: dict[str, set[str]] = defaultdict(set)
    known = _table()
    plain = 0
    for word in text.split()[:_WORDS_TRIED]:
        for form in (word, word.lower().strip(string.punctuation)):
            for name, said in known.get(form, ()):
                told[name].add(said)
            plain += form in _PLAIN
    if len(told.get("reversed", ())) < 2 and (_backwards(text) or (not text.isascii() and _backwards_script(text))):
        yield _view(text, "reversed")
    for name in _told_by_words(text):
        if len(told.get(name, ())) < 2:
            yield _view(text, name)
    for name, seen in told.items():
        if len(seen) >= 3 or (len(seen) == 2 and plain <= 2):
            yield _view(text, name)


def _backwards(text: str) -> bool:
    """Say whether some words in a row, in any language, read from their ends and not as they stand."""
    score = 0.0
    for match in islice(_WORD.finditer(text), _WORDS_TRIED):
        word = match.group()
        forth, back = _spoken(word), _spoken(word[::-1])
        score = max(0.0, score + (back - forth if back or forth else -0.25))
        if score >= _ROW:
            return True
    return False


def _backwards_script(text: str) -> bool:
    """Say whether a stretch in a script without gaps between words says more when it is read from its end."""
    for match in _UNGAPPED.finditer(text):
        forth, back = (_terms(said) for said in (match.group(), match.group()[::-1]))
        if back >= 3 and back > 2 * forth:
            return True
    return False


def _terms(said: str) -> int:
    """Count the different terms of more than one character that a text has."""
    folded = fold(said, look_alikes=False).text
    hits = (hit for hit in index().find(words(folded)) if hit.concept not in ASIDE)
    return len({folded[hit.start : hit.end] for hit in hits if hit.end - hit.start > 1})


def _told_by_words(text: str) -> list[str]:
    """Give the ciphers under which a stretch has words of a lexicon, in any language, and as it stands has not."""
    names: dict[str, None] = {}
    left = _WORDS_TRIED
    for match in _STRETCH.finditer(text):
        said = [word.strip(string.punctuation) for word in match.group().split()]
        said = [word for word in said if len(word) >= _LONG and not any(char.isdigit() for char in word)]
        left -= len(said)
        if left < 0:
            break
        as_it_stands = sum(map(_known, said))
        if len(said) < 3 or 5 * as_it_stands > len(said):
            continue
        tried = _BY_WORDS if 10 * as_it_stands <= len(said) > _LONG else _COMMON
        for name, undo in tried.items():
            sure = _known if name in _COMMON else _spelled
            told = {word for word in said if (undone := undo(word)) != word and sure(undone)}
            if name not in names and len(told) >= 3 and 2 * len(told) >= len(said):
                names[name] = None
    return list(names)


@lru_cache(maxsize=4096)
def _known(word: str) -> bool:
    """Say whether a lexicon has the word."""
    return index().knows(fold(word, look_alikes=False).text)


@lru_cache(maxsize=4096)
def _spelled(word: str) -> bool:
    """Say whether a word stands in a lexicon as it is: among so many rotations some word begins like a known one."""
    return fold(word, look_alikes=False).text in every_word()


@lru_cache(maxsize=16_384)
def _spoken(word: str) -> bool:
    """Say whether a word is one of a lexicon, or begins like one if it is long."""
    folded = fold(word.lower(), look_alikes=False).text
    return folded in every_word() or (len(folded) > _LONG + 1 and _known(folded))


def _view(text: str, name: str) -> View:
    """Give the text read under one cipher."""
    size = len(text)
    whole = ((0, size),)
    if name == "reversed":
        return View(text[::-1], range(size - 1, -1, -1), range(size, 0, -1), "reversed text", whole)
    return View(_CIPHERS[name](text), range(size), range(1, size + 1), name, whole)


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
_BY_WORDS: Final[dict[str, Callable[[str], str]]] = {
    **{f"rotation by {shift}": _rotate(shift) for shift in (13, *range(1, 13), *range(14, 26))},
    "mirrored alphabet": _mirror,
}
"""What is tried where no little English word tells."""
_COMMON: Final = {name: _BY_WORDS[name] for name in ("rotation by 13", "mirrored alphabet")}
"""Of these, what is tried on every stretch that few words of are known."""


@cache
def _table() -> dict[str, tuple[tuple[str, str], ...]]:
    """Give enciphered little word → (cipher, word), leaving out what is itself an English word."""
    table: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for word in _LITTLE:
        for name, decode in _CIPHERS.items():
            for form in _enciphered(word, decode):
                table[form].append((name, word))
        table[word[::-1]].append(("reversed", word))
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
PATTERNS: Final = (_STRETCH, _UNGAPPED, _WORD)
"""Every expression of this file, for the test that they take linear time."""
