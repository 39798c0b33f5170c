"""What callers hand to the store, and what it counts: frozen values, no SQL."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from driftwatch.model import (
    Ahead,
    Alert,
    AlertKind,
    AlertState,
    Arrival,
    BaselineState,
    Delivery,
    DeliveryState,
    Era,
    EventKind,
    Finding,
    Listing,
    Severity,
    Snapshot,
)


@dataclass(frozen=True, slots=True)
class AlertWrite:
    """An alert as it is to be kept, with the outbox rows that tell of it.

    `event` is what there is to tell of it; None: nothing that is new (rows then go to those who never heard of it).
    `expected`, when given, is the alert as the caller read it: with another one in its place nothing is written.
    """

    alert: Alert
    event: EventKind | None = None
    deliveries: tuple[Delivery, ...] = ()
    expected: Alert | None = None


@dataclass(frozen=True, slots=True)
class AlertOutline:
    """What of an alert says whether anything is due about it; `muted` when a silence keeps back any of it.

    `waiting_since` is when it began to wait for somebody to acknowledge it.
    """

    id: str
    server: str
    kind: AlertKind
    state: AlertState
    severity: Severity
    waiting_since: datetime
    told_at: datetime | None
    muted: bool
    escalated: frozenset[str]


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which outbox rows are wanted, `since` when made; None: whatever it is."""

    state: DeliveryState | None = None
    channel: str | None = None
    server: str | None = None
    batch: str | None = None
    alert: str | None = None
    since: datetime | None = None


@dataclass(frozen=True, slots=True)
class Wait:
    """What an outbox row waits for that is due: an older message (its id), or the end of a sender's lease."""

    behind: str = ""
    leased_until: datetime | None = None


@dataclass(frozen=True, slots=True)
class LookRecord:
    """One judged look: everything that it changes, written in one transaction or not at all.

    `expected_baseline` is the digest of the baseline that was judged against (None: the server had none);
    `become_provisional` lets this snapshot stand in as baseline, which only happens where there is none.
    `judged` goes to `ServerState.judged` as it is. `era` or `listing` None keeps the remembered one.
    `expected_looks`, when given, is `ServerState.looks` as it was read before the look: it makes the write
    conditional on nobody else having looked in between. `expected_state`, when given, is the baseline's state that was
    judged by: until a person approves, more counts as a finding. `arrival` says how this snapshot came to be shown; it
    is kept when a new sighting begins. `calm_at` goes to `ServerState.calm_at` as it is. `expected_judged`, when given,
    is `ServerState.judged` as it was read before: what a judgement rests on may have become other meanwhile.
    `expected_sighted`, when given, is `ServerState.sighted` as it was read before: where another server showed
    something new since, the next look judges again. `landed` is the approval ahead of a roll-out that this snapshot is
    the landing of: it is used, and the snapshot becomes the approved baseline.
    """

    server: str
    at: datetime
    next_at: datetime | None
    era: Era | None
    snapshot: Snapshot
    expected_baseline: str | None
    judged: str
    findings: tuple[Finding, ...] = ()
    alert: tuple[AlertWrite, ...] = ()
    detail: str = ""
    become_provisional: bool = False
    expected_looks: int | None = None
    expected_state: BaselineState | None = None
    expected_judged: str | None = None
    expected_sighted: int | None = None
    listing: Listing | None = None
    arrival: Arrival | None = None
    calm_at: datetime | None = None
    landed: Ahead | None = None


@dataclass(frozen=True, slots=True)
class Retention:
    """How long what is over is kept, and how much of it at the most; None: for ever, and all of it.

    `looks` are sightings that are over (by server) with lists that nothing else needs, `alerts` those that are over,
    `deliveries` messages that nobody waits for.
    """

    looks: timedelta | None = None
    looks_count: int | None = None
    alerts: timedelta | None = None
    alerts_count: int | None = None
    deliveries: timedelta | None = None
    deliveries_count: int | None = None


@dataclass(frozen=True, slots=True)
class Pruned:
    """How much was dropped, or would be: sightings, lists with no other use, items of them, alerts, messages."""

    looks: int = 0
    lists: int = 0
    items: int = 0
    alerts: int = 0
    deliveries: int = 0

    @property
    def any(self) -> bool:
        """Whether it is anything at all."""
        return any((self.looks, self.lists, self.items, self.alerts, self.deliveries))


@dataclass(frozen=True, slots=True)
class Counts:
    """How much there is of everything, for `status` and for health pages.

    `deliveries_pending` are all outbox rows that wait, `deliveries_held` those of them that a route gathers.
    `oldest_pending` is the age of the oldest that waits, None when none does.
    """

    servers: int
    snapshots: int
    items: int
    open_alerts: int
    deliveries_pending: int
    deliveries_dead: int
    oldest_pending: timedelta | None
    deliveries_held: int = 0
