"""What becomes of an alert over time: acknowledged, reminded of, passed on, heard again after a silence. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from driftwatch.config.routes import AlertsConfig, RouteConfig
from driftwatch.model import Acknowledged, Alert, AlertState, EventKind, Severity, Silence
from driftwatch.tell.silence import muted_in
from driftwatch.tell.told import Told, Why, unknown_again

CLOCK_SLACK: Final = timedelta(minutes=5)
"""A moment that lies farther ahead than this was written before the clock was set back, and says nothing any more."""


def decide_acknowledged(current: Alert, *, by: str, note: str, now: datetime) -> Told | None:
    """Decide about a person who says that they know; None when somebody said so before, or it is over."""
    if current.state is not AlertState.OPEN:
        return None
    said = Acknowledged(by=by, at=now, note=note, known=current.identities - current.muted)
    known = replace(current, state=AlertState.ACKNOWLEDGED, acknowledged=said, updated_at=now)
    return Told(known, EventKind.ACKNOWLEDGED, (), Why.ACKNOWLEDGED)


def decide_reminder(current: Alert, config: AlertsConfig, *, now: datetime) -> Told | None:
    """Decide whether those who were told hear of an alert again that nobody acknowledged."""
    if not due_for_reminder(current.state, current.severity, current.told_at, config, now=now):
        return None
    again = replace(current, reminders=current.reminders + 1, told_at=now)
    return Told(again, EventKind.REMINDED, (), Why.NOT_ACKNOWLEDGED)


def due_for_reminder(
    state: AlertState, severity: Severity, told_at: datetime | None, config: AlertsConfig, *, now: datetime
) -> bool:
    """Say whether it is time for a reminder; who was never told is not reminded."""
    if not config.remind_every or state is not AlertState.OPEN or told_at is None or severity < config.remind_from:
        return False
    return has_passed(told_at, config.remind_every, now)


def decide_escalated(current: Alert, way: RouteConfig, *, now: datetime) -> Told | None:
    """Decide whether a route passes an alert on that nobody acknowledged in time."""
    if not due_for_escalation(
        current.state, current.told_at, current.waiting_since or current.opened_at, current.escalated, way, now=now
    ):
        return None
    passed_on = replace(current, escalated=current.escalated | {way.name}, reminders=current.reminders + 1)
    return Told(passed_on, EventKind.REMINDED, (), Why.ESCALATED)


def due_for_escalation(
    state: AlertState,
    told_at: datetime | None,
    waiting_since: datetime,
    escalated: frozenset[str],
    way: RouteConfig,
    *,
    now: datetime,
) -> bool:
    """Say whether it is time for a route to pass an alert on; what nobody was told of is not passed on."""
    if not way.escalate_after or state is not AlertState.OPEN or told_at is None or way.name in escalated:
        return False
    return has_passed(waiting_since, way.escalate_after, now)


def decide_unmuted(current: Alert, silences: Sequence[Silence], *, now: datetime) -> Told | None:
    """Decide about what silences keep back of an alert: what none keeps back any more is told again.

    `silences` are those in force. What begins to be kept back is only written down. Whoever acknowledged the alert is
    told only of what was kept back from them then.
    """
    muted = muted_in(current, silences)
    if muted == current.muted:
        return None
    known = current.acknowledged.known if current.acknowledged is not None else frozenset()
    ended = current.muted - muted - known
    back = tuple(finding for finding in current.findings if not ended.isdisjoint(finding.identities))
    seen = replace(current, muted=muted)
    if not back:
        return Told(seen, None, (), Why.SAME)
    again = replace(seen, reminders=current.reminders + 1, updated_at=now)
    return Told(unknown_again(again, now), EventKind.UPDATED, back, Why.SILENCE_ENDED)


def has_passed(since: datetime, seconds: float, now: datetime) -> bool:
    """Say whether so many seconds have passed, also where the clock was set back meanwhile."""
    return now - since >= timedelta(seconds=seconds) or since > now + CLOCK_SLACK
