"""Cut a long text to the parts that matter, and say how much is not shown.

Filler must not hide what it surrounds: of a long stretch both ends are shown, and the count of hidden characters stands
beside every cut text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from driftwatch.judge.text.chars import UNSEEN
from driftwatch.judge.text.visible import visible
from driftwatch.model.amounts import many
from driftwatch.report.lines import Piece, Style

LIMIT = 320
"""Characters of one excerpt, without what stands around its parts."""

AROUND = 40
"""Characters shown on each side of what matters."""

WHOLE = 160
"""Texts up to this length are shown whole."""

EDGE = 80
"""Characters shown at the beginning and at the end of what was put in."""

_BRIDGE = 8
"""Gaps up to this length are shown rather than left out."""

_SAME = 16
"""So many of the same break, blank or unseen character in a row become one with its number."""

_LITERAL = re.compile(r"\\(?=[nt\n\t])")
"""A backslash that would make what follows look like our sign for a line break or a tab."""
_RUN = re.compile(rf"(\r\n|\n |\s|{UNSEEN.pattern})\1{{{_SAME - 1},}}+")
_SHOWN_RUN = re.compile(r"((?:\\u\{000D\})?\\n|\\n |\\t| |\\u\{[0-9A-F]{4,6}\})" + rf"\1{{{_SAME - 1},}}+")
_MARKS_AT = {True: re.compile(">>+|<<+|^>|<$"), False: re.compile(">>+|<<+|^<|>$")}
"""What would pass for one of our marks inside of marks, and outside of them: there also what makes one longer."""

_CUT_ESCAPE = re.compile(r"\\(?:u(?:\{[0-9A-F]*)?)?\Z")
"""The beginning of an escape whose end was cut off."""

Stretch = tuple[int, int]


def clipped(safe: str, limit: int) -> str:
    """Cut a text that is safe already, never inside an escape; three dots stand for the rest."""
    return safe if len(safe) <= limit else f"{_CUT_ESCAPE.sub('', safe[:limit])}…"


def shown(text: str, limit: int = LIMIT) -> str:
    r"""Make a server's text safe for one line of a terminal, and cut it. Line breaks show as `\n`, tabs as `\t`.

    A backslash of the text before an n or a t becomes an escape, so that the two signs are always ours.
    """
    cut = text if len(text) <= limit else text[:limit] + "…"
    return one_line(_LITERAL.sub(r"\\u{005C}", visible(cut, multiline=True)))


def one_line(safe: str) -> str:
    """Show the line breaks and tabs of a text that is safe otherwise."""
    return safe.replace("\n", "\\n").replace("\t", "\\t")


def counted(safe: str) -> str:
    """Give the number of breaks, blanks and escapes that stand many times in a row, in place of all of them."""
    return _SHOWN_RUN.sub(_number, safe)


def _number(match: re.Match[str]) -> str:
    unit = match[1]
    return f"[{'blank' if unit == ' ' else unit.strip()} × {len(match.group()) // len(unit):,}]"


def ends(stretch: Stretch, room: int = LIMIT) -> list[Stretch]:
    """Give a stretch whole when it fits into the room, else its beginning and its end."""
    start, end = stretch
    if end - start <= room:
        return [stretch]
    return [(start, start + room - room // 2), (end - room // 2, end)]


def within(stretches: Iterable[Stretch], room: int = LIMIT) -> list[Stretch]:
    """Give what of these stretches fits into the room, each with both of its ends, the first ones first."""
    kept: list[Stretch] = []
    for start, end in stretches:
        if room <= 0:
            break
        kept += ends((start, end), room)
        room -= end - start + AROUND
    return kept


def excerpt(
    text: str,
    wanted: Iterable[Stretch],
    marks: Sequence[Stretch] = (),
    *,
    style: Style = Style.PLAIN,
    colour: bool = True,
    full: bool = False,
) -> list[Piece]:
    """Show the wanted stretches of a text with what stands around them, marked where `marks` says so.

    A short text is shown whole, and any text is with `full`. Else the number of characters left out is said, and
    many breaks or blanks in a row are one with their number.
    """
    whole = full or len(text) <= WHOLE
    ranges = [(0, len(text))] if whole else _bridged(text, _joined(_wider(text, stretch) for stretch in wanted))
    pieces: list[Piece] = []
    position = 0
    for start, end in ranges:
        pieces += [Piece("…", Style.QUIET)] if start > position else []
        pieces += _styled(text, (start, end), marks, style=style, colour=colour, full=full)
        position = end
    pieces += [Piece("…", Style.QUIET)] if position < len(text) else []
    hidden = len(text) - sum(end - start for start, end in ranges)
    return [*pieces, *_count(hidden, len(text))]


def _count(hidden: int, size: int) -> list[Piece]:
    """Say how much is not shown."""
    if not hidden:
        return []
    return [Piece(f"  ({hidden:,} of {many(size, 'character')} not shown; --full shows them)", Style.QUIET)]


def _wider(text: str, stretch: Stretch) -> Stretch:
    """Take in what stands around a stretch, from the start of a word if one is near."""
    start, end = stretch
    begin = max(start - AROUND, 0)
    if begin:
        space = text.find(" ", begin, begin + AROUND // 2)
        begin = begin if space < 0 else min(space + 1, start)
    return begin, min(end + AROUND, len(text))


def _joined(ranges: Iterable[Stretch]) -> list[Stretch]:
    """Put ranges in order and make those one that touch or nearly do."""
    joined: list[Stretch] = []
    for start, end in sorted(ranges):
        if joined and start <= joined[-1][1] + _BRIDGE:
            joined[-1] = (joined[-1][0], max(joined[-1][1], end))
        else:
            joined.append((start if start > _BRIDGE else 0, end))
    return joined


def _bridged(text: str, ranges: Sequence[Stretch]) -> list[Stretch]:
    """Make those one between which there is nothing but one character over and over: it is shown as its number."""
    bridged: list[Stretch] = []
    runs = [match.span() for match in _RUN.finditer(text)] if len(ranges) > 1 else []
    for start, end in ranges:
        before = bridged[-1][1] if bridged else start
        if bridged and any(low <= before and start <= high for low, high in runs):
            bridged[-1] = (bridged[-1][0], end)
        else:
            bridged.append((start, end))
    return bridged


def _styled(
    text: str, part: Stretch, marks: Sequence[Stretch], *, style: Style, colour: bool, full: bool
) -> Iterator[Piece]:
    """Give one range in pieces, the marked ones by colour, or between signs where there is none."""
    position, last = part
    signs = bool(marks) and not colour

    def said(start: int, end: int, *, marked: bool = False) -> str:
        safe = shown(text[start:end], end)
        safe = _MARKS_AT[marked].sub(_escaped, safe) if signs else safe
        return safe if full else counted(safe)

    for start, end in marks:
        begin, stop = max(start, position), min(end, last)
        if begin >= stop:
            continue
        yield Piece(said(position, begin), style)
        body = Piece(said(begin, stop, marked=True), Style.MARK)
        yield from (body,) if colour else (Piece(">>"), body, Piece("<<"))
        position = stop
    yield Piece(said(position, last), style)


def _escaped(match: re.Match[str]) -> str:
    """Escape what would pass for one of our marks."""
    return "".join(f"\\u{{{ord(char):04X}}}" for char in match.group())
