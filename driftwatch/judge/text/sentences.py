"""Cut text into sentences, with offsets. Plain scanning: the work grows with the length of the text, no faster."""

from __future__ import annotations

import re
from typing import Final

_ENDS: Final = re.compile(
    r"[.!?．](?=[\s\"')\]]|$)|[。！？؟।۔｡…‼⁇⁉]"
    r"|\n[ \t\r]*\n|\n(?=[ \t]*(?:[-*•#>|@]|\d{1,3}[.)]|[A-Z][\w ]{0,30}:|</?\w))"
)
BLANK: Final = " \t\r\n"
"""What is trimmed; rarer spaces stay, because they may hide something."""
_LONGEST: Final = 1200
"""A sentence of more characters than this is judged in pieces."""

_ABBREVIATIONS: Final = ("e.g", "i.e", "etc", "vs", "cf", "resp", "approx", "incl", "z.b", "p.ej", "fig", "max", "min")


def sentences(text: str) -> list[tuple[int, int]]:
    """Give the sentences as (start, end), in order, white space trimmed, without empty ones."""
    found: list[tuple[int, int]] = []
    start = 0
    for match in _ENDS.finditer(text):
        if match.group() == "." and _abbreviates(text, match.start()):
            continue
        _add(found, text, start, match.end())
        start = match.end()
    _add(found, text, start, len(text))
    return found


def _abbreviates(text: str, at: int) -> bool:
    """Say whether the full stop at this place belongs to an abbreviation inside a sentence."""
    before = text[max(0, at - 7) : at].lower()
    return before.endswith(_ABBREVIATIONS) and text[at + 1 : at + 3].strip()[:1].islower()


def _add(found: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    """Append one stretch, trimmed; cut at white space where it is too long."""
    while start < end and text[start] in BLANK:
        start += 1
    while end > start and text[end - 1] in BLANK:
        end -= 1
    while end - start > _LONGEST:
        cut = text.rfind(" ", start + _LONGEST // 2, start + _LONGEST)
        cut = cut if cut > 0 else start + _LONGEST
        found.append((start, cut))
        start = cut
    if end > start:
        found.append((start, end))
