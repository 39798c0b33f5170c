"""What every rule's test needs: its example pair, and the findings of one rule."""

from __future__ import annotations

import json
from pathlib import Path

import driftwatch
from driftwatch.model import Finding

DATA = Path(__file__).parents[1] / "data" / "rules"


def example(rule: str) -> tuple[object, object]:
    """Give the before/after pair of a rule."""
    return tuple(json.loads((DATA / rule / f"{side}.json").read_text()) for side in ("before", "after"))


def found(rule: str, before: object, after: object) -> list[Finding]:
    """Give what one rule finds in a comparison."""
    return [finding for finding in driftwatch.compare(before, after).findings if finding.rule == rule]


def scanned(rule: str, live: object) -> list[Finding]:
    """Give what one rule finds in a scan."""
    return [finding for finding in driftwatch.scan(live).findings if finding.rule == rule]


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
