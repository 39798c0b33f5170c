"""A view is one way to read a text: as it stands, or with a disguise undone."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from driftwatch.judge.text.added import covers


@dataclass(frozen=True)
class View:
    """A reading of the original: `text`, with where every character of it starts and ends in the original.

    `how` names the disguise that was undone (empty for the text as it stands). `changed` are the stretches of the
    original that read differently here, sorted: what does not touch them is the business of the plain view.
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


def plain(text: str) -> View:
    """Give the text as it stands."""
    return View(text, range(len(text)), range(1, len(text) + 1))


def piece(said: str, start: int, end: int, how: str) -> View:
    """Give a text that was decoded as one piece from a stretch: every place in it means that stretch."""
    return View(said, _Same(start, len(said)), _Same(end, len(said)), how, ((start, end),))


def inner(outer: View, view: View) -> View:
    """Give a view of a view's text as a view of the original."""
    places = [outer.origin(start, end) for start, end in zip(view.starts, view.ends, strict=True)]
    changed = tuple(outer.origin(start, end) for start, end in view.changed)
    starts, ends = [start for start, _ in places], [end for _, end in places]
    return View(view.text, starts, ends, f"{view.how} in {outer.how}" if outer.how else view.how, changed)


def rewritten(
    text: str, expression: re.Pattern[str], put: Callable[[re.Match[str]], str | None], how: str
) -> View | None:
    """Give a view in which every match says what `put` makes of it (None leaves it); None when nothing changed."""
    out: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    changed: list[tuple[int, int]] = []
    at = 0
    for match in expression.finditer(text):
        said = put(match)
        if said is None:
            continue
        low, high = match.span()
        out += (text[at:low], said)
        starts += (*range(at, low), *([low] * len(said)))
        ends += (*range(at + 1, low + 1), *([high] * len(said)))
        changed.append((low, high))
        at = high
    if not changed:
        return None
    out.append(text[at:])
    starts += range(at, len(text))
    ends += range(at + 1, len(text) + 1)
    return View("".join(out), starts, ends, how, tuple(changed))


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
