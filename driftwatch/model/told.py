"""What is told to people: alerts, events, deliveries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from driftwatch.model.judged import Finding, Severity
from driftwatch.model.shown import Json


class AlertKind(StrEnum):
    """What an alert is about: the server's list differs, or the server could not be looked at."""

    DRIFT = "drift"
    HEALTH = "health"


class AlertState(StrEnum):
    """Where an alert is in its life."""

    OPEN = "open"
    RESOLVED = "resolved"


class EventKind(StrEnum):
    """What there is to tell about an alert."""

    OPENED = "opened"
    UPDATED = "updated"
    RESOLVED = "resolved"


@dataclass(frozen=True, slots=True)
class Alert:
    """What is to be told about one server, with all of its findings.

    `told` holds the fingerprints already told, so that the same drift is told once. `reason` says why it was
    resolved (`back-to-baseline`, `calm-again`, `approved`, `looked-again`, …). `reviewed` is `rejected` when a person
    said no.
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


@dataclass(frozen=True, slots=True)
class Event:
    """One thing to tell about one alert; becomes one delivery per channel that wants it."""

    kind: EventKind
    alert: Alert
    new: tuple[Finding, ...] = ()
    drill: bool = False


class DeliveryState(StrEnum):
    """Where an outbox row is."""

    PENDING = "pending"
    DELIVERED = "delivered"
    DEAD = "dead"


@dataclass(frozen=True, slots=True)
class Delivery:
    """One event for one channel: an outbox row.

    `id` (`msg_…`) is the message id on every attempt; `payload` is the channel-neutral JSON body.
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
