"""The one call: the signals that a text gives over what it was before."""

from __future__ import annotations

from typing import Final

from driftwatch.judge.text.added import gained
from driftwatch.judge.text.base import Signal, TextContext
from driftwatch.judge.text.reader import Reader
from driftwatch.judge.text.signals.base import UNEXAMINED
from driftwatch.judge.text.weigh import weigh
from driftwatch.model import Confidence, Severity, Span

EXAMINED: Final = 262_144
"""Code points of one text that are read; what lies behind is reported as not examined."""


def examine(after: str, before: str | None, context: TextContext) -> tuple[Signal, ...]:
    """Give the signals that `after` has and `before` has not, worst first; `before` None or "" means all is new.

    Total and pure: any text gives an answer, in time linear in its length. Nothing found is not a guarantee.
    """
    if after == before or not after:
        return ()
    old, text = (before or "")[:EXAMINED], after[:EXAMINED]
    parts = gained(old, text)
    signals = weigh(Reader(text, old, parts, context).read(), context) if parts else ()
    if len(after) > EXAMINED:
        signals = (*signals, _unexamined(after, context))
    return signals


def _unexamined(after: str, context: TextContext) -> Signal:
    """Say that the text is longer than what is read."""
    span = Span(context.pointer, EXAMINED, len(after), target=context.target)
    why = f"Only the first {EXAMINED:,} characters were examined; the text has {len(after):,}."
    return Signal(UNEXAMINED, Severity.MEDIUM, Confidence.HIGH, (span,), why, "size.unexamined")
