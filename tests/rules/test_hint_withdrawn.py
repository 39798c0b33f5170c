"""The rule hint-withdrawn."""

from __future__ import annotations

from rule_kit import example, found, hinted, places, tool

import driftwatch
from driftwatch.judge.coverage import uncovered
from driftwatch.report import to_json, to_text

RULE = "hint-withdrawn"


def test_a_danger_that_is_no_longer_spelled_out_is_medium() -> None:
    assert places(found(RULE, *example(RULE))) == [("medium", "change_ticket", "/annotations/destructiveHint")]


def test_a_danger_that_is_denied_is_loosened_and_not_withdrawn() -> None:
    assert found(RULE, [hinted(destructiveHint=True)], [hinted(destructiveHint=False)]) == []


def test_an_open_world_that_is_no_longer_mentioned_is_low() -> None:
    assert [one.severity for one in found(RULE, [hinted(openWorldHint=True)], [hinted()])] == ["low"]


def test_the_place_of_a_hint_that_is_gone_is_one_of_the_approved_tool_and_reports_show_it() -> None:
    before, after = hinted(destructiveHint=True, openWorldHint=True), tool()

    report = driftwatch.compare([before], [after])

    gone = [one for one in report.findings if one.rule == RULE]
    assert {one.pointer for one in gone} == {"/annotations/destructiveHint", "/annotations/openWorldHint"}
    assert all(one.before is True and one.after is None for one in gone)
    assert not list(uncovered(report.changes, report.findings))
    shown = to_text(report, colour=False)
    assert all(one.pointer in shown for one in gone)
    assert all(one["pointer"] and one["before"] is True for one in to_json(report)["findings"] if one["rule"] == RULE)


def test_it_names_the_hosts_that_no_longer_stop_the_tool() -> None:
    finding = found(RULE, [hinted(destructiveHint=True)], [hinted()])[0]

    assert "Claude Desktop (watchers)" in {one.host for one in finding.hosts}
    assert "VS Code (agent mode)" not in {one.host for one in finding.hosts}
