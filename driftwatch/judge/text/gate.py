"""Spare an expression the texts that cannot hold it: every match holds one of a few literals, and those are found fast.

A literal is looked for at the speed of memory; an expression that may start anywhere takes a hundred times as long.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

_LIKE_ASCII: Final = {0x130: "i", 0x131: "i"}
"""Letters that an expression which ignores case takes for ASCII ones, and `casefold` does not."""


@dataclass(frozen=True, slots=True)
class Gated:
    """An expression and the literals, in lower case, one of which every match holds; none of them: always try."""

    expression: re.Pattern[str]
    literals: tuple[str, ...] = ()

    def finditer(self, text: str, lowered: str) -> Iterator[re.Match[str]]:
        """Give the matches in `text`; `lowered` is what `lower` makes of it (or the text itself, if folded)."""
        return self.expression.finditer(text) if self.opens(lowered) else iter(())

    def opens(self, lowered: str) -> bool:
        """Say whether there can be a match in a text that is `lowered` in lower case."""
        return not self.literals or any(literal in lowered for literal in self.literals)


def lower(text: str) -> str:
    """Give the text in lower case, so that whatever an expression takes for an ASCII letter is that letter."""
    return text.lower() if text.isascii() else text.translate(_LIKE_ASCII).casefold()
