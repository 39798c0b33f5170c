"""Writing down what is to be told: the alert, and one outbox row for each channel that wants it."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Iterable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime

import structlog

from driftwatch.config.schema import Settings
from driftwatch.errors import BaselineMovedError
from driftwatch.model import Alert, AlertKind, Baseline, Delivery, DeliveryState, Event, EventKind
from driftwatch.store.records import AlertWrite, Wanted
from driftwatch.store.store import Store
from driftwatch.tell.alerts import Told, decide_unwatched
from driftwatch.tell.routes import Routing, deliveries_for
from driftwatch.tell.silence import muted_in
from driftwatch.tell.templates import trouble_of
from driftwatch.tell.told import Why

log = structlog.get_logger()

MOST_ALERTS = 100_000
"""Open alerts that are read at once: two for each of as many servers as one daemon could watch."""


def write_of(
    told: Told,
    *,
    store: Store,
    settings: Settings,
    now: datetime,
    drill: bool = False,
    escalating: str = "",
    baseline: Baseline | None = None,
) -> AlertWrite:
    """Turn what is to be told into rows: the alert, and one outbox row for each channel that wants it.

    `escalating` names the route that passes the alert on; `baseline` is one that is written along with it.
    """
    silences = store.silences(at=now)
    alert = told.alert
    if alert.state.stands:
        muted = muted_in(alert, silences)
        # What a silence kept back before is for the upkeep to tell, once that silence is over.
        alert = _as_known(replace(alert, muted=muted | (alert.muted & alert.identities)), told, muted)
    event = replace(told, alert=alert).as_event(drill=drill)
    if event is None:
        return AlertWrite(alert=alert, expected=told.before)
    deliveries = deliveries_for(
        event,
        Routing.of(settings, silences),
        earlier=store.channels_told(alert.id),
        held=_held(store, alert),
        now=now,
        labels=labels_of(settings, alert),
        escalating=escalating,
        baseline=baseline or _baseline(store, alert),
    )
    if told.reason is Why.NOT_ACKNOWLEDGED:
        # Who has yet to get what was said before would hear both at once.
        waiting = store.channels_waiting(alert.id)
        deliveries = tuple(one for one in deliveries if one.channel not in waiting)
    report_templates(deliveries)
    heard = _told(alert, now) if deliveries and alert.state.stands else alert
    return AlertWrite(alert=heard, event=told.event, deliveries=deliveries, expected=told.before)


def report_templates(deliveries: Iterable[Delivery]) -> None:
    """Log which templates failed on a message, and why: it goes out in driftwatch's own words."""
    for one in deliveries:
        trouble = trouble_of(one.payload)
        if trouble:
            log.warning(
                "a template failed, so a message says it in driftwatch's own words",
                action="template-failed",
                channel=one.channel,
                delivery=one.id,
                reason=trouble,
            )


def _told(alert: Alert, now: datetime) -> Alert:
    """Give the alert as one that somebody has just been told of; from the first time on it waits for an answer."""
    late = alert.told_at is None and alert.opened_at != now
    return replace(alert, told_at=now, waiting_since=now if late else alert.waiting_since)


def _as_known(alert: Alert, told: Told, muted: frozenset[str]) -> Alert:
    """Let an alert stay acknowledged that grew only by what a silence keeps back: nobody is to hear of it yet."""
    before = told.before
    if before is None or before.acknowledged is None or alert.acknowledged is not None:
        return alert
    if any(not muted.issuperset(finding.identities) for finding in told.new):
        return alert
    return replace(
        alert,
        state=before.state,
        acknowledged=before.acknowledged,
        waiting_since=before.waiting_since,
        escalated=before.escalated,
    )


def _held(store: Store, alert: Alert) -> dict[str, Delivery]:
    """Give by channel what of an alert waits for its window."""
    rows = store.deliveries_about(alert.id, state=DeliveryState.HELD)
    return {row.channel: row for row in rows}


def _baseline(store: Store, alert: Alert) -> Baseline | None:
    """Give what the server of an alert is compared with, None where it is about no difference."""
    return store.baseline(alert.server) if alert.kind is AlertKind.DRIFT else None


def labels_of(settings: Settings, alert: Alert) -> dict[str, str]:
    """Give the labels of the server that an alert is about, none where it is about none."""
    server = settings.find(alert.server)
    return {} if server is None else dict(server.labels)


def end_unwatched(store: Store, watched: Collection[str], settings: Settings, *, now: datetime) -> int:
    """End the open alerts of servers and channels that are not there any more; give how many messages that queued."""
    queued = 0
    channels = {channel.name for channel in settings.channels}
    for alert in store.alerts(stands=True, limit=MOST_ALERTS):
        gone = alert.channel not in channels if alert.channel else alert.server not in watched
        if gone and (alert.server or alert.channel):
            told = replace(decide_unwatched(alert, now=now), before=alert)
            with suppress(BaselineMovedError):
                queued += len(store.record_alert(write_of(told, store=store, settings=settings, now=now)))
    return queued


def tell_newcomers(store: Store, settings: Settings, *, now: datetime) -> int:
    """Tell open alerts to the channels that never heard of them; give how many messages that queued.

    A channel that was added, or whose threshold was lowered, while an alert was open would otherwise hear of nothing
    until the alert grows.
    """
    queued = 0
    routing = Routing.of(settings, store.silences(at=now))
    for alert in store.alerts(stands=True, limit=MOST_ALERTS):
        told = store.channels_told(alert.id)
        event = Event(kind=EventKind.OPENED, alert=alert, new=alert.findings)
        new = replace(routing, channels=[one for one in routing.channels if one.name not in told])
        rows = deliveries_for(
            event, new, earlier=told, now=now, labels=labels_of(settings, alert), baseline=_baseline(store, alert)
        )
        if rows:
            # What was given up or taken out is there already, and is not told by being worked out again.
            known = {row.id for row in store.deliveries(wanted=Wanted(alert=alert.id), limit=MOST_ALERTS)}
            rows = tuple(row for row in rows if row.id not in known)
        if rows:
            report_templates(rows)
            write = AlertWrite(alert=_told(alert, now), event=None, deliveries=rows, expected=alert)
            with suppress(BaselineMovedError):
                queued += len(store.record_alert(write))
    return queued


def new_alert_id() -> str:
    """Make an alert id: `alr_` and 32 random hex digits."""
    return f"alr_{uuid.uuid4().hex}"
