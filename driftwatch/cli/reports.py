"""Print a report as text or JSON."""

from __future__ import annotations

from collections.abc import Mapping

from driftwatch.cli.options import Format
from driftwatch.cli.terminal import Terminal
from driftwatch.model import Json, Report, Severity
from driftwatch.report import to_json, to_text
from driftwatch.report.advice import advice


def show_report(
    terminal: Terminal,
    report: Report,
    *,
    output: Format,
    show: Severity = Severity.INFO,
    full: bool = False,
    extra: Mapping[str, Json] | None = None,
) -> None:
    """Print a report; `extra` joins the top level of the JSON. JSON is always whole, whatever `show` and `full` say."""
    if output is Format.JSON:
        terminal.json({**(extra or {}), **to_json(report)})
        return
    terminal.write(to_text(report, colour=terminal.colour, width=terminal.width, show=show, advice=advice, full=full))
