"""Word classes that hold across languages: words and parts of words that mean about the same share a number.

The table is data, compressed text: one class a line, first the number of its wider class, then its pieces in folded
spelling; `▁` marks a piece that starts a word. It was made by clustering the token vectors of a multilingual sentence
encoder (Universal Sentence Encoder, multilingual v3, Apache-2.0).
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

START: Final = "▁"
_FILE: Final = "classes.txt.z"


@dataclass(frozen=True, slots=True)
class Pieces:
    """The classes of pieces that start a word, and of those that stand inside one or in a text without spaces."""

    first: Mapping[str, int]
    inner: Mapping[str, int]
    wider: tuple[int, ...]
    longest: int

    def cut(self, word: str, *, spaced: bool) -> Iterator[tuple[int, int]]:
        """Give (class, offset) of the pieces of a word or a run of ideographs: the longest that fits each time."""
        at = 0
        table = self.first if spaced else self.inner
        while at < len(word):
            end = next((end for end in range(min(len(word), at + self.longest), at, -1) if word[at:end] in table), 0)
            if end:
                yield table[word[at:end]], at
                at = end
            elif table is self.inner:
                at += 1
            table = self.inner


def read(text: str) -> Pieces:
    """Read the table."""
    first: dict[str, int] = {}
    inner: dict[str, int] = {}
    wider: list[int] = []
    for number, line in enumerate(text.split("\n")):
        group, *held = line.split(" ")
        wider.append(int(group))
        for piece in held:
            table = first if piece.startswith(START) else inner
            table[piece.removeprefix(START)] = number
    return Pieces(first, inner, tuple(wider), max(map(len, (*first, *inner)), default=0))


@cache
def pieces() -> Pieces:
    """Give the table that is shipped, read once."""
    return read(zlib.decompress(Path(__file__).with_name(_FILE).read_bytes()).decode())
