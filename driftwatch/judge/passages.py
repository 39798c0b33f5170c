"""What of a text is put before a second opinion: whole where it fits, else what matters and what stands around it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from driftwatch.judge import pointer as at
from driftwatch.judge.text.added import gained, merged
from driftwatch.judge.texts import texts
from driftwatch.model import Finding, Passage, Span

_GAP: Final = " […] "
"""What stands where a text was cut."""
_SHORTEST: Final = 80
"""So many characters of each text are taken at least."""
_STRETCHES: Final = 16
"""Stretches of a long text that are taken."""
_UNSENDABLE: Final = re.compile("[\ud800-\udfff\x00]")


def passage_of(finding: Finding, spans: Sequence[Span], room: int) -> Passage | None:
    """Give what to ask about a finding's text, at most `room` characters of it; None where it carries no text.

    `spans` are what is marked in the text: the finding's own, and those of others at its place.
    """
    if isinstance(finding.after, str):
        said = [(finding.after, [(span.start, span.end) for span in spans if span.pointer == finding.pointer])]
    elif isinstance(finding.after, dict):
        said = _marked(finding, spans)
    else:
        return None
    undone = [span.decoded for span in spans if span.decoded]
    return _passage(said, list(dict.fromkeys(undone)), room)


def passage_gained(said: str, before: str, room: int) -> Passage:
    """Give what to ask about a text that grew from another one (empty: it is new)."""
    stretches = [place for part in gained(before, said) for place in part.spans] if len(said) > room else []
    return _passage([(said, stretches)], [], room)


def _marked(finding: Finding, spans: Sequence[Span]) -> list[tuple[str, list[tuple[int, int]]]]:
    """Give the texts of several places that something is marked in; all of them where nothing is."""
    marks: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for span in spans:
        marks.setdefault((span.pointer, span.target), []).append((span.start, span.end))
    every = [(text, marks.get((finding.pointer + text.pointer, text.target), [])) for text in texts(finding.after)]
    chosen = [one for one in every if one[1]] or every
    return [(text.said, places) for text, places in chosen]


def _passage(said: Sequence[tuple[str, list[tuple[int, int]]]], undone: Sequence[str], room: int) -> Passage:
    """Share the room out: a quarter of it for what was undone, as far as that is needed, and the rest for the texts."""
    plain = tuple(_share(((text, []) for text in undone), len(undone), room // 4))
    left = room - sum(map(len, plain))
    return Passage(tuple(_share(said, len(said), left)), plain)


def _share(said: Iterable[tuple[str, list[tuple[int, int]]]], many: int, room: int) -> Iterable[str]:
    each = max(room // max(many, 1), _SHORTEST)
    for text, places in said:
        if room < _SHORTEST:
            return
        part = _UNSENDABLE.sub("\ufffd", _cut(text, places, min(each, room)))
        room -= len(part)
        yield part


def _cut(text: str, places: Sequence[tuple[int, int]], room: int) -> str:
    """Give a text whole where it fits, else the marked stretches with what is around them; both ends without a mark."""
    if len(text) <= room:
        return text
    marked = merged([(max(start, 0), min(end, len(text))) for start, end in places if start < end])[:_STRETCHES]
    wanted = marked or [(0, len(text))]
    share = max((room - len(_GAP) * (2 * len(wanted) + 1)) // len(wanted), 2)
    ranges = merged([part for place in wanted for part in _within(place, share, len(text))])
    parts = [text[start:end] for start, end in ranges]
    head, tail = _GAP if ranges[0][0] else "", _GAP if ranges[-1][1] < len(text) else ""
    return f"{head}{_GAP.join(parts)}{tail}"[:room]


def _within(place: tuple[int, int], share: int, size: int) -> list[tuple[int, int]]:
    """Give both ends of a stretch that is too long, else the stretch with as much around it as there is room for."""
    start, end = place
    if end - start > share:
        return [(start, start + share - share // 2), (end - share // 2, end)]
    before = min((share - (end - start)) // 2, start)
    return [(start - before, min(start - before + share, size))]


def place_of(finding: Finding) -> tuple[object, ...]:
    """Name the text that a finding is about."""
    return (finding.kind, finding.item, finding.occurrence, finding.pointer)


def quoted_at(said: str, quote: str, pointer: str, target: str) -> tuple[Span, ...]:
    """Give where quoted words stand in a text, nothing where they stand there in another spelling only."""
    start = said.find(quote) if quote else -1
    return (Span(pointer, start, start + len(quote), target=target),) if start >= 0 else ()


def quotes_news(said: str, before: str, quote: str) -> bool:
    """Say whether quoted words stand, at least once, in a sentence of a text that the approved text does not have.

    Words that are found in what was undone only, or in no place at all, are not held to have been approved.
    """
    words = quote.split()
    if not before or not words:
        return True
    places = [match.span() for match in re.finditer(r"\s+".join(map(re.escape, words)), said)]
    new = [(part.start, part.end) for part in gained(before, said)]
    return not places or any(start < high and low < end for start, end in places for low, high in new)


def before_at(raw: object, pointer: str) -> str:
    """Give the text that stands at a place of an approved form, empty where none does."""
    old = at.get(raw, pointer, None)
    return old if isinstance(old, str) else ""
