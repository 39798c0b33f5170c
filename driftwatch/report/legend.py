"""What the signs in a report mean, of those that occur in it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from driftwatch.report.lines import Line, Piece, Style, paint, wrap

_MARKS = ">> << stand around what was found"

_SIGNS = (
    (re.compile(r"\[\d+:\d+\]"), "[3:9] is the text from its 4th to its 9th character"),
    (re.compile(r"\((?:perhaps|likely)[;)]"), "(likely) and (perhaps): it is not sure"),
    (re.compile(r"\\n"), r"\n is a line break"),
    (re.compile(r"\\t"), r"\t is a tab"),
    (
        re.compile(r"\\u\{"),
        r"\u{200B} is one character by its number, because it does not show or could pass for a sign",
    ),
    (re.compile(r"\[(?:\\|blank )[^]]{0,16} × [\d,]+\]"), r"[\n × 20] is twenty of them in a row"),
)
"""Each sign, and what it means."""


def legend_lines(lines: Sequence[Line], *, marks: bool, width: int) -> Iterator[Line]:
    """Explain the signs in these lines of a report; `marks` says whether some stand around what was found."""
    text = "\n".join(paint(line, colour=False) for line in lines)
    found = [_MARKS] if marks else []
    found += [means for sign, means in _SIGNS if sign.search(text)]
    if found:
        yield ()
        pieces = [Piece("Signs: ", Style.QUIET), Piece(f"{'; '.join(found)}.", Style.QUIET)]
        yield from wrap(pieces, width=width, rest="  ")
