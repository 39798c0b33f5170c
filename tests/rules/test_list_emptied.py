"""The rule list-emptied."""

from __future__ import annotations

from rule_kit import example, found, tool

RULE = "list-emptied"


def test_a_list_that_lost_everything_is_one_finding_at_medium() -> None:
    findings = found(RULE, *example(RULE))

    assert [(one.severity, one.items) for one in findings] == [("medium", ("get_ticket", "list_tickets"))]


def test_a_list_that_was_not_looked_at_is_not_empty() -> None:
    assert found(RULE, {"tools": [tool()], "prompts": []}, {"prompts": []}) == []
