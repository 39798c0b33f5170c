"""The rule hint-undeclared."""

from __future__ import annotations

from rule_kit import example, found, hinted, scanned

RULE = "hint-undeclared"


def test_a_scan_names_the_tools_that_leave_hints_unsaid_once() -> None:
    findings = scanned(RULE, example(RULE)[1])

    assert [(one.severity, one.item, one.items) for one in findings] == [("info", "", ("get_ticket",))]


def test_hints_that_a_reader_needs_not_give_are_not_missed() -> None:
    assert scanned(RULE, [hinted(readOnlyHint=True, openWorldHint=True)]) == []


def test_a_comparison_does_not_repeat_it() -> None:
    assert found(RULE, *example(RULE)) == []
