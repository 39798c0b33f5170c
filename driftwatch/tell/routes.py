"""Who is told: from one event to one delivery per channel that wants it, and why. Pure.

First the silences: what they keep back is as if it were not there. Then the ways (`[routes.NAME]`): every one that
fits takes the findings that it is for, and what none takes goes the way `default`. Then each channel of a way has its
own say (`min_severity`, `axes`, `areas`). Every step says why.

- A channel that was never told hears of an alert as soon as the alert's severity reaches its threshold, and hears it
  as `opened`, whatever the others hear.
- A channel that was told hears of an update only when something new in it reaches the threshold.
- A channel that names axes or areas hears of no other findings: they neither count for its threshold nor stand in its
  message. A finding of a rule that is no longer there goes to all areas, and failed looks to every channel.
- `resolved` and `acknowledged` go to those who were told, and to no others.
- A failing channel is not told of itself; where its way leads to no other, every other channel is.
- A drill goes to every channel: it is there to find the ones that do not work.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Final, Self

from driftwatch.config.channels import ChannelConfig
from driftwatch.config.routes import DEFAULT, RouteConfig, fits
from driftwatch.config.schema import Settings
from driftwatch.config.secret import shown
from driftwatch.judge.rules import RULES
from driftwatch.model import (
    Alert,
    AlertKind,
    Baseline,
    Delivery,
    DeliveryState,
    Event,
    EventKind,
    Finding,
    Json,
    Severity,
    Silence,
    worst_of,
)
from driftwatch.tell.alerts import summary_of_part
from driftwatch.tell.payload import body
from driftwatch.tell.silence import heard, muted_in
from driftwatch.tell.templates import templated
from driftwatch.tell.told import Why, mark

_AREAS = {rule.id: rule.area.value for rule in RULES}

_ENDS: Final = frozenset({EventKind.RESOLVED, EventKind.ACKNOWLEDGED})
"""What only those hear who were told."""


_NO_OTHER: Final = "no route leads to another channel than the one that fails, so all others are asked"
"""Why a channel hears of one that fails although no route leads there."""


@dataclass(frozen=True, slots=True)
class Routing:
    """What decides where messages go: channels, ways, silences in force, who is reminded, how driftwatch is reached."""

    channels: Sequence[ChannelConfig]
    ways: Sequence[RouteConfig]
    silences: Sequence[Silence] = ()
    remind_from: Severity = Severity.HIGH
    public_url: str | None = None

    @classmethod
    def of(cls, settings: Settings, silences: Sequence[Silence] = ()) -> Self:
        """Take it from a configuration, with the silences that are in force."""
        return cls(settings.channels, settings.ways, silences, settings.alerts.remind_from, settings.daemon.public_url)


@dataclass(frozen=True, slots=True)
class Path:
    """One way: whether an alert goes it, with which of the findings, and why in words."""

    way: RouteConfig
    taken: bool
    findings: tuple[Finding, ...]
    why: str


@dataclass(frozen=True, slots=True)
class Stop:
    """One channel: the event as it hears it, or None, by which way (None: no way leads there), and why in words."""

    channel: ChannelConfig
    way: RouteConfig | None
    event: Event | None
    why: str


def deliveries_for(
    event: Event,
    routing: Routing,
    *,
    earlier: frozenset[str],
    now: datetime,
    labels: Mapping[str, str] | None = None,
    held: Mapping[str, Delivery] | None = None,
    escalating: str = "",
    baseline: Baseline | None = None,
) -> tuple[Delivery, ...]:
    """Give one delivery for each channel that is to hear of this event.

    `earlier` names the channels that were told of this alert before; `labels` are those of the server; `held` has by
    channel what of this alert waits for its window: what follows waits with it. `escalating` names the way that passes
    the alert on. `baseline` is what the server is compared with.
    """
    labels = labels or {}
    say = _once(partial(body, now=now, public_url=routing.public_url, labels=labels, baseline=baseline))
    built = []
    for stop in stops(event, routing, earlier=earlier, labels=labels, escalating=escalating):
        if stop.event is not None:
            waits = (held or {}).get(stop.channel.name)
            built.append(_delivery(stop, say, now=now, waits=waits))
    return tuple(built)


def _once(say: Callable[[Event], dict[str, Json]]) -> Callable[[Event], dict[str, Json]]:
    """Give the same, said once of what several channels hear alike: most of them do."""
    said: list[tuple[Event, dict[str, Json]]] = []

    def again(event: Event) -> dict[str, Json]:
        for known, body_of_it in said:
            if known == event:
                return body_of_it
        said.append((event, say(event)))
        return said[-1][1]

    return again


def _delivery(
    stop: Stop, say: Callable[[Event], dict[str, Json]], *, now: datetime, waits: Delivery | None
) -> Delivery:
    event, way, channel = stop.event, stop.way, stop.channel
    assert event is not None  # noqa: S101 - for the type checker: only those that hear of it get here
    window = timedelta(seconds=way.window if way is not None and channel.gathers and not event.drill else 0)
    due, route = now + window, "" if way is None else way.name
    # What waits goes first: with its end, which is no hurry, and else as soon as what follows on it would go.
    waits = waits if window or event.kind in _ENDS else None
    if waits is not None:
        route, latest = waits.route, waits.next_attempt_at or due
        due = latest if event.kind in _ENDS else min(latest, due)
    return Delivery(
        id=delivery_id(event, channel.name),
        channel=channel.name,
        server=event.alert.server,
        alert_id=event.alert.id,
        event=event.kind,
        payload=templated(say(event), channel),
        state=DeliveryState.HELD if window or waits is not None else DeliveryState.PENDING,
        created_at=now,
        next_attempt_at=due,
        route=route,
    )


def stops(
    event: Event, routing: Routing, *, earlier: frozenset[str], labels: Mapping[str, str], escalating: str = ""
) -> list[Stop]:
    """Say of every channel whether it hears of an event, as what, and why."""
    if event.drill:
        return [_drilled(event, channel, told=channel.name in earlier) for channel in routing.channels]
    muted = muted_in(event.alert, routing.silences)
    alert = heard(event.alert, muted) if muted else event.alert
    if event.kind in _ENDS:
        ways = _leading(alert, routing, earlier, labels, escalating)
        over = replace(event, alert=replace(alert, severity=event.alert.severity))
        return [_end(over, one, ways.get(one.name), told=one.name in earlier) for one in routing.channels]
    if muted and not alert.findings:
        return [Stop(channel, None, None, "a silence keeps all of it back") for channel in routing.channels]
    ways = _leading(alert, routing, earlier, labels, escalating)
    found = []
    for channel in routing.channels:
        led = ways.get(channel.name)
        if event.alert.kind is AlertKind.CHANNEL and channel.name == event.alert.channel:
            found.append(Stop(channel, None, None, "it is the one that takes no messages"))
            continue
        if led is None:
            found.append(Stop(channel, None, None, "no route leads there"))
            continue
        part = _part(replace(event, alert=alert), led, channel, silenced=bool(muted))
        stop = _stop(part, channel, led.way, routing.remind_from, told=channel.name in earlier)
        found.append(replace(stop, why=f"{_NO_OTHER}; {stop.why}") if led.why == _NO_OTHER else stop)
    return found


def paths(
    alert: Alert, findings: Sequence[Finding], ways: Iterable[RouteConfig], labels: Mapping[str, str]
) -> list[Path]:
    """Say of every way which of an alert's findings it takes, and why; the default way comes last."""
    found: list[Path] = []
    for way in ways:
        if way.name != DEFAULT:
            found.append(_path(way, alert, findings, labels))
            continue
        taken = {id(one) for path in found for one in path.findings}
        rest = tuple(one for one in findings if id(one) not in taken)
        open_to = bool(rest) or not any(path.taken for path in found)
        found.append(Path(way, open_to, rest, "no other route takes it" if open_to else "other routes take all of it"))
    return found


def _path(way: RouteConfig, alert: Alert, findings: Sequence[Finding], labels: Mapping[str, str]) -> Path:
    """Say what of an alert a way takes that is not the default one."""
    kept = tuple(one for one in findings if _is_for(one, way, unknown=False))
    wrong = next(_unfitting(way, alert, worst_of(kept) if kept else alert.severity, labels), "")
    if not wrong and findings and not kept:
        wrong = f"it is for {_either([*way.axes, *way.areas])}, and nothing here is"
    if wrong:
        return Path(way, taken=False, findings=(), why=wrong)
    why = "it fits" if len(kept) == len(findings) else f"{len(kept)} of {len(findings)} findings fit"
    return Path(way, taken=True, findings=kept, why=why)


def _unfitting(way: RouteConfig, alert: Alert, worst: Severity, labels: Mapping[str, str]) -> Iterator[str]:
    """Give the reasons for which an alert does not go a way, whatever its findings."""
    if way.kinds and alert.kind not in way.kinds:
        yield f"it is for the kind {_either(kind.value for kind in way.kinds)}, and this is {alert.kind.value}"
    if way.servers and not any(fits(pattern, alert.server) for pattern in way.servers):
        yield f"it is for the servers {_either(map(shown, way.servers))}"
    for name, pattern in way.labels.items():
        if not fits(pattern, labels.get(name, "")):
            # What a variable holds may be a secret, and this is printed.
            has = f"{shown(name)} = {shown(labels[name])}" if name in labels else f"no label {shown(name)}"
            yield f"it is for {shown(name)} = {shown(pattern)}, and the server has {has}"
    if (way.axes or way.areas) and alert.kind is not AlertKind.DRIFT:
        yield "it is for some findings only, and this alert is about none"
    if worst < way.min_severity:
        yield f"it is for {way.min_severity.value} or worse, and this is {worst.value}"


def _either(words: Iterable[str]) -> str:
    return " or ".join(words)


def _leading(
    alert: Alert, routing: Routing, earlier: frozenset[str], labels: Mapping[str, str], escalating: str
) -> dict[str, Path]:
    """Give by channel the way that leads there; of several the one that waits least, with the findings of them all."""
    findings = alert.findings
    led: dict[str, Path] = {}
    for path in paths(alert, findings, routing.ways, labels):
        passed_on = [name for name in path.way.escalate_to if name in earlier or path.way.name == escalating]
        to = passed_on if escalating else [*path.way.channels, *passed_on]
        if not path.taken or (escalating and path.way.name != escalating):
            continue
        for name in to:
            other = led.get(name)
            led[name] = path if other is None else _joined(path, other, findings)
    if alert.kind is AlertKind.CHANNEL:
        led.pop(alert.channel, None)
        here = Path(routing.ways[-1], taken=True, findings=tuple(findings), why=_NO_OTHER)
        if led or escalating:
            return led
        return {one.name: here for one in routing.channels if one.name != alert.channel}
    return led


def _joined(one: Path, other: Path, findings: Sequence[Finding]) -> Path:
    way = min(one.way, other.way, key=lambda way: way.window)
    both = {id(finding) for finding in (*one.findings, *other.findings)}
    return replace(one, way=way, findings=tuple(finding for finding in findings if id(finding) in both))


def _part(event: Event, led: Path | None, channel: ChannelConfig, *, silenced: bool = False) -> Event:
    """Give the event with nothing but the findings that the way brings and that the channel asks for."""
    alert = event.alert
    if alert.kind is not AlertKind.DRIFT:
        return event
    here = {id(finding) for finding in (alert.findings if led is None else led.findings)}
    kept = tuple(one for one in alert.findings if id(one) in here and _is_for(one, channel))
    if kept == alert.findings and not silenced:
        return event
    identities = frozenset(identity for finding in kept for identity in finding.identities)
    new = tuple(one for one in event.new if not identities.isdisjoint(one.identities))
    summary = alert.summary if event.kind in _ENDS else summary_of_part(alert.server, kept)
    return replace(event, alert=replace(alert, findings=kept, severity=worst_of(kept), summary=summary), new=new)


def _is_for(finding: Finding, place: ChannelConfig | RouteConfig, *, unknown: bool = True) -> bool:
    """Say whether a place asks for a finding; of a rule that is no longer there nobody knows the area (`unknown`)."""
    area = _AREAS.get(finding.rule)
    if place.axes and finding.axis not in place.axes:
        return False
    return not place.areas or area in place.areas or (area is None and unknown)


def _end(event: Event, channel: ChannelConfig, led: Path | None, *, told: bool) -> Stop:
    """Say whether a channel hears that an alert is over, or that somebody knows of it."""
    way = led.way if led else None
    if not told:
        return Stop(channel, way, None, "it was not told of this alert")
    if event.kind is EventKind.ACKNOWLEDGED and not channel.hears_acknowledgements:
        return Stop(channel, way, None, "acknowledgements mean nothing there")
    return Stop(channel, way, _part(event, led, channel), "it was told of this alert")


def _drilled(event: Event, channel: ChannelConfig, *, told: bool) -> Stop:
    """Let every channel hear of a drill, and of the end of one that it heard of."""
    if event.kind is EventKind.RESOLVED and not told:
        return Stop(channel, None, None, "it was not told of this drill")
    first = replace(event, kind=EventKind.OPENED, new=event.alert.findings)
    return Stop(channel, None, event if told else first, "a drill goes to every channel")


def _stop(event: Event, channel: ChannelConfig, way: RouteConfig, remind_from: Severity, *, told: bool) -> Stop:
    """Say whether a channel that a way leads to hears of an event that is no end, and as what."""
    threshold, worst = Severity(channel.min_severity), event.alert.severity
    if event.alert.kind is AlertKind.DRIFT and not event.alert.findings:
        return Stop(channel, way, None, "it asks for other findings")
    if worst < threshold:
        return Stop(channel, way, None, f"it asks for {threshold.value} or worse, and this is {worst.value}")
    if event.kind is EventKind.REMINDED and (told or event.cause != Why.ESCALATED):
        late = told and (worst >= remind_from or event.cause == Why.ESCALATED)
        return Stop(channel, way, event if late else None, "nobody has acknowledged it" if late else "no reminder")
    if not told:
        first = replace(event, kind=EventKind.OPENED, new=event.alert.findings)
        return Stop(channel, way, first, f"this is {worst.value}, and it was not told yet")
    fresh = worst_of(event.new) if event.new else None
    news = fresh is not None and fresh >= threshold
    return Stop(channel, way, event if news else None, f"{'something' if news else 'nothing'} new in it is that bad")


def delivery_id(event: Event, channel: str) -> str:
    """Give the message id: `msg_` and 32 hex digits over what is told, to whom.

    It rests on the alert, the event and the findings' identities, never on wording or time: the same thing told to
    the same channel has the same id, and a receiver can drop what it already has. What is told again on purpose is
    another message each time: it counts.
    """
    alert = event.alert
    what = [alert.id, event.kind.value, channel, _told_now(event.new) or [alert.reason]]
    if event.cause:
        what.append([event.cause, str(alert.reminders)])
    if event.kind is EventKind.ACKNOWLEDGED and alert.acknowledged is not None:
        what.append([alert.acknowledged.at.isoformat()])
    text = json.dumps(what, ensure_ascii=True)
    return "msg_" + hashlib.sha256(text.encode("ascii")).hexdigest()[:32]


def _told_now(findings: Iterable[Finding]) -> list[str]:
    return sorted(mark(finding) for finding in findings)
