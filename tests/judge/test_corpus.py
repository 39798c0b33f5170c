"""The judge on shared material: every case gets its judgement, honest releases stay quiet, no change is unmentioned."""

from __future__ import annotations

import json
from typing import Any

import pytest
from judge_values import SHARED, shared

import driftwatch
from benchmarks.honest_releases import (
    GOAL,
    PAGE,
    VERDICTS,
    Tally,
    captures,
    defences,
    measure,
    render,
    unsettled,
)
from driftwatch.judge.coverage import uncovered
from driftwatch.model import Finding, Severity

CASES_FILE = SHARED / "corpus" / "cases" / "cases.jsonl"
CASES = [json.loads(line) for line in CASES_FILE.read_text().splitlines()] if CASES_FILE.exists() else []


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


def test_every_change_that_adds_what_looks_like_an_order_is_spoken_of() -> None:
    for line in shared("corpus", "hard_negative_drifts.jsonl").read_text().splitlines():
        row = json.loads(line)
        report = driftwatch.compare([row["before"]], [row["after"]])

        assert not list(uncovered(report.changes, report.findings)), row["tool"]


def test_nothing_is_found_where_nothing_changed() -> None:
    shared("corpus", "captures")

    for step in captures():
        assert driftwatch.compare(step.live, step.live).findings == ()


@pytest.fixture(scope="module")
def tallies() -> dict[str, Tally]:
    shared("corpus", "histories.jsonl")
    return measure()


@pytest.mark.parametrize("steps", ["captures", "histories"])
def test_every_change_between_honest_releases_is_spoken_of(tallies: dict[str, Tally], steps: str) -> None:
    assert tallies[steps].steps > 0
    assert tallies[steps].unspoken == []


@pytest.mark.parametrize("steps", ["captures", "histories"])
def test_few_tools_of_honest_releases_reach_high(tallies: dict[str, Tally], steps: str) -> None:
    tally = tallies[steps]

    print(f"{steps}: {tally.tools_high} of {tally.tools} changed tools at high or above")
    assert tally.tools_high < GOAL * tally.tools


def test_each_alert_on_an_honest_release_has_a_defence_and_each_defence_an_alert(tallies: dict[str, Tally]) -> None:
    assert unsettled(tallies) == ([], [])
    assert {row["verdict"] for row in defences().values()} <= VERDICTS.keys()


def test_the_page_of_alerts_on_honest_releases_is_current(tallies: dict[str, Tally]) -> None:
    assert PAGE.read_text() == render(tallies), "write it anew: python benchmarks/honest_releases.py"
