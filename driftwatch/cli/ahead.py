"""ahead: what people approved before a server shows it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated

import typer

from driftwatch.cli.app import call_of, commands
from driftwatch.cli.ground import now, person, settings_of
from driftwatch.cli.messages import CHARS
from driftwatch.cli.moments import iso, moment, short, span
from driftwatch.cli.options import By, Format, Limit, OnServer, Output
from driftwatch.cli.stored import known, opened
from driftwatch.model import Ahead, Json
from driftwatch.model.commands import command
from driftwatch.report.asides import Passed
from driftwatch.review import ahead as verb

app = commands()
ahead = commands()
app.add_typer(ahead, name="ahead")


@ahead.callback(invoke_without_command=True)
def _ahead(
    context: typer.Context,
    server: OnServer = None,
    everything: Annotated[bool, typer.Option("--all", help="Those that were used or are over as well.")] = False,
    limit: Limit = 50,
    output: Output = Format.TEXT,
) -> None:
    """List what is approved ahead of a roll-out and waits for the server to show it, newest first."""
    if context.invoked_subcommand is not None:
        return
    settings, at = settings_of(context), now(context)
    with opened(context, settings) as store:
        name = known(settings, store, server) if server else None
        found = store.aheads(name, at=None if everything else at, limit=limit)
    terminal = call_of(context).terminal
    if output is Format.JSON:
        terminal.json({"version": 1, "ahead": [ahead_json(one) for one in found]})
    elif not found:
        terminal.say("Nothing was ever approved ahead." if everything else "Nothing is approved ahead.")
    else:
        rows = [
            (one.id[:CHARS], one.server, one.version or "any", short(one.digest), _by(one), _stands(one, at))
            for one in found
        ]
        terminal.table(("approval", "server", "version", "list", "approved", "stands"), rows, whole=1)


@ahead.command()
def end(
    context: typer.Context,
    approval: Annotated[str, typer.Argument(metavar="ID", help="Its id, or the beginning of it.")],
    note: Annotated[str, typer.Option("--note", metavar="TEXT", help="Why; it is kept in the audit log.")] = "",
    by: By = None,
    output: Output = Format.TEXT,
) -> None:
    """End an approval before it is used: what the server shows then is judged as if nobody had approved it."""
    with opened(context, settings_of(context)) as store:
        ended = verb.end_ahead(store, approval, by=person(by), now=now(context), why=note)
    terminal = call_of(context).terminal
    if output is Format.JSON:
        terminal.json({"version": 1, "ahead": ahead_json(ended)})
        return
    terminal.say(f"{ended.id}: ended. {short(ended.digest)} of {ended.server} is not approved ahead any more.")


def _by(one: Ahead) -> str:
    note = f": {one.note}" if one.note else ""
    return f"{moment(one.at)} by {one.by}{note}"


def _stands(one: Ahead, at: datetime) -> str:
    """Say how it stands with an approval."""
    if one.used_at is not None:
        return f"used {moment(one.used_at)}"
    if one.ended_at is not None:
        return f"ended {moment(one.ended_at)} by {one.ended_by}"
    return f"waits, good for {span(one.until - at)}" if one.waits(at) else f"over since {moment(one.until)}"


def passed_lines(server: str, passed: Sequence[Passed]) -> list[str]:
    """Say of a server that was bumped which approvals ahead wait for another version than the one that runs."""
    return [
        f"An approval ahead for {server} ({one.short}, by {one.by}) waits for version {one.version}, and"
        f" {one.runs} runs: it says nothing of this. No longer wanted? {command('ahead', 'end', one.short)}"
        for one in passed
    ]


def ahead_json(one: Ahead) -> dict[str, Json]:
    """Give one approval for programs."""
    return {
        "id": one.id,
        "server": one.server,
        "digest": one.digest,
        "package_version": one.version,
        "by": one.by,
        "origin": one.origin,
        "at": iso(one.at),
        "until": iso(one.until),
        "note": one.note,
        "used_at": iso(one.used_at),
        "ended_at": iso(one.ended_at),
        "ended_by": one.ended_by,
    }
