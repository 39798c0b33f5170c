"""Find long blank stretches that push text out of sight, and leave tables alone, which have them in every line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from driftwatch.judge.text.words import is_cjk, words

_LINE: Final = 2000
"""So much of a line is looked at on either side."""
_SENTENCE: Final = 6
_LETTERS: Final = 16
"""So many words, or ideographs and syllables, are no cell of a table."""
_BLANKS: Final = "[ \t\u00a0\u115f\u1160\u2000-\u200a\u2800\u3000\u3164\uffa0]"
_GAP: Final = re.compile(rf"{_BLANKS}{{16,}}+")
"""What parts the cells of a wide table."""
_BESIDE: Final = re.compile(
    rf"(?<!{_BLANKS}){_BLANKS}{{100,}}+(?=\S)"
    r"|([.\u00b7_=~*-])\1{149,}+[ \t]{0,4}(?=\S)|(?:&nbsp;){40,}+(?=\S)"
)
"""What pushes text to the side: blanks, and a leader of dots or strokes."""
_BELOW: Final = re.compile(
    rf"(?<!\s){_BLANKS}{{0,40}}(?:\r?\n{_BLANKS}{{0,40}}[^\w\s{{}}()\[\]]{{0,3}}){{15,}}+\s{{0,4000}}+(?=\S)"
    r"|(?:<br ?/?>\s{0,4}){15,}+(?=\S)"
)
"""What pushes text down: lines with nothing in them but a dot or a stroke."""


def padding(text: str) -> Iterator[tuple[int, int]]:
    """Give the blank stretches that push what follows out of sight."""
    for match in _BELOW.finditer(text):
        yield match.span()
    for match in _BESIDE.finditer(text):
        if not _is_cell(text, *match.span()):
            yield match.span()


def _is_cell(text: str, start: int, end: int) -> bool:
    """Say whether what follows a blank stretch is a cell of a table: short, with other cells in its line or beside."""
    close = text.find("\n", end, end + _LINE)
    line_end = close if close >= 0 else min(len(text), end + _LINE)
    cell = _GAP.split(text[end:line_end], maxsplit=1)[0]
    if not any(char.isalpha() for char in cell):
        return True
    if len(words(cell.lower())) >= _SENTENCE + sum(map(is_cjk, cell)) or sum(map(is_cjk, cell)) >= _LETTERS:
        return False
    line_start = text.rfind("\n", max(0, start - _LINE), start) + 1
    before = text[max(0, line_start - _LINE) : max(0, line_start - 1)].rpartition("\n")[2]
    after = text[line_end + 1 : line_end + 1 + _LINE].partition("\n")[0]
    row = text[line_start or max(0, start - _LINE) : line_end]
    return len(_GAP.findall(row)) > 1 or any(_GAP.search(line.strip("\r\n")) for line in (before, after))


PATTERNS: Final = (_GAP, _BESIDE, _BELOW)
"""Every expression of this file, for the test that they take linear time."""
