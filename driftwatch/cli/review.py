"""diff, approve and reject: see what changed, and decide."""

from __future__ import annotations

import re
from typing import Annotated

import typer

from driftwatch.cli.app import call_of, commands
from driftwatch.cli.exits import ExitCode
from driftwatch.cli.ground import now, person, settings_of
from driftwatch.cli.moments import moment, short
from driftwatch.cli.options import By, Digest, Format, Output, ServerName, Show
from driftwatch.cli.reports import show_report
from driftwatch.cli.stored import known, opened
from driftwatch.cli.terminal import ask, interactive, warn
from driftwatch.errors import UsageError
from driftwatch.model import Baseline, BaselineState, Report, Severity
from driftwatch.review import approve as verb
from driftwatch.store.store import Store

app = commands()

Note = Annotated[str, typer.Option("--note", metavar="TEXT", help="Why; it is kept with the decision.")]

_PREFIX = re.compile(r"(sha256:)?[0-9a-f]{8,64}")


@app.command()
def diff(
    context: typer.Context,
    server: ServerName,
    digest: Digest = None,
    output: Output = Format.TEXT,
    show: Show = Severity.INFO,
) -> None:
    """Show what a server changed against its approved baseline."""
    settings = settings_of(context)
    terminal = call_of(context).terminal
    with opened(settings) as store:
        name = known(settings, store, server)
        live = verb.shown(store, name, _checked(digest)).digest
        baseline = store.baseline(name)
        report = _report(store, name, live, baseline)
    if output is Format.TEXT:
        terminal.say(_heading(name, live, baseline))
        terminal.say()
    extra = {"server": name, "baseline_state": baseline.state.value if baseline else None}
    show_report(terminal, report, output=output, show=show, extra=extra)


@app.command()
def approve(
    context: typer.Context,
    server: ServerName,
    note: Note,
    *,
    digest: Digest = None,
    by: By = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Approve without asking.")] = False,
) -> None:
    """Make a list that a server showed its approved baseline.

    Without --digest it is the list seen last: what it changes is shown first, and you are asked.
    """
    settings = settings_of(context)
    terminal = call_of(context).terminal
    who = person(by)
    with opened(settings) as store:
        name = known(settings, store, server)
        wanted = verb.shown(store, name, _checked(digest)).digest
        baseline = store.baseline(name)
        if digest is None:
            terminal.say(_heading(name, wanted, baseline))
            terminal.say()
            show_report(terminal, _report(store, name, wanted, baseline), output=Format.TEXT)
            _sure(f"Approve {short(wanted)} of {name}?", yes=yes)
        verb.approve(store, settings, name, digest=wanted, by=who, note=note, now=now())
    terminal.say(f"Approved {short(wanted)} of {name} by {who}. From now on driftwatch compares with it.")


@app.command()
def reject(context: typer.Context, server: ServerName, note: Note, digest: Digest = None, by: By = None) -> None:
    """Write down that a list is not acceptable. The baseline stays, and the alert stays open."""
    settings = settings_of(context)
    who = person(by)
    with opened(settings) as store:
        name = known(settings, store, server)
        review = verb.reject(store, name, digest=_checked(digest), by=who, note=note, now=now())
    call_of(context).terminal.say(f"Rejected {short(review.digest)} of {name} by {who}. The alert stays open.")


def _checked(digest: str | None) -> str | None:
    """Accept a digest or its first 8 digits and more.

    Raises:
        UsageError: it is not one.

    """
    if digest is None or _PREFIX.fullmatch(digest.lower()):
        return digest.lower() if digest else None
    raise UsageError(f"{digest!r} is not a digest.", hint="Give at least the first 8 of its hex digits.")


def _report(store: Store, server: str, digest: str, baseline: Baseline | None) -> Report:
    """Say what a person needs to know before deciding: the difference, or the list itself where none is approved."""
    if baseline is None or (baseline.state is BaselineState.PROVISIONAL and baseline.digest == digest):
        return verb.first_sight(store, server, digest)
    return verb.difference(store, server, digest)


def _heading(server: str, live: str, baseline: Baseline | None) -> str:
    """Say what is compared with what."""
    if baseline is None or (baseline.state is BaselineState.PROVISIONAL and baseline.digest == live):
        return f"{server}: nothing is approved yet; this is what the list {short(live)} shows by itself."
    if baseline.state is BaselineState.PROVISIONAL:
        return (
            f"{server}: nothing is approved yet; {short(live)} against the first list seen, {short(baseline.digest)}."
        )
    by = f" by {baseline.by}" if baseline.by else ""
    return f"{server}: {short(live)} against {short(baseline.digest)}, approved {moment(baseline.since)}{by}."


def _sure(question: str, *, yes: bool) -> None:
    """Ask a person to confirm.

    Raises:
        UsageError: there is nobody to ask.

    """
    if yes:
        return
    if not interactive():
        raise UsageError("Nobody is here to confirm.", hint="Say which list with --digest, or add --yes.")
    if not ask(question):
        warn("Nothing was changed.")
        raise typer.Exit(ExitCode.FOUND)
