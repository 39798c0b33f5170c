"""What is written down of what people do: the audit log, each entry chained to the one before it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from driftwatch.model.decided import Actor
from driftwatch.model.shown import Json

NOTHING_BEFORE = "0" * 64
"""What the first entry has for the hash of the one before it."""


class Action(StrEnum):
    """What was done. The values are public: they stand in exports."""

    APPROVED = "approved"
    REJECTED = "rejected"
    APPROVED_AHEAD = "approved-ahead"
    AHEAD_USED = "ahead-used"
    AHEAD_ENDED = "ahead-ended"
    ACKNOWLEDGED = "acknowledged"
    SILENCED = "silenced"
    UNSILENCED = "unsilenced"
    RETRIED = "retried"
    CANCELLED = "cancelled"
    USER_ADDED = "user-added"
    USER_CHANGED = "user-changed"
    USER_REMOVED = "user-removed"
    TOKEN_MADE = "token-made"  # noqa: S105 - a word for an action
    TOKEN_REVOKED = "token-revoked"  # noqa: S105 - a word for an action
    LINK_MADE = "link-made"
    SIGNED_IN = "signed-in"
    SIGN_IN_FAILED = "sign-in-failed"
    SIGNED_OUT = "signed-out"
    WITNESS_FORGOTTEN = "witness-forgotten"
    CONFIGURATION_CHANGED = "configuration-changed"
    OLDER_NOTED = "older-noted"
    RESTORED = "restored"
    PRUNED = "pruned"
    SERVER_RENAMED = "server-renamed"


@dataclass(frozen=True, slots=True)
class Act:
    """One thing that was done, as it goes into the audit log.

    `digest` names the snapshot that it is about and `why` is the person's own note. `details` is a small object.
    """

    action: Action
    by: Actor
    at: datetime
    server: str = ""
    digest: str = ""
    why: str = ""
    details: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """One act as the log holds it. `seq` counts from 1 without a gap.

    `action` is a value of `Action`, or a word of a later version. `hash` is 64 hex digits: SHA-256 over the RFC 8785
    form of an object of all other fields, `previous` (the hash of the entry before) among them.
    """

    seq: int
    at: datetime
    who: str
    origin: str
    action: str
    server: str
    digest: str
    why: str
    details: Mapping[str, Json]
    previous: str
    hash: str


@dataclass(frozen=True, slots=True)
class Verified:
    """What a look over the whole chain came to.

    `count` entries are good, from the first on, and `head` is the hash of the last of them. `broken_at` is the place of
    the first that is not as it was written, `why` says what is wrong there; None and empty: the chain is whole.

    Of a whole chain, `astray` says in a sentence each what stands in the database otherwise than the last entry about
    it has it, and `older` counts what was decided before the log began, so that no entry tells of it but
    one that notes what stood there.
    """

    count: int
    head: str
    broken_at: int | None = None
    why: str = ""
    astray: tuple[str, ...] = ()
    older: int = 0

    @property
    def whole(self) -> bool:
        """Whether nothing is wrong with the chain."""
        return self.broken_at is None

    @property
    def agrees(self) -> bool | None:
        """Whether what stands is what the log says; None where it cannot be told, as the chain is broken."""
        return not self.astray if self.whole else None

    @property
    def good(self) -> bool:
        """Whether nothing is wrong with the chain, nor with what stands beside it."""
        return self.whole and not self.astray
