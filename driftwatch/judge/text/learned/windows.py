"""Cut gained sentences into stretches short enough to weigh: one order among much honest text must not drown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

_ROOM: Final = 360
"""So many characters of neighbouring sentences are weighed together, as long as the texts that were learned from."""
_NEAR: Final = 4
"""Sentences so many characters apart are neighbours."""


def windows(sentences: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Give (start, end) of stretches of whole neighbouring sentences, in order; a longer sentence stands alone."""
    begin = stop = -1
    for start, end in sentences:
        if begin >= 0 and (start - stop > _NEAR or end - begin > _ROOM):
            yield begin, stop
            begin = -1
        begin, stop = (start if begin < 0 else begin), end
    if begin >= 0:
        yield begin, stop
