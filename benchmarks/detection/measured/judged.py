"""Judging the cases: what the rules said about each unit, graded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor

from benchmarks.detection.measured.cases import CHANGED, UNSEEN, Case, Outcome
from driftwatch.judge.judge import compare, scan
from driftwatch.judge.rules import RULES
from driftwatch.judge.rules.base import Area
from driftwatch.model import Change, Confidence, Finding, Kind, Report, Severity

_TOLD = frozenset(rule.id for rule in RULES if rule.area in (Area.TEXT, Area.NAMES))
TELLING = (_TOLD | {"parameter-sink"}) - {"description-changed"}
"""The rules about what a model is told: texts, names, and parameters that take data in.

That a description changed at all is no sign of anything.
"""

_CHUNK = 8


def graded(finding: Finding) -> float:
    """Grade one finding from 0 to 1, for the curve: by its severity, and within it by how sure the rule is."""
    steps = len(Confidence)
    sure = list(Confidence).index(finding.confidence)
    return (finding.severity.rank * steps + sure + 1) / (len(Severity) * steps)


def judged(cases: Iterable[Case], jobs: int = 1) -> Iterator[Outcome]:
    """Give what came of every case, in their order; `jobs` processes share the work."""
    if jobs == 1:
        for case in cases:
            yield from outcomes(case)
        return
    with ProcessPoolExecutor(jobs) as pool:
        for found in pool.map(outcomes, cases, chunksize=_CHUNK):
            yield from found


def outcomes(case: Case) -> list[Outcome]:
    """Judge one case and give what came of each of its units."""
    report = scan(case.live) if case.before is None else compare(case.before, case.live)
    if case.units == CHANGED:
        units = sorted({unit for change in report.changes if (unit := _changed(change))})
        return [_outcome(case, unit, _about(report, unit)) for unit in units]
    if len(case.units) > 1 and case.text:  # one text that is split over several items
        found = [finding for unit in case.units for finding in _about(report, unit)]
        return [_outcome(case, "", found)]
    return [_outcome(case, unit, _about(report, unit)) for unit in case.units or ("",)]


def _changed(change: Change) -> str:
    """Give the item of a change as a unit; of the server itself only what a model reads."""
    if change.kind is Kind.SERVER:
        return "server:" if change.pointer.startswith("/instructions") else ""
    return f"{change.kind.value}:{change.key}"


def _about(report: Report, unit: str) -> list[Finding]:
    """Give the findings that name a unit, also among others; all of them where the whole report is the unit."""
    kind, _, key = unit.partition(":")
    return [
        finding
        for finding in report.findings
        if not unit or (finding.kind.value == kind and key in (finding.items or (finding.item,)))
    ]


def _outcome(case: Case, unit: str, found: list[Finding]) -> Outcome:
    told = [finding for finding in found if finding.rule in TELLING]
    score = max(map(graded, told), default=0.0)
    return Outcome(
        case.id,
        case.set,
        case.mode,
        case.source,
        case.part,
        case.label,
        case.server,
        case.kinds,
        case.pair,
        case.text,
        case.quotable,
        case.twin,
        unit,
        max((finding.severity for finding in told), default=Severity.INFO),
        max((finding.severity for finding in found), default=Severity.INFO),
        score,
        tuple(sorted({finding.rule for finding in found if finding.severity >= Severity.MEDIUM})),
        "" if case.part == UNSEEN else next((_seen(one) for one in told if graded(one) == score), ""),
    )


def _seen(finding: Finding) -> str:
    """Give the words that a finding points at, with what a disguise hid."""
    text = finding.pointer.rsplit("/", 1)[-1] if finding.spans and finding.spans[0].target == "key" else finding.after
    if not isinstance(text, str):
        return ""
    said = (text[span.start : span.end] + (f" ⇒ {span.decoded}" if span.decoded else "") for span in finding.spans)
    return " … ".join(dict.fromkeys(said))
