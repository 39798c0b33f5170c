"""The rule hint-loosened."""

from __future__ import annotations

import pytest
from rule_kit import example, found, hinted, places, tool

RULE = "hint-loosened"


def test_a_spelled_out_danger_that_is_denied_is_high() -> None:
    assert places(found(RULE, *example(RULE))) == [("high", "change_ticket", "/annotations/destructiveHint")]


@pytest.mark.parametrize(
    ("before", "after", "severity"),
    [
        ({"readOnlyHint": False}, {"readOnlyHint": True}, "high"),
        ({"openWorldHint": True}, {"openWorldHint": False}, "medium"),
        ({"readOnlyHint": False, "idempotentHint": False}, {"readOnlyHint": False, "idempotentHint": True}, "medium"),
        ({"destructiveHint": True}, {"readOnlyHint": True}, "high"),
        ({"destructiveHint": True}, {"readOnlyHint": True, "destructiveHint": True}, "high"),
        ({"idempotentHint": False}, {"readOnlyHint": True}, "medium"),
        ({}, {"readOnlyHint": True}, "medium"),
        ({"readOnlyHint": False}, {"readOnlyHint": False, "idempotentHint": True}, "low"),
    ],
)
def test_severity_follows_what_honest_servers_do(before: dict, after: dict, severity: str) -> None:
    assert [one.severity for one in found(RULE, [hinted(**before)], [hinted(**after)])] == [severity]


def test_the_same_move_of_many_tools_is_told_once_with_their_names() -> None:
    names = ["list_a", "list_b", "list_c"]
    before = [hinted(name, openWorldHint=True) for name in names]

    findings = found(RULE, before, [hinted(name, openWorldHint=False) for name in names])

    assert [(one.item, one.items, one.severity) for one in findings] == [("", tuple(names), "medium")]


def test_a_move_that_only_the_defaults_show_is_said_to_be_one() -> None:
    assert "defaults" in found(RULE, [tool()], [hinted(readOnlyHint=True)])[0].message


def test_spelling_out_the_defaults_loosens_nothing() -> None:
    after = hinted(readOnlyHint=False, destructiveHint=True, idempotentHint=False, openWorldHint=True)

    assert found(RULE, [tool()], [after]) == []


def test_a_denied_danger_is_told_though_another_tool_of_the_same_name_is_annotated_for_the_first_time() -> None:
    before = [hinted(destructiveHint=True), tool(description="Another one."), tool("other")]
    after = [
        hinted(destructiveHint=False),
        hinted(readOnlyHint=True) | {"description": "Another one."},
        hinted("other", readOnlyHint=True),
    ]

    assert ("high", "list_tickets", "/annotations/destructiveHint") in places(found(RULE, before, after))


def test_it_names_the_hosts_that_ask_less_from_now_on() -> None:
    finding = found(RULE, [hinted(readOnlyHint=False)], [hinted(readOnlyHint=True)])[0]

    effect = next(one for one in finding.hosts if one.host == "VS Code (agent mode)")
    assert (effect.was, effect.now) == ("asks before it runs", "runs it without asking")
    assert "microsoft/vscode" in effect.source
    assert "VS Code (agent mode)" in finding.message


def test_a_claim_to_be_repeatable_names_the_hosts_that_repeat() -> None:
    finding = found(RULE, [hinted(idempotentHint=False)], [hinted(idempotentHint=True)])[0]

    assert finding.hosts
    assert "safe to repeat" in finding.message
