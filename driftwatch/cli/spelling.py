r"""Output for a stream that cannot show every character: all others become escapes, and lines still fit.

The few signs of our own have a plain spelling. The escape is that of hidden characters: `\u{9031}`.
"""

from __future__ import annotations

import re

from driftwatch.report.lines import Piece, Style, cells, paint, wrap

_PLAIN = {"“": '"', "”": '"', "…": "...", "→": "->", "×": "x"}
"""How our own signs are spelled in ASCII."""

_STYLED = re.compile(r"\x1b\[([0-9;]+)m(.*?)\x1b\[0m")
_INDENT = re.compile(r" *(?:\| )?")


def spelled(text: str, encoding: str, *, width: int = 0) -> str:
    """Give a text as a stream of that encoding can show it; with a `width` its lines are broken anew where they grew.

    Width is in terminal cells. Lines may be painted as `report.lines.paint` does it.
    """
    if _shows(text, encoding):
        return text
    lines = [(line, "".join(_character(char, encoding) for char in line)) for line in text.split("\n")]
    return "\n".join(_fitted(now, width) if width and now != was else now for was, now in lines)


def _shows(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _character(char: str, encoding: str) -> str:
    if char.isascii() or _shows(char, encoding):
        return char
    return _PLAIN.get(char, f"\\u{{{ord(char):04X}}}")


def _fitted(line: str, width: int) -> str:
    """Break a line that is too long, below its own indent."""
    pieces, end = [], 0
    for match in _STYLED.finditer(line):
        pieces += [Piece(line[end : match.start()]), Piece(match[2], Style(match[1]))]
        end = match.end()
    pieces.append(Piece(line[end:]))
    plain = "".join(piece.text for piece in pieces)
    if cells(plain) <= width:
        return line
    found = _INDENT.match(pieces[0].text)
    indent = found.group() if found else ""
    pieces[0] = Piece(pieces[0].text[len(indent) :])
    return "\n".join(paint(one, colour=end > 0) for one in wrap(pieces, width=width, first=indent, rest=indent))
