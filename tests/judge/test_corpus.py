"""The judge on shared material: every case gets its judgement, honest releases stay quiet, no change is unmentioned."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from judge_values import SHARED, shared

import driftwatch
from driftwatch.judge.coverage import uncovered
from driftwatch.model import Finding, Kind, Report, Severity

CASES_FILE = SHARED / "corpus" / "cases" / "cases.jsonl"
CASES = [json.loads(line) for line in CASES_FILE.read_text().splitlines()] if CASES_FILE.exists() else []
HONEST_SHARE = 0.05
"""How many changed tools of honest releases may reach high."""


@pytest.mark.skipif(not CASES, reason="the shared material is not here")
@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_a_case_gets_the_judgement_that_it_expects(case: dict[str, Any]) -> None:
    report = driftwatch.compare(case["baseline"], case["live"])
    expect = case["expect"]

    if "at_most" in expect:
        assert (report.worst or Severity.INFO) <= expect["at_most"]
    if "at_least" in expect:
        assert any(_meets(finding, expect) for finding in report.findings), report.findings


def _meets(finding: Finding, expect: dict[str, str]) -> bool:
    kind, _, name = expect.get("item", "").partition(":")
    named = not kind or (finding.kind == kind and (not name or name in (finding.item, *finding.items)))
    return named and finding.severity >= expect["at_least"] and finding.pointer.startswith(expect.get("pointer", ""))


def test_every_change_between_captured_releases_is_spoken_of_and_nothing_is_found_in_none() -> None:
    for before, after in _captured_pairs():
        report = driftwatch.compare(before, after)

        assert not list(uncovered(report.changes, report.findings))
        assert driftwatch.compare(after, after).findings == ()


def test_few_tools_of_honest_captured_releases_reach_high() -> None:
    changed, alarmed = _count(driftwatch.compare(before, after) for before, after in _captured_pairs())

    print(f"captures: {alarmed} of {changed} changed tools at high or above")
    assert alarmed <= HONEST_SHARE * changed


def test_few_tools_in_honest_histories_reach_high() -> None:
    changed, alarmed = _count(_history_reports())

    print(f"histories: {alarmed} of {changed} changed tools at high or above")
    assert alarmed <= HONEST_SHARE * changed


def _captured_pairs() -> Iterator[tuple[Any, Any]]:
    for folder in sorted(shared("corpus", "captures").iterdir()):
        files = sorted(folder.glob("*.json"), key=_by_number)
        captured = [json.loads(file.read_text()) for file in files]
        yield from pairwise(captured)


def _by_number(file: Path) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", file.stem)]


def _history_reports() -> Iterator[Report]:
    for line in shared("corpus", "histories.jsonl").read_text().splitlines():
        tools = [version["tool"] for version in json.loads(line)["versions"] if version["tool"]]
        for before, after in pairwise(tools):
            yield driftwatch.compare([before], [after])


def _count(reports: Iterator[Report]) -> tuple[int, int]:
    """Count the tools that changed, and those of them with a finding at high or above."""
    changed = alarmed = 0
    for report in reports:
        tools = {change.key for change in report.changes if change.kind is Kind.TOOL}
        loud = {
            name
            for finding in report.findings
            if finding.severity >= Severity.HIGH and finding.kind is Kind.TOOL
            for name in (finding.items or (finding.item,))
        }
        changed, alarmed = changed + len(tools), alarmed + len(loud)
    return changed, alarmed
