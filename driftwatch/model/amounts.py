"""How many of something there are, in words: the one place that knows of plurals."""

from __future__ import annotations


def many(count: int, one: str, more: str = "") -> str:
    """Say how many of something there are: `1 text`, `2,000 texts`; `more` is the plural that takes more than an s."""
    return f"{count:,} {noun(count, one, more)}"


def noun(count: int, one: str, more: str = "") -> str:
    """Give the word alone for so many of something."""
    return one if count == 1 else more or f"{one}s"


def weight(count: int) -> str:
    """Say how many bytes, in the largest unit of a thousand that fits: `512 B`, `34 kB`, `1.4 GB`."""
    size, units = float(count), ["B", "kB", "MB", "GB", "TB"]
    while size >= 999.5 and len(units) > 1:
        size, units = size / 1000, units[1:]
    return f"{size:.0f} {units[0]}" if size >= 10 or units[0] == "B" else f"{size:.1f} {units[0]}"
