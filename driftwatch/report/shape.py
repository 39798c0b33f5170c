"""The public JSON shape of findings and reports.

The shape is a promise: keys are added, never renamed or removed, within one `version`.
It is documented for people in `docs/python.md`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from driftwatch.model import Severity

if TYPE_CHECKING:
    from driftwatch.model import Finding, Json, Opinion, Report, Span

SHAPE_VERSION = 1
"""Counts up when a key changes its meaning or goes away."""

MAX_DEPTH = 100
"""Deeper values are cut: the JSON encoder would run out of stack, and nobody can read them."""

TOO_DEEP = "(nested too deep to show)"


def to_json(report: Report) -> dict[str, Json]:
    """Give a whole report: worst first, and safe for any JSON encoder.

    `worst`, `counts` and `findings` are without what the policy hides, which stands under `hidden`.
    """
    return {
        "version": SHAPE_VERSION,
        "worst": report.worst.value if report.worst is not None else None,
        "counts": count(report.findings),
        "findings": [finding_json(finding) for finding in report.findings],
        "hidden": [finding_json(finding) for finding in report.hidden],
        "hidden_count": len(report.hidden),
        "notes": [plain(note) for note in report.notes],
        "baseline_digest": report.baseline_digest,
        "live_digest": report.live_digest,
    }


def written(value: Json) -> str:
    """Write a value as JSON in ASCII, so that nothing in it can speak to a terminal, and end it in a line feed."""
    text = json.dumps(value, indent=2, ensure_ascii=True, allow_nan=False)
    return text.replace("\x7f", "\\u007f") + "\n"


def count(findings: Iterable[Finding]) -> dict[str, int]:
    """Count findings by severity. All five severities are there, worst first."""
    counts = {severity.value: 0 for severity in reversed(Severity)}
    for finding in findings:
        counts[finding.severity.value] += 1
    return counts


def finding_json(finding: Finding) -> dict[str, Json]:
    """Give one finding in its public shape. `before` and `after` are raw text of the server: show them escaped."""
    return {
        "rule": finding.rule,
        "severity": finding.severity.value,
        "confidence": finding.confidence.value,
        "kind": finding.kind.value,
        "item": finding.item,
        "items": list(finding.items),
        "pointer": finding.pointer,
        "message": finding.message,
        "category": finding.category,
        "axis": finding.axis.value,
        "hosts": [{"host": one.host, "was": one.was, "now": one.now, "source": one.source} for one in finding.hosts],
        "places": list(_places(finding)),
        "occurrence": finding.occurrence,
        "hidden": finding.hidden,
        "ruled": finding.ruled.value if finding.ruled is not None else None,
        "before": plain(finding.before),
        "after": plain(finding.after),
        "spans": [_span_json(span) for span in finding.spans],
        "fingerprint": finding.fingerprint,
        "opinion": _opinion_json(finding.opinion) if finding.opinion is not None else None,
    }


def _opinion_json(opinion: Opinion) -> dict[str, Json]:
    """Give what a configured model said. `quote` and `why` are as hostile as what a server sends."""
    return {
        "model": opinion.model,
        "injection": opinion.injection,
        "category": opinion.category,
        "confidence": opinion.confidence.value,
        "quote": opinion.quote,
        "why": opinion.why,
        "trouble": opinion.trouble,
        "was": opinion.was.value if opinion.was is not None else None,
    }


def _places(finding: Finding) -> Iterator[Json]:
    """Give the places of a finding in several, each with the fingerprint that the finding there would have alone."""
    for (item, pointer), part in zip(finding.places, finding.parts or ("",) * len(finding.places), strict=True):
        yield {"item": item, "pointer": pointer, "fingerprint": part}


def _span_json(span: Span) -> dict[str, Json]:
    """Give one span: offsets are in code points."""
    return {
        "pointer": span.pointer,
        "start": span.start,
        "end": span.end,
        "decoded": span.decoded,
        "target": span.target,
    }


def plain(value: Json, depth: int = 0) -> Json:
    """Copy a decoded value so that every JSON encoder accepts it.

    `NaN` and the infinities are not JSON: they become strings. What lies deeper than `MAX_DEPTH` becomes a remark.
    """
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, (dict, list)) and depth >= MAX_DEPTH:
        return TOO_DEEP
    if isinstance(value, dict):
        return {key: plain(child, depth + 1) for key, child in value.items()}
    if isinstance(value, list):
        return [plain(child, depth + 1) for child in value]
    return value
