"""The Store: every method is one transaction and speaks in model objects.

Methods block; an event loop calls them in a worker thread. One Store may be used from many threads, and many
processes may have a Store on the same file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import datetime
from types import MappingProxyType, TracebackType
from typing import Self

from sqlalchemy import Connection

from driftwatch.errors import BaselineMovedError, UnknownDigestError
from driftwatch.model import (
    Ahead,
    Baseline,
    Decision,
    Era,
    Face,
    Failure,
    Finding,
    Json,
    Listing,
    Review,
    ServerState,
    Sighting,
    Snapshot,
    shown_of,
)
from driftwatch.model.commands import command
from driftwatch.store import aheads, alerts, baselines, servers, snapshots, stock, witnessed
from driftwatch.store.access import AccessShelf
from driftwatch.store.aheads import AheadShelf
from driftwatch.store.audit import AuditShelf
from driftwatch.store.chain import ChainShelf
from driftwatch.store.engine import reading, size
from driftwatch.store.faces import FaceShelf
from driftwatch.store.figures import FigureShelf
from driftwatch.store.glance import GlanceShelf
from driftwatch.store.marks import MarkShelf
from driftwatch.store.names import ShownShelf
from driftwatch.store.opinions import OpinionShelf
from driftwatch.store.pages import PageShelf
from driftwatch.store.pruning import PruneShelf
from driftwatch.store.records import AlertWrite, Counts, LookRecord
from driftwatch.store.rehearsed import RehearsalShelf, awakened
from driftwatch.store.renaming import RenameShelf
from driftwatch.store.schema import open_engine
from driftwatch.store.supply import SupplyShelf
from driftwatch.store.telling import TellingShelf
from driftwatch.store.witnessed import WitnessShelf
from driftwatch.store.witnesses import NamesShelf

_DIGEST_START = re.compile(r"(sha256:)?([0-9a-f]{1,64})", re.ASCII)


class Store(
    TellingShelf,
    FaceShelf,
    FigureShelf,
    WitnessShelf,
    NamesShelf,
    RehearsalShelf,
    SupplyShelf,
    OpinionShelf,
    AheadShelf,
    AuditShelf,
    ChainShelf,
    AccessShelf,
    GlanceShelf,
    MarkShelf,
    PageShelf,
    PruneShelf,
    RenameShelf,
    ShownShelf,
):
    """Everything that driftwatch keeps."""

    @classmethod
    def open(cls, url: str, *, clock: Callable[[], datetime], prepare: bool = True, read_only: bool = False) -> Store:
        """Open a database, creating it where there is none. `clock` gives aware times.

        Without `prepare` a database that is not there is an error, and nothing is written. With `read_only` the same
        holds, and whoever asks the store to write gets a `StoreError`.

        Raises:
            SchemaError: it is of an older or newer version; it is left as it is.
            StoreError: the place cannot hold a database, or what is there cannot be used; it is left as it is.

        """
        return cls(open_engine(url, prepare=prepare, read_only=read_only), clock=clock)

    def close(self) -> None:
        """Close all connections; the Store cannot be used after."""
        self._engine.dispose()

    def __enter__(self) -> Self:
        """Give the store itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close."""
        self.close()

    # What is remembered of servers

    def state(self, server: str) -> ServerState:
        """Give what is remembered of a server; an empty state for one that was never looked at."""
        with reading(self._engine) as connection:
            known = servers.states(connection, server).get(server)
            return known or ServerState(server=server, sighted=servers.sighted_last(connection))

    def states(self) -> dict[str, ServerState]:
        """Give what is remembered of every server that was ever looked at, by name."""
        with reading(self._engine) as connection:
            return servers.states(connection)

    def sightings(self, server: str, *, limit: int | None = None) -> list[Sighting]:
        """Give when the server showed which snapshot, oldest first; one that came back has two sightings.

        With `limit` only so many of the newest.
        """
        with reading(self._engine) as connection:
            return servers.sighted(connection, server, limit)

    def plan(self, server: str, at: datetime) -> None:
        """Put the server's next look at another time; nothing else changes."""
        with self._write() as connection:
            servers.plan(connection, server, at)

    # Looks

    def touch(
        self,
        server: str,
        *,
        at: datetime,
        next_at: datetime | None,
        era: Era | None,
        detail: str = "",
        judged: str | None = None,
        listing: Listing | None = None,
    ) -> None:
        """Count a look that showed what the last one showed: one row changes, none is added.

        `judged`, when given, is `ServerState.judged` as the caller read it, at a time without failures. `era` or
        `listing` None keeps the remembered one.

        Raises:
            BaselineMovedError: something else was judged or a look failed meanwhile, or the server was never seen;
                nothing was written.

        """
        with self._write() as connection:
            servers.touch(
                connection, server, at=at, next_at=next_at, era=era, detail=detail, judged=judged, listing=listing
            )

    def record_look(self, look: LookRecord) -> tuple[str, ...]:
        """Write a judged look with all that follows from it. Give the ids of the deliveries that are new.

        Raises:
            BaselineMovedError: the baseline, the alerts or (if asked for) the looks moved; nothing was written.

        """
        with self._write() as connection:
            before = baselines.expect(connection, look.server, look.expected_baseline, look.expected_state)
            snapshots.keep(connection, look.snapshot, look.at)
            servers.seen(connection, look)
            if look.become_provisional and before is None:
                baselines.stand_in(connection, look.server, look.snapshot.digest, look.at)
            if look.landed is not None:
                self._land(connection, look, look.landed, before)
            alerts.replace_findings(connection, look.server, look.findings)
            return self._tell(connection, look.alert)

    def _land(self, connection: Connection, look: LookRecord, ahead: Ahead, before: Baseline | None) -> None:
        """Use an approval ahead: what the server shows now is what was approved then, by whom it was."""
        aheads.use(connection, ahead, look.snapshot.digest, look.at)
        review = Review(
            server=look.server,
            digest=look.snapshot.digest,
            decision=Decision.APPROVED,
            by=ahead.by,
            origin=ahead.origin,
            at=look.at,
            note=ahead.note,
            ahead=ahead.id,
        )
        baselines.write_review(connection, review)
        baselines.move(connection, review, before)

    def record_failure(
        self,
        server: str,
        *,
        outcome: Failure,
        at: datetime,
        next_at: datetime | None,
        era: Era | None,
        alert: AlertWrite | None = None,
    ) -> tuple[str, ...]:
        """Count a failed look. Findings, baseline and what was seen last stay. Give the ids of new deliveries.

        Raises:
            BaselineMovedError: the alert was resolved, or another one opened, meanwhile; nothing was written.

        """
        with self._write() as connection:
            servers.failed(connection, server, outcome=outcome, at=at, next_at=next_at, era=era)
            return self._tell(connection, () if alert is None else (alert,))

    def record_judgement(
        self,
        server: str,
        findings: tuple[Finding, ...],
        *,
        expected_baseline: Baseline | None,
        expected_digest: str,
        alert: AlertWrite | None,
    ) -> tuple[str, ...]:
        """Write what is found of a server by now, without a look at it. Give the ids of the deliveries that are new.

        What it rests on must be as it was read: the baseline, and `ServerState.last_digest`. The next complete look
        judges again.

        Raises:
            BaselineMovedError: it, or the alert, is not; nothing was written.

        """
        with self._write() as connection:
            digest, state = (expected_baseline.digest, expected_baseline.state) if expected_baseline else (None, None)
            baselines.expect(connection, server, digest, state)
            if servers.states(connection, server)[server].last_digest != expected_digest:
                raise BaselineMovedError(f"{server!r} shows something else by now.")
            alerts.replace_findings(connection, server, findings)
            return self._tell(connection, () if alert is None else (alert,))

    def snapshot(self, digest: str) -> Snapshot | None:
        """Give a snapshot exactly as it was recorded, None when no look recorded it."""
        with reading(self._engine) as connection:
            return snapshots.load(connection, digest)

    def findings(self, server: str, *, hidden: bool = False) -> tuple[Finding, ...]:
        """Give what the latest judgement of the server found, also what no alert told of.

        What the policy hides is kept too, and given only with `hidden`: who asks otherwise must not count it.
        """
        with reading(self._engine) as connection:
            found = alerts.latest_findings(connection, server)
        return found if hidden else shown_of(found)

    # Baselines and reviews

    def baseline(self, server: str) -> Baseline | None:
        """Give the baseline in force, None before the first look."""
        with reading(self._engine) as connection:
            return baselines.current(connection, server)

    def baselines(self, server: str) -> list[Baseline]:
        """Give every baseline that the server had, oldest first."""
        with reading(self._engine) as connection:
            return baselines.history(connection, server)

    def reviews(self, server: str, *, limit: int | None = None) -> list[Review]:
        """Give the decisions on the server, oldest first; with `limit` only so many of the newest."""
        with reading(self._engine) as connection:
            return baselines.reviewed(connection, server, limit)

    def resolve_digest(self, server: str, prefix: str) -> str:
        """Give the one digest that the server showed, or that was its baseline, and that begins so.

        `sha256:` may be left out.

        Raises:
            UnknownDigestError: none begins so, or more than one does.

        """
        match = _DIGEST_START.fullmatch(prefix)
        hint = f"See them with: {command('history', server)}"
        if match is None:
            raise UnknownDigestError(f"{prefix!r} is not the beginning of a digest.", hint=hint)
        with reading(self._engine) as connection:
            found = servers.digests_like(connection, server, f"sha256:{match[2]}")
        if not found:
            raise UnknownDigestError(f"No snapshot of {server!r} has a digest that begins with {prefix}.", hint=hint)
        if len(found) > 1:
            raise UnknownDigestError(
                f"More than one digest of {server!r} begins with {prefix}.", hint="Write more of it."
            )
        return found[0]

    def approve(
        self,
        review: Review,
        *,
        expected_baseline: str | None,
        expected_digest: str | None = None,
        expected_judged: str | None = None,
        judged: str = "",
        findings: tuple[Finding, ...] = (),
        alert: AlertWrite | None = None,
        seen_faces: Iterable[Face] = (),
        composite: Snapshot | None = None,
        looked: Mapping[str, Json] = MappingProxyType({}),
    ) -> tuple[str, ...]:
        """Move the baseline to the reviewed snapshot and keep the decision. Give the ids of new deliveries.

        `composite` is what becomes the baseline (`Review.baseline`) where only items of the snapshot are approved.

        `expected_baseline` is the digest that the caller read (None: none). `judged` and `findings` are the judgement
        of what the server shows last against the new baseline; without them the next look judges again.
        `expected_digest`, when given, is `ServerState.last_digest` that they rest on, and `expected_judged` is
        `ServerState.judged` as it was then: with another one there was news, and the next look judges again. An alert
        that is to be resolved, and that a look resolved meanwhile, is left as it is. `seen_faces` go with it, and
        `looked` says for the audit log how often the list was looked at.

        Raises:
            UnknownDigestError: the server never showed that snapshot.
            BaselineMovedError: the baseline, the alerts or (if asked for) what the server shows moved meanwhile.
                Either way nothing was written.

        """
        with self._write() as connection:
            self._seen_or_raise(connection, review)
            before = baselines.expect(connection, review.server, expected_baseline)
            state = servers.states(connection, review.server)[review.server]
            if expected_digest is not None and state.last_digest != expected_digest:
                raise BaselineMovedError(f"{review.server!r} shows something else by now.")
            if composite is not None:
                snapshots.keep(connection, composite, review.at)
            settled = witnessed.accept(connection, seen_faces, review.at)
            baselines.write_review(connection, review, settled=settled, looked=looked)
            baselines.move(connection, review, before)
            is_old = expected_judged is not None and state.judged != expected_judged
            servers.judged_anew(connection, review.server, "" if is_old else judged)
            alerts.replace_findings(connection, review.server, findings)
            return self._tell(connection, () if alert is None or alerts.is_over(connection, alert.alert) else (alert,))

    def reject(self, review: Review, *, refused: Collection[str] = ()) -> None:
        """Keep a decision against a snapshot, and mark the open alert on it. The baseline stays.

        `refused` are the identities of findings that it is about, of what agents were shown.

        Raises:
            UnknownDigestError: the server showed that snapshot neither driftwatch nor an agent; nothing was written.

        """
        with self._write() as connection:
            if not witnessed.was_shown(connection, review.server, review.digest):
                self._seen_or_raise(connection, review)
            baselines.write_review(connection, review)
            alerts.mark_rejected(connection, review, refused)
            if awakened(connection, review.server, review.digest):
                servers.judged_anew(connection, review.server)

    def _seen_or_raise(self, connection: Connection, review: Review) -> None:
        if servers.digests_like(connection, review.server, review.digest) != [review.digest]:
            raise UnknownDigestError(
                f"{review.server!r} never showed the snapshot {review.digest}.",
                hint=f"See what it showed with: {command('history', review.server)}",
            )

    def counts(self) -> Counts:
        """Count what there is."""
        with reading(self._engine) as connection:
            return stock.count(connection, self._clock())

    def size(self) -> int:
        """Give the bytes that the database takes."""
        with reading(self._engine) as connection:
            return size(connection)
