"""Texts as pages lay them out: hidden characters as signs, long stretches cut, what is coarse said. Pure."""

from __future__ import annotations

import re

from driftwatch.model.amounts import many
from driftwatch.report.worddiff import Level, Segment, Was

LONGEST = 10_000
"""Characters of one stretch of a text that are shown: of a longer one both ends are."""

COARSE = {
    Level.LINES: "Compared by whole lines where there is too much to compare word by word.",
    Level.WHOLE: "Too long to compare: what is alike in it may be shown as changed.",
}
"""What to say where two texts are compared more coarsely than by words."""

_AROUND = 400
"""Characters of an unchanged stretch that are shown on each side of a difference."""
_RUN = re.compile(r"(\\u\{[0-9A-F]{1,6}\}|[ \n\t])\1{15,}")
"""So many of one sign in a row become one with its number: they push what follows out of sight."""
_CALLED = {" ": "blank", "\n": "line break", "\t": "tab"}
_ESCAPE = re.compile(r"(\\u\{[0-9A-F]{1,6}\})")


def sign_parts(safe: str) -> list[tuple[str, bool]]:
    """Part a text that is safe to show into stretches of it and escapes (True) of what hides; many of one are one."""
    parts = _ESCAPE.split(_RUN.sub(_counted, safe))
    return [(part, index % 2 == 1) for index, part in enumerate(parts) if part]


def cut_segment(segment: Segment, *, first: bool, last: bool) -> str:
    """Give what is shown of a segment: without the middle of what is the same, and of what is very long.

    `first` and `last` say that no other segment stands before or after it.
    """
    text = segment.shown
    room = LONGEST if segment.was is not Was.SAME or segment.marked else 2 * _AROUND
    if len(text) <= room + _AROUND:
        return text
    head = 0 if first and segment.was is Was.SAME else room // 2
    tail = 0 if last and segment.was is Was.SAME else room // 2
    left = len(text) - head - tail
    return f"{text[:head]} […{many(left, 'character')}…] {text[len(text) - tail :]}"


def _counted(run: re.Match[str]) -> str:
    return f"[{_CALLED.get(run[1], run[1])} × {len(run.group()) // len(run[1]):,}]"
