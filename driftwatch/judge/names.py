"""Reading names: what words they are made of, and which other names they pass for."""

from __future__ import annotations

import re
import unicodedata

from driftwatch.judge.recalled import of_short
from driftwatch.judge.text.chars import UNSEEN
from driftwatch.judge.text.confusables import LOOKALIKES

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_WORD = re.compile(r"[^\W_]+")
_TWINS = str.maketrans({"1": "l", "i": "l", "|": "l", "0": "o"})


def word_set(text: str) -> frozenset[str]:
    """Give the words of a list written as text."""
    return frozenset(text.split())


def words(name: str) -> tuple[str, ...]:
    """Give the words of a name in lower case: `deleteAllFiles`, `delete_all-files` and `delete.all files` are one."""
    return tuple(word.lower() for word in _WORD.findall(_HUMP.sub(" ", name)))


def loose(name: str) -> str:
    """Give a name without its case and its separators."""
    return "_".join(words(name))


@of_short
def skeleton(name: str) -> str:
    """Give what a name looks like to a person: case, invisible characters, accents and look-alike letters folded."""
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).casefold())
    seen = UNSEEN.sub("", "".join(char for char in plain if not unicodedata.combining(char)))
    latin = "".join(LOOKALIKES.get(char, char) for char in seen)
    return latin.casefold().translate(_TWINS)
