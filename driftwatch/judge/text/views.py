"""A view is one way to read a text: as it stands, or with a disguise undone."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from driftwatch.judge.text.added import covers, merged
from driftwatch.judge.text.sentences import sentences

SHOWN: Final = 2000
"""At most this many characters of a decoded text are shown."""
_WHOLE: Final = 600
"""A text of so many characters is shown as one."""
_AROUND: Final = 120


@dataclass(frozen=True)
class View:
    """A reading of the original: `text`, with where every character of it starts and ends in the original.

    Places run on with the text, or against it where it was reversed. `how` names the disguise that was undone (empty
    for the text as it stands). `changed` are the stretches of the original that read differently here, sorted and
    apart: what does not touch them is the business of the plain view.
    """

    text: str
    starts: Sequence[int]
    ends: Sequence[int]
    how: str = ""
    changed: tuple[tuple[int, int], ...] = ()

    @property
    def undone(self) -> str:
        """The text as far as it comes from what was undone."""
        if len(self.changed) == 1 and self.changed[0] == self.origin(0, len(self.text)):
            return self.text
        places = zip(self.text, self.starts, self.ends, strict=True)
        return "".join(char if covers(self.changed, start, end) else " " for char, start, end in places)

    def named(self, how: str) -> View:
        """Give the same reading under another name of what was undone."""
        return replace(self, how=how)

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """Give the stretch of the original that `start`..`end` of this view came from; holds for reversed text too."""
        if not self.text:
            return self.changed[0] if self.changed else (0, 0)
        last = max(start, end - 1)
        last = min(last, len(self.text) - 1)
        start = min(start, last)
        return min(self.starts[start], self.starts[last]), max(self.ends[start], self.ends[last])

    def found(self, start: int, end: int) -> tuple[int, int]:
        """Give the stretch of this view's text that came from `start`..`end` of the original; all of it for a piece."""
        size = len(self.text)
        if not size or isinstance(self.starts, _Same):
            return 0, size
        if self.starts[0] <= self.starts[-1]:
            return bisect_right(self.ends, start), bisect_left(self.starts, end)
        low = bisect_right(range(size), -end, key=lambda at: -self.starts[at])
        return low, bisect_left(range(size), -start, key=lambda at: -self.ends[at])

    def around(self, start: int, end: int) -> str:
        """Give what stands at a stretch of this view's text, with a little on either side; a short text whole."""
        if len(self.text) <= _WHOLE:
            return self.text
        return self.text[max(0, start - _AROUND) : min(end + _AROUND, start + SHOWN - _AROUND)]

    def only(self, stretches: Iterable[tuple[int, int]]) -> View:
        """Give the same reading of no more than some stretches of its text."""
        kept = list(stretches)
        starts = [at for low, high in kept for at in self.starts[low:high]]
        ends = [at for low, high in kept for at in self.ends[low:high]]
        return replace(self, text="".join(self.text[low:high] for low, high in kept), starts=starts, ends=ends)


def plain(text: str) -> View:
    """Give the text as it stands."""
    return View(text, range(len(text)), range(1, len(text) + 1))


def piece(said: str, start: int, end: int, how: str) -> View:
    """Give a text that was decoded as one piece from a stretch: every place in it means that stretch."""
    return View(said, _Same(start, len(said)), _Same(end, len(said)), how, ((start, end),))


def inner(outer: View, view: View) -> View:
    """Give a view of a view's text as a view of the original."""
    how = f"{view.how} in {outer.how}" if outer.how else view.how
    if isinstance(view.starts, _Same) or isinstance(outer.starts, _Same):
        return piece(view.text, *outer.origin(*view.changed[0]), how)
    places = [outer.origin(start, end) for start, end in zip(view.starts, view.ends, strict=True)]
    changed = tuple(merged([outer.origin(start, end) for start, end in view.changed]))
    return View(view.text, [start for start, _ in places], [end for _, end in places], how, changed)


def cropped(view: View) -> View:
    """Give a view without the sentences in which it undid nothing, as those say what they say in the plain view.

    One character stays on either side, so that what stands at the beginning of a line or a word still does.
    """
    if isinstance(view.starts, _Same):
        return view
    kept: list[tuple[int, int]] = []
    before = 0
    for start, end in sentences(view.text):
        if covers(view.changed, *view.origin(start, end)):
            low = max(0, before - 1)
            if kept and low <= kept[-1][1]:
                low = kept.pop()[0]
            kept.append((low, min(end + 1, len(view.text))))
        before = end
    whole = len(kept) == 1 and kept[0][1] - kept[0][0] >= len(view.text)
    return view if whole else view.only(kept)


def rewritten(
    text: str, expression: re.Pattern[str], put: Callable[[re.Match[str]], str | None], how: str
) -> View | None:
    """Give a view in which every match says what `put` makes of it (None leaves it); None when nothing changed.

    It holds the sentences in which something changed and those beside them: a text has many ways to be read, and all
    of it in each of them would be more work the longer it is.
    """
    edits = [(*match.span(), said) for match in expression.finditer(text) if (said := put(match)) is not None]
    if not edits:
        return None
    out: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    number = 0
    for first, last in _kept(text, edits):
        at = first
        while number < len(edits) and edits[number][0] < last:
            low, high, said = edits[number]
            out += (text[at:low], said)
            starts += (*range(at, low), *([low] * len(said)))
            ends += (*range(at + 1, low + 1), *([high] * len(said)))
            at = high
            number += 1
        out.append(text[at:last])
        starts += range(at, last)
        ends += range(at + 1, last + 1)
    return View("".join(out), starts, ends, how, tuple((low, high) for low, high, _ in edits))


def _kept(text: str, edits: Iterable[tuple[int, int, str]]) -> list[tuple[int, int]]:
    """Give where the sentences stand that edits lie in or between, with one more on either side."""
    begins, stops = _cuts(text)
    kept: list[tuple[int, int]] = []
    for low, high, _ in edits:
        first, last = bisect_right(stops, low) - 1, bisect_left(begins, high)
        start = begins[first] if first >= 0 else 0
        end = stops[last] if last < len(stops) else len(text)
        if kept and start <= kept[-1][1]:
            kept[-1] = (kept[-1][0], max(end, kept[-1][1]))
        else:
            kept.append((start, end))
    return kept


@lru_cache(maxsize=8)
def _cuts(text: str) -> tuple[list[int], list[int]]:
    """Give where the sentences of a text begin and where they end."""
    found = sentences(text)
    return [start for start, _ in found], [end for _, end in found]


@dataclass(frozen=True, slots=True)
class _Same(Sequence[int]):
    """One number, as often as asked."""

    number: int
    size: int

    def __len__(self) -> int:
        return self.size

    def __getitem__(self, at: int) -> int:  # type: ignore[override]  # slices are never asked for
        if not -self.size <= at < self.size:
            raise IndexError(at)
        return self.number
