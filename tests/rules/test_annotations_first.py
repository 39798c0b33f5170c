"""The rule annotations-first."""

from __future__ import annotations

from rule_kit import example, found, hinted, tool

RULE = "annotations-first"


def test_a_server_that_begins_to_annotate_is_one_finding_at_medium() -> None:
    findings = found(RULE, *example(RULE))

    assert [(one.severity, one.item, one.items) for one in findings] == [("medium", "", ("get_ticket", "list_tickets"))]


def test_nothing_else_about_their_hints_is_told_beside_it() -> None:
    before, after = example(RULE)

    assert found("hint-loosened", before, after) == found("hint-restated", before, after) == []


def test_tools_that_only_spell_out_the_defaults_are_info() -> None:
    names = ["a", "b"]

    findings = found(RULE, [tool(name) for name in names], [hinted(name, destructiveHint=True) for name in names])

    assert [one.severity for one in findings] == ["info"]


def test_one_tool_alone_is_a_change_of_that_tool() -> None:
    assert found(RULE, [tool()], [hinted(readOnlyHint=True)]) == []
