r"""What differs between two texts, word by word: the data that pages and reports lay out. Pure.

Lines are laid side by side first, then the words inside of the lines that differ. The work is bounded: where words
would cost too much, whole lines stand for them, and where lines would, the whole text does; `level` says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import groupby

from driftwatch.judge.text.visible import visible
from driftwatch.report.myers import Block, Budget, alike, ends_alike

WORK = 1_500_000
"""What comparing two texts may cost, in steps; some tenths of a second."""

_WORD = re.compile(r"[^\W_]+|_+|\s+|.", re.DOTALL)
"""A word, blanks in a row, or any other character."""
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_LITERAL = "\\u{"
"""What a text must not be able to write: it looks like our escape of a hidden character."""
_ESCAPED = "\\u{005C}"
_CHANCE = 4
"""Characters of a common word that are chance where all around it differs."""
_ALL_DIFFERS = 12
"""Characters of a change on both sides of it, from which on all around it differs."""

Stretch = tuple[int, int]


class Was(StrEnum):
    """What became of a stretch of text."""

    SAME = "same"
    REMOVED = "removed"
    ADDED = "added"


class Level(StrEnum):
    """How finely two texts were compared."""

    WORDS = "words"
    LINES = "lines"
    """Some of what differs is shown by whole lines: its words would have cost too much."""
    WHOLE = "whole"
    """Some lines that may be alike are shown as changed: finding out would have cost too much."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of text that is the same, gone or new. `text` is as received, `shown` is safe to show, breaks kept.

    `start` is where it begins in its own side, in code points: the live one, but for what was removed. `marked` says
    that a finding points at it.
    """

    was: Was
    text: str
    shown: str
    start: int
    marked: bool = False

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.start + len(self.text)


@dataclass(frozen=True, slots=True)
class TextDiff:
    """Two texts as segments: those same or removed make the one before, those same or added the one after."""

    segments: tuple[Segment, ...]
    level: Level = Level.WORDS

    @property
    def before(self) -> str:
        """The text before, as received."""
        return "".join(one.text for one in self.segments if one.was is not Was.ADDED)

    @property
    def after(self) -> str:
        """The text after, as received."""
        return "".join(one.text for one in self.segments if one.was is not Was.REMOVED)

    @property
    def changed(self) -> bool:
        """Whether there is a difference."""
        return any(one.was is not Was.SAME for one in self.segments)

    def side(self, was: Was) -> tuple[Segment, ...]:
        """Give the segments of one side, for columns: `Was.REMOVED` for the one before, `Was.ADDED` for the other."""
        return tuple(one for one in self.segments if one.was in (Was.SAME, was))


@dataclass(slots=True)
class _Change:
    """What is gone and what is new at one place; where both are the same, `same` holds it."""

    same: str = ""
    gone: str = ""
    new: str = ""


def word_diff(before: str, after: str, marks: Sequence[Stretch] = (), *, budget: Budget | None = None) -> TextDiff:
    """Compare two texts word by word. `marks` are stretches of the text after, in code points, that are pointed at.

    Many texts may share a `budget`; those that come after it is spent are compared more coarsely.
    """
    changes, level = _by_lines(before, after, Budget(WORK) if budget is None else budget)
    segments = _placed(_calm(changes), before, after)
    return TextDiff(tuple(_marked(segments, sorted(marks), after)), level)


def _by_lines(before: str, after: str, budget: Budget) -> tuple[list[_Change], Level]:
    """Lay lines side by side, and compare the words of those that differ."""
    old, new = _LINE.findall(before), _LINE.findall(after)
    # Half of it stays for the words.
    half = max(budget.left, 0) // 2
    room = Budget(half)
    blocks = alike(old, new, room)
    budget.left -= half - max(room.left, 0)
    level = Level.WORDS
    if blocks is None:
        blocks, level = list(ends_alike(old, new)), Level.WHOLE
    changes: list[_Change] = []
    for same, gone, added in _between(old, new, blocks):
        if same:
            changes.append(_Change(same=same))
            continue
        words = _by_words(gone, added, budget)
        if words is None:
            changes.append(_Change(gone=gone, new=added))
            level = Level.LINES if level is Level.WORDS else level
        else:
            changes += words
    return changes, level


def _by_words(gone: str, added: str, budget: Budget) -> list[_Change] | None:
    """Compare the words of lines that differ; None where that costs too much."""
    if not gone or not added:
        return [_Change(gone=gone, new=added)]
    old, new = _WORD.findall(gone), _WORD.findall(added)
    blocks = alike(old, new, budget)
    if blocks is None:
        return None
    return [_Change(*parts) for parts in _between(old, new, blocks)]


def _between(old: Sequence[str], new: Sequence[str], blocks: Sequence[Block]) -> Iterator[tuple[str, str, str]]:
    """Give what is the same, and what is gone and new between, in order."""
    at_old = at_new = 0
    for block in [*blocks, Block(len(old), len(new), 0)]:
        gone, added = "".join(old[at_old : block.before]), "".join(new[at_new : block.after])
        if gone or added:
            yield "", gone, added
        at_old, at_new = block.before + block.size, block.after + block.size
        if block.size:
            yield "".join(old[block.before : at_old]), "", ""


def _calm(changes: Sequence[_Change]) -> list[_Change]:
    """Make one change of several between which there is nothing but a blank, a comma or a short word by chance."""
    calm: list[_Change] = []
    for number, one in enumerate(changes):
        last = calm[-1] if calm else None
        if last is None or last.same:
            calm.append(replace(one))
        elif not one.same or (number + 1 < len(changes) and _is_chance(one.same, last, changes[number + 1])):
            last.gone += one.same + one.gone
            last.new += one.same + one.new
        else:
            calm.append(replace(one))
    return calm


def _is_chance(same: str, left: _Change, right: _Change) -> bool:
    """Say whether what two changes have between them is not worth telling apart."""
    if "\n" in same or not all(side.gone and side.new for side in (left, right)):
        return False
    if not any(char.isalnum() for char in same):
        return True
    around = min(len(left.gone) + len(left.new), len(right.gone) + len(right.new))
    return len(same.strip()) <= _CHANCE and around >= _ALL_DIFFERS


def _placed(changes: Sequence[_Change], before: str, after: str) -> Iterator[Segment]:
    """Give the segments with their places."""
    old = new = 0
    for one in changes:
        if one.same:
            yield _segment(Was.SAME, after, new, new + len(one.same))
        if one.gone:
            yield _segment(Was.REMOVED, before, old, old + len(one.gone))
        if one.new:
            yield _segment(Was.ADDED, after, new, new + len(one.new))
        old += len(one.same) + len(one.gone)
        new += len(one.same) + len(one.new)


def _segment(was: Was, side: str, start: int, end: int, *, marked: bool = False) -> Segment:
    return Segment(was, side[start:end], shown_part(side, start, end), start, marked)


def shown_part(text: str, start: int, end: int) -> str:
    r"""Make a stretch of a text safe to show, with its line breaks and tabs.

    A literal `\u{` that the end of the stretch parts is escaped as well, so that no server can write our escape.
    """
    part = text[start:end]
    for back in range(1, min(len(_LITERAL), len(part) + 1)):
        if text.startswith(_LITERAL, end - back):
            head, tail = part[: len(part) - back], part[len(part) - back + 1 :]
            return f"{visible(head, multiline=True)}{_ESCAPED}{visible(tail, multiline=True)}"
    return visible(part, multiline=True)


def _marked(segments: Iterator[Segment], marks: Sequence[Stretch], after: str) -> Iterator[Segment]:
    """Part the segments where a mark begins or ends."""
    inside = bytearray(len(after))
    for start, end in marks:
        begin, stop = min(max(start, 0), len(after)), min(max(end, 0), len(after))
        inside[begin:stop] = b"\1" * (stop - begin)
    for segment in segments:
        if segment.was is Was.REMOVED or not marks:
            yield segment
            continue
        place = segment.start
        for flag, run in groupby(inside[segment.start : segment.end]):
            size = sum(1 for _ in run)
            yield _segment(segment.was, after, place, place + size, marked=bool(flag))
            place += size
