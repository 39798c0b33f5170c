"""How the tests of this room read a text."""

from __future__ import annotations

from driftwatch.judge.text import Signal, TextContext, examined


def examine(after: str, before: str | None, context: TextContext) -> tuple[Signal, ...]:
    """Give the signals that `after` has and `before` has not, worst first."""
    return examined(after, before, context).signals
