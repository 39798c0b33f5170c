"""Writing down what is to be told: the alert, and one outbox row for each channel that wants it."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from datetime import datetime

from driftwatch.config.channels import ChannelConfig
from driftwatch.errors import BaselineMovedError
from driftwatch.model import AlertState, Event, EventKind
from driftwatch.store.records import AlertWrite
from driftwatch.store.store import Store
from driftwatch.tell.alerts import Told, decide_unwatched
from driftwatch.tell.routes import deliveries_for

MOST_ALERTS = 100_000
"""Open alerts that are read at once: two for each of as many servers as one daemon could watch."""


def write_of(
    told: Told,
    *,
    store: Store,
    channels: Sequence[ChannelConfig],
    now: datetime,
    public_url: str | None,
    labels: Mapping[str, str] | None = None,
    drill: bool = False,
) -> AlertWrite:
    """Turn what is to be told into rows: the alert, and one outbox row for each channel that wants it."""
    event = told.as_event(drill=drill)
    if event is None:
        return AlertWrite(alert=told.alert)
    deliveries = deliveries_for(
        event, channels, earlier=store.channels_told(told.alert.id), now=now, public_url=public_url, labels=labels
    )
    return AlertWrite(alert=told.alert, event=told.event, deliveries=deliveries)


def end_unwatched(
    store: Store, watched: Collection[str], channels: Sequence[ChannelConfig], *, now: datetime, public_url: str | None
) -> int:
    """End the open alerts of servers that are not watched any more; give how many messages that queued."""
    queued = 0
    for alert in store.alerts(stands=True, limit=MOST_ALERTS):
        if alert.server not in watched:
            told = decide_unwatched(alert, now=now)
            write = write_of(told, store=store, channels=channels, now=now, public_url=public_url)
            with suppress(BaselineMovedError):
                queued += len(store.record_alert(write))
    return queued


def tell_newcomers(store: Store, channels: Sequence[ChannelConfig], *, now: datetime, public_url: str | None) -> int:
    """Tell open alerts to the channels that never heard of them; give how many messages that queued.

    A channel that was added, or whose threshold was lowered, while an alert was open would otherwise hear of nothing
    until the alert grows.
    """
    queued = 0
    for alert in store.alerts(stands=True, limit=MOST_ALERTS):
        told = store.channels_told(alert.id)
        event = Event(kind=EventKind.OPENED, alert=alert, new=alert.findings)
        new = [channel for channel in channels if channel.name not in told]
        rows = deliveries_for(event, new, earlier=told, now=now, public_url=public_url)
        if rows:
            with suppress(BaselineMovedError):
                queued += len(store.record_alert(AlertWrite(alert=alert, event=event.kind, deliveries=rows)))
    return queued


def new_alert_id() -> str:
    """Make an alert id: `alr_` and 32 random hex digits."""
    return f"alr_{uuid.uuid4().hex}"
