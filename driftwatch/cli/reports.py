"""Print a report as text or JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from driftwatch.cli.options import Format
from driftwatch.cli.terminal import Terminal
from driftwatch.model import Finding, Json, Report, Severity
from driftwatch.report import to_json, to_text
from driftwatch.report.advice import advice
from driftwatch.report.looked import Looked, looked_json
from driftwatch.report.paste import volatile_lines


def show_report(
    terminal: Terminal,
    report: Report,
    *,
    output: Format,
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
    if output is Format.JSON:
        read = {"looked": looked_json(explain)} if explain is not None else {}
        terminal.json({**(extra or {}), **to_json(report), **read})
        return
    form = {"colour": terminal.colour, "full": full, "hidden": hidden}
    terminal.write(to_text(report, width=terminal.width, show=show, advice=advice, explain=explain, **form))
    shown = [finding for finding in report.findings if finding.severity >= show]
    terminal.write("".join(f"{line}\n" for line in (volatile_lines(shown, server) if server else ())))


def show_hidden_of(terminal: Terminal, hidden: Mapping[str, Sequence[Finding]], *, listed: bool) -> None:
    """Say for each server how many findings the policy hides; with `listed` also which, and why."""
    for server, findings in hidden.items():
        if not findings:
            continue
        many = f"{len(findings)} finding{'s' * (len(findings) > 1)}"
        terminal.say(f"{server}: {many} hidden by policy{':' if listed else '; --show-hidden shows them.'}")
        for finding in findings if listed else ():
            where = " ".join(part for part in (finding.item or ", ".join(finding.items[:3]), finding.pointer) if part)
            terminal.say(f"  {finding.severity.value} {finding.rule} {where}".rstrip())
            terminal.say(f"    {finding.hidden}")
