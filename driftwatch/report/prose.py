"""A server's own texts and values on a page: whole, escaped, and behind a bar so that they cannot pass for ours."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby

from driftwatch.judge.text.visible import visible
from driftwatch.model import Json
from driftwatch.report.cut import shown
from driftwatch.report.excerpt import value_text
from driftwatch.report.lines import Line, Piece, Style, wrap

STEP = 2
"""Cells of one level of indentation."""

DEEPEST = 24
"""Cells of indentation at most, so that there is room for words."""

BLANK_LINES = 2
"""Blank lines in a row that are shown as they are; of more only the number is given."""

_GAP = re.compile(" {16,}")


def indent(level: int) -> str:
    """Give the blanks before a line."""
    return " " * min(level * STEP, DEEPEST)


def heading(word: str, level: int, *, width: int) -> list[Line]:
    """Give a line with one of our own words that others stand below."""
    return wrap([Piece(word, Style.QUIET)], width=width, first=indent(level), rest=indent(level + 1))


def text_lines(text: str, level: int, *, width: int) -> Iterator[Line]:
    """Give a text with its own line breaks, each line behind a bar.

    Long runs of blanks and of blank lines, which push what follows out of sight, become their number.
    """
    bar = f"{indent(level)}| "
    safe = visible(text, multiline=True).replace("\t", "\\t").split("\n")
    for blank, run in groupby(safe, key=lambda line: not line.strip()):
        lines = list(run)
        if blank and len(lines) > BLANK_LINES:
            yield (Piece(bar), Piece(f"({len(lines):,} blank lines)", Style.QUIET))
            continue
        for line in lines:
            yield from wrap([Piece(_GAP.sub(_gap, line))], width=width, first=bar, rest=bar)


def fact_lines(key: str, value: Json, level: int, *, width: int) -> Iterator[Line]:
    """Give one value with its key: short ones on one line, texts and large values below it behind a bar."""
    text = value_text(value)
    name = shown(key, len(key))
    first = indent(level)
    if "\n" in text or len(first) + len(name) + len(text) + 2 > width:
        yield from heading(name, level, width=width)
        yield from text_lines(text, level + 1, width=width)
        return
    pieces = [Piece(f"{name}  ", Style.QUIET), Piece(shown(text, len(text)) or '""')]
    yield from wrap(pieces, width=width, first=first, rest=indent(level + 1))


def _gap(match: re.Match[str]) -> str:
    """Say how long a run of blanks is."""
    return f" ({len(match.group())} blanks) "
