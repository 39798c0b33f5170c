"""Findings and reports for the tests of the text."""

from __future__ import annotations

from driftwatch.model import Finding, Kind, Report, Severity
from driftwatch.report import to_text


def finding(**parts: object) -> Finding:
    defaults = {
        "rule": "a-rule",
        "severity": Severity.LOW,
        "kind": Kind.TOOL,
        "item": "one",
        "pointer": "/description",
        "message": "It changed.",
    }
    return Finding(**{**defaults, **parts})  # type: ignore[arg-type]


def text_of(*findings: Finding, **options: object) -> str:
    return to_text(Report(findings=findings), colour=False, **options)  # type: ignore[arg-type]
