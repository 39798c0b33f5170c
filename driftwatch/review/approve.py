"""The review verb: see the difference, approve a snapshot or reject it.

A person approves the digest that they were shown. Approving moves the baseline and resolves what it settles; a
rejection moves nothing and keeps the alert open.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from datetime import datetime

from driftwatch.config.schema import Settings
from driftwatch.errors import AlertMovedError, StoreError, UnknownDigestError
from driftwatch.model import (
    Alert,
    AlertKind,
    Baseline,
    BaselineState,
    Decision,
    Finding,
    Report,
    Review,
    ServerState,
    Snapshot,
    Verdict,
)
from driftwatch.store.store import Store
from driftwatch.tell.alerts import Told, decide_approved
from driftwatch.tell.telling import new_alert_id, write_of
from driftwatch.watch.judging import judge, judged_key, reported
from driftwatch.watch.known import facts_of, key_of, policy_of
from driftwatch.watch.known.gather import Past


def shown(store: Store, server: str, digest: str | None) -> Snapshot:
    """Give the snapshot that a review is about: the one named by `digest` (a prefix is enough), or the last one seen.

    Raises:
        UnknownDigestError: the server never showed such a snapshot, or none at all.

    """
    wanted = store.resolve_digest(server, digest) if digest else store.state(server).last_digest
    if not wanted:
        raise UnknownDigestError(
            f"Nothing was seen yet on the server {server!r}.", hint=f"Look first: driftwatch check {server}"
        )
    return _kept(store, wanted)


def _kept(store: Store, digest: str) -> Snapshot:
    snapshot = store.snapshot(digest)
    if snapshot is None:
        raise StoreError(f"The snapshot {digest} is not in the database.", hint="Look again: driftwatch check")
    return snapshot


def difference(store: Store, settings: Settings, server: str, digest: str | None, now: datetime) -> Report:
    """Judge the last snapshot seen (or the one given) as a check does, under present rules and policy.

    Until a person approves, that is what it says by itself and what it changed since the first one seen.
    """
    live = shown(store, server, digest)
    state = store.state(server)
    before = live if state.baseline is None else _kept(store, state.baseline.digest)
    policy = policy_of(settings, settings.find(server))
    facts = facts_of(store, settings, state, live, now=now)
    report = reported(before, state.baseline, live, facts, policy=policy, now=now)
    compared = state.baseline is not None and (state.baseline.state is BaselineState.APPROVED or before != live)
    return report if compared else replace(report, baseline_digest="")


_TRIES = 5
"""How often the alert is read anew that changes in the very moment."""


def approve(
    store: Store,
    settings: Settings,
    server: str,
    *,
    digest: str | None,
    by: str,
    note: str,
    now: datetime,
) -> Baseline:
    """Make a snapshot the baseline, in one transaction with the review and with what is to be told.

    If the server shows something else by now, the open alert is judged again against the new baseline.

    Raises:
        UnknownDigestError: the server never showed that snapshot.
        BaselineMovedError: the baseline, or what the server shows, moved meanwhile; nothing was written.
        StoreError: the database could not be read or written.

    """
    approved = shown(store, server, digest)
    for _ in range(_TRIES):
        with suppress(AlertMovedError):
            return _approved(store, settings, approved, server, by=by, note=note, now=now)
    return _approved(store, settings, approved, server, by=by, note=note, now=now)


def _approved(
    store: Store, settings: Settings, approved: Snapshot, server: str, *, by: str, note: str, now: datetime
) -> Baseline:
    """Move the baseline, if what it rests on and its alert are as they were read."""
    state = store.state(server)
    live = shown(store, server, None)
    baseline = Baseline(
        server=server, digest=approved.digest, state=BaselineState.APPROVED, since=now, by=by, note=note
    )
    seen_faces = store.faces(server)
    alert = store.open_alert(server, AlertKind.DRIFT)
    findings, told = what_remains(store, settings, replace(state, baseline=baseline), approved, live, alert=alert)
    store.approve(
        Review(server=server, digest=approved.digest, decision=Decision.APPROVED, by=by, at=now, note=note),
        expected_baseline=state.baseline.digest if state.baseline else None,
        expected_digest=live.digest,
        expected_judged=state.judged,
        judged=judged_key(approved.digest, live.digest, key_of(settings, settings.find(server), now)),
        findings=findings,
        seen_faces=seen_faces,
        alert=write_of(told, store=store, settings=settings, now=now) if told else None,
    )
    return baseline


def what_remains(
    store: Store,
    settings: Settings,
    state: ServerState,
    approved: Snapshot,
    live: Snapshot,
    *,
    alert: Alert | None,
    past: Past | None = None,
) -> tuple[tuple[Finding, ...], Told | None]:
    """Judge what a server shows beside what was just approved, and say what that means for its open alert.

    `state` has the approval as its baseline; `past` is what was known of the server then, for one of long ago.
    """
    server, baseline = state.server, state.baseline
    if baseline is None:
        raise ValueError("there is no approval to judge by")
    now = baseline.since
    policy = policy_of(settings, settings.find(server))
    facts = facts_of(store, settings, state, live, now=now, past=past)
    # What other identities are shown is approved with it; that a name makes a difference is not.
    facts = replace(facts, faces=tuple(face for face in facts.faces if face.verdict is Verdict.DIFFERS))
    findings = judge(approved, baseline, live, facts, policy=policy, now=now)
    told = decide_approved(
        alert,
        findings,
        server=server,
        baseline_digest=approved.digest,
        snapshot_digest=live.digest,
        now=now,
        new_id=new_alert_id,
    )
    return findings, told and replace(told, before=alert)


def reject(store: Store, server: str, *, digest: str | None, by: str, note: str, now: datetime) -> Review:
    """Write down that a person refused a snapshot. The baseline stays, the alert stays open."""
    refused = shown(store, server, digest)
    review = Review(server=server, digest=refused.digest, decision=Decision.REJECTED, by=by, at=now, note=note)
    store.reject(review)
    return review
