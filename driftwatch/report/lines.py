"""Styled text laid out in columns: pieces, wrapping by terminal cells, and painting.

Widths are terminal cells, not characters: wide characters take two cells and combining ones none.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby


class Style(StrEnum):
    """What a piece of text is. The value is its SGR code (ECMA-48), empty for plain text."""

    PLAIN = ""
    STRONG = "1"
    HEADING = "1;4"
    QUIET = "2"
    CRITICAL = "1;97;41"
    HIGH = "1;31"
    MEDIUM = "1;33"
    LOW = "36"
    INFO = "34"
    GOOD = "32"
    REMOVED = "31"
    ADDED = "32"
    MARK = "1;7;31"


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text in one style. The text is already free of control characters."""

    text: str
    style: Style = Style.PLAIN


Line = tuple[Piece, ...]

_RESET = "\x1b[0m"

_UNIT = re.compile(r"\\u\{[0-9A-Fa-f]{1,6}\}|\\[nt]|.", re.DOTALL)
"""What is kept on one line: an escape, or a character."""

_RUN = re.compile(" +|[^ ]+")

_ROOM = 20
"""Cells that must be left on a line for a word longer than a whole line to begin on it."""


def cells(text: str) -> int:
    """Count the terminal cells that a text takes."""
    return len(text) if text.isascii() else sum(map(_cells, text))


def _cells(character: str) -> int:
    """Count the cells of one character (UAX #11: wide and fullwidth take two; marks that combine take none)."""
    if character < "\u0300":
        return 1
    if unicodedata.category(character) in {"Mn", "Me"}:
        return 0
    return 2 if unicodedata.east_asian_width(character) in {"W", "F"} else 1


def wrap(pieces: Iterable[Piece], *, width: int, first: str = "", rest: str = "") -> list[Line]:
    """Break pieces into lines of at most `width` cells, at spaces where possible.

    `first` and `rest` are the plain indents of the first and of all further lines. A word that is longer than a
    line is broken anywhere. There is always at least one line.
    """
    lines: list[list[Piece]] = [[Piece(first)]]
    used = cells(first)
    for word in _words(pieces):
        size = sum(cells(piece.text) for piece in word)
        blank = not word[0].text.strip()
        too_long = size > width - cells(rest) and used + _ROOM < width
        if used + size > width and used > cells(rest) and not too_long:
            lines.append([Piece(rest)])
            used = cells(rest)
            if blank:
                continue
        for piece in word:
            for part in _broken(piece, room=width - used, line=width - cells(rest)):
                if used + cells(part.text) > width and used > cells(rest):
                    lines.append([Piece(rest)])
                    used = cells(rest)
                lines[-1].append(part)
                used += cells(part.text)
    return [tuple(line) for line in lines]


def _words(pieces: Iterable[Piece]) -> Iterator[list[Piece]]:
    """Give runs of blanks and runs of other characters; a word may span pieces of different styles."""
    word: list[Piece] = []
    for piece in pieces:
        for run, blank in _runs(piece.text):
            if word and (blank or not word[-1].text.strip()):
                yield word
                word = []
            word.append(Piece(run, piece.style))
    if word:
        yield word


def _runs(text: str) -> Iterator[tuple[str, bool]]:
    """Split a text at the borders between spaces and other characters."""
    for run in _RUN.findall(text):
        yield run, run[0] == " "


def _broken(piece: Piece, *, room: int, line: int) -> Iterator[Piece]:
    """Cut a piece that does not fit in the room left: first to the room, then to whole lines, never inside an escape.

    An escape is cut only where it is longer than a whole line.
    """
    part, used, limit, whole = "", 0, max(room, 1), max(line, 1)
    if piece.text and cells(piece.text) <= limit:
        yield piece
        return
    for unit in _UNIT.findall(piece.text):
        for bit in [unit] if cells(unit) <= whole else unit:
            size = cells(bit)
            if used + size > limit:
                if part:
                    yield Piece(part, piece.style)
                part, used, limit = "", 0, whole
            part += bit
            used += size
    if part:
        yield Piece(part, piece.style)


def paint(line: Sequence[Piece], *, colour: bool) -> str:
    """Give one line as a string, with SGR codes when colour is wanted and without blanks at its end."""
    if not colour:
        return "".join(piece.text for piece in line).rstrip()
    runs = [(style, "".join(piece.text for piece in run)) for style, run in groupby(line, key=lambda one: one.style)]
    return "".join(f"\x1b[{style}m{text}{_RESET}" if style and text.strip() else text for style, text in runs).rstrip()
