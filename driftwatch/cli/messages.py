"""Words for alerts and messages that several commands share."""

from __future__ import annotations

from datetime import datetime, timedelta

from driftwatch.cli.moments import ago
from driftwatch.model import Delivery, DeliveryState

CHARS = 12
"""Characters of an id that people see: `msg_` and eight digits name one in every command."""


def about_of(server: str, channel: str) -> str:
    """Say what an alert is about: a server, a channel, or driftwatch itself."""
    return server or (f"channel {channel}" if channel else "driftwatch")


def result_words(one: Delivery, now: datetime) -> str:
    """Say what came of a message so far, and for one that waits when it is tried next."""
    tries = f" ({one.attempts} tries)" if one.attempts > 1 else ""
    said = f"{one.last_result}{tries}" if one.last_result else ""
    if one.state is DeliveryState.HELD:
        return f"gathered by the route {one.route}; goes out {_due(one, now)}"
    if one.state is DeliveryState.PENDING:
        return f"{said}; tried again {_due(one, now)}" if said else f"to be sent {_due(one, now)}"
    if one.batch:
        with_others = f"in {one.batch[:CHARS]}"
        return f"{with_others}: {said}" if said else with_others
    return said or "-"


def _due(one: Delivery, now: datetime) -> str:
    """Say when a message that waits is due."""
    due = one.next_attempt_at
    return "now" if due is None or due - now <= timedelta() else ago(due, now)
