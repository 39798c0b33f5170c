"""check: look at servers now, once, without a daemon."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated

import typer

from driftwatch.cli.ahead import passed_lines
from driftwatch.cli.app import call_of, commands
from driftwatch.cli.ending import run_to_end
from driftwatch.cli.exits import HIGH, code_for
from driftwatch.cli.ground import now, origin, settings_of
from driftwatch.cli.moments import ago, iso, short
from driftwatch.cli.options import ShowHidden, Threshold, Written
from driftwatch.cli.reports import is_document, place_of, show_document, show_hidden_of
from driftwatch.cli.terminal import Terminal, progress
from driftwatch.cli.untold import Untold, print_untold, untold, warn_of_templates
from driftwatch.config.schema import Settings
from driftwatch.errors import ConfigError
from driftwatch.model import Actor, BaselineState, Json, Report, Severity, worst_of
from driftwatch.report import finding_json, summary
from driftwatch.report.asides import Passed, passed_json
from driftwatch.report.formats import Form
from driftwatch.report.subject import Judged
from driftwatch.report.text import hidden_words
from driftwatch.review.audit import note_configuration
from driftwatch.review.judged import judged_of
from driftwatch.run import logs
from driftwatch.run.local import check_servers
from driftwatch.run.wiring import World
from driftwatch.watch.check import CheckCode, CheckResult

app = commands()

_WORDS = {
    CheckCode.FIRST: "first sight, not approved",
    CheckCode.SAME: "unchanged",
    CheckCode.CLEAN: "clean",
    CheckCode.FOUND: "as approved, with findings",
    CheckCode.DRIFT: "drift",
    CheckCode.FAILED: "could not look",
}


@app.command()
def check(
    context: typer.Context,
    servers: Annotated[
        list[str] | None, typer.Argument(metavar="SERVER", help="Which servers; all when none is named.")
    ] = None,
    *,
    fail_on: Threshold = [HIGH],  # noqa: B006 - typer reads it and never changes it
    deliver: Annotated[bool, typer.Option("--deliver/--no-deliver", help="Send the alerts that are due.")] = True,
    output: Written = Form.TEXT,
    show_hidden: ShowHidden = False,
) -> None:
    """Look at servers now and say whether any of them drifted.

    What they show is recorded, and alerts that are due are sent, as the daemon would do.
    """
    settings = settings_of(context, secrets=True)
    names = [settings.ready(name).name for name in servers or ()]
    logs.configure(form=settings.daemon.log_format, level="error", secrets=[settings])
    results, judged, left = _look(context, settings, names, deliver=deliver)
    passed = {one.subject.server: one.subject.passed for one in judged}
    if is_document(output):
        show_document(call_of(context).terminal, judged, output, fail_on)
    else:
        _show(context, results, left if deliver else Untold(), output, hidden=show_hidden, passed=passed)
    warn_of_templates(left)
    findings = [finding for result in results for finding in result.findings]
    raise typer.Exit(code_for(fail_on, findings, unseen=any(result.code is CheckCode.FAILED for result in results)))


def _show(
    context: typer.Context,
    results: Sequence[CheckResult],
    left: Untold,
    output: Form,
    *,
    hidden: bool,
    passed: Mapping[str, Sequence[Passed]],
) -> None:
    """Print what the looks came to, what could not be told, and which approvals ahead a bump has passed by."""
    terminal = call_of(context).terminal
    if output is Form.JSON:
        rows = [_json(result, passed[result.server]) for result in results]
        terminal.json({"version": 1, "results": rows, "undelivered": left.json})
        return
    _print(terminal, results, now(context))
    show_hidden_of(terminal, {result.server: result.hidden for result in results}, listed=hidden)
    print_untold(terminal, left)
    for server, some in passed.items():
        for line in passed_lines(server, some):
            terminal.say(line)


def _look(
    context: typer.Context, settings: Settings, names: Sequence[str], *, deliver: bool
) -> tuple[list[CheckResult], list[Judged], Untold]:
    """Look at the servers, with a bar on a terminal; give what it came to, the reports of it, and what was not told.

    Raises:
        ConfigError: there is no server to look at, which must not read as clean.

    """
    awaited = list(names) or [server.name for server in settings.watched if server.enabled]
    if not awaited:
        raise ConfigError("No server is configured and enabled.", hint="Add one: driftwatch import FILE shows how.")
    began = now(context)
    with (
        World.open(settings, clock=call_of(context).clock) as world,
        progress("Looking", awaited) as done,
    ):
        note_configuration(world.store, settings, by=Actor("", origin()))
        work = check_servers(world, names, deliver=deliver, on_done=lambda result: done(result.server))
        results = run_to_end(work)
        at = now(context)
        judged = [_judged(world, result, at) for result in results]
        return results, judged, untold(world.store, since=began)


def _judged(world: World, result: CheckResult, at: datetime) -> Judged:
    """Give what one look found, with the list that it saw."""
    baseline = result.baseline.digest if result.baseline is not None else ""
    report = Report(result.findings, baseline, result.snapshot_digest, hidden=result.hidden)
    return judged_of(
        world.store,
        world.settings,
        result.server,
        report,
        live=world.store.snapshot(result.snapshot_digest) if result.snapshot_digest else None,
        trouble=(result.detail or "no reason is known") if result.code is CheckCode.FAILED else "",
        place=place_of(world.settings.path, result.server),
        at=at,
    )


def _print(terminal: Terminal, results: Sequence[CheckResult], at: datetime) -> None:
    """Print one line per server, then what to do."""
    results = sorted(results, key=_weight)
    rows = [(result.server, _words(result), _what(result), ago(result.next_at, at)) for result in results]
    terminal.table(("server", "came to", "what", "next look"), rows)
    first = [one for one in results if _is_unapproved(one)]
    bad = [one for one in first if worst_of(one.findings) > Severity.INFO]
    _next(
        terminal, "To see what is found, to read the list whole, and to approve it:", bad, ("diff", "show", "approve")
    )
    fine = [one for one in first if one not in bad]
    _next(terminal, "To read a list whole, and to approve it:", fine, ("show", "approve"))
    changed = [one for one in results if one.findings and one not in first]
    _next(terminal, "To see what changed:", [one for one in changed if not _is_approved(one)], ("diff",))
    _next(
        terminal,
        "To see what is found, although it shows what was approved:",
        [one for one in changed if _is_approved(one)],
        ("diff",),
    )


def _weight(result: CheckResult) -> int:
    """Put the worst first, and what could not be looked at before what needs nobody today."""
    failed = Severity.MEDIUM.rank if result.code is CheckCode.FAILED else -1
    return -max(failed, worst_of(result.findings).rank if result.findings else -1)


def _next(terminal: Terminal, why: str, results: Sequence[CheckResult], commands: Sequence[str]) -> None:
    """Say what a person can do next, in commands that can be copied."""
    if not results:
        return
    terminal.say()
    terminal.say(why)
    for result in results:
        for command in commands:
            terminal.say(f"  driftwatch {command} {result.server}")


def _is_unapproved(result: CheckResult) -> bool:
    """Whether a look showed the first list, which stands in as the baseline until a person approves one."""
    baseline = result.baseline
    if baseline is None or result.code is CheckCode.FAILED:
        return result.code is CheckCode.FIRST
    return baseline.state is BaselineState.PROVISIONAL and baseline.digest == result.snapshot_digest


def _is_approved(result: CheckResult) -> bool:
    """Whether a look showed the very list that is approved; what is found in it is then no difference."""
    return result.baseline is not None and result.baseline.digest == result.snapshot_digest


def _words(result: CheckResult) -> str:
    """Say what a look came to; an unchanged list that differs from its baseline is still a drift."""
    if result.landed is not None:
        return f"as approved ahead by {result.landed.by}"
    if result.code is CheckCode.FIRST:
        return _WORDS[result.code]
    if _is_unapproved(result):
        return "not approved yet"
    if result.code is CheckCode.SAME and result.findings:
        return f"{_WORDS[CheckCode.FOUND if _is_approved(result) else CheckCode.DRIFT]}, as before"
    return _WORDS[result.code]


def _what(result: CheckResult) -> str:
    """Say what was found, or why nothing could be."""
    if result.code is CheckCode.FAILED:
        return result.detail
    if not result.findings and not result.hidden:
        return short(result.snapshot_digest)
    said = summary(result.findings) if result.findings else short(result.snapshot_digest)
    return f"{said}; {hidden_words(result.hidden)}" if result.hidden else said


def _json(result: CheckResult, passed: Sequence[Passed]) -> dict[str, Json]:
    """Give one result for programs."""
    return {
        "server": result.server,
        "code": result.code.value,
        "detail": result.detail,
        "snapshot_digest": result.snapshot_digest,
        "baseline_digest": result.baseline.digest if result.baseline else "",
        "landed": result.landed.id if result.landed else None,
        "event": result.event.value if result.event else None,
        "next_look_at": iso(result.next_at),
        "findings": [finding_json(finding) for finding in result.findings],
        "hidden": [finding_json(finding) for finding in result.hidden],
        "ahead_waits": passed_json(passed),
    }
