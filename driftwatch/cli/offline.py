"""compare and scan: files in, findings out. No database; no network and no configuration that nobody names."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from driftwatch.cli.app import call_of, commands
from driftwatch.cli.ending import run_to_end
from driftwatch.cli.exits import HIGH, code_for
from driftwatch.cli.files import STDIN, name_of, only_one_stdin, read_json
from driftwatch.cli.ground import KNOWN, now
from driftwatch.cli.options import (
    AskModel,
    AsServer,
    Explain,
    Full,
    PolicyFile,
    Profile,
    Show,
    ShowHidden,
    Threshold,
    Weights,
    Written,
)
from driftwatch.cli.reports import show_judged
from driftwatch.config.load import load
from driftwatch.config.shapes import names_servers
from driftwatch.errors import UnreadableInputError, UsageError
from driftwatch.judge import judge
from driftwatch.judge.beside import Opinions
from driftwatch.judge.intake import Intake, read
from driftwatch.judge.policy import BALANCED, Policy
from driftwatch.judge.snapshot import take
from driftwatch.model import Report, Severity, Snapshot
from driftwatch.report.formats import Form
from driftwatch.report.looked import Looked, looked
from driftwatch.report.subject import Judged, Subject
from driftwatch.watch.policy import policy_of

app = commands()

_HOSTS_FILE = (
    "This file says which servers a host starts, not what they show. driftwatch import FILE makes a configuration of "
    "it; driftwatch check then looks at the servers."
)


@app.command()
def compare(
    context: typer.Context,
    baseline: Annotated[str, typer.Argument(metavar="BASELINE", help="What was approved: a file, or -.")],
    live: Annotated[str, typer.Argument(metavar="LIVE", help="What is there now: a file, or -.")],
    *,
    fail_on: Threshold = [HIGH],  # noqa: B006 - typer reads it and never changes it
    profile: Weights = None,
    policy: PolicyFile = None,
    server: AsServer = None,
    output: Written = Form.TEXT,
    show: Show = Severity.INFO,
    full: Full = False,
    explain: Explain = False,
    second_opinion: AskModel = None,
    show_hidden: ShowHidden = False,
) -> None:
    """Compare two listings from files and judge what changed.

    A file may hold the answer to tools/list (whole or its result), a bare list of tools, a captured listing, or the
    output of driftwatch export.
    """
    only_one_stdin(baseline, live)
    was, seen = _listing(baseline), _listing(live)
    rules, at = _policy(policy, server, profile), now(context)
    report = _asked(second_opinion, lambda said: judge.compare_under(rules, was, seen, now=at, opinions=said))
    judged = Judged(_subject(live, server, before=baseline), report, _taken(was), _taken(seen))
    how = {"show": show, "full": full, "hidden": show_hidden, "explain": _counts(judged, seen) if explain else None}
    show_judged(call_of(context).terminal, judged, output, fail_on, **how)
    raise typer.Exit(code_for(fail_on, report.findings))


@app.command()
def scan(
    context: typer.Context,
    file: Annotated[str, typer.Argument(metavar="FILE", help="A file, or - for stdin.")],
    *,
    fail_on: Threshold = [HIGH],  # noqa: B006 - typer reads it and never changes it
    profile: Weights = None,
    policy: PolicyFile = None,
    server: AsServer = None,
    output: Written = Form.TEXT,
    show: Show = Severity.INFO,
    full: Full = False,
    explain: Explain = False,
    second_opinion: AskModel = None,
    show_hidden: ShowHidden = False,
) -> None:
    """Judge one listing from a file by itself."""
    seen = _listing(file)
    rules, at = _policy(policy, server, profile), now(context)
    report = _asked(second_opinion, lambda said: judge.scan_under(rules, seen, now=at, opinions=said))
    judged = Judged(_subject(file, server), report, None, _taken(seen))
    how = {"show": show, "full": full, "hidden": show_hidden, "explain": _counts(judged, seen) if explain else None}
    show_judged(call_of(context).terminal, judged, output, fail_on, **how)
    raise typer.Exit(code_for(fail_on, report.findings))


def _subject(live: str, server: str | None, *, before: str = "") -> Subject:
    """Say what a report of files is about; a file below the folder that we are in is one whose lines can be marked."""
    path = Path(live)
    within = live != STDIN and not path.is_absolute() and ".." not in path.parts
    names = [name_of(one) if one else "" for one in (before, live)]
    return Subject(server or "", before=names[0], after=names[1], file=path.as_posix() if within else "", line=1)


def _counts(judged: Judged, live: Intake) -> Looked | None:
    """Count what was read."""
    return looked(judged.baseline, judged.live, ignored=live.ignored) if judged.live is not None else None


def _asked(file: Path | None, judged: Callable[[Opinions | None], Report]) -> Report:
    """Judge, with a second opinion where a person names whom to ask.

    Raises:
        ConfigError: the file has problems, or names nobody.

    """
    if file is None:
        return judged(None)
    # Only where it is asked for: both bring the network and the database along.
    from driftwatch.run import logs  # noqa: PLC0415
    from driftwatch.run.opinions import judged_with  # noqa: PLC0415

    settings = load(file, os.environ, secrets=False, known=KNOWN)
    logs.configure(form=settings.daemon.log_format, level="error", secrets=[settings])
    return run_to_end(judged_with(settings.second_opinion, judged))


def _policy(file: Path | None, server: str | None, profile: Profile | None) -> Policy:
    """Read the policy that a person named; a profile on the command line comes before the one in the file.

    Raises:
        ConfigError: the file has problems.
        UsageError: a server without a file, or one that the file does not hold.

    """
    said = BALANCED
    if file is not None:
        settings = load(file, os.environ, secrets=False, known=KNOWN)
        said = policy_of(settings, settings.server(server) if server is not None else None)
    elif server is not None:
        raise UsageError("--as names a server of a configuration.", hint="Say which one with --policy FILE.")
    return replace(said, profile=profile.value) if profile is not None else said


def _listing(path: str) -> Intake:
    """Read one file and make sure that it holds a listing; errors name the file."""
    decoded, oddities = read_json(path)
    try:
        return read(decoded, oddities)
    except UnreadableInputError as error:
        hint = _HOSTS_FILE if names_servers(decoded) else error.hint
        raise UnreadableInputError(f"{name_of(path)}: {error.message}", hint=hint) from error


def _taken(listing: Intake) -> Snapshot:
    """Give a listing that was read as the judge sees it."""
    return take(listing.document, listing.oddities)
