"""Match the signal table against one sentence: concepts near each other, with what voids and what excuses."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from driftwatch.judge.text.concepts import Hit
from driftwatch.judge.text.signals.base import Entry

_TRIED: Final = 24
"""At most this many places of one concept are tried as an anchor in one sentence."""
_NEGATION_REACH: Final = 3.0
"""A "not" governs a verb that follows within so many words."""


@dataclass(frozen=True)
class Match:
    """One entry met: the hits that meet its needs, in the order of the needs."""

    entry: Entry
    hits: tuple[Hit, ...]

    @property
    def start(self) -> int:
        """Where the first of them starts, in folded text."""
        return min(hit.start for hit in self.hits)

    @property
    def end(self) -> int:
        """Where the last of them ends, in folded text."""
        return max(hit.end for hit in self.hits)


class Scene:
    """The hits of one sentence by concept, in order of place."""

    def __init__(self, hits: Sequence[Hit]) -> None:
        """Sort the hits by concept."""
        by: dict[str, list[Hit]] = defaultdict(list)
        for hit in hits:
            by[hit.concept].append(hit)
        self._by: Mapping[str, list[Hit]] = by

    def of(self, need: str) -> list[Hit]:
        """Give the hits of any of the `|`-parted concepts, in order."""
        names = need.split("|")
        if len(names) == 1:
            return self._by.get(need, [])
        return sorted((hit for name in names for hit in self._by.get(name, ())), key=lambda hit: hit.place)

    def matches(self, entries: Sequence[Entry]) -> Iterator[Match]:
        """Give every entry that the sentence meets, at its tightest places."""
        for entry in entries:
            yield from self._meet(entry)

    def _meet(self, entry: Entry) -> Iterator[Match]:
        wanted = [self.of(need) for need in entry.needs]
        if not all(wanted):
            return
        anchor = min(range(len(wanted)), key=lambda index: len(wanted[index]))
        for hit in wanted[anchor][:_TRIED]:
            chosen = _around(hit, anchor, wanted, entry.window)
            if chosen and not self._void(entry, chosen):
                yield Match(entry, tuple(chosen))

    def _void(self, entry: Entry, chosen: Sequence[Hit]) -> bool:
        low = min(hit.place for hit in chosen) - 4
        high = max(hit.place for hit in chosen) + 4
        for name in entry.unless:
            taken = {(hit.first, hit.last) for hit in chosen}
            if any(low <= hit.place <= high and (hit.first, hit.last) not in taken for hit in self._by.get(name, ())):
                return True
        if not entry.negatable:
            return False
        first = min(chosen, key=lambda hit: hit.place)
        return any(0 < first.place - no.place <= _NEGATION_REACH for no in self._by.get("NOT", ()))


def _around(anchor_hit: Hit, anchor: int, wanted: Sequence[Sequence[Hit]], window: float) -> list[Hit]:
    """Choose for every need the hit nearest to the anchor that shares no word with the others; empty if one lacks."""
    chosen: list[Hit] = []
    for index, hits in enumerate(wanted):
        if index == anchor:
            chosen.append(anchor_hit)
            continue
        near = _nearest(anchor_hit, hits, window, [*chosen, anchor_hit])
        if near is None:
            return []
        chosen.append(near)
    spread = max(hit.place for hit in chosen) - min(hit.place for hit in chosen)
    return chosen if spread <= window else []


def _nearest(centre: Hit, hits: Sequence[Hit], window: float, taken: Sequence[Hit]) -> Hit | None:
    """Give the hit closest to the centre within the window that does not stand on a word already taken."""
    places = [hit.place for hit in hits]
    low = bisect_left(places, centre.place - window)
    best: Hit | None = None
    for hit in hits[low : low + 4 * _TRIED]:
        if hit.place > centre.place + window:
            break
        if any(hit.first <= other.last and other.first <= hit.last for other in taken):
            continue
        if best is None or abs(hit.place - centre.place) < abs(best.place - centre.place):
            best = hit
    return best
