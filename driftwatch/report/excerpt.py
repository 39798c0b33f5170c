"""Before and after of one finding, cut to what a person needs to see, with the offending span marked.

Everything from a server passes `visible`: control, bidirectional and invisible characters appear as escapes.
Without colour a marked span stands between `>>` and `<<`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

from driftwatch.judge.text.visible import visible
from driftwatch.model import Finding, Json, Span
from driftwatch.report.lines import Piece, Style
from driftwatch.report.shape import TOO_DEEP, plain

LIMIT = 320
"""Characters of one excerpt."""

AROUND = 40
"""Characters shown on each side of what matters."""

WHOLE = 160
"""Texts up to this length are shown whole."""

PLACES = 3
"""Marked texts shown for one finding; the rest is counted."""

BRIEF = 30
"""Values up to this length stand on one line as `before → after`."""

Excerpt = list[Piece]

_ESCAPE = re.compile(r"(\\u\{[0-9A-Fa-f]{1,6}\})")


def shown(text: str, limit: int = LIMIT) -> str:
    """Make a server's text safe for one line of a terminal, and cut it."""
    cut = text if len(text) <= limit else text[:limit] + "…"
    return visible(cut, multiline=True).replace("\n", "\\n").replace("\t", "\\t")


def sentence(text: str) -> str:
    """Make one of our own sentences safe for one line; escapes that are already in it stay as they are."""
    parts = _ESCAPE.split(text)
    return "".join(part if index % 2 else shown(part, len(part)) for index, part in enumerate(parts))


def value_text(value: Json) -> str:
    """Give a value as text: a string as it is, anything else as compact JSON."""
    if isinstance(value, str):
        return value
    try:
        return json.dumps(plain(value), ensure_ascii=False, sort_keys=True)
    except (RecursionError, TypeError, ValueError):
        return TOO_DEEP


def excerpts(finding: Finding, *, colour: bool) -> list[Excerpt]:
    """Give the lines that show what a finding is about; none when it has no values."""
    marked = _marked(finding, colour=colour)
    if finding.before is None and finding.after is None:
        return marked
    before, after = value_text(finding.before), value_text(finding.after)
    if marked:
        texts = isinstance(finding.before, str) and isinstance(finding.after, str)
        old = [_side("- ", before, _difference(before, after), Style.REMOVED)] if texts and before else []
        return old + marked
    if finding.before is None:
        return [_side("+ ", after, (0, len(after)), Style.ADDED)]
    if finding.after is None:
        return [_side("- ", before, (0, len(before)), Style.REMOVED)]
    if max(len(before), len(after)) <= BRIEF:
        return [_brief(before, after)]
    return [
        _side("- ", before, _difference(before, after), Style.REMOVED),
        _side("+ ", after, _difference(after, before), Style.ADDED),
    ]


def _brief(before: str, after: str) -> Excerpt:
    """Put two short values on one line."""
    return [Piece(shown(before), Style.REMOVED), Piece(" → "), Piece(shown(after), Style.ADDED)]


def _side(lead: str, text: str, around: tuple[int, int], style: Style) -> Excerpt:
    """Show a text around the part that differs."""
    start, end = (0, len(text)) if len(text) <= WHOLE else (_window(text, around[0]), around[1] + AROUND)
    end = min(end, start + LIMIT, len(text))
    body = ("…" if start else "") + shown(text[start:end]) + ("…" if end < len(text) else "")
    size = f"  ({len(text)} characters)" if end - start < len(text) else ""
    return [Piece(lead, style), Piece(body or '""', style), Piece(size, Style.QUIET)]


def _window(text: str, place: int, floor: int = 0) -> int:
    """Give where to begin so that `place` is seen with what stands before it, at the start of a word if one is near."""
    begin = max(place - AROUND, floor)
    if begin == 0:
        return 0
    space = text.find(" ", begin, begin + AROUND // 2)
    return begin if space < 0 else min(space + 1, place)


def _difference(text: str, other: str) -> tuple[int, int]:
    """Find the part of a text that differs from another one: what lies between equal beginnings and ends."""
    shorter = min(len(text), len(other))
    start = 0
    while start < shorter and text[start] == other[start]:
        start += 1
    return start, len(text) - _equal_tail(text, other, shorter - start)


def _equal_tail(text: str, other: str, most: int) -> int:
    """Count the equal characters at the end of two texts, at most `most`."""
    count = 0
    while count < most and text[-1 - count] == other[-1 - count]:
        count += 1
    return count


def _marked(finding: Finding, *, colour: bool) -> list[Excerpt]:
    """Show the texts that the finding's spans lie in, each with its spans marked."""
    groups: dict[tuple[str, str], list[Span]] = {}
    for span in finding.spans:
        groups.setdefault((span.pointer, span.target), []).append(span)
    lines: list[Excerpt] = []
    for (pointer, target), spans in list(groups.items())[:PLACES]:
        text = _span_text(finding, pointer, target)
        if text is None:
            continue
        where = f"{shown(pointer)}: " if pointer != finding.pointer else ""
        lines.append([Piece("+ ", Style.ADDED), Piece(where, Style.QUIET), *_with_marks(text, spans, colour=colour)])
        lines.extend(_decoded(spans))
    if len(groups) > PLACES:
        lines.append([Piece(f"  and {len(groups) - PLACES} more places", Style.QUIET)])
    return lines


def _decoded(spans: Sequence[Span]) -> Iterator[Excerpt]:
    """Say what disguised spans say once undone."""
    for span in spans[:PLACES]:
        if span.decoded:
            yield [Piece("  says: ", Style.QUIET), Piece(shown(span.decoded), Style.MARK)]


def _span_text(finding: Finding, pointer: str, target: str) -> str | None:
    """Find the string that a span points into, None when it is not within the finding's value."""
    parts = [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]
    if target == "key":
        return parts[-1] if parts else None
    if not (pointer == finding.pointer or pointer.startswith(f"{finding.pointer}/")):
        return None
    value = finding.after
    depth = finding.pointer.count("/")
    for part in parts[depth:]:
        if isinstance(value, dict) and part in value:
            value = value[part]
        elif isinstance(value, list) and part.isdecimal() and int(part) < len(value):
            value = value[int(part)]
        else:
            return None
    return value if isinstance(value, str) else None


def _with_marks(text: str, spans: Sequence[Span], *, colour: bool) -> Excerpt:
    """Show windows of a text around its spans, the spans marked, at most `LIMIT` characters in all."""
    pieces: Excerpt = []
    position, left = 0, LIMIT
    for start, end in _merged(spans, len(text)):
        if left <= 0:
            break
        begin = _window(text, start, position) if start - position > AROUND else position
        pieces.append(Piece(("…" if begin > position or (begin and not pieces) else "") + shown(text[begin:start])))
        pieces.extend(_mark(text[start : min(end, start + left)], cut=end - start > left, colour=colour))
        left -= end - start + AROUND
        position = end
    tail = text[position : position + AROUND]
    pieces.append(Piece(shown(tail) + ("…" if position + AROUND < len(text) else ""), Style.PLAIN))
    return pieces


def _mark(text: str, *, cut: bool, colour: bool) -> Excerpt:
    """Mark one stretch: by colour, or by signs where there is none."""
    body = shown(text) + ("…" if cut else "")
    return [Piece(body, Style.MARK)] if colour else [Piece(">>"), Piece(body, Style.MARK), Piece("<<")]


def _merged(spans: Sequence[Span], size: int) -> list[tuple[int, int]]:
    """Give the stretches in order, clipped to the text, overlapping ones as one."""
    stretches: list[tuple[int, int]] = []
    for span in sorted(spans, key=lambda one: (one.start, one.end)):
        start, end = max(span.start, 0), min(span.end, size)
        if start >= end:
            continue
        if stretches and start <= stretches[-1][1]:
            stretches[-1] = (stretches[-1][0], max(stretches[-1][1], end))
        else:
            stretches.append((start, end))
    return stretches
