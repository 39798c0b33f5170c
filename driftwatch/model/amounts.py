"""How many of something there are, in words: the one place that knows of plurals."""

from __future__ import annotations


def many(count: int, one: str, more: str = "") -> str:
    """Say how many of something there are: `1 text`, `2,000 texts`; `more` is the plural that takes more than an s."""
    return f"{count:,} {noun(count, one, more)}"


def noun(count: int, one: str, more: str = "") -> str:
    """Give the word alone for so many of something."""
    return one if count == 1 else more or f"{one}s"
