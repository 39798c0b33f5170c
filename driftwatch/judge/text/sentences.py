"""Cut text into sentences, with offsets. Plain scanning: the work grows with the length of the text, no faster."""

from __future__ import annotations

import re
from typing import Final

_OPENS: Final = r"[ \t]{0,80}+(?:[-*•#>|@]|\d{1,3}[.)]|[A-Z][\w ]{0,30}:|</?\w)"
"""What begins a line that says something of its own: an entry of a list, a heading, a label, a tag."""
_ENDS: Final = re.compile(
    r"[.!?．](?=[\s\"')\]]|$)|[。！？؟।۔｡…‼⁇⁉]"
    rf"|\n[ \t\r]*\n[ \t\r\n]*|\n(?={_OPENS})|\n(?=[A-Z][a-z])"
)
_OPENING: Final = re.compile(_OPENS)
_ENTRY: Final = re.compile(r"\s{0,40}(?:[-*•]|\d{1,3}[.)])")
_WORD: Final = re.compile(r"[^\W\d_]{1,40}+(?=[,;]?\s|[,;]?$)")
BLANK: Final = " \t\r\n"
"""What is trimmed; rarer spaces stay, because they may hide something."""
_MARKS_ON: Final = ",،，、;；"
_MARKS_END: Final = ".!?:。！？؟।۔…：)]}`|"
_SEEN: Final = 64
_FEW: Final = 28
_WORDS: Final = 3
"""A line of at most so many characters and fewer than four words is none by itself."""
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
        if match.group()[0] == "\n" and _goes_on(text, start, match):
            continue
        _add(found, text, start, match.end())
        start = match.end()
    _add(found, text, start, len(text))
    return found


def _goes_on(text: str, start: int, match: re.Match[str]) -> bool:
    """Say whether a sentence goes on behind a line break; `start` is where it begins.

    Behind a blank line it does where it broke off with a comma, where the next words begin small, and where both
    lines are too short to be sentences: blanks must not take a sentence apart. An entry of a list ends at its line.
    """
    at, end = match.span()
    if match.group() == "\n":
        return text[end : end + 1].isupper() and not (_ENTRY.match(text, start) or _OPENING.match(text, end))
    before, after = text[max(start, at - _SEEN) : at].rstrip(), text[end : end + _SEEN]
    if not before or not after or before[-1] in _MARKS_END or text[start : start + 1] == "#" or _OPENING.match(after):
        return False
    line, following = before.rpartition("\n")[2], after.partition("\n")[0]
    if before[-1] in _MARKS_ON:
        return True
    return (after[0].islower() and _WORD.match(after) is not None) or (_is_short(line) and _is_short(following))


def _is_short(line: str) -> bool:
    """Say whether a line is no more than a few words."""
    return len(line) <= _FEW and line.count(" ") < _WORDS and not line.rstrip().endswith(tuple(_MARKS_END))


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


PATTERNS: Final = (_ENDS, _OPENING, _ENTRY, _WORD)
"""Every expression of this file, for the test that they take linear time."""
