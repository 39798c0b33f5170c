"""alerts route: to which channels an alert goes, and why."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Annotated

import typer

from driftwatch.cli.app import call_of
from driftwatch.cli.ground import now, settings_of
from driftwatch.cli.messages import CHARS, about_of
from driftwatch.cli.moments import iso, moment, span
from driftwatch.cli.options import Format, Output
from driftwatch.cli.stored import opened
from driftwatch.cli.terminal import Terminal
from driftwatch.config.routes import RouteConfig
from driftwatch.config.schema import Settings
from driftwatch.config.words import did_you_mean, quoted
from driftwatch.errors import UsageError
from driftwatch.model import Alert, AlertKind, Json, Severity
from driftwatch.review.attend import RULE_NAMES
from driftwatch.store.store import Store
from driftwatch.tell.explain import Explained, explain, sketched
from driftwatch.tell.routes import Path, Routing, Stop
from driftwatch.tell.telling import labels_of

Which = Annotated[str | None, typer.Argument(metavar="[ID]", help="An alert: its id, or the beginning of it.")]
About = Annotated[str | None, typer.Option("--server", metavar="SERVER", help="The server that one would be about.")]
HowBad = Annotated[Severity, typer.Option("--severity", help="How bad one would be.")]
Found = Annotated[str, typer.Option("--rule", metavar="RULE", help="What would be found.")]
OfKind = Annotated[AlertKind, typer.Option("--kind", help="What one would be about.")]
Failing = Annotated[str, typer.Option("--channel", metavar="NAME", help="The channel that would fail.")]
Reasons = Annotated[bool, typer.Option("--explain", help="Say why, of every route and channel.")]


def route(
    context: typer.Context,
    alert: Which = None,
    server: About = None,
    severity: HowBad = Severity.HIGH,
    rule: Found = "",
    *,
    kind: OfKind = AlertKind.DRIFT,
    channel: Failing = "",
    reasons: Reasons = False,
    output: Output = Format.TEXT,
) -> None:
    """Say to which channels an alert goes: one that there is, or one that there might be.

    It tells nobody. Silences that are in force count.
    """
    settings, at = settings_of(context), now(context)
    with opened(context, settings) as store:
        if alert is None:
            _refuse_strange(settings, store, kind, server=server, channel=channel, rule=rule)
        made_up = sketched(kind, server=server or "", channel=channel, rule=rule, severity=severity, now=at)
        meant = made_up if alert is None else store.alert(alert)
        told = store.channels_told(meant.id)
        routing = Routing.of(settings, store.silences(at=at))
    found = explain(meant, routing, labels_of(settings, meant))
    terminal = call_of(context).terminal
    if output is Format.JSON:
        terminal.json(_json(found, told))
    else:
        _print(terminal, found, told, at, why=reasons)


def _refuse_strange(
    settings: Settings, store: Store, kind: AlertKind, *, server: str | None, channel: str, rule: str
) -> None:
    """Refuse what no alert could be about.

    Raises:
        UsageError: it is not said what the alert would be about, or there is no such thing.

    """
    about_server = kind in {AlertKind.DRIFT, AlertKind.HEALTH}
    if about_server and server is None:
        raise UsageError("Say which alert is meant.", hint="Give its id, or --server NAME for one that might be.")
    if server is not None and server not in store.states():
        settings.server(server)
    names = [one.name for one in settings.channels]
    if kind is AlertKind.CHANNEL and channel not in names:
        hint = did_you_mean(channel, names) if channel else "Say which channel would fail: --channel NAME"
        raise UsageError(
            f"No channel is called {quoted(channel)}." if channel else "Say which alert is meant.",
            hint=hint[:1].upper() + hint[1:],
        )
    if rule and rule not in RULE_NAMES:
        hint = did_you_mean(rule, RULE_NAMES, otherwise="See them with: driftwatch rules")
        raise UsageError(f"No rule is called {quoted(rule)}.", hint=hint[:1].upper() + hint[1:])


def _print(terminal: Terminal, found: Explained, told: frozenset[str], at: datetime, *, why: bool) -> None:
    for line in _lines(found, told, at, why=why):
        terminal.say(line)
    if why:
        _tables(terminal, found, told)


def _lines(found: Explained, told: frozenset[str], at: datetime, *, why: bool) -> Iterator[str]:
    """Give the answer in sentences: who hears of it, who later, and what is kept back."""
    alert = found.alert
    yield f"{_named(alert)}:"
    for stop in found.told:
        yield f"  goes to {stop.channel.name} ({stop.channel.kind}){_gathered(stop)}{_already(stop, told)}"
    if not found.told:
        yield "  goes to nobody." if why else "  goes to nobody. Why: add --explain"
    for passed in found.passed_on:
        names = ", ".join(stop.channel.name for stop in passed.stops if stop.event is not None)
        to = f"goes to {names} as well" if names else "would be passed on, and nobody there asks for it"
        yield f"  after {_length(passed.way.escalate_after)} without an acknowledgement {to}"
    for kept in found.kept:
        silence = kept.silence
        many = "all of it" if len(kept.findings) == len(alert.findings) else f"{len(kept.findings)} of its findings"
        until = f"until {moment(silence.until)} (for {span(silence.until - at)})"
        yield f"  {silence.id[:CHARS]} keeps {many} back {until}: {silence.reason}"
    if alert.id and not alert.state.stands:
        yield "  It is over; this is where another like it would go."


def _named(alert: Alert) -> str:
    """Name the alert that is meant, or what one would be."""
    about = about_of(alert.server, alert.channel)
    if alert.id:
        return f"{about}, {alert.kind.value}, {alert.severity.value} ({alert.id[:CHARS]})"
    rule = alert.findings[0].rule
    return f"An alert of the kind {alert.kind.value} on {about}, {alert.severity.value}{f', {rule}' if rule else ''}"


def _gathered(stop: Stop) -> str:
    """Say for how long a route gathers what a channel hears."""
    window = _window(stop)
    return f", gathered for up to {_length(window)}" if window else ""


def _window(stop: Stop) -> float:
    return stop.way.window if stop.way is not None and stop.channel.gathers else 0.0


def _already(stop: Stop, told: frozenset[str]) -> str:
    return "; it was told" if stop.channel.name in told else ""


def _length(seconds: float) -> str:
    return span(timedelta(seconds=seconds))


def _tables(terminal: Terminal, found: Explained, told: frozenset[str]) -> None:
    """Print every route and every channel with its reason."""
    terminal.say()
    rows = [
        ("yes" if path.taken else "no", path.way.name, ", ".join(path.way.channels), path.why, _times(path.way))
        for path in found.paths
    ]
    terminal.table(("goes", "route", "channels", "why", "times"), rows)
    terminal.say()
    stops = [_stop_row(stop, told, "yes") for stop in found.stops]
    for passed in found.passed_on:
        stops += [_stop_row(stop, told, f"after {_length(passed.way.escalate_after)}") for stop in passed.stops]
    terminal.table(("told", "channel", "route", "why"), stops)


def _stop_row(stop: Stop, told: frozenset[str], when: str) -> tuple[str, ...]:
    """Give the cells of one channel: when it hears, by which route, and why."""
    hears = stop.event is not None
    why = "it was told of it, and hears of what is new in it" if hears and stop.channel.name in told else stop.why
    return (when if hears else "no", stop.channel.name, "-" if stop.way is None else stop.way.name, why)


def _times(way: RouteConfig) -> str:
    """Say how a route gathers, and when it passes on."""
    said = [f"gathers for {_length(way.window)}"] if way.window else []
    if way.escalate_after:
        said.append(f"after {_length(way.escalate_after)} to {', '.join(way.escalate_to)}")
    return "; ".join(said) or "at once"


def _json(found: Explained, told: frozenset[str]) -> dict[str, Json]:
    """Give the whole answer for programs."""
    alert = found.alert
    return {
        "version": 1,
        "alert": alert.id or None,
        "server": alert.server,
        "channel": alert.channel,
        "kind": alert.kind.value,
        "severity": alert.severity.value,
        "routes": [_path_json(path) for path in found.paths],
        "channels": [_stop_json(stop, told) for stop in found.stops],
        "escalations": [
            {
                "route": passed.way.name,
                "after_seconds": passed.way.escalate_after,
                "channels": [_stop_json(stop, told) for stop in passed.stops],
            }
            for passed in found.passed_on
        ],
        "silences": [
            {
                "id": kept.silence.id,
                "until": iso(kept.silence.until),
                "reason": kept.silence.reason,
                "by": kept.silence.by,
                "findings": [finding.fingerprint for finding in kept.findings],
            }
            for kept in found.kept
        ],
    }


def _path_json(path: Path) -> dict[str, Json]:
    return {
        "name": path.way.name,
        "taken": path.taken,
        "why": path.why,
        "findings": [finding.fingerprint for finding in path.findings],
        "channels": list(path.way.channels),
        "window_seconds": path.way.window,
        "escalate_after_seconds": path.way.escalate_after,
        "escalate_to": list(path.way.escalate_to),
    }


def _stop_json(stop: Stop, told: frozenset[str]) -> dict[str, Json]:
    return {
        "name": stop.channel.name,
        "kind": stop.channel.kind,
        "hears": stop.event is not None,
        "route": None if stop.way is None else stop.way.name,
        "why": stop.why,
        "window_seconds": _window(stop),
        "severity": None if stop.event is None else stop.event.alert.severity.value,
        "told_before": stop.channel.name in told,
    }
