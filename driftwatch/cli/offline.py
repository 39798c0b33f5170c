"""compare and scan: files in, findings out. No configuration, no database, no network."""

from __future__ import annotations

from typing import Annotated

import typer

from driftwatch.cli.app import call_of, commands
from driftwatch.cli.exits import FailOn, code_for
from driftwatch.cli.files import name_of, only_one_stdin, read_json
from driftwatch.cli.options import Format, Full, Output, Show, Threshold
from driftwatch.cli.reports import show_report
from driftwatch.cli.terminal import warn
from driftwatch.errors import UnreadableInputError
from driftwatch.judge import judge
from driftwatch.judge.intake import read
from driftwatch.model import Json, Severity

app = commands()


@app.command()
def compare(
    context: typer.Context,
    baseline: Annotated[str, typer.Argument(metavar="BASELINE", help="What was approved: a file, or -.")],
    live: Annotated[str, typer.Argument(metavar="LIVE", help="What is there now: a file, or -.")],
    *,
    fail_on: Threshold = FailOn.HIGH,
    output: Output = Format.TEXT,
    show: Show = Severity.INFO,
    full: Full = False,
) -> None:
    """Compare two listings from files and judge what changed.

    A file may hold the answer to tools/list (whole or its result), a bare list of tools, a captured listing, or the
    output of driftwatch export.
    """
    only_one_stdin(baseline, live)
    report = judge.compare(_listing(baseline), _listing(live))
    show_report(call_of(context).terminal, report, output=output, show=show, full=full)
    raise typer.Exit(code_for(fail_on, report.findings))


@app.command()
def scan(
    context: typer.Context,
    file: Annotated[str, typer.Argument(metavar="FILE", help="A file, or - for stdin.")],
    *,
    fail_on: Threshold = FailOn.HIGH,
    output: Output = Format.TEXT,
    show: Show = Severity.INFO,
    full: Full = False,
) -> None:
    """Judge one listing from a file by itself."""
    report = judge.scan(_listing(file))
    show_report(call_of(context).terminal, report, output=output, show=show, full=full)
    raise typer.Exit(code_for(fail_on, report.findings))


def _listing(path: str) -> Json:
    """Read one file and make sure that it holds a listing; errors name the file."""
    decoded = read_json(path, warn)
    try:
        read(decoded)
    except UnreadableInputError as error:
        raise UnreadableInputError(f"{name_of(path)}: {error.message}", hint=error.hint) from error
    return decoded
