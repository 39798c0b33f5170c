"""Before and after of one finding, cut to what a person needs to see, with the offending span marked.

Everything from a server passes `visible`: control, bidirectional and invisible characters appear as escapes.
Without colour a marked span stands between `>>` and `<<`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

from driftwatch.judge import pointer as at
from driftwatch.judge.rules.changed_same_package import RULE as SAME_PACKAGE
from driftwatch.judge.text.visible import visible
from driftwatch.model import Finding, Json, Kind, Span
from driftwatch.model.amounts import many
from driftwatch.report.cut import EDGE, LIMIT, Stretch, ends, excerpt, one_line, shown, within
from driftwatch.report.entry import gist
from driftwatch.report.lines import Piece, Style
from driftwatch.report.shape import TOO_DEEP, plain

PLACES = 3
"""Marked texts shown for one finding; the rest is counted."""

BRIEF = 30
"""Values up to this length stand on one line as `before → after`."""

NAMES = 8
"""Names shown of a list of them; the rest is counted."""

NAME = 60
"""Characters shown of one name in such a list."""

Excerpt = list[Piece]

_ESCAPE = re.compile(r"(\\u\{[0-9A-Fa-f]{1,6}\})")


def sentence(text: str) -> str:
    """Make one of our own sentences safe for one line; escapes that are already in it stay as they are."""
    return one_line(sentences(text))


def sentences(text: str) -> str:
    """Make a text of ours safe, its line feeds and tabs kept; escapes that are already in it stay as they are."""
    parts = _ESCAPE.split(text)
    return "".join(part if index % 2 else visible(part, multiline=True) for index, part in enumerate(parts))


def value_text(value: Json) -> str:
    """Give a value as text: a string as it is, anything else as compact JSON."""
    if isinstance(value, str):
        return value
    try:
        return json.dumps(plain(value), ensure_ascii=False, sort_keys=True)
    except (RecursionError, TypeError, ValueError):
        return TOO_DEEP


def excerpts(finding: Finding, *, colour: bool, full: bool = False, told: set[str] | None = None) -> list[Excerpt]:
    """Give the lines that show what a finding is about; none when it has no values. With `full` nothing is cut.

    `told` are the disguised texts that were told already: they are left out, and those that are told here come to it.
    """
    marked = _marked(finding, set() if told is None else told, colour=colour, full=full)
    came_or_went = not finding.pointer and bool(finding.places) and not full
    if came_or_went or (finding.before is None and finding.after is None):
        return marked
    if marked:
        before, after = finding.before, finding.after
        texts = isinstance(before, str) and isinstance(after, str) and before
        old = [_side("- ", before, _difference(before, after), Style.REMOVED, full=full)] if texts else []
        return old + marked
    outline = _no_difference(finding, full=full) or (None if full else _outline(finding))
    return _sides(finding, full=full) if outline is None else outline


def _no_difference(finding: Finding, *, full: bool) -> list[Excerpt]:
    """Show values that are no two sides of one change; nothing where they are."""
    after = value_text(finding.after)
    if finding.rule == SAME_PACKAGE.id:
        names = [one for one in finding.before if isinstance(one, str)] if isinstance(finding.before, list) else []
        more = f" and {len(names) - NAMES} more" if len(names) > NAMES else ""
        changed = ", ".join(shown(name, NAME) for name in names[:NAMES]) + more
        return [
            [Piece("changed: ", Style.QUIET), Piece(changed)],
            [Piece("did not: ", Style.QUIET), Piece(shown(after, LIMIT))],
        ]
    if finding.before == finding.after and value_text(finding.before) == after:
        return [[Piece("as before: ", Style.QUIET), Piece(shown(after, len(after) if full else LIMIT))]]
    return []


def _sides(finding: Finding, *, full: bool) -> list[Excerpt]:
    """Show both values, or the one that there is."""
    before, after = value_text(finding.before), value_text(finding.after)
    if finding.before is None and not isinstance(finding.after, str | dict | list):
        return [[Piece("now "), Piece(after, Style.ADDED)]]
    if finding.after is None and not isinstance(finding.before, str | dict | list):
        return [[Piece("was "), Piece(before, Style.REMOVED)]]
    if finding.before is None:
        return [_side("+ ", after, (0, len(after)), Style.ADDED, full=full)]
    if finding.after is None:
        return [_side("- ", before, (0, len(before)), Style.REMOVED, full=full)]
    if max(len(before), len(after)) <= BRIEF:
        return [_brief(before, after)]
    return [
        _side("- ", before, _difference(before, after), Style.REMOVED, full=full),
        _side("+ ", after, _difference(after, before), Style.ADDED, full=full),
    ]


def _outline(finding: Finding) -> list[Excerpt] | None:
    """Give the gist of a value that nobody reads as JSON: a whole item, or what is claimed by which items of a wave.

    None where a value is to be shown as it is.
    """
    told = _told_of_items(finding)
    if told:
        return told
    whole = finding.before if finding.after is None else finding.after
    if finding.pointer or not isinstance(whole, dict) or not (finding.before is None or finding.after is None):
        return None
    lead, style = ("- ", Style.REMOVED) if finding.after is None else ("+ ", Style.ADDED)
    if finding.kind is Kind.ENTRY:
        return [
            [Piece(lead, style), Piece(f"{what} ", Style.QUIET), Piece(text)] for what, text in gist(finding, whole)
        ]
    said, takes = whole.get("description"), at.get(whole, "/inputSchema/properties", {})
    lines = [_side(lead, said, (0, len(said)), style, full=False)] if isinstance(said, str) and said else []
    names = ", ".join(shown(name, NAME) for name in list(takes)[:NAMES]) if isinstance(takes, dict) else ""
    more = f" and {len(takes) - NAMES} more" if names and len(takes) > NAMES else ""
    lines += [[Piece(lead, style), Piece("takes ", Style.QUIET), Piece(names + more)]] if names else []
    return lines or None


def _told_of_items(finding: Finding) -> list[Excerpt]:
    """Give what a wave says of its own items: who makes which claim, or what each was called."""
    if not (finding.places and isinstance(finding.after, dict) and finding.after):
        return []
    items = frozenset(finding.items)
    rows = [(key, names if isinstance(names, list) else [names]) for key, names in finding.after.items()]
    if not all(names and all(isinstance(name, str) and name in items for name in names) for _, names in rows):
        return []
    lines = [
        _claim(key, names, len(items)) if isinstance(finding.after[key], list) else _brief(key, names[0])
        for key, names in rows[:NAMES]
    ]
    return _first(lines, len(rows))


def _first(lines: list[Excerpt], total: int) -> list[Excerpt]:
    """Say after the first lines of many how many more there are."""
    left = total - len(lines)
    return [*lines, [Piece(f"  and {left} more; --full shows them", Style.QUIET)]] if left else lines


def _claim(claim: str, names: Sequence[Json], total: int) -> Excerpt:
    """Give one claim with the first of the names behind it."""
    if len(names) == total:
        return [Piece(f"+ {shown(claim)}", Style.ADDED), Piece("  all of them")]
    listed = ", ".join(shown(str(name), NAME) for name in names[:NAMES])
    more = f" and {len(names) - NAMES} more" if len(names) > NAMES else ""
    return [Piece(f"+ {shown(claim)}", Style.ADDED), Piece(f"  {listed}{more}")]


def _brief(before: str, after: str) -> Excerpt:
    """Put two short values on one line."""
    return [Piece(shown(before), Style.REMOVED), Piece(" → "), Piece(shown(after), Style.ADDED)]


def _side(lead: str, text: str, around: Stretch, style: Style, *, full: bool) -> Excerpt:
    """Show a text around the part that differs."""
    return [Piece(lead, style), *excerpt(text or '""', ends(around), style=style, full=full)]


def _difference(text: str, other: str) -> Stretch:
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


def _marked(finding: Finding, told: set[str], *, colour: bool, full: bool) -> list[Excerpt]:
    """Show the texts that the finding's spans lie in, each with its spans marked."""
    groups: dict[tuple[str, str], list[Span]] = {}
    for span in finding.spans:
        groups.setdefault((span.pointer, span.target), []).append(span)
    most = len(groups) if full else PLACES
    lines: list[Excerpt] = []
    for (pointer, target), spans in list(groups.items())[:most]:
        text = span_text(finding, pointer, target)
        if text is None:
            continue
        where = f"{shown(pointer)}: " if pointer != finding.pointer else ""
        marks = merged(spans, len(text))
        wanted = [*within(marks), *_edges(finding, text)]
        body = excerpt(text, wanted, marks, colour=colour, full=full)
        lines.append([Piece("+ ", Style.ADDED), Piece(where, Style.QUIET), *body])
        lines.extend(_decoded(spans, told, full=full))
    if len(groups) > most:
        lines.append([Piece(f"  and {many(len(groups) - most, 'more place')}; --full shows them", Style.QUIET)])
    return lines


def _edges(finding: Finding, text: str) -> list[Stretch]:
    """Give both ends of what was put in: a marked decoy must not draw the eye from the rest."""
    old = finding.before if isinstance(finding.before, str) and finding.after == text else ""
    start, end = _difference(text, old)
    return ends((start, end), 2 * EDGE) if start < end else []


def _decoded(spans: Sequence[Span], told: set[str], *, full: bool) -> Iterator[Excerpt]:
    """Say what disguised spans say once undone: each text once."""
    disguised = [one for one in dict.fromkeys(span.decoded for span in spans) if one and one not in told]
    told.update(disguised)
    most = len(disguised) if full else PLACES
    for decoded in disguised[:most]:
        body = excerpt(decoded, ends((0, len(decoded)), LIMIT), style=Style.MARK, full=full)
        yield [Piece("  says: ", Style.QUIET), *body]
    if len(disguised) > most:
        yield [Piece(f"  and {len(disguised) - most} more disguised texts; --full shows them", Style.QUIET)]


def span_text(finding: Finding, pointer: str, target: str) -> str | None:
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


def merged(spans: Sequence[Span], size: int) -> list[Stretch]:
    """Give the stretches in order, clipped to the text, overlapping ones as one."""
    stretches: list[Stretch] = []
    for span in sorted(spans, key=lambda one: (one.start, one.end)):
        start, end = max(span.start, 0), min(span.end, size)
        if start >= end:
            continue
        if stretches and start <= stretches[-1][1]:
            stretches[-1] = (stretches[-1][0], max(stretches[-1][1], end))
        else:
            stretches.append((start, end))
    return stretches
