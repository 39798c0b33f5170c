"""How a look of a witness stands to what driftwatch knows of the server at one moment. Writes nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from typing import Final, TypeAlias

from driftwatch.config.schema import ServerConfig, Settings
from driftwatch.judge.faces import face_of
from driftwatch.judge.policy import Policy
from driftwatch.judge.policy.volatile import declared
from driftwatch.judge.witnessed import differs, filled, is_among, is_quiet, telling, weight, within
from driftwatch.model import (
    BaselineState,
    Change,
    Finding,
    Kind,
    ServerState,
    Severity,
    Sighting,
    Snapshot,
    Testimony,
    TestimonyState,
    worst_of,
)
from driftwatch.store.store import Store
from driftwatch.watch.known import policy_of
from driftwatch.watch.known.faces import bad
from driftwatch.watch.known.varied import varied_of
from driftwatch.watch.known.witnessed import found_in

Shown: TypeAlias = tuple[Testimony, Snapshot]
"""A look that is kept, with what it showed."""

_EARLIER: Final = 8
"""So many of the lists that a server showed lately are looked through for an older one."""
_ONCE: Final = 100
"""And so many of those that were approved."""


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
    _bad: dict[tuple[str, str], bool] = field(default_factory=dict, repr=False)
    _faces: dict[str, Snapshot | None] = field(default_factory=dict, repr=False)
    _digests: dict[frozenset[Kind], frozenset[str]] = field(default_factory=dict, repr=False)
    _ways: dict[tuple[str, str], tuple[Finding, ...]] = field(default_factory=dict, repr=False)

    @cached_property
    def ours(self) -> Snapshot | None:
        """What driftwatch was shown, as far as it must be the same for everybody."""
        return None if self.live is None else face_of(self.live)

    def stands(self, one: Testimony, lists: Snapshot, known: Sequence[Shown], earlier: Sequence[Shown]) -> Testimony:
        """Say how lists stand. `known` are the witness's own lists, `earlier` what the session showed before."""
        settled = replace(one, settled_at=self.now, unseen=self.unseen, before="", against="", severity=None)
        quiet = self._quiet(one, lists, known, earlier)
        if quiet is not None:
            return replace(settled, state=quiet)
        shown_at = self._shown_at(one, lists)
        if shown_at is not None:
            return self.held(settled, lists, shown_at)
        others = [(before, shown) for before, shown in earlier if differs(filled(lists, one.partial, shown), shown)]
        if others:
            return self._flipped(settled, lists, others)
        return self._apart(settled, lists, known)

    def held(self, one: Testimony, lists: Snapshot, shown_at: datetime) -> Testimony:
        """Say how a list stands that driftwatch was shown as well, at a moment, and is not shown any more.

        It is quiet where a person approved it once, or where nothing in it matters beside what is approved.
        """
        older = replace(one, state=TestimonyState.OLDER, settled_at=self.now, before="", against="", severity=None)
        if self._baseline is None or is_among(lists, self._once_approved, one.partial):
            return older
        before = within(self._baseline, lists.sections)
        severity = worst_of(self._found(filled(lists, one.partial, before), before))
        if severity < Severity.MEDIUM:
            return older
        against = "approved" if self._approved is not None else "first"
        held = replace(older, state=TestimonyState.HELD, severity=severity, shown_at=shown_at)
        return replace(held, before=before.digest, against=against)

    def sides_of(self, settled: Testimony) -> list[Snapshot]:
        """Give what a look that was compared rests on besides what it showed."""
        sides = (self.ours, self._baseline if settled.state is TestimonyState.HELD else None)
        return [within(one, settled.sections) for one in sides if one is not None]

    def digests_of(self, sections: frozenset[Kind]) -> frozenset[str]:
        """Give the digests of what driftwatch is shown, and of what is approved, as far as it is of some kinds."""
        if sections not in self._digests:
            known = [one for one in (self.ours, self._approved) if one is not None]
            self._digests[sections] = frozenset(within(one, sections).digest for one in known)
        return self._digests[sections]

    def is_ours(self, one: Testimony, lists: Snapshot) -> bool:
        """Say whether lists are what driftwatch is shown, or what is approved."""
        known = [known for known in (self.ours, self._approved) if known is not None]
        return is_among(lists, known, one.partial)

    def body(self, one: Testimony, body: Snapshot, known: Sequence[Shown]) -> Testimony:
        """Say how a prompt's body stands; `known` are the bodies of that prompt that are known, the oldest first."""
        settled = replace(one, settled_at=self.now, before="", against="", severity=None)
        before = known[-1][1] if known else None
        found = telling(self._found(body, before), TestimonyState.BODY, moved=False)
        if not found:
            return replace(settled, state=TestimonyState.LEARNED)
        severity = weight(found, TestimonyState.BODY, before, body)
        return _against(replace(settled, state=TestimonyState.BODY, severity=severity), before, "learned")

    def _quiet(
        self, one: Testimony, lists: Snapshot, known: Sequence[Shown], earlier: Sequence[Shown]
    ) -> TestimonyState | None:
        """Say under which quiet state lists stand, None where there is something to say of them."""
        ours = [] if self.ours is None else [self.ours]
        if is_among(lists, ours, one.partial):
            return TestimonyState.SAME
        known_so = known_as(one, lists, ours, known, earlier)
        if known_so is not None:
            return known_so
        if self._approved is not None and is_among(lists, [*ours, self._approved], one.partial):
            return TestimonyState.OLDER
        if self.ours is None:
            return None
        whole = filled(lists, one.partial, self.ours)
        # A poison in a place that always varies is none the less one.
        quiet = not self._is_bad(whole, self.ours) and is_quiet(whole, self.ours, self._expected)
        return TestimonyState.SAME if quiet else None

    def _shown_at(self, one: Testimony, lists: Snapshot) -> datetime | None:
        """Say when driftwatch was last shown lists since the session began, None where it was not.

        A poison that was shown to all for a while is none the less one.
        """
        if self.ours is None or self._is_bad(filled(lists, one.partial, self.ours), self.ours):
            return None
        found = (at for at, face in self._shown_since(one.began) if is_among(lists, [self.ours, face], one.partial))
        return next(found, None)

    def _flipped(self, settled: Testimony, lists: Snapshot, others: Sequence[Shown]) -> Testimony:
        """Hold a list that came in the middle of a session against ours, or the session's own where ours never was."""
        earlier = others[-1] if others else None
        own = earlier is not None and earlier[0].state in (TestimonyState.LEARNED, TestimonyState.SETTLED)
        before, against = self.ours, "ours"
        if earlier is not None and (own or self.ours is None):
            before, against = earlier[1], "session"
        whole = filled(lists, settled.partial, before)
        found = telling(self._found(whole, before), TestimonyState.FLIPPED, moved=True)
        severity = weight(found, TestimonyState.FLIPPED, before, whole)
        flipped = replace(settled, state=TestimonyState.FLIPPED, severity=severity)
        return _against(flipped, None if before is None else within(before, lists.sections), against)

    def _apart(self, settled: Testimony, lists: Snapshot, known: Sequence[Shown]) -> Testimony:
        """Hold a list that was another one from the start against the one that was learned, else against ours."""
        learned = next((shown for _, shown in reversed(known) if self._moved(settled, lists, shown)), None)
        before, against = (learned, "learned") if learned is not None else (self.ours, "ours")
        whole = filled(lists, settled.partial, before)
        found = telling(self._found(whole, before), TestimonyState.APART, moved=learned is not None)
        if not found:
            return replace(settled, state=TestimonyState.LEARNED)
        severity = weight(found, TestimonyState.APART, before, whole)
        apart = replace(settled, state=TestimonyState.APART, severity=severity)
        return _against(apart, None if before is None else within(before, lists.sections), against)

    def _moved(self, one: Testimony, lists: Snapshot, known: Snapshot) -> bool:
        whole = filled(lists, one.partial, known)
        return differs(whole, known) and not is_quiet(whole, known, self._expected)

    def _is_bad(self, lists: Snapshot, beside: Snapshot) -> bool:
        """Say whether a list has something bad in it that another one has not."""
        way = (lists.digest, beside.digest)
        if way not in self._bad:
            self._bad[way] = bool(bad(lists, within(beside, lists.sections)))
        return self._bad[way]

    def _found(self, after: Snapshot, before: Snapshot | None) -> tuple[Finding, ...]:
        """Judge a way; many sessions that were shown the same cost no more than one."""
        way = (after.digest, before.digest if before is not None else "")
        if way not in self._ways:
            self._ways[way] = found_in(after, before)
        return self._ways[way]

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
        found = varied_of(self.store, self.state, self.live, self._policy, self._sightings[::-1])
        return frozenset(one.place for one in found.places)

    @cached_property
    def _approved(self) -> Snapshot | None:
        baseline = self.state.baseline
        return self._baseline if baseline is not None and baseline.state is BaselineState.APPROVED else None

    @cached_property
    def _baseline(self) -> Snapshot | None:
        baseline = self.state.baseline
        return None if baseline is None else self._face(baseline.digest)

    @cached_property
    def _once_approved(self) -> tuple[Snapshot, ...]:
        """What a person approved at some time, the newest first."""
        kept = [one.digest for one in self.store.baselines(self.server.name) if one.state is BaselineState.APPROVED]
        newest = list(dict.fromkeys(reversed(kept)))[:_ONCE]
        return tuple(face for digest in newest if (face := self._face(digest)) is not None)

    def _shown_since(self, began: datetime) -> Iterator[tuple[datetime, Snapshot]]:
        """Give what driftwatch was shown since a moment, the newest first, each with when it last was."""
        for sighting in self._sightings:
            face = self._face(sighting.digest) if sighting.last_seen >= began else None
            if face is not None:
                yield sighting.last_seen, face

    @cached_property
    def _sightings(self) -> tuple[Sighting, ...]:
        return tuple(reversed(self.store.sightings(self.server.name, limit=_EARLIER)))

    def _face(self, digest: str) -> Snapshot | None:
        if digest not in self._faces:
            kept = self.store.snapshot(digest)
            self._faces[digest] = None if kept is None else face_of(kept)
        return self._faces[digest]


def known_as(
    one: Testimony, lists: Snapshot, ours: Sequence[Snapshot], known: Sequence[Shown], earlier: Sequence[Shown]
) -> TestimonyState | None:
    """Say as what lists are known of a witness, None where they are not; `earlier` is what the session showed before.

    What a person approved is known whenever it is shown. What was only learned is the witness's own from the start of a
    session, and nothing that a session may become: else a server would have its second list learned, and flip to it.
    """
    approved = [shown for row, shown in known if row.state is TestimonyState.SETTLED]
    if is_among(lists, [*ours, *approved], one.partial):
        return TestimonyState.SETTLED
    if any(differs(filled(lists, one.partial, shown), shown) for _, shown in earlier):
        known = [row for row in earlier[:1] if row[0].state is TestimonyState.LEARNED]
    own = [*ours, *approved, *(shown for _, shown in known)]
    return TestimonyState.LEARNED if is_among(lists, own, one.partial) else None


def _against(settled: Testimony, before: Snapshot | None, against: str) -> Testimony:
    return settled if before is None else replace(settled, before=before.digest, against=against)
