"""The signal table: every entry with its examples. Adding a signal is one entry in one of these files."""

from __future__ import annotations

from typing import Final

from driftwatch.judge.text.signals import data, lies, orders, procedures, shapes, tools
from driftwatch.judge.text.signals.base import CATEGORIES, Entry, Pattern

ENTRIES: Final[tuple[Entry, ...]] = (
    *orders.ENTRIES,
    *data.ENTRIES,
    *tools.ENTRIES,
    *procedures.ENTRIES,
    *lies.ENTRIES,
)
"""Meanings: concepts that stand near each other in one sentence."""

PATTERNS: Final[tuple[Pattern, ...]] = shapes.PATTERNS
"""Shapes that need no language."""

__all__ = ["CATEGORIES", "ENTRIES", "PATTERNS", "Entry", "Pattern"]
