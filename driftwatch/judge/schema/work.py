"""How much work a comparison may take, and what it has found out already."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

DEEPEST = 24
"""Schemas nested deeper than this (each a property, an item or a reference further) are not understood."""


class Spent(Exception):  # noqa: N818 - no error of anybody: it ends a comparison that costs too much
    """The comparison costs more than it may; what it would have said stays unknown."""


@dataclass(eq=False)
class Work:
    """The steps that are left, and what is known of schemas by their keys. Raises `Spent` at the end.

    A step is about one keyword of one schema, looked at once: some microseconds. `total` is what all questions about
    one item may cost together, `left` what is left of what was granted to the present one.
    """

    total: int
    left: int = 0
    marks: dict[Any, bytes | None] = field(default_factory=dict)
    shapes: dict[Any, Any] = field(default_factory=dict)
    expanded: dict[Any, Any] = field(default_factory=dict)
    proved: dict[Any, bool] = field(default_factory=dict)

    def grant(self, steps: int) -> None:
        """Begin a question, which may cost so many steps; what the last one left over goes back."""
        self.total += max(self.left, 0)
        self.left = min(steps, self.total)
        self.total -= self.left

    def spend(self, steps: int = 1) -> None:
        """Take steps from what is left."""
        self.left -= steps
        if self.left < 0:
            raise Spent
