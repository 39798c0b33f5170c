"""Approving ahead: a person reviews what a roll-out will show, and the baseline moves when the server shows it.

What becomes of it is decided at each look that shows something new (`watch/landing.py`).
"""

from __future__ import annotations

import uuid
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from driftwatch.config.schema import Settings
from driftwatch.errors import NothingToDoError, StoreError, UsageError
from driftwatch.judge.landing import packaged
from driftwatch.model import Actor, Ahead, Snapshot
from driftwatch.review.approve import is_approved
from driftwatch.review.said import named, noted
from driftwatch.store.store import Store

LASTS: Final = timedelta(days=30)
"""How long an approval ahead is good where nobody says otherwise."""

LONGEST: Final = timedelta(days=366)
"""None is good for longer: what was reviewed so long ago is to be read again."""


def approve_ahead(
    store: Store,
    settings: Settings,
    server: str,
    snapshot: Snapshot,
    *,
    version: str = "",
    by: Actor,
    note: str = "",
    now: datetime,
    until: datetime | None = None,
    judged_against: str | None = "",
) -> Ahead:
    """Approve what a server does not show yet: `snapshot`, as a preview showed it. The baseline does not move now.

    `version` binds the approval to one version of the package: another version that shows something else is then no
    matter of it. Without one, all new that the server shows is held against it. It is good for 30 days, or until
    `until`. Where the same was approved before and waits, this one takes its place (see `replaced`), with its own end;
    the same person's same approval is not kept twice: the one that waits is given back. `judged_against` is the digest
    of the baseline (None: none) that it was reviewed beside; empty: whichever there is.

    Raises:
        UnknownServerError: no server of that name is configured.
        NothingToDoError: that list is approved already.
        UsageError: nobody is named, its end is past or too far, or another version was previewed than is named.
        StaleReviewError: another list was approved since; nothing was written.
        StoreError: the database could not be written.

    """
    name = settings.server(server).name
    end = end_of(now, until)
    if not by.name.strip():
        raise UsageError("Nobody is named who approves.", hint="Say who does.")
    _refuse_other_version(snapshot, version)
    if is_approved(store.baseline(name), snapshot.digest):
        raise NothingToDoError(f"That list is approved for {name!r} already.", hint="There is nothing left to approve.")
    made = Ahead(
        id=f"ahd_{uuid.uuid4().hex}",
        server=name,
        digest=snapshot.digest,
        body=snapshot.body,
        version=version.strip(),
        by=named(by).name,
        origin=by.origin,
        at=now,
        until=end,
        note=noted(note),
    )
    return store.add_ahead(made, snapshot, judged_against=judged_against)


def replaced(store: Store, ahead: Ahead) -> Ahead | None:
    """Give the approval of the same that one took the place of, None where there was none.

    Raises:
        StoreError: the database could not be read.

    """
    same = (one for one in store.aheads(ahead.server) if (one.digest, one.version) == (ahead.digest, ahead.version))
    return next((one for one in same if one.id != ahead.id and one.ended_at == ahead.at), None)


def end_of(now: datetime, until: datetime | None) -> datetime:
    """Give until when an approval is good.

    Raises:
        UsageError: that is past, or too far.

    """
    end = now + LASTS if until is None else until
    if not now < end <= now + LONGEST:
        raise UsageError("The approval would be good for no time, or for too long.", hint="A year is the most.")
    return end


def _refuse_other_version(snapshot: Snapshot, version: str) -> None:
    shown = packaged(snapshot)
    if version and shown and shown.removeprefix("v") != version.removeprefix("v"):
        hint = "Preview the version that is to be approved."
        raise UsageError(f"What was previewed is version {shown}, not {version}.", hint=hint)


def end_ahead(store: Store, prefix: str, *, by: Actor, now: datetime, why: str = "") -> Ahead:
    """End the approval ahead whose id begins so, before it is used.

    Raises:
        UnknownIdError: none has an id that begins so, or more than one.
        NothingToDoError: it was used, or is over.
        UsageError: nobody is named, or name or reason are too long.
        StoreError: the database could not be written.

    """
    who = named(by)
    if not who.name:
        raise UsageError("Nobody is named who ends the approval.", hint="Say who does.")
    kept = store.ahead(prefix)
    if not store.end_ahead(kept.id, by=who, at=now, why=noted(why, "reason")):
        kept = store.ahead(kept.id)
        raise NothingToDoError(f"The approval {kept.id} {_how_over(kept)}.", hint="There is nothing to end.")
    return replace(kept, ended_at=now, ended_by=who.name)


def reviewed(store: Store, ahead: Ahead) -> Snapshot:
    """Give the list that an approval ahead is for.

    Raises:
        StoreError: it is not in the database.

    """
    snapshot = store.snapshot(ahead.digest)
    if snapshot is None:
        raise StoreError(f"The list {ahead.digest} is not in the database.", hint="Restore a backup.")
    return snapshot


def _how_over(ahead: Ahead) -> str:
    """Say how it came to its end."""
    if ahead.used_at is not None:
        return f"was used at {ahead.used_at:%Y-%m-%d %H:%M} UTC"
    if ahead.ended_at is not None:
        return f"was ended at {ahead.ended_at:%Y-%m-%d %H:%M} UTC by {ahead.ended_by}"
    return f"is no longer good since {ahead.until:%Y-%m-%d %H:%M} UTC"
