"""How a look of a witness stands to what driftwatch knows of the server at one moment. Writes nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import Final, TypeAlias

from driftwatch.config.schema import ServerConfig, Settings
from driftwatch.judge.faces import face_of, is_bad
from driftwatch.judge.policy import Policy
from driftwatch.judge.policy.volatile import declared
from driftwatch.judge.witnessed import differs, is_among, is_quiet, telling, weight, within
from driftwatch.model import BaselineState, Change, ServerState, Snapshot, Testimony, TestimonyState
from driftwatch.store.store import Store
from driftwatch.watch.known import policy_of
from driftwatch.watch.known.faces import bad
from driftwatch.watch.known.varied import varied_of
from driftwatch.watch.known.witnessed import found_in

Shown: TypeAlias = tuple[Testimony, Snapshot]
"""A look that is kept, with what it showed."""

_EARLIER: Final = 8
"""So many of the lists that a server showed lately are looked through for an older one."""


@dataclass(frozen=True)
class Beside:
    """One server at one moment.

    `live` is what it showed driftwatch last, None where it never showed anything, and `unseen` says that it could not
    be looked at just now.
    """

    store: Store
    settings: Settings
    server: ServerConfig
    state: ServerState
    live: Snapshot | None
    unseen: bool
    now: datetime

    @cached_property
    def ours(self) -> Snapshot | None:
        """What driftwatch was shown, as far as it must be the same for everybody."""
        return None if self.live is None else face_of(self.live)

    def stands(self, one: Testimony, lists: Snapshot, known: Sequence[Shown], earlier: Sequence[Shown]) -> Testimony:
        """Say how lists stand. `known` are the witness's own lists, `earlier` what the session showed before."""
        settled = replace(one, settled_at=self.now, unseen=self.unseen, before="", against="", severity=None)
        quiet = self._quiet(lists, one.began, known)
        if quiet is not None:
            return replace(settled, state=quiet)
        others = [(before, shown) for before, shown in earlier if differs(lists, shown)]
        if others or (one.session and one.number > 1 and not earlier):
            return self._flipped(settled, lists, others)
        return self._apart(settled, lists, known)

    def body(self, one: Testimony, body: Snapshot, known: Sequence[Shown]) -> Testimony:
        """Say how a prompt's body stands; `known` are the bodies of that prompt that are known, the oldest first."""
        settled = replace(one, settled_at=self.now, before="", against="", severity=None)
        before = known[-1][1] if known else None
        found = telling(found_in(body, before), TestimonyState.BODY, moved=False)
        if not found:
            return replace(settled, state=TestimonyState.LEARNED)
        severity = weight(found, TestimonyState.BODY, before, body)
        return _against(replace(settled, state=TestimonyState.BODY, severity=severity), before, "learned")

    def explains(self, lists: Snapshot) -> bool:
        """Say whether driftwatch is shown a list by now too, and nothing in it is bad beside what is approved."""
        if self.ours is None or self.unseen or not is_among(lists, [self.ours]):
            return False
        return not self._is_bad(lists, self._approved)

    def _quiet(self, lists: Snapshot, began: datetime, known: Sequence[Shown]) -> TestimonyState | None:
        """Say under which quiet state lists stand, None where there is something to say of them."""
        ours = [] if self.ours is None else [self.ours]
        if is_among(lists, ours):
            return TestimonyState.SAME
        if is_among(lists, [*ours, *(shown for _, shown in known)]):
            return TestimonyState.LEARNED
        if self._approved is not None and is_among(lists, [*ours, self._approved]):
            return TestimonyState.OLDER
        # A poison in a place that always varies is none the less one, and so is one that was shown to all for a while.
        if self.ours is None or self._is_bad(lists, self.ours):
            return None
        if is_quiet(lists, self.ours, self._expected):
            return TestimonyState.SAME
        older = any(is_among(lists, [self.ours, one]) for one in self._shown_since(began))
        return TestimonyState.OLDER if older else None

    def _flipped(self, settled: Testimony, lists: Snapshot, others: Sequence[Shown]) -> Testimony:
        """Hold a list that came in the middle of a session against ours, or the session's own where ours never was."""
        earlier = others[-1] if others else None
        own = earlier is not None and earlier[0].state in (TestimonyState.LEARNED, TestimonyState.SETTLED)
        before, against = self.ours, "ours"
        if earlier is not None and (own or self.ours is None):
            before, against = earlier[1], "session"
        found = telling(found_in(lists, before), TestimonyState.FLIPPED, moved=True)
        severity = weight(found, TestimonyState.FLIPPED, before, lists)
        flipped = replace(settled, state=TestimonyState.FLIPPED, severity=severity)
        return _against(flipped, None if before is None else within(before, lists.sections), against)

    def _apart(self, settled: Testimony, lists: Snapshot, known: Sequence[Shown]) -> Testimony:
        """Hold a list that was another one from the start against the one that was learned, else against ours."""
        learned = next((shown for _, shown in reversed(known) if self._moved(lists, shown)), None)
        before, against = (learned, "learned") if learned is not None else (self.ours, "ours")
        found = telling(found_in(lists, before), TestimonyState.APART, moved=learned is not None)
        if not found:
            return replace(settled, state=TestimonyState.LEARNED)
        severity = weight(found, TestimonyState.APART, before, lists)
        apart = replace(settled, state=TestimonyState.APART, severity=severity)
        return _against(apart, None if before is None else within(before, lists.sections), against)

    def _moved(self, lists: Snapshot, known: Snapshot) -> bool:
        return differs(lists, known) and not is_quiet(lists, known, self._expected)

    def _is_bad(self, lists: Snapshot, beside: Snapshot | None) -> bool:
        """Say whether a list has something bad in it that another one has not."""
        if beside is None:
            return any(is_bad(one) for one in found_in(lists, None))
        return bool(bad(lists, within(beside, lists.sections)))

    def _expected(self, change: Change) -> bool:
        """Say whether a difference is one that comes at every look, or that a person declared to."""
        place = (change.kind, change.key, change.occurrence, change.pointer)
        return place in self._varying or declared(change, self._policy.volatile) is not None

    @cached_property
    def _policy(self) -> Policy:
        return policy_of(self.settings, self.server)

    @cached_property
    def _varying(self) -> frozenset[tuple[object, ...]]:
        if self.live is None:
            return frozenset()
        sightings = self.store.sightings(self.server.name, limit=_EARLIER)
        found = varied_of(self.store, self.state, self.live, self._policy, sightings)
        return frozenset(one.place for one in found.places)

    @cached_property
    def _approved(self) -> Snapshot | None:
        baseline = self.state.baseline
        if baseline is None or baseline.state is not BaselineState.APPROVED:
            return None
        kept = self.store.snapshot(baseline.digest)
        return None if kept is None else face_of(kept)

    def _shown_since(self, began: datetime) -> Iterator[Snapshot]:
        """Give what driftwatch was shown since a moment, the newest first."""
        for sighting in reversed(self.store.sightings(self.server.name, limit=_EARLIER)):
            kept = self.store.snapshot(sighting.digest) if sighting.last_seen >= began else None
            if kept is not None:
                yield face_of(kept)


def _against(settled: Testimony, before: Snapshot | None, against: str) -> Testimony:
    return settled if before is None else replace(settled, before=before.digest, against=against)
