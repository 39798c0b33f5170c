"""Cut gained sentences into stretches short enough to weigh: one order among much honest text must not drown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

_ROOM: Final = 130
"""So many characters of neighbouring sentences are weighed together: more of them would thin the one that counts."""
_NEAR: Final = 4
"""Sentences so many characters apart, blanks not counted, are neighbours."""


def windows(sentences: Iterable[tuple[int, int]], text: str = "") -> Iterator[tuple[int, int]]:
    """Give (start, end) of stretches of whole neighbouring sentences, in order; a longer sentence stands alone.

    With the `text` that they stand in, blanks between them count for nothing: they part no neighbours.
    """
    begin = stop = -1
    blank = 0
    for start, end in sentences:
        between = start - stop
        if begin >= 0 and between > _NEAR and text:
            between = len(text[stop:start].strip())
            blank += start - stop - between
        if begin >= 0 and (between > _NEAR or end - begin - blank > _ROOM):
            yield begin, stop
            begin = -1
        if begin < 0:
            begin, blank = start, 0
        stop = end
    if begin >= 0:
        yield begin, stop
