"""silences: what nobody wants to hear of for a time."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Annotated

import typer

from driftwatch.cli.app import call_of, commands
from driftwatch.cli.ground import now, person, settings_of
from driftwatch.cli.messages import CHARS
from driftwatch.cli.moments import iso, moment, read_moment, span
from driftwatch.cli.options import By, Format, Limit, Output
from driftwatch.cli.stored import opened
from driftwatch.cli.terminal import warn
from driftwatch.config.units import seconds
from driftwatch.config.words import quoted
from driftwatch.errors import UsageError
from driftwatch.model import Json, Severity, Silence
from driftwatch.model.amounts import many
from driftwatch.model.commands import command
from driftwatch.review import attend
from driftwatch.tell.silence import kept_back_by

app = commands()
silences = commands()
app.add_typer(silences, name="silences")

OnServers = Annotated[str, typer.Option("--server", metavar="NAME", help="On these servers; * for any part.")]
AboutTools = Annotated[str, typer.Option("--tool", metavar="NAME", help="About these tools; * for any part.")]
ByRules = Annotated[str, typer.Option("--rule", metavar="RULE", help="By these rules; * for any part.")]
UpTo = Annotated[Severity, typer.Option("--severity", help="The worst that is kept back; what is worse is told.")]
Lasts = Annotated[str | None, typer.Option("--for", metavar="TIME", help="How long, as 30m, 2h or 7d.")]
Until = Annotated[str | None, typer.Option("--until", metavar="TIME", help="Until when, as 2026-03-01T12:00 (UTC).")]
Reason = Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why; it is shown to others.")]

_FOR_HINT = "Write it as 30m, 2h, or 7d."
_UNTIL_HINT = "Write it as 2026-03-01, or as 2026-03-01T12:00 (UTC)."


@silences.callback(invoke_without_command=True)
def _silences(
    context: typer.Context,
    everything: Annotated[bool, typer.Option("--all", help="Those that are over as well.")] = False,
    limit: Limit = 50,
    output: Output = Format.TEXT,
) -> None:
    """List the silences that are in force, newest first."""
    if context.invoked_subcommand is not None:
        return
    at = now(context)
    with opened(context, settings_of(context)) as store:
        found = store.silences(at=None if everything else at, limit=limit)
    terminal = call_of(context).terminal
    if output is Format.JSON:
        terminal.json({"version": 1, "silences": [_json(one, at) for one in found]})
    elif not found:
        terminal.say("There was never a silence." if everything else "No silence is in force: everything is told.")
    else:
        rows = [(one.id[:CHARS], kept_back_by(one), _until(one, at), one.by, one.reason) for one in found]
        terminal.table(("silence", "keeps back", "until", "by", "reason"), rows, whole=1)


@silences.command()
def add(
    context: typer.Context,
    server: OnServers = "",
    tool: AboutTools = "",
    rule: ByRules = "",
    severity: UpTo = Severity.HIGH,
    *,
    lasts: Lasts = None,
    until: Until = None,
    reason: Reason = "",
    by: By = None,
    output: Output = Format.TEXT,
) -> None:
    """Keep back for a time what fits; when it ends, what is still there is told again."""
    settings, at = settings_of(context), now(context)
    end = _end(lasts, until, at)
    about = {"server": server, "tool": tool, "rule": rule}
    with opened(context, settings) as store:
        made = attend.silence(store, **about, severity=severity, reason=reason, by=person(by), now=at, until=end)
        kept = attend.kept_back_now(store, made)
        if attend.is_for_nobody(settings, store, made):
            warn(f"warning: no server is called {quoted(made.server)} by now; the silence waits for one.")
    terminal = call_of(context).terminal
    if output is Format.JSON:
        terminal.json({"version": 1, "silence": _json(made, at), "findings": kept})
        return
    terminal.say(f"{made.id}: keeps back what is found {kept_back_by(made)}, until {moment(made.until)}.")
    terminal.say(f"Of what is open now that is {many(kept, 'finding')}.")
    terminal.say(f"To end it sooner: {command('silences', 'end', made.id[:CHARS])}")


@silences.command()
def end(
    context: typer.Context,
    silence: Annotated[str, typer.Argument(metavar="ID", help="Its id, or the beginning of it.")],
    by: By = None,
    output: Output = Format.TEXT,
) -> None:
    """End a silence before its time: what it kept back, and is still there, is told."""
    at = now(context)
    with opened(context, settings_of(context)) as store:
        ended = attend.unsilence(store, silence, by=person(by), now=at)
    terminal = call_of(context).terminal
    if output is Format.JSON:
        terminal.json({"version": 1, "silence": _json(ended, at)})
        return
    terminal.say(f"{ended.id}: ended. What it kept back is told at the next check, or when the daemon runs.")


def _end(lasts: str | None, until: str | None, at: datetime) -> datetime:
    """Read when a silence ends.

    Raises:
        UsageError: it is not said once, or not understood.

    """
    if (lasts is None) == (until is None):
        raise UsageError("Say when the silence ends.", hint="Give --for 2h, or --until 2026-03-01T12:00.")
    if until is not None:
        return read_moment(until, hint=_UNTIL_HINT)
    length = seconds(lasts or "")
    if length is None:
        raise UsageError(f"{lasts!r} is not a length of time.", hint=_FOR_HINT)
    return at + timedelta(seconds=min(length, 2 * attend.LONGEST.total_seconds()))


def _until(silence: Silence, at: datetime) -> str:
    """Say when a silence ends, or when it did."""
    if silence.ended_at is not None:
        return f"ended {moment(silence.ended_at)} by {silence.ended_by}"
    if silence.holds(at):
        return f"{moment(silence.until)} (in {span(silence.until - at)})"
    return f"{moment(silence.until)} (over)"


def _json(silence: Silence, at: datetime) -> dict[str, Json]:
    """Give one silence for programs."""
    return {
        "id": silence.id,
        "server": silence.server,
        "tool": silence.tool,
        "rule": silence.rule,
        "severity": silence.severity.value,
        "reason": silence.reason,
        "by": silence.by,
        "created_at": iso(silence.created_at),
        "until": iso(silence.until),
        "ended_at": iso(silence.ended_at),
        "ended_by": silence.ended_by,
        "in_force": silence.holds(at),
    }
