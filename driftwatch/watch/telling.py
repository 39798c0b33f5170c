"""Writing down what is to be told: the alert, and one outbox row for each channel that wants it."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from datetime import datetime

from driftwatch.config.schema import ChannelConfig
from driftwatch.store.records import AlertWrite
from driftwatch.store.store import Store
from driftwatch.tell.alerts import Told
from driftwatch.tell.routes import deliveries_for


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


def new_alert_id() -> str:
    """Make an alert id: `alr_` and 32 random hex digits."""
    return f"alr_{uuid.uuid4().hex}"
