"""When is the denial of a danger more than a denial? When the same release does something else that is suspicious.

No honest release that we measured denies a danger that a tool spelled out. With anything else in the same release that
an attack would need, such as a new place for the model to put what it knows, text that gives orders, another gate that
went, or another way in which the server is started, it is the shape of a rug pull and critical.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from driftwatch.judge.rules import RULES
from driftwatch.judge.rules.base import Area
from driftwatch.model import Axis, Finding, Severity

DENIED = "stated"
"""The category of a loosened hint that denies what was spelled out before."""

FROM: Mapping[Area, Severity] = {
    Area.TEXT: Severity.MEDIUM,
    Area.GATES: Severity.MEDIUM,
    Area.NAMES: Severity.MEDIUM,
    Area.SCHEMA: Severity.MEDIUM,
    Area.LAUNCH: Severity.MEDIUM,
    Area.CLOAKING: Severity.MEDIUM,
    Area.BEHAVIOUR: Severity.MEDIUM,
    Area.EXPECTATIONS: Severity.MEDIUM,
}
"""From which severity on a finding is suspicious, by area; high where the area is not here.

A new tool, a new version of the package or a clumsy form is what releases are made of, so those must be high.
"""

ODD_HINTS = frozenset({"hint-implausible", "hint-malformed"})
"""Rules about hints whose findings count beside a denial: a false claim or a trick value, of another tool."""

_AREAS = {rule.id: rule.area for rule in RULES}
_PLAIN_FORM = frozenset({"schema-malformed"})


def escalated(findings: Sequence[Finding]) -> Iterator[Finding]:
    """Give all findings; a danger denied and text that gives orders are critical beside each other."""
    others = [finding for finding in findings if suspicious(finding)]
    odd = {finding.item for finding in others if _AREAS[finding.rule] is Area.HINTS}
    plain = any(_AREAS[finding.rule] is not Area.HINTS for finding in others)
    denied = any(map(_denial, findings))
    for finding in findings:
        beside = plain or bool(odd - {finding.item})
        grave = (_denial(finding) and beside) or (denied and _orders(finding))
        yield replace(finding, severity=Severity.CRITICAL) if grave else finding


def suspicious(finding: Finding) -> bool:
    """Say whether a finding makes a denial in the same release critical."""
    area = _AREAS.get(finding.rule)
    if area is None or finding.axis is not Axis.SECURITY or finding.rule in _PLAIN_FORM:
        return False
    if finding.opinion is not None:  # what only a model that somebody asked holds to be so
        return False
    if area is Area.HINTS:
        return finding.rule in ODD_HINTS and finding.severity >= Severity.HIGH
    return finding.severity >= FROM.get(area, Severity.HIGH)


def _denial(finding: Finding) -> bool:
    denied = finding.category == DENIED and finding.severity is Severity.HIGH
    return denied and _AREAS.get(finding.rule) is Area.HINTS


def _orders(finding: Finding) -> bool:
    return finding.severity is Severity.HIGH and _AREAS.get(finding.rule) is Area.TEXT and suspicious(finding)
