"""Why a text was found: each span in the sentence around it, and what it says once undone.

Spans are marked as everywhere: by colour, or between `>>` and `<<` without it. Offsets are those of Python slices, in
code points, into the string as received.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace

from driftwatch.judge.text.sentences import sentences
from driftwatch.model import Finding, Span
from driftwatch.model.amounts import many
from driftwatch.report.cut import AROUND, Stretch, excerpt, shown, within
from driftwatch.report.excerpt import merged, span_text
from driftwatch.report.lines import Line, Piece, Style, wrap
from driftwatch.report.lookalike import reads_as

SENTENCES = 6
"""Sentences shown of one finding; the spans in the rest are counted."""

OFFSETS = 8
"""Spans of one sentence that are listed with their offsets; the rest is counted."""

NEAR = 80
"""Characters of its sentence that are asked for on each side of a span."""

DISGUISED = 40
"""Characters shown of a disguised span: what it says stands beside it."""

DECODED = 320
"""Characters shown of what a disguised span says."""


def span_lines(
    finding: Finding, *, colour: bool, width: int, indent: str, told: set[str], full: bool = False
) -> Iterator[Line]:
    """Show each span of a finding in its sentence; with `full` in the whole text, and all of them.

    `told` are the disguised texts that were told already, and takes in those that are told here: once is enough.
    """
    if finding.category:
        yield from _laid([Piece("category ", Style.QUIET), Piece(shown(finding.category))], width, indent)
    groups = list(_groups(finding, full=full))
    kept = groups if full else groups[:SENTENCES]
    above: list[Piece] = []
    for text, context, spans in kept:
        place = _place(finding, spans[0], text)
        if place != above:
            yield from _laid(place, width, indent)
        above = place
        if text is not None:
            bar = f"{indent}  | "
            pieces = _in_context(text, context, spans, colour=colour, full=full)
            yield from wrap(pieces, width=width, first=bar, rest=bar)
        yield from _each(spans, told, width=width, indent=f"{indent}  ", full=full)
        plain = "" if text is None or any(span.decoded for span in spans) else reads_as(text[slice(*context)])
        if plain:
            pieces = [Piece("reads as: ", Style.QUIET), *_once(plain, told, full=full)]
            yield from _laid(pieces, width, f"{indent}  ")
    left = sum(len(spans) for _, _, spans in groups[len(kept) :])
    if left:
        words = f"and {many(left, 'more span')} in other sentences; --full shows them"
        yield from _laid([Piece(words, Style.QUIET)], width, indent)


def _laid(pieces: Sequence[Piece], width: int, indent: str) -> list[Line]:
    return wrap(pieces, width=width, first=indent, rest=f"{indent}  ")


def _groups(finding: Finding, *, full: bool) -> Iterator[tuple[str | None, Stretch, list[Span]]]:
    """Give the spans by sentence, in the order of the text: the text they lie in (None: unknown), and its stretch."""
    places: dict[tuple[str, str], list[Span]] = {}
    for span in dict.fromkeys(finding.spans):
        places.setdefault((span.pointer, span.target), []).append(span)
    for (pointer, target), spans in places.items():
        text = span_text(finding, pointer, target)
        if text is None:
            yield None, (0, 0), spans
            continue
        cuts = [(0, len(text))] if full else sentences(text)
        starts = [start for start, _ in cuts]
        group: tuple[str, Stretch, list[Span]] | None = None
        for span in sorted(spans, key=lambda one: (one.start, one.end)):
            start, end = _context(span, cuts, starts, len(text))
            if group is not None and start < group[1][1]:
                group = text, (group[1][0], max(group[1][1], end)), [*group[2], span]
                continue
            if group is not None:
                yield group
            group = text, (start, end), [span]
        if group is not None:
            yield group


def _context(span: Span, cuts: Sequence[Stretch], starts: Sequence[int], size: int) -> Stretch:
    """Give the sentences that a span lies in; blanks between two of them belong to the span alone."""
    begin, stop = min(max(span.start, 0), size), min(max(span.end, 0), size)
    first = cuts[max(bisect_right(starts, begin) - 1, 0)] if cuts else (begin, stop)
    last = cuts[max(bisect_right(starts, max(stop - 1, begin)) - 1, 0)] if cuts else (begin, stop)
    return (first[0] if begin < first[1] else begin), max(last[1] if last[0] < stop else stop, stop)


def _place(finding: Finding, span: Span, text: str | None) -> list[Piece]:
    """Say where the text stands, of which item where there are many, and how long it is."""
    where = shown(span.pointer) or "the whole"
    what = "the property name at " if span.target == "key" else ""
    item = f" of {shown(finding.places[0][0])}, the first of {len(finding.places)}" if len(finding.places) > 1 else ""
    size = "" if text is None else f" ({many(len(text), 'character')})"
    return [Piece("in ", Style.QUIET), Piece(f"{what}{where}"), Piece(f"{item}{size}", Style.QUIET)]


def _in_context(text: str, context: Stretch, spans: Sequence[Span], *, colour: bool, full: bool) -> list[Piece]:
    """Show the sentence with its spans marked; dots stand for the text around it."""
    start, end = context
    said = text[start:end]
    moved = [replace(span, start=span.start - start, end=span.end - start) for span in spans]
    marks = merged(moved, len(said))
    room = DISGUISED if any(span.decoded for span in spans) else DECODED
    wanted = [
        (max(first - NEAR + AROUND, 0), min(last + NEAR - AROUND, len(said))) for first, last in within(marks, room)
    ]
    return [
        *([Piece("… ", Style.QUIET)] if start else []),
        *excerpt(said, wanted, marks, colour=colour, full=full),
        *([Piece(" …", Style.QUIET)] if end < len(text) else []),
    ]


def _each(spans: Sequence[Span], told: set[str], *, width: int, indent: str, full: bool) -> Iterator[Line]:
    """Give the offsets of each span, and what it says once undone: once for all that say the same."""
    saying: dict[str, list[Span]] = {}
    for span in spans:
        saying.setdefault(span.decoded, []).append(span)
    for decoded, group in saying.items():
        kept = group if full else group[:OFFSETS]
        more = f" and {many(len(group) - len(kept), 'more span')} here; --full shows them" * (len(group) > len(kept))
        offsets = f"{', '.join(map(_offsets, kept))}{more}"
        if not decoded:
            yield from _laid([Piece(offsets, Style.QUIET)], width, indent)
            continue
        word = "says" if len(group) == 1 else "say"
        pieces = [Piece(f"{offsets}{';' * bool(more)} {word}: ", Style.QUIET), *_once(decoded, told, full=full)]
        yield from _laid(pieces, width, indent)


def _once(said: str, told: set[str], *, full: bool) -> list[Piece]:
    """Show a text that stood in disguise, or say that it stands above."""
    if said in told:
        return [Piece("the same as above", Style.QUIET)]
    told.add(said)
    return [Piece(shown(said.strip(), len(said) if full else DECODED), Style.MARK)]


def _offsets(span: Span) -> str:
    return f"[{span.start}:{span.end}]"
