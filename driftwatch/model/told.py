"""What is told to people: alerts, events, deliveries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from driftwatch.model.decided import Review
from driftwatch.model.judged import Finding, Severity
from driftwatch.model.shown import Json


class AlertKind(StrEnum):
    """What an alert is about.

    A server's list differs, or the server cannot be looked at; a channel takes no messages; no look at anything works;
    the audit log is not as it was written, or what stands in the database is not what it says.
    """

    DRIFT = "drift"
    HEALTH = "health"
    CHANNEL = "channel"
    DAEMON = "daemon"
    AUDIT = "audit"


class AlertState(StrEnum):
    """Where an alert is in its life; `acknowledged` when a person said that they know."""

    OPEN = "open"
    ACKNOWLEDGED = "acknowledged"
    RESOLVED = "resolved"

    @property
    def stands(self) -> bool:
        """Whether it is not over."""
        return self is not AlertState.RESOLVED


class EventKind(StrEnum):
    """What there is to tell about an alert; `batch` tells of several at once."""

    OPENED = "opened"
    UPDATED = "updated"
    REMINDED = "reminded"
    ACKNOWLEDGED = "acknowledged"
    RESOLVED = "resolved"
    BATCH = "batch"


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """That a person said that they know of an alert: who, when, and what they said.

    `known` holds the identities of the findings that no silence kept back from them then.
    """

    by: str
    at: datetime
    note: str = ""
    known: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Alert:
    """What is to be told about one server, channel or daemon, with all of its findings.

    `server` is empty where it is about none, `channel` names the one that it is about. `told` holds the fingerprints
    already told, so that the same drift is told once, and `muted` those that a silence keeps back. `told_at` is when
    anybody was told last, `reminders` how often those who were told heard of it again, and `escalated` names the routes
    that passed it on. `waiting_since` is when it began to wait for somebody to acknowledge it, None: as it was opened.
    `reason` says why it was resolved (`back-to-baseline`, `calm-again`, `approved`, `looked-again`, …). `reviewed` is
    `rejected` when a person said no.
    """

    id: str
    server: str
    kind: AlertKind
    state: AlertState
    severity: Severity
    opened_at: datetime
    updated_at: datetime
    baseline_digest: str = ""
    snapshot_digest: str = ""
    findings: tuple[Finding, ...] = ()
    told: frozenset[str] = frozenset()
    resolved_at: datetime | None = None
    reason: str = ""
    summary: str = ""
    reviewed: str = ""
    channel: str = ""
    acknowledged: Acknowledged | None = None
    muted: frozenset[str] = frozenset()
    told_at: datetime | None = None
    reminders: int = 0
    escalated: frozenset[str] = frozenset()
    waiting_since: datetime | None = None
    refused: frozenset[str] = frozenset()
    """The identities of the findings that a person said no to item by item; of the whole list: see `reviewed`."""

    @property
    def identities(self) -> frozenset[str]:
        """The fingerprints of all of its findings, of a wave those of its members."""
        return frozenset(identity for finding in self.findings for identity in finding.identities)

    @property
    def rejected(self) -> tuple[Finding, ...]:
        """The findings that a person said no to, all of them or item by item; of a wave any member counts."""
        if self.reviewed:
            return self.findings
        return tuple(finding for finding in self.findings if not self.refused.isdisjoint(finding.identities))

    def refused_by(self, review: Review) -> Alert:
        """Give it as it is once a person said no to what it is about, or to items of that."""
        if not review.items:
            return replace(self, reviewed=review.decision.value)
        refused = {identity for finding in self.findings for identity in finding.identities_at(review.items)}
        return replace(self, refused=self.refused | refused)


@dataclass(frozen=True, slots=True)
class Event:
    """One thing to tell about one alert; becomes one delivery per channel that wants it.

    `cause` says why those hear again who were told already: `not-acknowledged`, `escalated` or `silence-ended`.
    """

    kind: EventKind
    alert: Alert
    new: tuple[Finding, ...] = ()
    drill: bool = False
    cause: str = ""


@dataclass(frozen=True, slots=True)
class Silence:
    """What a person wants to hear nothing of for a time: why, who, and until when.

    `server`, `tool` and `rule` are patterns with `*` and `?`, empty for any. `severity` is the worst that is kept back;
    what is worse is told. `ended_at` is set when a person ended it before its time.
    """

    id: str
    server: str
    tool: str
    rule: str
    severity: Severity
    reason: str
    by: str
    created_at: datetime
    until: datetime
    ended_at: datetime | None = None
    ended_by: str = ""

    def holds(self, now: datetime) -> bool:
        """Say whether it is in force."""
        return self.ended_at is None and now < self.until


class DeliveryState(StrEnum):
    """Where an outbox row is.

    `held` waits for others to be told of with it, `batched` went into one message with them; `dead` was given up, and
    `cancelled` was taken out by a person, or is a reminder that came too late.
    """

    HELD = "held"
    BATCHED = "batched"
    PENDING = "pending"
    DELIVERED = "delivered"
    DEAD = "dead"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class Delivery:
    """One event for one channel: an outbox row.

    `id` (`msg_…`) is the message id on every attempt; `payload` is the channel-neutral JSON body. `alert_id` and
    `server` are empty for a batch, and `batch` is the message that tells of it together with others. Of news about
    alerts (one ended, somebody knows of one), of the batches that told this channel of them: `over` are those none of
    whose alerts stands any more, and `known` those where somebody knows of all that stand. Of the end of alerts,
    `opened_in` is the batch that first told of the one that ends, and `alone` those that were told by themselves.
    """

    id: str
    channel: str
    server: str
    alert_id: str
    event: EventKind
    payload: Mapping[str, Json]
    state: DeliveryState = DeliveryState.PENDING
    attempts: int = 0
    created_at: datetime | None = None
    next_attempt_at: datetime | None = None
    last_result: str = ""
    route: str = ""
    batch: str = ""
    opened_in: str = ""
    over: tuple[str, ...] = ()
    known: tuple[str, ...] = ()
    alone: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ChannelHealth:
    """How a channel has been doing: failed attempts in a row, since when, and what the last one came to."""

    name: str
    failures: int = 0
    failing_since: datetime | None = None
    last_ok_at: datetime | None = None
    last_result: str = ""
    dead: int = 0
    """Messages given up since it last worked."""


class SendVerdict(StrEnum):
    """What a channel says about one attempt; one loop owns the retry policy."""

    DONE = "done"
    RETRY = "retry"
    STOP = "stop"


@dataclass(frozen=True, slots=True)
class SendResult:
    """The outcome of one attempt. `detail` never holds a secret; `retry_after` is in seconds."""

    verdict: SendVerdict
    detail: str
    retry_after: float | None = None
