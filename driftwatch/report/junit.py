"""Reports as JUnit XML, which every CI system shows: a suite for each server, a case for each item. Pure.

A case fails when one of its findings reaches the threshold; findings below it stand in its output. What could not be
looked at is an error, not a failure. With the live list, items without findings are cases that pass.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC
from typing import Final

from driftwatch.model import Finding, Item, Kind
from driftwatch.report.advice import advice
from driftwatch.report.cut import clipped
from driftwatch.report.excerpt import excerpts, sentence
from driftwatch.report.headline import happened, place_words
from driftwatch.report.safe import defang, defanged
from driftwatch.report.subject import Fails, Judged, facts

_PACKAGE: Final = re.compile(
    r"(?<!\S)(?:@[a-z0-9][a-z0-9._-]{0,99}/)?[a-z0-9][a-z0-9._-]{0,99}@\d[0-9A-Za-z.+-]{0,40}(?!\S)"
)
_NAME = 200
_LONGEST = 500
_FINDINGS = 50
"""Findings told of one case; the rest is counted."""


@dataclass(slots=True)
class _Case:
    """One test case: its name, and what was found of it."""

    name: str
    findings: list[Finding] = field(default_factory=list)


def to_junit(judged: Sequence[Judged], fails: Fails) -> str:
    """Write all suites, in the order given, as ASCII."""
    root = ET.Element("testsuites", {"name": "driftwatch"})
    for one in judged:
        root.append(_suite(one, fails))
    for count in ("tests", "failures", "errors"):
        root.set(count, str(sum(int(suite.get(count, "0")) for suite in root)))
    ET.indent(root)
    # References stand for all that is not ASCII, so that it is UTF-8 however it is written to a file.
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, encoding="us-ascii").decode()}\n'


def _suite(judged: Judged, fails: Fails) -> ET.Element:
    name = defanged(judged.subject.name, _NAME)
    suite = ET.Element("testsuite", {"name": name})
    if judged.subject.looked_at is not None:
        suite.set("timestamp", judged.subject.looked_at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S"))
    said = list(facts(judged))
    if said:
        properties = ET.SubElement(suite, "properties")
        for what, words in said:
            # A package at a version keeps its `@`: that rings nobody, and without it the command could not be called.
            value = clipped(defang(clipped(sentence(words), _LONGEST), keep=_PACKAGE.findall(words)), 2 * _LONGEST)
            ET.SubElement(properties, "property", {"name": what, "value": value})
    failures = 0
    cases = [] if judged.trouble else list(_cases(judged))
    for case in cases:
        element = ET.SubElement(suite, "testcase", {"classname": name, "name": case.name, "time": "0"})
        failures += _filled(element, case, fails)
    if judged.trouble:
        element = ET.SubElement(suite, "testcase", {"classname": name, "name": "look", "time": "0"})
        message = f"{name} could not be looked at: {defanged(judged.trouble, _LONGEST)}"
        ET.SubElement(element, "error", {"type": "could-not-look", "message": message})
    errors = 1 if judged.trouble else 0
    counts = {"tests": len(cases) + errors, "failures": failures, "errors": errors}
    for count, number in counts.items():
        suite.set(count, str(number))
    return suite


def _cases(judged: Judged) -> Iterator[_Case]:
    """Give a case for each item that was looked at or that something is found of, those with findings first."""
    cases: dict[tuple[Kind, str, int, tuple[str, ...]], _Case] = {}
    for finding in sorted(judged.report.findings, key=lambda one: one.order):
        sort, names = place_words(finding)
        many = names if len(names) > 1 else ()
        place = (finding.kind, "" if many else next(iter(names), ""), finding.occurrence, many)
        more = f" and {len(names) - 3} more" if len(names) > 3 else ""
        label = f"{sort} {', '.join(clipped(one, 60) for one in names[:3])}{more}"
        cases.setdefault(place, _Case(_numbered(label.strip(), finding.occurrence))).findings.append(finding)
    for item in judged.live.items if judged.live is not None else ():
        label = f"{item.kind.noun} {item.key}".strip()
        cases.setdefault((*_place(item), ()), _Case(_numbered(label, item.occurrence)))
    if not cases:
        cases[Kind.SERVER, "", 0, ()] = _Case("what it shows")
    yield from cases.values()


def _place(item: Item) -> tuple[Kind, str, int]:
    return item.kind, item.key, item.occurrence


def _numbered(label: str, occurrence: int) -> str:
    return defanged(label, _NAME) + (f" ({occurrence + 1})" if occurrence else "")


def _filled(element: ET.Element, case: _Case, fails: Fails) -> int:
    """Write what was found of a case; give 1 when it fails."""
    bad = [finding for finding in case.findings if fails(finding)]
    rest = [finding for finding in case.findings if not fails(finding)]
    if bad:
        more = f" (and {len(bad) - 1} more)" if len(bad) > 1 else ""
        worst = bad[0]
        message = f"{worst.severity.value}: {defanged(happened(worst), _LONGEST)}{more}"
        failure = ET.SubElement(element, "failure", {"type": worst.rule, "message": message})
        failure.text = "\n".join(_lines(bad))
    if rest:
        ET.SubElement(element, "system-out").text = "\n".join(_lines(rest))
    return int(bool(bad))


def _lines(findings: Sequence[Finding]) -> Iterator[str]:
    told: set[str] = set()
    for finding in findings[:_FINDINGS]:
        at = f" {defanged(finding.pointer, _NAME)}" if finding.pointer else ""
        yield f"{finding.severity.value.upper()} {finding.rule}{at}"
        yield f"  {defanged(happened(finding), _LONGEST)}"
        for line in excerpts(finding, colour=False, told=told):
            yield f"  {defanged(''.join(piece.text for piece in line), 2 * _LONGEST)}"
    if len(findings) > _FINDINGS:
        yield f"and {len(findings) - _FINDINGS} more"
    steps = dict.fromkeys(text for finding in findings[:_FINDINGS] if (text := advice(finding)))
    for text in steps:
        yield f"What to do: {sentence(text)}"
