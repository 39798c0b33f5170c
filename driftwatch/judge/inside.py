"""What lies inside an item, looked through once: what no honest sender needs, and how much its pointers take.

A pointer to a value carries every name on the way. One very long name over very many values would fill the memory
with pointers, so there is a bound to both; see `bounded` for what becomes of an item beyond it.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from dataclasses import dataclass, field
from itertools import accumulate
from typing import TypeAlias

from driftwatch.judge import pointer as at
from driftwatch.model import Json, Oddity

MAX_DEPTH = 64
"""How many levels of nesting an honest item can need. What is deeper is kept, compared whole, and called odd."""
LONGEST_PATH = 4000
"""How long (code points) the pointer to an object or a list may be. Honest ones stay below 400."""
MOST_POINTERS = 16_000_000
"""How long the pointers to all values of an item may be together. Honest items stay below a million."""
TOO_LONG = "too-long-a-path"

_SHORTER = (LONGEST_PATH, 2000, 1000, 500, 250, 120, 60, 0)
_LONGER = _SHORTER[::-1]
_SURROGATE = re.compile("[\ud800-\udfff]")

_Way: TypeAlias = "tuple[_Way, str | int] | None"
"""The way to a value, spelled only where it is told: the way to what holds it, and its name there."""


@dataclass
class _Finds:
    """The first of each oddity, by sorted keys, and the length of the pointers by that of what holds the values."""

    odd: dict[str, Oddity] = field(default_factory=dict)
    lengths: dict[int, int] = field(default_factory=lambda: dict.fromkeys(_SHORTER, 0))

    def note(self, code: str, way: _Way, detail: str) -> None:
        if code not in self.odd:
            self.odd[code] = Oddity(code, _spelled(way), detail)

    def text(self, text: str, way: _Way) -> None:
        if not text.isascii() and _SURROGATE.search(text):
            self.note("lone-surrogate", way, "half of a character")

    def count(self, holder: int, inner: int) -> None:
        """Count a pointer, at the shortest bound that lets it be made."""
        self.lengths[_LONGER[bisect_left(_LONGER, holder)]] += inner


def look_inside(raw: Json) -> list[Oddity]:
    """Find what no honest sender needs: too deep, too long a path, not finite, lone surrogates; the first of each."""
    finds = _Finds()
    _walk(raw, finds)
    if sum(finds.lengths.values()) > MOST_POINTERS:
        finds.note(TOO_LONG, None, f"more than {MOST_POINTERS} characters in the names on the way to its values")
    return [finds.odd[code] for code in sorted(finds.odd)]


def reach(raw: Json) -> int:
    """Say how long the pointer to an object or a list may be, so that those to all values stay within bounds."""
    finds = _Finds()
    _walk(raw, finds)
    return next((bound for bound in _SHORTER if _upto(bound, finds.lengths) <= MOST_POINTERS), 0)


def _upto(bound: int, lengths: dict[int, int]) -> int:
    return sum(length for short, length in lengths.items() if short <= bound)


def _walk(raw: Json, finds: _Finds) -> None:
    waiting: list[tuple[_Way, int, Json, int]] = [(None, 0, raw, 0)]
    while waiting:
        way, length, value, depth = waiting.pop()
        if depth > MAX_DEPTH:
            finds.note("too-deep", way, f"more than {MAX_DEPTH} levels")
        elif isinstance(value, dict | list) and length > LONGEST_PATH:
            finds.note(TOO_LONG, way, f"more than {LONGEST_PATH} characters in the names on the way there")
        elif isinstance(value, dict):
            keys = sorted(value, reverse=True)
            for key in reversed(keys):
                finds.text(key, way)
                finds.count(length, length + 1 + len(key))
            waiting.extend(((way, key), length + 1 + len(key), value[key], depth + 1) for key in keys)
        elif isinstance(value, list):
            finds.count(length, (length + 2) * len(value))
            waiting.extend(((way, i), length + 2, value[i], depth + 1) for i in range(len(value) - 1, -1, -1))
        elif isinstance(value, str):
            finds.text(value, way)
        elif isinstance(value, float) and not math.isfinite(value):
            finds.note("not-finite", way, str(value))


def _spelled(way: _Way) -> str:
    """Write the pointer of a way, as far as a pointer may be long."""
    tokens: list[str | int] = []
    while way is not None:
        tokens.append(way[1])
        way = way[0]
    steps = [at.join("", token) for token in reversed(tokens)]
    ends = accumulate(map(len, steps))
    return "".join(step for step, end in zip(steps, ends, strict=True) if end <= LONGEST_PATH)
