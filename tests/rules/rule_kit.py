"""What every rule's test needs: its example pair, and the findings of one rule."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from rule_facts import FACTS

from driftwatch.judge.facts import NO_FACTS, Facts
from driftwatch.judge.intake import read_document
from driftwatch.judge.judge import compare_snapshots, scan_snapshot
from driftwatch.judge.rules import rule
from driftwatch.judge.snapshot import take
from driftwatch.model import Finding

DATA = Path(__file__).parents[1] / "data" / "rules"


def example(rule: str) -> tuple[object, object]:
    """Give the before/after pair of a rule."""
    return tuple(json.loads((DATA / rule / f"{side}.json").read_text()) for side in ("before", "after"))


def found(rule: str, before: object, after: object, facts: Facts | None = None) -> list[Finding]:
    """Give what one rule finds in a comparison, with the facts of its own example where none are given."""
    sides = [take(read_document(side)) for side in (before, after)]
    report = compare_snapshots(*sides, FACTS.get(rule, NO_FACTS) if facts is None else facts)
    return _of(rule, report.findings)


def scanned(rule: str, live: object, facts: Facts | None = None) -> list[Finding]:
    """Give what one rule finds in a scan, with the facts of its own example where none are given."""
    report = scan_snapshot(take(read_document(live)), FACTS.get(rule, NO_FACTS) if facts is None else facts)
    return _of(rule, report.findings)


def _of(wanted: str, findings: Sequence[Finding]) -> list[Finding]:
    """Give the findings of one rule; no finding at all may have a category that its rule does not declare."""
    for finding in findings:
        assert finding.category in ("", *rule(finding.rule).categories), (finding.rule, finding.category)
    return [finding for finding in findings if finding.rule == wanted]


def places(findings: list[Finding]) -> list[tuple[str, str, str]]:
    """Give severity, item and pointer of each finding."""
    return [(finding.severity.value, finding.item, finding.pointer) for finding in findings]


def tool(name: str = "list_tickets", **fields: object) -> dict[str, object]:
    """Make a tool."""
    base = {"name": name, "description": "List the open tickets.", "inputSchema": schema()}
    return {**base, **fields}


def schema(properties: dict[str, object] | None = None, **keywords: object) -> dict[str, object]:
    """Make an input schema."""
    return {"type": "object", "properties": properties or {"project": {"type": "string"}}, **keywords}


def hinted(name: str = "list_tickets", **hints: object) -> dict[str, object]:
    """Make a tool with annotations."""
    return tool(name, annotations=hints)
