"""Who is told: from one event to one delivery per channel that wants it. Pure."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Protocol

from driftwatch.judge.rules import RULES
from driftwatch.model import AlertKind, Delivery, Event, EventKind, Finding, Severity, worst_of
from driftwatch.tell.alerts import summary_of_part
from driftwatch.tell.payload import body
from driftwatch.tell.told import mark


class Route(Protocol):
    """What routing needs to know of a channel's configuration."""

    @property
    def name(self) -> str:
        """The configured name, unique among channels."""

    @property
    def min_severity(self) -> str:
        """The lowest severity that this channel wants to hear of."""

    @property
    def axes(self) -> Sequence[str]:
        """The axes that it wants to hear of; none: all."""

    @property
    def areas(self) -> Sequence[str]:
        """The areas of rules that it wants to hear of; none: all."""


_AREAS = {rule.id: rule.area.value for rule in RULES}


def deliveries_for(
    event: Event,
    channels: Iterable[Route],
    *,
    earlier: frozenset[str],
    now: datetime,
    public_url: str | None,
    labels: Mapping[str, str] | None = None,
) -> tuple[Delivery, ...]:
    """Give one delivery for each channel that is to hear of this event.

    `earlier` names the channels that were told of this alert before; `labels` are those of the server.

    - A channel that was never told hears of an alert as soon as the alert's severity reaches its threshold, and hears
      it as `opened`, whatever the others hear.
    - A channel that was told hears of an update only when something new in it reaches the threshold.
    - A channel that names axes or areas hears of no other findings: they neither count for its threshold nor stand in
      its message. A finding of a rule that is no longer there goes to all areas, and failed looks to every channel.
    - `resolved` goes to those who were told, and to no others.
    - A drill goes to every channel: it is there to find the ones that do not work.
    """
    built: list[Delivery] = []
    for channel in channels:
        asked = _asked_for(event, channel)
        mine = _for_channel(asked, Severity(channel.min_severity), told=channel.name in earlier)
        if mine is not None:
            built.append(
                Delivery(
                    id=delivery_id(mine, channel.name),
                    channel=channel.name,
                    server=mine.alert.server,
                    alert_id=mine.alert.id,
                    event=mine.kind,
                    payload=body(mine, now=now, public_url=public_url, labels=labels),
                    created_at=now,
                    next_attempt_at=now,
                )
            )
    return tuple(built)


def _asked_for(event: Event, channel: Route) -> Event:
    """Give the event with nothing but the findings that a channel asks for."""
    alert = event.alert
    kept = tuple(finding for finding in alert.findings if _wants(channel, finding))
    if event.drill or alert.kind is AlertKind.HEALTH or kept == alert.findings:
        return event
    summary = alert.summary if event.kind is EventKind.RESOLVED else summary_of_part(alert.server, kept)
    part = replace(alert, findings=kept, severity=worst_of(kept), summary=summary)
    return replace(event, alert=part, new=tuple(finding for finding in event.new if _wants(channel, finding)))


def _wants(channel: Route, finding: Finding) -> bool:
    area = _AREAS.get(finding.rule)
    return (not channel.axes or finding.axis in channel.axes) and (not channel.areas or area in {None, *channel.areas})


def _for_channel(event: Event, threshold: Severity, *, told: bool) -> Event | None:
    """Give the event as one channel hears it, or None when it does not."""
    if event.kind is EventKind.RESOLVED:
        return event if told else None
    if not told:
        nothing = event.alert.kind is AlertKind.DRIFT and not event.alert.findings
        wanted = event.drill or (event.alert.severity >= threshold and not nothing)
        return replace(event, kind=EventKind.OPENED, new=event.alert.findings) if wanted else None
    return event if event.drill or (event.new and worst_of(event.new) >= threshold) else None


def delivery_id(event: Event, channel: str) -> str:
    """Give the message id: `msg_` and 32 hex digits over what is told, to whom.

    It rests on the alert, the event and the findings' identities, never on wording or time: the same thing told to
    the same channel has the same id, and a receiver can drop what it already has.
    """
    what = [event.alert.id, event.kind.value, channel, _told_now(event.new) or [event.alert.reason]]
    text = json.dumps(what, ensure_ascii=True)
    return "msg_" + hashlib.sha256(text.encode("ascii")).hexdigest()[:32]


def _told_now(findings: Iterable[Finding]) -> list[str]:
    return sorted(mark(finding) for finding in findings)
