"""What of a session is on its way: requests that wait for their answers, and lists, page by page. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime

from driftwatch.model import Json
from driftwatch.watch.fetch.answers import LISTS, Collected, ListName


@dataclass(eq=False)
class Walk:
    """One list on its way, page by page.

    `asked` is the request that the last page answered, and `at` when that came, or, before the first, when it was asked
    for; `told` is how many pages were told already, as the beginning of a list that goes no further.
    """

    kind: ListName
    listing: Collected
    at: datetime
    cursor: str | None = None
    pages: int = 0
    size: int = 0
    seen: set[str] = field(default_factory=set)
    asked: Asked | None = None
    told: int = 0

    @property
    def open(self) -> bool:
        """Whether there are pages that nothing was made of yet."""
        return self.pages > self.told

    def copy(self) -> Walk:
        """Give another one that stands where this one does."""
        was = self.listing
        listing = replace(was, items=[*was.items], pages=[*was.pages], oddities=[*was.oddities])
        return replace(self, listing=listing, seen={*self.seen})


@dataclass(frozen=True)
class Asked:
    """A request of the agent that waits for its answer; `calls` and `tool` are as they were when it was made.

    `id` is its own, as the agent wrote it.
    """

    id: Json
    method: str
    calls: int
    tool: str
    walk: Walk | None = None
    version: str = ""
    prompt: str = ""
    arguments: Json = None


class Walks:
    """All of one session."""

    def __init__(self, most: int) -> None:
        """Take how many of one list may be under way."""
        self._most = most
        self._going: dict[str, list[Walk]] = {name.key: [] for name in LISTS}

    def __iter__(self) -> Iterator[Walk]:
        """Give all that are under way."""
        return (walk for walks in self._going.values() for walk in walks)

    def add(self, walk: Walk) -> list[Walk]:
        """Take one that begins; gives those that are given up, the oldest ones, where there are too many."""
        walks = self._going[walk.kind.key]
        walks.append(walk)
        gone = walks[: -self._most]
        del walks[: -self._most]
        return gone

    def still(self) -> list[Walk]:
        """Give those of which pages came that nothing was made of yet, in the order of their last pages."""
        return sorted((walk for walk in self if walk.open), key=lambda walk: walk.at)

    def at(self, kind: ListName, cursor: Json, busy: Collection[Walk]) -> Walk | None:
        """Give the one that a cursor continues; two may have the same, and one that is `busy` waits for a page already.

        The newest comes first: of what a server said twice, it is what was said last.
        """
        found = (one for one in reversed(self._going[kind.key]) if one.cursor == cursor and one not in busy)
        return next(found, None)

    def forget(self, walk: Walk | None) -> None:
        """Take out one that has ended."""
        if walk is not None and walk in self._going[walk.kind.key]:
            self._going[walk.kind.key].remove(walk)
