"""What of a session is on its way: requests that wait for their answers, and lists, page by page. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace

from driftwatch.model import Json
from driftwatch.watch.fetch.answers import LISTS, Collected, ListName


@dataclass(eq=False)
class Walk:
    """One list on its way, page by page."""

    kind: ListName
    listing: Collected
    cursor: str | None = None
    pages: int = 0
    size: int = 0
    seen: set[str] = field(default_factory=set)

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

    def add(self, walk: Walk) -> Walk:
        """Take one that begins; where there are too many, the oldest is given up."""
        walks = self._going[walk.kind.key]
        walks.append(walk)
        del walks[: -self._most]
        return walk

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

    def keep(self, busy: Collection[Walk]) -> None:
        """Forget all but those that wait for a page."""
        for walks in self._going.values():
            walks[:] = [one for one in walks if one in busy]
