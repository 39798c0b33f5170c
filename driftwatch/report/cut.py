"""Cut a long text to the parts that matter, and say how much is not shown.

Filler must not hide what it surrounds: of a long stretch both ends are shown, and the count of hidden characters stands
beside every cut text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from driftwatch.judge.text.visible import visible
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

Stretch = tuple[int, int]


def shown(text: str, limit: int = LIMIT) -> str:
    """Make a server's text safe for one line of a terminal, and cut it."""
    cut = text if len(text) <= limit else text[:limit] + "…"
    return visible(cut, multiline=True).replace("\n", "\\n").replace("\t", "\\t")


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

    A short text is shown whole, and any text is with `full`. Else the number of characters left out is said.
    """
    whole = full or len(text) <= WHOLE
    ranges = [(0, len(text))] if whole else _joined(_wider(text, stretch) for stretch in wanted)
    pieces: list[Piece] = []
    position = 0
    for start, end in ranges:
        pieces += [Piece("…", Style.QUIET)] if start > position else []
        pieces += _styled(text, (start, end), marks, style=style, colour=colour)
        position = end
    pieces += [Piece("…", Style.QUIET)] if position < len(text) else []
    hidden = len(text) - sum(end - start for start, end in ranges)
    return [*pieces, *_count(hidden, len(text))]


def _count(hidden: int, size: int) -> list[Piece]:
    """Say how much is not shown."""
    if not hidden:
        return []
    return [Piece(f"  ({hidden:,} of {size:,} characters not shown; --full shows them)", Style.QUIET)]


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


def _styled(text: str, part: Stretch, marks: Sequence[Stretch], *, style: Style, colour: bool) -> Iterator[Piece]:
    """Give one range in pieces, the marked ones by colour, or between signs where there is none."""
    position, last = part
    for start, end in marks:
        begin, stop = max(start, position), min(end, last)
        if begin >= stop:
            continue
        yield Piece(shown(text[position:begin], begin), style)
        body = Piece(shown(text[begin:stop], stop), Style.MARK)
        yield from (body,) if colour else (Piece(">>"), body, Piece("<<"))
        position = stop
    yield Piece(shown(text[position:last], last), style)
