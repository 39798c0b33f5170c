"""Saying no to what agents were shown, though driftwatch is shown what is approved. Reads and writes the store."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from driftwatch.errors import UsageError
from driftwatch.judge.rules.witnessed_difference import told_as
from driftwatch.model import STANDING, Actor, Decision, Review
from driftwatch.model.commands import command
from driftwatch.report.asides import Rejected
from driftwatch.review.approve import is_approved
from driftwatch.review.said import named, noted
from driftwatch.store.store import Store
from driftwatch.watch.known.witnessed import witnessed_of

_SHORT: Final = 12
"""Hex digits of a digest that people see."""
_MOST: Final = 200
"""Decisions that are read, the newest."""


def standing_shown(store: Store, server: str, start: str = "") -> tuple[str, ...]:
    """Give the digests of what agents were shown and stands, in the order in which it came; `start` is a prefix."""
    prefix = f"sha256:{start.removeprefix('sha256:')}"
    rows = store.testimonies(server, states=STANDING)
    return tuple(dict.fromkeys(one.digest for one in rows if one.digest.startswith(prefix)))


def reject_shown(
    store: Store, server: str, digests: Sequence[str], *, by: Actor, note: str, now: datetime
) -> tuple[Review, ...]:
    """Write down that a person refused what agents were shown. All of it goes on to stand, and says so.

    The same decision by the same person is not written twice in a row: it is given as it was written.

    Raises:
        UsageError: nothing of that stands; or name or note are too long.
        StoreError: the database could not be written.

    """
    standing = standing_shown(store, server)
    if not digests or not set(digests) <= set(standing):
        raise UsageError(f"Nothing of that kind was shown to agents by {server!r} and stands.")
    who, said = named(by), noted(note)
    known, told = _last(store, server), _told(store, server)
    reviews: list[Review] = []
    for digest in digests:
        review = Review(server, digest, Decision.REJECTED, who.name, who.origin, now, said)
        before = known.get(digest)
        if before is not None and replace(before, at=now, origin=review.origin) == review:
            reviews.append(before)
        else:
            store.reject(review, refused=told.get(digest, frozenset()))
            reviews.append(review)
    return tuple(reviews)


def to_agents(store: Store, server: str, digest: str | None, *, in_part: bool) -> tuple[str, ...]:
    """Give what agents were shown, where that is what a person says no to; nothing where a list of ours is meant.

    `digest` is a prefix of what is meant, None for whatever is shown. `in_part` says that single items are named.

    Raises:
        UsageError: single items of it are named.

    """
    state, start = store.state(server), (digest or "").removeprefix("sha256:")
    if digest is not None and any(one.digest[7:].startswith(start) for one in store.sightings(server)):
        return ()
    if digest is None and not is_approved(state.baseline, state.last_digest):
        return ()
    shown = standing_shown(store, server, start)
    if shown and in_part:
        message = f"{server} shows driftwatch what is approved, and what agents were shown is rejected as a whole."
        short = shown[0].removeprefix("sha256:")[:_SHORT]
        raise UsageError(message, hint=f"Leave out the items: {command('reject', server, '--digest', short)}")
    return shown


def _told(store: Store, server: str) -> dict[str, frozenset[str]]:
    """Give for each list that stands the findings that tell of it."""
    state = store.state(server)
    live = store.snapshot(state.last_digest) if state.last_digest else None
    return told_as(witnessed_of(store, state, live))


def rejected_shown(store: Store, server: str) -> tuple[Rejected, ...]:
    """Give what stands of what agents were shown and was rejected, oldest first.

    Raises:
        StoreError: the database could not be read.

    """
    standing = standing_shown(store, server)
    known = _last(store, server) if standing else {}
    found = (known[one] for one in standing if one in known and known[one].decision is Decision.REJECTED)
    return tuple(Rejected(None, one.by, one.at, one.note, agents=one.digest) for one in found)


def _last(store: Store, server: str) -> dict[str, Review]:
    """Give the last decision on each list as a whole."""
    return {one.digest: one for one in store.reviews(server, limit=_MOST) if not one.items}
