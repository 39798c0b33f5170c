"""Where an alert goes and why: every route, every channel, what silences keep back, and who hears of it later. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from driftwatch.config.routes import RouteConfig
from driftwatch.judge.rules import RULES
from driftwatch.model import Alert, AlertKind, Axis, Event, EventKind, Finding, Kind, Severity, Silence
from driftwatch.tell import health, pipes
from driftwatch.tell.routes import Path, Routing, Stop, paths, stops
from driftwatch.tell.silence import heard, muted_in, silenced_by
from driftwatch.tell.told import Why, begun

_AXES: Final = {rule.id: rule.axis for rule in RULES}

_OWN_RULES: Final = {
    AlertKind.HEALTH: health.RULE,
    AlertKind.CHANNEL: pipes.FAILING,
    AlertKind.DAEMON: pipes.BLIND,
    AlertKind.AUDIT: pipes.TAMPERED,
}
"""The one rule that a finding has which is about no list."""


@dataclass(frozen=True, slots=True)
class KeptBack:
    """A silence, and the findings that it keeps back."""

    silence: Silence
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class PassedOn:
    """A route that passes an alert on which nobody acknowledges, and the channels that hear of it then."""

    way: RouteConfig
    stops: tuple[Stop, ...]


@dataclass(frozen=True, slots=True)
class Explained:
    """Where an alert goes as if nobody had been told of it yet: the routes, the channels, and the reasons."""

    alert: Alert
    paths: tuple[Path, ...]
    stops: tuple[Stop, ...]
    kept: tuple[KeptBack, ...] = ()
    passed_on: tuple[PassedOn, ...] = ()

    @property
    def told(self) -> tuple[Stop, ...]:
        """The channels that hear of it."""
        return tuple(stop for stop in self.stops if stop.event is not None)


def explain(alert: Alert, routing: Routing, labels: Mapping[str, str]) -> Explained:
    """Say where an alert goes with all of its findings. `labels` are those of its server."""
    muted = muted_in(alert, routing.silences)
    left = heard(alert, muted) if muted else alert
    first = Event(EventKind.OPENED, alert, new=alert.findings)
    found = tuple(stops(first, routing, earlier=frozenset(), labels=labels))
    silent = bool(alert.findings) and not left.findings
    ways = paths(alert if silent else left, (alert if silent else left).findings, routing.ways, labels)
    told = frozenset(stop.channel.name for stop in found if stop.event is not None)
    return Explained(
        alert=alert,
        paths=tuple(ways),
        stops=found,
        kept=kept_back(alert, routing),
        passed_on=() if silent else tuple(_passed_on(left, routing, path.way, told, labels) for path in _late(ways)),
    )


def kept_back(alert: Alert, routing: Routing) -> tuple[KeptBack, ...]:
    """Give the silences that keep back anything of an alert, each with what the ones before it do not."""
    by: dict[str, list[Finding]] = {}
    for finding in alert.findings:
        silence = silenced_by(finding, alert.server, routing.silences)
        if silence is not None:
            by.setdefault(silence.id, []).append(finding)
    return tuple(KeptBack(one, tuple(by[one.id])) for one in routing.silences if one.id in by)


def sketched(
    kind: AlertKind, *, server: str = "", channel: str = "", rule: str = "", severity: Severity, now: datetime
) -> Alert:
    """Make up an alert with one finding, to ask where such a one would go."""
    name = _OWN_RULES.get(kind, rule)
    finding = Finding(name, severity, Kind.SERVER, "", "", "", axis=_AXES.get(name, Axis.SECURITY))
    return replace(
        begun(kind, server, "", now, channel=channel), severity=severity, findings=(finding,), updated_at=now
    )


def _late(ways: list[Path]) -> list[Path]:
    return [path for path in ways if path.taken and path.way.escalate_after]


def _passed_on(
    alert: Alert, routing: Routing, way: RouteConfig, told: frozenset[str], labels: Mapping[str, str]
) -> PassedOn:
    """Say who hears of an alert when a route passes it on."""
    event = Event(EventKind.REMINDED, alert, cause=Why.ESCALATED)
    late = stops(event, routing, earlier=told, labels=labels, escalating=way.name)
    return PassedOn(way, tuple(stop for stop in late if stop.channel.name in way.escalate_to))
