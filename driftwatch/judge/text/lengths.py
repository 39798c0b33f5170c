"""What the length of a text says: that it leaps, and that not all of it is read.

Of a text that is too long its start and its end are read: an order that is to be obeyed stands in one of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from driftwatch.judge.text.added import Gained
from driftwatch.judge.text.base import Signal, TextContext
from driftwatch.judge.text.signals.base import SIZE, UNEXAMINED
from driftwatch.model import Confidence, Severity, Span

EXAMINED: Final = 262_144
"""Code points of one text that are read; what else it has is reported as not examined."""
_AT_END: Final = 4
"""One in so many of them stands at the end."""
_SEAM: Final = "\n\n"
_BREAK: Final = 1000
"""So near to where a text is cut a line or a sentence that ends there is looked for."""
_LEAP: Final = 4
_LEAP_LEAST: Final = 2000
"""A text that was approved at some length and is now four times and two thousand characters longer has leapt."""


@dataclass(frozen=True)
class Window:
    """What is read of a text, as one: everything, or its start and its end without what lies from `left` to `right`."""

    text: str
    left: int = 0
    right: int = 0

    @property
    def cut(self) -> bool:
        """Whether anything is left out."""
        return self.right > self.left

    def placed(self, signal: Signal) -> Signal:
        """Give a signal with its offsets in the whole text."""
        if not self.cut:
            return signal
        spans = (replace(span, start=self._at(span.start), end=self._at(span.end)) for span in signal.spans)
        return replace(signal, spans=tuple(spans))

    def _at(self, offset: int) -> int:
        behind = offset - self.left - len(_SEAM)
        return self.right + max(behind, 0) if offset > self.left else offset


def window(text: str, most: int = EXAMINED) -> Window:
    """Give what is read of a text. It is cut where a line or a sentence ends, so that none is read in part."""
    if len(text) <= most:
        return Window(text)
    end = most // _AT_END
    left, right = most - end, len(text) - end
    left = max(_behind(text.rfind(mark, left - _BREAK, left), mark) for mark in (". ", "\n")) or left
    found = [at for mark in (". ", "\n") if (at := _behind(text.find(mark, right, right + _BREAK), mark))]
    right = min(found, default=right)
    return Window(f"{text[:left]}{_SEAM}{text[right:]}", left, right)


def _behind(found: int, mark: str) -> int:
    """Give the offset behind a mark that was looked for, 0 where it was not found."""
    return found + len(mark) if found >= 0 else 0


def about_length(
    after: str, before: str, seen: Window, parts: Sequence[Gained], context: TextContext
) -> tuple[Signal, ...]:
    """Say that a text leapt in length, and what of it was not read; what was approved as it is need not be."""
    found = []
    if before and parts and len(after) > _LEAP * len(before) and len(after) - len(before) > _LEAP_LEAST:
        why = f"The text grew from {len(before):,} to {len(after):,} characters."
        start = min(low for part in parts for low, _ in part.spans)
        end = max(high for part in parts for _, high in part.spans)
        span = Span(context.pointer, start, end, target=context.target)
        found.append(seen.placed(Signal(SIZE, Severity.LOW, Confidence.HIGH, (span,), why, "size.leap")))
    if seen.cut and after[seen.left : seen.right] not in before:
        unread, read = seen.right - seen.left, len(after) - (seen.right - seen.left)
        why = f"Only its start and its end were read, {read:,} of {len(after):,} characters; {unread:,} were not."
        span = Span(context.pointer, seen.left, seen.right, target=context.target)
        found.append(unexamined(span, why, "size.unexamined", context))
    return tuple(found)


def unexamined(span: Span, why: str, name: str, context: TextContext) -> Signal:
    """Say that something was not read: in a change that is high, as there is hardly an honest reason for so much."""
    severity = Severity.MEDIUM if context.first else Severity.HIGH
    return Signal(UNEXAMINED, severity, Confidence.HIGH, (span,), why, name)
