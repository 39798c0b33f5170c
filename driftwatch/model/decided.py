"""What people decide about what servers show: who, from where, and on which list."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from driftwatch.model.shown import Place


@dataclass(frozen=True, slots=True)
class Actor:
    """Who does something, and from where: `cli ann@host`, `web 192.0.2.7`, `token ci`, `lock 1a2b3c4`, `daemon`.

    Whatever a person decides is written down with one, so that nothing can be decided by nobody.
    """

    name: str
    origin: str

    def __str__(self) -> str:
        """Give the name, for sentences."""
        return self.name


class Decision(StrEnum):
    """What a person decided in a review."""

    APPROVED = "approved"
    REJECTED = "rejected"


@dataclass(frozen=True, slots=True)
class Review:
    """One decision of one person on one snapshot, `digest`, as it was shown.

    `origin` says from where it came; empty for one of a time when that was not kept. `items` names the places that it
    is about, empty for all of the snapshot. `baseline` is the digest of what became the baseline where that is not the
    snapshot itself: the baseline before with just those items. `ahead` is the id of the approval ahead of a roll-out
    that this one came from: then `by` is who gave that one, and `at` when the server showed it.
    """

    server: str
    digest: str
    decision: Decision
    by: str
    origin: str
    at: datetime
    note: str = ""
    items: tuple[Place, ...] = ()
    baseline: str = ""
    ahead: str = ""

    @property
    def approves(self) -> str:
        """The digest of what it made the baseline; empty for a rejection."""
        return (self.baseline or self.digest) if self.decision is Decision.APPROVED else ""


@dataclass(frozen=True, slots=True)
class Ahead:
    """An approval ahead of a roll-out: what a person reviewed before the server showed it.

    `digest` names the whole snapshot and `body` what of it the server itself shows (`Snapshot.body`). `version` is the
    package's, empty where the approval is for no certain one. It is used once, `used_at`, and no longer good after
    `until` or once somebody ended it.
    """

    id: str
    server: str
    digest: str
    body: str
    version: str
    by: str
    origin: str
    at: datetime
    until: datetime
    note: str = ""
    used_at: datetime | None = None
    ended_at: datetime | None = None
    ended_by: str = ""

    def waits(self, now: datetime) -> bool:
        """Say whether it is still good."""
        return self.used_at is None and self.ended_at is None and now < self.until

    def waited(self, then: datetime) -> bool:
        """Say whether it was good at a moment of the past."""
        over = min(moment for moment in (self.until, self.used_at, self.ended_at) if moment is not None)
        return self.at <= then < over
