"""Print reports: as text or JSON, or as a document in another format."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from driftwatch.cli.exits import FailOn, fails
from driftwatch.cli.options import Format
from driftwatch.cli.terminal import Terminal
from driftwatch.model import Finding, Json, Report, Severity
from driftwatch.model.amounts import many
from driftwatch.report import to_json, to_text
from driftwatch.report.advice import advice
from driftwatch.report.formats import Form, render
from driftwatch.report.looked import Looked, looked_json
from driftwatch.report.paste import volatile_lines
from driftwatch.report.subject import Judged


def show_report(
    terminal: Terminal,
    report: Report,
    *,
    output: Form | Format,
    show: Severity = Severity.INFO,
    full: bool = False,
    hidden: bool = False,
    explain: Looked | None = None,
    server: str = "",
    extra: Mapping[str, Json] | None = None,
) -> None:
    """Print a report; `extra` joins the top level of the JSON, which is always whole, whatever the options say.

    With `explain` the text shows each span in its sentence, and both say what was looked at.

    With a `server` what the findings propose for the configuration is printed as the lines to paste.
    """
    if output == Form.JSON:
        read = {"looked": looked_json(explain)} if explain is not None else {}
        terminal.json({**(extra or {}), **to_json(report), **read})
        return
    form = {"colour": terminal.colour, "full": full, "hidden": hidden}
    terminal.write(to_text(report, width=terminal.width, show=show, advice=advice, explain=explain, **form))
    shown = [finding for finding in report.findings if finding.severity >= show]
    terminal.write("".join(f"{line}\n" for line in (volatile_lines(shown, server) if server else ())))


def is_document(form: Form) -> bool:
    """Say whether a format is one that is printed whole, with nothing before or after it."""
    return form not in (Form.TEXT, Form.JSON)


def show_document(terminal: Terminal, judged: Sequence[Judged], form: Form, fail_on: Sequence[FailOn]) -> None:
    """Print reports as one document. It is always whole, whatever the options say of what to show."""
    terminal.document(render(form, judged, fails=fails(fail_on)))


def show_judged(terminal: Terminal, judged: Judged, form: Form, fail_on: Sequence[FailOn], **how: Any) -> None:
    """Print one report in any format. `how` is what `show_report` takes; a document is whole without it."""
    if is_document(form):
        show_document(terminal, [judged], form, fail_on)
    else:
        show_report(terminal, judged.report, output=form, **how)


def place_of(path: Path | None, server: str) -> tuple[str, int]:
    """Give where a configuration names a server: its path from here, and the line; nothing where it is elsewhere.

    What reads reports marks lines of a repository, which it knows by their path in that.
    """
    here = Path.cwd()
    if path is None or not path.is_relative_to(here):
        return "", 0
    table = re.compile(rf"\s*\[(?:servers|inventory)\.[\"']?{re.escape(server)}[\"']?\]")
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    line = next((number for number, text in enumerate(lines, 1) if table.match(text)), 1)
    return path.relative_to(here).as_posix(), line


def show_hidden_of(terminal: Terminal, hidden: Mapping[str, Sequence[Finding]], *, listed: bool) -> None:
    """Say for each server how many findings the policy hides; with `listed` also which, and why."""
    for server, findings in hidden.items():
        if not findings:
            continue
        count = many(len(findings), "finding")
        terminal.say(f"{server}: {count} hidden by policy{':' if listed else '; --show-hidden shows them.'}")
        for finding in findings if listed else ():
            where = " ".join(part for part in (finding.item or ", ".join(finding.items[:3]), finding.pointer) if part)
            terminal.say(f"  {finding.severity.value} {finding.rule} {where}".rstrip())
            terminal.say(f"    {finding.hidden}")
