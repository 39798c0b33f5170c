"""alerts: what there is to tell, one alert in full, saying that you know of it, and where alerts go."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Annotated

import typer

from driftwatch.cli.acknowledge import ack
from driftwatch.cli.app import call_of, commands
from driftwatch.cli.asides import rejected_lines
from driftwatch.cli.ground import now, settings_of
from driftwatch.cli.items import spelled
from driftwatch.cli.messages import CHARS, about_of, result_words, waits_of
from driftwatch.cli.moments import ago, iso, moment
from driftwatch.cli.options import Format, Full, Limit, OnServer, Output
from driftwatch.cli.stored import known, opened
from driftwatch.cli.terminal import Terminal
from driftwatch.cli.whither import route
from driftwatch.judge.rules.other_start import RULE as OTHER_START
from driftwatch.judge.rules.witnessed_difference import RULE as WITNESSED
from driftwatch.model import Alert, AlertKind, AlertState, Delivery, Finding, Json, Report, Silence
from driftwatch.model.amounts import many
from driftwatch.model.commands import command
from driftwatch.report import sentence, summary, to_text
from driftwatch.report.finding import severity_style
from driftwatch.report.lines import Line, Piece, Style, wrap
from driftwatch.report.opinion import opinion_lines
from driftwatch.review.refused import rejected_beside
from driftwatch.store.records import Wait, Wanted
from driftwatch.store.store import Store
from driftwatch.tell.alertjson import alert_json, kept_back
from driftwatch.tell.silence import silenced_by

app = commands()
alerts = commands()
app.add_typer(alerts, name="alerts")
alerts.command()(ack)
alerts.command()(route)

_ABOUT = {
    AlertKind.CHANNEL: "takes no messages",
    AlertKind.DAEMON: "no look at anything works",
    AlertKind.AUDIT: "the database was changed by hand",
}
"""What an alert is about that is about no server."""

_INDENT = " " * 10

_NAMED = 5
"""Rejected items that a list of alerts names."""

AlertId = Annotated[str, typer.Argument(metavar="ID", help="Its id, or the beginning of it.")]


@alerts.callback(invoke_without_command=True)
def _alerts(
    context: typer.Context,
    server: OnServer = None,
    everything: Annotated[bool, typer.Option("--all", help="Resolved alerts as well.")] = False,
    limit: Limit = 50,
    output: Output = Format.TEXT,
) -> None:
    """List what there is to tell: open alerts, newest first."""
    if context.invoked_subcommand is not None:
        return
    settings = settings_of(context)
    with opened(context, settings) as store:
        name = known(settings, store, server) if server else None
        found = store.alerts(server=name, stands=not everything, limit=limit)
        silences = store.silences(at=now(context))
        said = {alert.id: _to_agents(store, alert) for alert in found}
    terminal = call_of(context).terminal
    if output is Format.JSON:
        terminal.json({"version": 1, "alerts": [alert_json(alert, silences) for alert in found]})
    elif not found:
        terminal.say("No alerts." if everything else "No open alerts.")
    else:
        for alert in found:
            terminal.lines(_alert_lines(alert, silences, said[alert.id], terminal.width))


@alerts.command()
def show(context: typer.Context, alert: AlertId, output: Output = Format.TEXT, full: Full = False) -> None:
    """Show all of an alert: what was found, who was told by which message, and what silences keep back."""
    with opened(context, settings_of(context)) as store:
        found = store.alert(alert)
        silences = store.silences(at=now(context))
        told = list(reversed(store.deliveries(wanted=Wanted(alert=found.id), limit=10_000)))
        waits = waits_of(store, told, now(context))
        said = _to_agents(store, found)
    terminal = call_of(context).terminal
    if output is Format.JSON:
        messages = [_message_json(one) for one in told]
        terminal.json({"version": 1, "alert": alert_json(found, silences), "messages": messages})
        return
    terminal.lines(_alert_lines(found, silences, said, terminal.width))
    report = Report(tuple(_marked(found, one, silences) for one in found.findings), notes=())
    terminal.say()
    terminal.write(to_text(report, colour=terminal.colour, width=terminal.width, full=full))
    terminal.say()
    _print_told(terminal, told, now(context), waits)
    _print_next(terminal, found)


def _to_agents(store: Store, alert: Alert) -> tuple[str, ...]:
    """Say who said no when to what an alert tells of beside the list: shown to agents, or at another start."""
    about = alert.state.stands and any(one.rule in {WITNESSED.id, OTHER_START.id} for one in alert.rejected)
    return tuple(rejected_lines(rejected_beside(store, alert.server))) if about else ()


def _alert_lines(alert: Alert, silences: Sequence[Silence], said: Sequence[str], width: int) -> Iterator[Line]:
    """Give the lines of one alert: what it is about and how it stands, then what it tells."""
    severity = Piece(alert.severity.value.upper().ljust(10), severity_style(alert.severity))
    yield from wrap([severity, Piece(sentence(_stands(alert)))], width=width, rest=_INDENT)
    yield from wrap([Piece(sentence(alert.id), Style.QUIET)], width=width, first=_INDENT, rest=_INDENT)
    what = alert.summary or summary(alert.findings)
    for line in (
        what,
        *opinion_lines(alert.findings),
        *_rejected_lines(alert),
        *said,
        *_silenced_lines(alert, silences),
    ):
        yield from wrap([Piece(sentence(line))], width=width, first=_INDENT, rest=_INDENT)


def _stands(alert: Alert) -> str:
    """Say what an alert is about and how it stands."""
    about = f"{about_of(alert.server, alert.channel)}: {_ABOUT.get(alert.kind, alert.kind.value)}"
    about += f", opened {moment(alert.opened_at)}"
    if alert.resolved_at is not None:
        about += f", resolved {moment(alert.resolved_at)} ({alert.reason})"
    elif alert.acknowledged is not None:
        note = f": {alert.acknowledged.note}" if alert.acknowledged.note else ""
        about += f", acknowledged {moment(alert.acknowledged.at)} by {alert.acknowledged.by}{note}"
    elif alert.state is AlertState.OPEN:
        about += ", still open"
    return f"{about}, {alert.reviewed}" if alert.reviewed else about


def _rejected_lines(alert: Alert) -> Iterator[str]:
    """Say to which items a person said no, where it was not to all of the list."""
    if alert.reviewed or not alert.rejected:
        return
    kinds = {(finding.kind, item) for finding in alert.rejected for item in finding.items or (finding.item,)}
    named = [spelled((kind, item, 0)) for kind, item in sorted(kinds)]
    more = f" and {len(named) - _NAMED} more" if len(named) > _NAMED else ""
    count = f"{len(alert.rejected)} of {many(len(alert.findings), 'finding')}"
    yield f"Rejected by a person: {', '.join(named[:_NAMED])}{more} ({count})"


def _silenced_lines(alert: Alert, silences: Sequence[Silence]) -> Iterator[str]:
    """Say how many findings are kept back, until when, and why."""
    kept = kept_back(alert, silences)
    for silence in dict.fromkeys(silence for _, silence in kept):
        count = sum(one == silence for _, one in kept)
        many = "All of it is" if count == len(alert.findings) else f"{count} of {len(alert.findings)} findings are"
        many = f"1 of {len(alert.findings)} findings is" if count == 1 < len(alert.findings) else many
        yield f"{many} silenced until {moment(silence.until)} by {silence.by}: {silence.reason} ({silence.id[:CHARS]})"


def _marked(alert: Alert, finding: Finding, silences: Sequence[Silence]) -> Finding:
    """Give a finding as it is shown: with the silence that keeps it back, if one does."""
    silence = silenced_by(finding, alert.server, silences) if alert.state.stands else None
    if silence is None:
        return finding
    return replace(finding, hidden=f"silenced until {moment(silence.until)} ({silence.id[:CHARS]})")


def _print_told(terminal: Terminal, told: Sequence[Delivery], at: datetime, waits: Mapping[str, Wait]) -> None:
    """Print who was told of an alert, by which messages."""
    if not told:
        terminal.say("Nobody was told of it. Why: driftwatch alerts route --explain with its id.")
        return
    rows = [
        (
            one.id[:CHARS],
            one.channel,
            one.event.value,
            ago(one.created_at, at),
            one.state.value,
            result_words(one, at, waits),
        )
        for one in told
    ]
    terminal.table(("message", "channel", "event", "created", "state", "result"), rows, whole=1)


def _print_next(terminal: Terminal, alert: Alert) -> None:
    """Say what a person can do next, in commands that can be copied."""
    if not alert.state.stands:
        return
    steps = [command("diff", alert.server)] if alert.kind is AlertKind.DRIFT else []
    steps += [command("check", alert.server)] if alert.kind is AlertKind.HEALTH else []
    steps += [command("channels", "test", alert.channel)] if alert.kind is AlertKind.CHANNEL else []
    steps += ["driftwatch status"] if alert.kind is AlertKind.DAEMON else []
    steps += ["driftwatch audit verify"] if alert.kind is AlertKind.AUDIT else []
    steps += [command("alerts", "ack", alert.id[:CHARS])] if alert.state is AlertState.OPEN else []
    terminal.say()
    terminal.say("Next:")
    for step in steps:
        terminal.say(f"  {step}")


def _message_json(one: Delivery) -> dict[str, Json]:
    """Give one message about an alert for programs."""
    return {
        "id": one.id,
        "channel": one.channel,
        "event": one.event.value,
        "state": one.state.value,
        "created_at": iso(one.created_at),
        "batch": one.batch,
        "last_result": one.last_result,
    }
