"""Saying no to what agents were shown, though driftwatch is shown what is approved. Reads and writes the store."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from driftwatch.errors import UsageError
from driftwatch.model import STANDING, Actor, Decision, Review
from driftwatch.report.asides import Rejected
from driftwatch.review.said import named, noted
from driftwatch.store.store import Store

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

    The same decision by the same person is not written twice in a row.

    Raises:
        UsageError: nothing of that stands; or name or note are too long.
        StoreError: the database could not be written.

    """
    standing = standing_shown(store, server)
    if not digests or not set(digests) <= set(standing):
        raise UsageError(f"Nothing of that kind was shown to agents by {server!r} and stands.")
    who, said = named(by), noted(note)
    known = _last(store, server)
    reviews = [Review(server, one, Decision.REJECTED, who.name, who.origin, now, said) for one in digests]
    for review in reviews:
        before = known.get(review.digest)
        if before is None or replace(before, at=now, origin=review.origin) != review:
            store.reject(review)
    return tuple(reviews)


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
