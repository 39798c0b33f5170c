"""What of a session has been shown so far, part by part, and when a look of it is due. Pure: time is handed in."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from driftwatch.judge.canonical import canonical
from driftwatch.model import Document, Json, Oddity, Witnessed
from driftwatch.watch.fetch.answers import LISTS
from driftwatch.watch.witness.walks import Asked, Walk

QUIET: Final = timedelta(milliseconds=300)
"""What changes within this time goes into one look."""
EXPECTING: Final = timedelta(seconds=3)
"""The same while a list is under way, or none came yet; a list stands still that has not gone on for so long."""
LATEST: Final = timedelta(seconds=10)
"""After what time a change is not held back any more."""

LIFE: Final = 1000
"""The numbers that the looks of one reader of a session have at the most, before they run into those of the next."""

_LISTS: Final = frozenset(name.key for name in LISTS)
_BODIES: Final = "bodies"


@dataclass(frozen=True)
class _Part:
    """A part of what was shown: some keys of the document. `partial` says that it is the beginning of a list."""

    shown: Document
    digest: bytes
    oddities: tuple[Oddity, ...] = ()
    partial: bool = False


class Gathered:
    """The parts that were shown, and the looks that come of them.

    `base` is a look with what every look of the session has; who reads the session keeps it up to date.
    """

    def __init__(self, base: Witnessed, *, bodies: int, ready: int, after: int = 0) -> None:
        """Take a look without a document, how many prompts' bodies and looks to hold, and how many read before us."""
        self.base = base
        self.gaps = after
        self._gaps_told = 0
        self._most_bodies, self._most_ready = bodies, ready
        self._number = after * LIFE
        self._parts: dict[str, _Part] = {}
        self._bodies: dict[str, tuple[list[Json], bytes]] = {}
        self._told: set[str] = set()
        """The lists of which a notice came since they were last shown."""
        self._noticed: set[str] = set()
        """The lists that changed since the last look, and of which a notice had come."""
        self._changed: tuple[datetime, datetime] | None = None
        """When something changed that no look shows yet: first and last."""
        self._fresh: set[tuple[str, str]] = set()
        """The parts that did."""
        self._ready: list[Witnessed] = []
        self._then = (0, "")
        """Calls and last tool when what changed last was asked for."""

    @property
    def opening(self) -> Document | None:
        """Who the server said it is, None before it did."""
        part = self._parts.get("opening")
        return part.shown if part is not None else None

    def due(self, *, waits: bool, until: datetime | None = None) -> datetime | None:
        """Say when there will be looks to take, None while nothing is new.

        `waits` says whether a list is awaited, and `until` when one that does not go on will count as its beginning.
        """
        if self._ready:
            return self._ready[0].at
        if self._changed is None:
            return None
        first, last = self._changed
        if self._parts.keys() == {_BODIES}:
            return first + LATEST  # The first look of a session is to have the lists that it began with.
        listed = self._parts.keys() & _LISTS
        soonest = last + (EXPECTING if waits or not listed else QUIET)
        return min(soonest if until is None else max(soonest, until), first + LATEST)

    def take(self, at: datetime, *, waits: bool, until: datetime | None = None) -> list[Witnessed]:
        """Give the looks that are due by now, in their order."""
        due = self.due(waits=waits, until=until)
        if due is None or due > at:
            return []
        ready, self._ready = self._ready, []
        due = self.due(waits=waits, until=until)
        return [*ready, self._look(at)] if due is not None and due <= at else ready

    def rest(self, at: datetime) -> list[Witnessed]:
        """Give all that was not given yet."""
        ready, self._ready = self._ready, []
        return [*ready, self._look(at)] if self._changed is not None else ready

    def missed(self, at: datetime) -> None:
        """Count what was not seen. A look tells of it, if of nothing new, each time that it is twice as much."""
        self.gaps += 1
        if self._parts and self.gaps >= 2 * self._gaps_told:
            self._gaps_told = self.gaps
            self._news(at)

    def anew(self, at: datetime) -> None:
        """Tell with the next look, if of nothing new, that what was read before is not known here."""
        self.gaps = max(self.gaps, 1)
        self._gaps_told = self.gaps
        self._news(at)

    def notice(self, keys: tuple[str, ...]) -> None:
        """Note that the server says that lists have changed."""
        self._told.update(keys)

    # ------------------------------------------------------------------------- parts

    def opened(self, document: Document, oddities: tuple[Oddity, ...], asked: Asked, at: datetime) -> None:
        """Take who the server says it is."""
        self._shown("opening", _Part(document, _digest(document), oddities), asked, at)

    def listed(self, walk: Walk, asked: Asked, at: datetime) -> None:
        """Take a whole list."""
        self._list(walk, asked, at, partial=False)

    def begun(self, walk: Walk, whole: list[Json] | None = None) -> None:
        """Take the beginning of a list, as far as the agent asked for it.

        It is no news where what is known of that list, or the `whole` one that came meanwhile, holds all of it.
        """
        key, asked, items = walk.kind.key, walk.asked, walk.listing.items
        if asked is None or not walk.open or not items:
            return
        walk.told = walk.pages
        known = self._parts.get(key)
        if not _holds(whole or [], items) and not (known and _holds(known.shown[key], items)):
            self._list(walk, asked, walk.at, partial=True)

    def _list(self, walk: Walk, asked: Asked, at: datetime, *, partial: bool) -> None:
        key, listing = walk.kind.key, walk.listing
        shown: Document = {key: [*listing.items]}
        changed = self._shown(key, _Part(shown, _digest(shown), tuple(listing.oddities), partial), asked, at)
        if changed and key in self._told:
            self._noticed.add(key)
        self._told.discard(key)

    def said(self, body: list[Json], asked: Asked, at: datetime) -> None:
        """Take the body of a prompt."""
        self._bodies.pop(asked.prompt, None)
        self._bodies[asked.prompt] = (body, _digest(body))
        if len(self._bodies) > self._most_bodies:
            self._bodies.pop(next(iter(self._bodies)))
        bodies = [{"name": name, "messages": kept} for name, (kept, _) in sorted(self._bodies.items())]
        shown: Document = {"promptBodies": bodies}
        self._shown(_BODIES, _Part(shown, _digest(shown)), asked, at)

    def _shown(self, key: str, part: _Part, asked: Asked, at: datetime) -> bool:
        """Keep a part; say whether it is another one than before."""
        this = (key, asked.prompt)
        before = self._parts.get(key)
        if before is not None and (before.digest, before.partial) == (part.digest, part.partial):
            return False
        if self._changed is not None and (this in self._fresh or self._then[0] != asked.calls):
            # What was shown in between is evidence as well, and so is after how many calls it was shown.
            self._ready.append(self._look(at))
            if len(self._ready) > self._most_ready:
                del self._ready[1]
                self.gaps += 1
        self._fresh.add(this)
        self._parts[key] = part
        self._news(at)
        self._then = (asked.calls, asked.tool)
        return True

    def _news(self, at: datetime) -> None:
        self._changed = (self._changed[0] if self._changed else at, at)

    def _look(self, at: datetime) -> Witnessed:
        """Make a look of all that was shown so far."""
        self._number += 1
        document: Document = {}
        for part in self._parts.values():
            document |= part.shown
        seen = replace(
            self.base,
            number=self._number,
            at=at,
            document=document,
            oddities=tuple(oddity for part in self._parts.values() for oddity in part.oddities),
            calls=self._then[0],
            tool=self._then[1],
            noticed=tuple(sorted(self._noticed)),
            gaps=self.gaps,
            partial=tuple(sorted(key for key, part in self._parts.items() if part.partial)),
        )
        self._changed = None
        self._fresh.clear()
        self._noticed.clear()
        return seen


def _holds(items: list[Json], some: list[Json]) -> bool:
    there = {_digest(item) for item in items}
    return all(_digest(item) in there for item in some)


def _digest(value: Json) -> bytes:
    return hashlib.sha256(canonical(value)).digest()
