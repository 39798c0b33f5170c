"""Undo ciphers that keep words apart: rotations, reversal, mirrored alphabet.

A cipher is tried when little words show it.
"""

from __future__ import annotations

import re
import string
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from typing import Final

from driftwatch.judge.text.concepts import index
from driftwatch.judge.text.normalise import fold
from driftwatch.judge.text.views import View
from driftwatch.judge.text.vocabulary import vocabulary

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
_BACKWARDS: Final = re.compile(r"(?<!\S)[.!?][^\W\d_]{2,30} [^\n]{0,2000}[^\W\d_]{2,30}(?!\S)")
"""A word that starts with its full stop is the end of a sentence read backwards."""
_STRETCH: Final = re.compile(r"[^.:;!?()\[\]\"'`«»“”„‘’。\n]{12,2000}")
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
    if len(told.get("reversed", ())) < 2 and _backwards(text):
        yield _view(text, "reversed")
    for name in _told_by_words(text):
        if len(told.get(name, ())) < 2:
            yield _view(text, name)
    for name, seen in told.items():
        if len(seen) >= 3 or (len(seen) == 2 and plain <= 2):
            yield _view(text, name)


def _backwards(text: str) -> bool:
    """Say whether a stretch that starts with its full stop reads better from its end, in any language."""
    for match in _BACKWARDS.finditer(text):
        words = [word.lower().strip(string.punctuation) for word in match.group().split()]
        forth = sum(word in vocabulary() for word in words)
        back = sum(fold(word[::-1]).text in vocabulary() for word in words)
        if back >= 3 and back > 2 * forth:
            return True
    return False


def _told_by_words(text: str) -> list[str]:
    """Give the ciphers under which a stretch has words of a lexicon, in any language, and as it stands has not."""
    names: dict[str, None] = {}
    left = _WORDS_TRIED
    for match in _STRETCH.finditer(text):
        words = [word.strip(string.punctuation) for word in match.group().split()]
        words = [word for word in words if len(word) >= _LONG and word.isalpha()]
        left -= len(words)
        if left < 0:
            break
        if len(words) < 3 or 5 * sum(map(_known, words)) > len(words):
            continue
        for name, undo in _BY_WORDS.items():
            told = {word for word in words if (said := undo(word)) != word and _known(said)}
            if name not in names and len(told) >= 3 and 2 * len(told) >= len(words):
                names[name] = None
    return list(names)


@lru_cache(maxsize=4096)
def _known(word: str) -> bool:
    """Say whether a lexicon has the word."""
    return index().knows(fold(word, look_alikes=False).text)


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
    "reversed": lambda word: word[::-1],
    "rotation by 13": _rotate(13),
    "mirrored alphabet": _mirror,
}
"""What is tried where no little English word tells."""


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
