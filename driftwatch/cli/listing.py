"""status: how what is watched stands, as a table or JSON."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime

import typer
from rich.text import Text

from driftwatch.cli.ahead import passed_lines
from driftwatch.cli.app import call_of, commands
from driftwatch.cli.asides import rejected_lines
from driftwatch.cli.faces import face_lines, faces_by_server, faces_json
from driftwatch.cli.ground import now, settings_of
from driftwatch.cli.messages import CHARS
from driftwatch.cli.moments import ago, iso, moment, short, span
from driftwatch.cli.options import Format, Output, ShowHidden
from driftwatch.cli.reports import show_hidden_of
from driftwatch.cli.stored import opened
from driftwatch.cli.terminal import Terminal
from driftwatch.config.routes import fits
from driftwatch.config.schema import Settings
from driftwatch.model import Alert, AlertKind, ChannelHealth, Face, Json, ServerState, Silence, is_witness
from driftwatch.model.amounts import many
from driftwatch.model.commands import command
from driftwatch.report import finding_json
from driftwatch.report.asides import Passed, Rejected, passed_json, rejected_json
from driftwatch.report.lastlook import look_json
from driftwatch.review.passed import passed_everywhere
from driftwatch.review.refused import rejected_beside
from driftwatch.review.standing import AWAITED, Awaited, Stand, Standing, stands, why
from driftwatch.store.holding import reload_failed
from driftwatch.store.records import Counts
from driftwatch.store.store import Store
from driftwatch.tell.silence import kept_back_by
from driftwatch.watch.fetch.sandbox.said import sandbox_words

app = commands()

_COLOURS = {
    Standing.UNSEEN: "dim",
    Standing.FAILED: "yellow",
    Standing.DRIFT: "bold red",
    Standing.FOUND: "bold red",
    Standing.UNAPPROVED: "yellow",
    Standing.CLEAN: "green",
    Standing.OFF: "dim",
    Standing.UNKNOWN: "yellow",
}


_SILENCES = 3
"""Silences that the status names."""


@app.command()
def status(context: typer.Context, output: Output = Format.TEXT, show_hidden: ShowHidden = False) -> None:
    """Show how every server stands, and what waits to be told."""
    settings = settings_of(context)
    with opened(context, settings) as store:
        states = store.states()
        found = stands(settings, store, now(context))
        counts = store.counts()
        faces = faces_by_server(store)
        failing = _failing(settings, store)
        silences = store.silences(at=now(context))
        tampered = store.open_alert("", AlertKind.AUDIT)
        passed = passed_everywhere(store, now(context))
        said_no = {name: _said_no(store, name, one, faces.get(name, {})) for name, one in found.items()}
    terminal = call_of(context).terminal
    if output is Format.JSON:
        servers = [_status_json(name, one, states.get(name), passed, said_no) for name, one in found.items()]
        for server in settings.servers:
            at = list(found).index(server.name)
            servers[at]["identities"] = faces_json(settings, server, faces.get(server.name, {}))
        more = {**_counts_json(counts, failing), **supply_json(settings), **_silences_json(found, silences)}
        more["changed_by_hand"] = tampered.id if tampered else None
        terminal.json({"version": 1, "servers": servers, **more, **_reload_json(settings)})
        return
    _print_status(terminal, found, states, counts, now(context))
    quiet = (*_quiet_lines(failing, silences, now(context)), *_reload_lines(settings))
    for line in (*_amiss_lines(tampered, passed, said_no), *quiet, *_around_lines(settings, faces, now(context))):
        terminal.say(line)
    if show_hidden:
        show_hidden_of(terminal, {name: one.hidden for name, one in found.items()}, listed=True)


def _print_status(
    terminal: Terminal, found: dict[str, Stand], states: dict[str, ServerState], counts: Counts, at: datetime
) -> None:
    """Print the table of servers, then what needs a word, then alerts and outbox."""
    if not found:
        terminal.say("No server is configured. Add one to the configuration, or try: driftwatch import FILE")
        return
    rows = [_status_row(name, one, states.get(name), at) for name, one in found.items()]
    terminal.table(("server", "state", "looked", "next look", "baseline"), rows)
    terminal.say()
    for name, one in found.items():
        if one.standing is Standing.FAILED:
            terminal.say(f"{name} could not be looked at: {why(states[name])}")
    for line in _awaited_lines(found):
        terminal.say(line)
    if all(one.standing in {Standing.UNSEEN, Standing.OFF} for one in found.values()):
        terminal.say("Nothing was ever looked at. Look now: driftwatch check — or keep looking: driftwatch run")
    if any(one.late for one in found.values()):
        terminal.say("Looks are overdue: no daemon seems to be looking. Start it: driftwatch run")
    terminal.say(_outbox_words(counts))
    if counts.open_alerts:
        terminal.say("To read the alerts: driftwatch alerts")


def _awaited_lines(found: Mapping[str, Stand]) -> Iterator[str]:
    """Say of which servers an agent was shown something else, what that waits for, and what to do."""
    to_do = {Awaited.LOOK: ("Look now", "check"), Awaited.PERSON: ("See", "diff")}
    for name, one in found.items():
        for what in one.awaits:
            words, verb = to_do[what]
            yield f"{name}: {AWAITED[what]} {words}: {command(verb, name)}"


def _status_row(name: str, one: Stand, state: ServerState | None, at: datetime) -> tuple[str | Text, ...]:
    """Give the cells of one server."""
    words = Text(one.words, style=_COLOURS[one.standing])
    if state is None:
        return (name, words, "-", "-", "-")
    baseline = state.baseline
    by = f" {baseline.by}" if baseline and baseline.by else ""
    kept = f"{short(baseline.digest)}{by}" if baseline else "-"
    return (name, words, ago(state.last_look_at, at), _next_look(one, state, at), kept)


def _next_look(one: Stand, state: ServerState, at: datetime) -> str:
    """Say when the next look is due; nobody looks at a server that is off or not configured."""
    if one.standing in {Standing.OFF, Standing.UNKNOWN}:
        return "none"
    return f"overdue {span(one.late)}" if one.late else ago(state.next_look_at, at)


def _outbox_words(counts: Counts) -> str:
    """Say in a line what is open and what waits."""
    waiting = f"{counts.deliveries_pending} waiting to be sent"
    remarks = [f"{counts.deliveries_held} of them gathered by routes"] if counts.deliveries_held else []
    remarks += [] if counts.oldest_pending is None else [f"the oldest for {span(counts.oldest_pending)}"]
    waiting += f" ({', '.join(remarks)})" if remarks else ""
    return f"Alerts: {counts.open_alerts} open. Outbox: {waiting}, {counts.deliveries_dead} given up."


def _failing(settings: Settings, store: Store) -> list[ChannelHealth]:
    """Give the configured channels whose last attempt failed."""
    known = store.channel_health()
    mine = [known[channel.name] for channel in settings.channels if channel.name in known]
    return [health for health in mine if health.failing_since is not None]


def _failing_words(health: ChannelHealth, at: datetime) -> str:
    """Say that a channel takes no messages, since when, and what it said."""
    since = "" if health.failing_since is None else f" for {span(at - health.failing_since)}"
    return f"The channel {health.name} has taken no message{since}: {health.last_result}. See: driftwatch channels"


def _quiet_lines(failing: Iterable[ChannelHealth], silences: Sequence[Silence], at: datetime) -> Iterator[str]:
    """Say why it may be quiet: channels that take nothing, and how many silences keep back what."""
    yield from (_failing_words(one, at) for one in failing)
    if not silences:
        return
    shown = "; ".join(f"{kept_back_by(one)}, until {moment(one.until)}" for one in silences[:_SILENCES])
    more = f"; and {len(silences) - _SILENCES} more" if len(silences) > _SILENCES else ""
    yield f"{many(len(silences), 'silence is', 'silences are')} in force: {shown}{more}. See: driftwatch silences"


def _reload_json(settings: Settings) -> dict[str, Json]:
    """Say for programs when and why the last reload failed; None where it worked, or there was none."""
    failed = reload_failed(settings.database_url)
    return {"reload_failed": {"at": failed.at, "why": failed.words} if failed else None}


def _reload_lines(settings: Settings) -> Iterator[str]:
    """Say that the daemon goes on with an older configuration than the one that it was to take last, and why."""
    failed = reload_failed(settings.database_url)
    if failed is not None:
        words = " ".join(failed.words.split())
        yield f"The last reload failed ({failed.at}), and the configuration before it is in force: {words}"


def _around_lines(settings: Settings, faces: Mapping[str, Mapping[str, Face]], at: datetime) -> Iterator[str]:
    """Say whether registries are asked, in what local servers run, and as whom else servers are looked at."""
    yield f"Supply watch: {settings.supply.words}."
    if sandbox := sandbox_words(settings, os.environ):
        yield f"Sandbox of local servers: {sandbox}."
    for server in settings.servers:
        yield from face_lines(settings, server, faces.get(server.name, {}), at)


def _silences_json(names: Iterable[str], silences: Sequence[Silence]) -> dict[str, Json]:
    """Say for programs how many silences are in force, and which servers they keep something of back."""
    kept = [name for name in names if any(not one.server or fits(one.server, name) for one in silences)]
    return {"silences": {"in_force": len(silences), "servers": kept}}


def _amiss_lines(
    tampered: Alert | None, passed: Mapping[str, Sequence[Passed]], said_no: Mapping[str, Sequence[Rejected]]
) -> Iterator[str]:
    """Say that the database was changed by hand, and of every server which approvals ahead a bump has passed by.

    And what somebody said no to of what agents were shown by it, and of what came to light at another start.
    """
    if tampered is not None:
        yield f"The database was changed by hand, see: {command('alerts', 'show', tampered.id[:CHARS])}"
    for name, some in passed.items():
        yield from passed_lines(name, some)
    for name, refused in said_no.items():
        yield from (f"{name}: {line}" for line in rejected_lines(refused))


def _said_no(store: Store, name: str, one: Stand, known: Mapping[str, Face]) -> tuple[Rejected, ...]:
    """Give what people said no to of what agents were shown by a server, or at another start, and stands."""
    apart = any(face.suspect and is_witness(face.identity) for face in known.values())
    return rejected_beside(store, name) if apart or one.worst is not None else ()


def _status_json(
    name: str,
    one: Stand,
    state: ServerState | None,
    passed: Mapping[str, Sequence[Passed]],
    said_no: Mapping[str, Sequence[Rejected]],
) -> dict[str, Json]:
    """Give one server for programs."""
    state = state or ServerState(server=name)
    baseline = state.baseline
    return {
        "name": name,
        "state": one.standing.value,
        "worst": one.worst.value if one.worst else None,
        "rejected": one.rejected,
        "rejections": rejected_json(said_no[name]),
        "agents_await": [what.value for what in one.awaits],
        "hidden": [finding_json(finding) for finding in one.hidden],
        "overdue_seconds": None if one.late is None else int(one.late.total_seconds()),
        "failures": state.failures,
        "outcome": state.last_outcome,
        "detail": state.last_detail,
        "last_look_at": iso(state.last_look_at),
        "last_ok_at": iso(state.last_ok_at),
        "next_look_at": iso(state.next_look_at),
        "snapshot_digest": state.last_digest,
        "baseline": baseline
        and {
            "digest": baseline.digest,
            "state": baseline.state.value,
            "since": iso(baseline.since),
            "by": baseline.by,
            "note": baseline.note,
        },
        "listing": look_json(state.listing),
        "ahead_waits": passed_json(passed.get(name, ())),
    }


def _counts_json(counts: Counts, failing: Sequence[ChannelHealth]) -> dict[str, Json]:
    """Give alerts and outbox for programs."""
    oldest = counts.oldest_pending
    return {
        "open_alerts": counts.open_alerts,
        "outbox": {
            "pending": counts.deliveries_pending,
            "held": counts.deliveries_held,
            "dead": counts.deliveries_dead,
            "oldest_pending_seconds": None if oldest is None else int(oldest.total_seconds()),
        },
        "failing_channels": [
            {
                "name": health.name,
                "failures": health.failures,
                "failing_since": iso(health.failing_since),
                "last_result": health.last_result,
                "dead": health.dead,
            }
            for health in failing
        ],
    }


def supply_json(settings: Settings) -> dict[str, Json]:
    """Say for programs whether registries are asked."""
    return {"supply": {"enabled": settings.supply.enabled}}
