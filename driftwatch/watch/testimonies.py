"""What is kept of the looks of witnesses at one server, read once, while some of them are compared."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace

from driftwatch.judge.snapshot import snapshot_of, take
from driftwatch.judge.witnessed import filled, within
from driftwatch.model import Kind, Snapshot, Testimony, TestimonyState
from driftwatch.store.store import Store
from driftwatch.store.witnessed import MOST_SETTLED
from driftwatch.watch.beside import Shown

_KNOWN = (TestimonyState.LEARNED, TestimonyState.SETTLED)


class Testimonies:
    """Looks at one server, as they are kept. Who writes one anew says so here too.

    `ours` is what driftwatch is shown, as far as it must be the same for everybody; it stands for what a look that
    showed nothing else showed, and has the rest of a list that an agent asked for in part.
    """

    __test__ = False

    def __init__(self, store: Store, rows: Iterable[Testimony], ours: Snapshot | None) -> None:
        """Take the store and the looks, in the order in which they came."""
        self._store, self._ours = store, ours
        self._sessions: dict[tuple[str, str], dict[int, Testimony]] = defaultdict(dict)
        self._stand: dict[str, dict[int, Testimony]] = defaultdict(dict)
        self._known: dict[tuple[str, str], dict[int, Testimony]] = defaultdict(dict)
        self._lists: dict[tuple[str, frozenset[Kind]], Snapshot | None] = {}
        self._whole: dict[tuple[str, frozenset[Kind], frozenset[Kind]], Snapshot] = {}
        for row in rows:
            self.put(row)

    def put(self, one: Testimony) -> None:
        """Take how a look stands now."""
        if one.session and not one.prompt:
            self._sessions[one.witness, one.session][one.id] = one
        for group, belongs in (
            (self._stand[one.witness], one.state.stands),
            (self._known["" if one.prompt else one.witness, one.prompt], one.state in _KNOWN),
        ):
            group.pop(one.id, None)
            if belongs:
                group[one.id] = one

    def standing(self, one: Testimony) -> list[Testimony]:
        """Give what else stands of its witness: lists, or prompts' bodies, as it is one."""
        rows = self._stand[one.witness].values()
        return [row for row in rows if bool(row.prompt) == bool(one.prompt) and row.id != one.id]

    def known(self, one: Testimony) -> list[Shown]:
        """Give the newest of the lists that are the witness's own, or of the known bodies of a prompt, oldest first.

        What is both learned and approved counts as approved.
        """
        rows = list(self._known["" if one.prompt else one.witness, one.prompt].values())[-MOST_SETTLED:]
        alike: dict[tuple[str, frozenset[Kind], frozenset[Kind]], Testimony] = {}
        for row in rows:
            way = (row.digest, row.sections, row.partial)
            if row.id != one.id and (way not in alike or alike[way].state is not TestimonyState.SETTLED):
                alike[way] = row
        return list(self._shown(alike.values()))

    def before(self, one: Testimony) -> list[Shown]:
        """Give what the session showed before, the oldest first."""
        rows = [row for row in self._session(one) if row.number < one.number]
        return list(self._shown(sorted(rows, key=lambda row: (row.number, row.id))))

    def later(self, one: Testimony) -> list[Testimony]:
        """Give what the session showed later, as far as it is kept."""
        return [row for row in self._session(one) if row.number > one.number]

    def _session(self, one: Testimony) -> Iterable[Testimony]:
        return self._sessions[one.witness, one.session].values() if one.session and not one.prompt else ()

    def _shown(self, rows: Iterable[Testimony]) -> Iterator[Shown]:
        for row in rows:
            shown = self.lists(row)
            if shown is None:
                continue
            way = (row.digest, row.sections, row.partial)
            if way not in self._whole:
                self._whole[way] = filled(shown, row.partial, self._ours)
            yield row, self._whole[way]

    def lists(self, one: Testimony) -> Snapshot | None:
        """Give what a look showed; of one that was only as good as ours, ours."""
        if not one.sections:
            return snapshot_of((), frozenset())
        way = (one.digest, one.sections)
        if self._lists.get(way) is None:
            kept = self._kept(one)
            self._lists[way] = None if kept is None else within(replace(kept, sections=one.sections), one.sections)
        found = self._lists[way]
        if found is None and one.state is TestimonyState.SAME and self._ours is not None:
            return within(self._ours, one.sections)
        return found

    def _kept(self, one: Testimony) -> Snapshot | None:
        kept = self._store.snapshot(one.digest)
        if kept is None and one.state is TestimonyState.PENDING:
            held = self._store.held_testimony(one)
            kept = take(*held) if held is not None else None
        return kept
