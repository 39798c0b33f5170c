"""The review verb: see the difference, approve a snapshot or reject it.

A person approves the digest that they were shown, or single items of it: then the baseline takes just those, and is a
list that the server never showed as a whole. Approving moves the baseline and resolves what it settles; a rejection
moves nothing and keeps the alert open.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import TypeGuard

from driftwatch.config.schema import Settings
from driftwatch.errors import (
    AlertMovedError,
    StoreError,
    UnknownDigestError,
    UnknownItemError,
    UsageError,
)
from driftwatch.judge.composite import composed, differing
from driftwatch.judge.rules.other_start import told_as
from driftwatch.judge.text.visible import visible
from driftwatch.model import (
    Actor,
    Alert,
    AlertKind,
    Baseline,
    BaselineState,
    Decision,
    Face,
    Finding,
    Place,
    Report,
    Review,
    ServerState,
    Snapshot,
    Verdict,
)
from driftwatch.model.commands import command
from driftwatch.review.again import looks_before
from driftwatch.review.choice import ALL, Choice, refuse_moved
from driftwatch.review.said import named, noted
from driftwatch.store.faces import accepted
from driftwatch.store.store import Store
from driftwatch.tell.alerts import Told, decide_approved
from driftwatch.tell.telling import new_alert_id, write_of
from driftwatch.watch.judging import judge, judged_key, reported
from driftwatch.watch.known import facts_of, key_of, policy_of
from driftwatch.watch.known.gather import Past
from driftwatch.watch.known.starts import starts_of


def shown(store: Store, server: str, digest: str | None) -> Snapshot:
    """Give the snapshot that a review is about: the one named by `digest` (a prefix is enough), or the last one seen.

    Raises:
        UnknownDigestError: the server never showed such a snapshot, or none at all.

    """
    wanted = store.resolve_digest(server, digest) if digest else store.state(server).last_digest
    if not wanted:
        raise UnknownDigestError(
            f"Nothing was seen yet on the server {server!r}.", hint=f"Look first: {command('check', server)}"
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
    by: Actor,
    note: str,
    now: datetime,
    choice: Choice = ALL,
) -> Baseline:
    """Make a snapshot the baseline, in one transaction with the review and with what is to be told.

    With items in the `choice` the baseline takes only what the snapshot has at these places. If the server shows
    something else by now, the open alert is judged again against the new baseline, unless the choice says that this is
    to be refused. What is approved already is given back as it is, and nothing is written.

    Raises:
        UnknownDigestError: the server never showed that snapshot.
        UnknownItemError: neither the baseline nor the snapshot has one of the items.
        UsageError: single items, and nothing is approved yet; or name or note are too long.
        StaleReviewError: something is not as it was when the person chose.
        BaselineMovedError: the baseline, or what the server shows, moved meanwhile. Either way nothing was written.
        StoreError: the database could not be read or written.

    """
    reviewed = shown(store, server, digest)
    who = named(by)
    decided = Review(server, reviewed.digest, Decision.APPROVED, who.name, who.origin, now, noted(note))
    for _ in range(_TRIES):
        with suppress(AlertMovedError):
            return _approved(store, settings, reviewed, decided, choice)
    return _approved(store, settings, reviewed, decided, choice)


def _approved(store: Store, settings: Settings, reviewed: Snapshot, decided: Review, choice: Choice) -> Baseline:
    """Move the baseline, if what it rests on and its alert are as they were read."""
    server, now = decided.server, decided.at
    state = store.state(server)
    seen_faces = () if choice.alone or choice.items is not None else store.faces(server)
    approved, places = reviewed, tuple[Place, ...]()
    if choice.items is not None:
        before = _approved_before(store, state)
        places = _known_places(choice.items, before, reviewed)
        approved = composed(before, reviewed, places)
    if is_approved(state.baseline, approved.digest) and not _unsettled(seen_faces):
        return state.baseline
    again = store.rehearsed(server, choice.shown) if choice.shown else None
    refuse_moved(state, choice, mark_of(seen_faces), again)
    live = shown(store, server, None)
    baseline = Baseline(server, approved.digest, BaselineState.APPROVED, since=now, by=decided.by, note=decided.note)
    alert = store.open_alert(server, AlertKind.DRIFT)
    beside = choice.alone or bool(places)
    findings, told = what_remains(
        store, settings, replace(state, baseline=baseline), approved, live, alert=alert, alone=beside, whole=not places
    )
    is_part = approved.digest != reviewed.digest
    store.approve(
        replace(decided, items=places, baseline=approved.digest if is_part else ""),
        expected_baseline=state.baseline.digest if state.baseline else None,
        expected_digest=live.digest,
        expected_judged=state.judged,
        judged=judged_key(approved.digest, live.digest, key_of(settings, settings.find(server), now)),
        findings=findings,
        seen_faces=seen_faces,
        alert=write_of(told, store=store, settings=settings, now=now, baseline=baseline) if told else None,
        composite=approved if is_part else None,
        looked=looks_before(store, server, reviewed.digest),
    )
    return baseline


def is_approved(baseline: Baseline | None, digest: str) -> TypeGuard[Baseline]:
    """Say whether a baseline is that snapshot, and approved by a person."""
    return baseline is not None and baseline.state is BaselineState.APPROVED and baseline.digest == digest


def is_settled(store: Store, server: str, digest: str) -> bool:
    """Say whether to approve that snapshot would change nothing: it is approved, with all that identities are shown."""
    return is_approved(store.baseline(server), digest) and not _unsettled(store.faces(server))


def mark_of(faces: Iterable[Face]) -> str:
    """Give what moves when an approval would settle something else of what other identities are shown."""
    said = [[face.identity, face.verdict.value, face.shown, face.suspect, face.unread] for face in _unsettled(faces)]
    return hashlib.sha256(json.dumps(said).encode()).hexdigest() if said else ""


def _unsettled(faces: Iterable[Face]) -> list[Face]:
    """Give what other identities were shown as far as an approval settles it."""
    return [face for face in faces if accepted(face) != face]


def places_between(store: Store, server: str, digest: str | None) -> tuple[Place, ...]:
    """Give the places at which a snapshot differs from the approved baseline: what can be decided item by item.

    Raises:
        UsageError: nothing is approved yet.

    """
    return differing(_approved_before(store, store.state(server)), shown(store, server, digest))


def _approved_before(store: Store, state: ServerState) -> Snapshot:
    """Give what is approved, for decisions on single items to be made over."""
    if state.baseline is None or state.baseline.state is not BaselineState.APPROVED:
        raise UsageError(
            f"Nothing is approved yet for {state.server!r}, so there is nothing that single items could be added to.",
            hint="Approve or reject the first list as a whole.",
        )
    return _kept(store, state.baseline.digest)


def _known_places(items: Sequence[Place], before: Snapshot, reviewed: Snapshot) -> tuple[Place, ...]:
    """Give the places in order, each once, if each is on one of the two sides."""
    there = {item.place for item in reviewed.items}
    there |= {item.place for item in before.items if item.kind in reviewed.sections}
    for kind, key, _ in (place for place in items if place not in there):
        name = f"{kind.noun} {visible(key)!r}" if key else kind.noun
        message = f"There is no {name} in the approved list, nor in the one that was shown."
        raise UnknownItemError(message, hint="See what differs with: driftwatch diff")
    if not items:
        raise UsageError("No item is named.", hint="Name one at least, or decide on the list as a whole.")
    return tuple(sorted(set(items)))


def what_remains(
    store: Store,
    settings: Settings,
    state: ServerState,
    approved: Snapshot,
    live: Snapshot,
    *,
    alert: Alert | None,
    past: Past | None = None,
    alone: bool = False,
    whole: bool = True,
) -> tuple[tuple[Finding, ...], Told | None]:
    """Judge what a server shows beside what was just approved, and say what that means for its open alert.

    `state` has the approval as its baseline; `past` is what was known of the server then, for one of long ago. With
    `alone` nothing of what other identities are shown was approved with it. Approving a `whole` list decides on what
    came to light when one was looked at again.
    """
    server, baseline = state.server, state.baseline
    if baseline is None:
        raise ValueError("there is no approval to judge by")
    now = baseline.since
    policy = policy_of(settings, settings.find(server))
    facts = facts_of(store, settings, state, live, now=now, past=past, approved=approved)
    if not alone:
        # What other identities are shown is approved with it; that a name makes a difference is not.
        faces = tuple(face for face in facts.faces if face.verdict is Verdict.DIFFERS)
        facts = replace(facts, faces=faces, witnessed=(), lossy=())
    facts = replace(facts, starts=()) if whole else facts
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


def reject(
    store: Store,
    server: str,
    *,
    digest: str | None,
    by: Actor,
    note: str,
    now: datetime,
    choice: Choice = ALL,
) -> Review:
    """Write down that a person refused a snapshot, or items of it. The baseline stays, the alert stays open.

    The same decision by the same person is not written twice in a row. What other identities are shown is not decided
    on, so whether it moved is no matter.

    Raises:
        UnknownDigestError, UnknownItemError, StaleReviewError, StoreError: as `approve`.
        UsageError: it is what is approved, or single items where nothing is approved yet.

    """
    refused = shown(store, server, digest)
    state = store.state(server)
    if is_approved(state.baseline, refused.digest):
        hint = f"To take that back, approve another list ({command('history', server)}), or stop using the server."
        raise UsageError(f"{refused.digest[:19]} is what is approved for {server}.", hint=hint)
    places = () if choice.items is None else _known_places(choice.items, _approved_before(store, state), refused)
    who, said = named(by), noted(note)
    review = Review(server, refused.digest, Decision.REJECTED, who.name, who.origin, now, said, items=places)
    last = next(iter(store.reviews(server, limit=1)), None)
    if last is not None and replace(last, at=now, origin=by.origin) == review:
        return last
    refuse_moved(state, replace(choice, identities=None), "")
    store.reject(review, refused=() if places else _told_of_start(store, server, refused.digest))
    return review


def _told_of_start(store: Store, server: str, digest: str) -> frozenset[str]:
    """Give the findings that tell of a list that came to light at another start; none for any other list."""
    live = shown(store, server, None)
    return told_as(starts_of(store, store.state(server), live)).get(digest, frozenset())
