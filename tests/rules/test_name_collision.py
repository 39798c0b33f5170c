"""The rule name-collision."""

from __future__ import annotations

import pytest
from rule_kit import example, found, scanned, tool

RULE = "name-collision"


def test_a_look_alike_beside_an_approved_tool_is_high() -> None:
    assert [(one.severity, one.pointer) for one in found(RULE, *example(RULE))] == [("high", "/name")]


@pytest.mark.parametrize(
    "twin",
    ["List_tickets", "list_t\u0456ckets", "list_\u200btickets", "1ist_tickets", "list_tick\u00e9ts", "ｌist_tickets"],
)
def test_case_letters_accents_and_invisible_characters_deceive(twin: str) -> None:
    assert [one.severity for one in found(RULE, [tool()], [tool(), tool(twin)])] == ["high"]
    assert [one.severity for one in scanned(RULE, [tool(), tool(twin)])] == ["high"]


def test_a_look_alike_that_takes_the_place_of_an_approved_name_is_high() -> None:
    assert [one.severity for one in found(RULE, [tool()], [tool("list_tіckets")])] == ["high"]


def test_separators_alone_are_low_and_a_rename_of_case_is_none() -> None:
    assert [one.severity for one in found(RULE, [tool()], [tool(), tool("list-tickets")])] == ["low"]
    assert found(RULE, [tool()], [tool("list-tickets")]) == found(RULE, [tool()], [tool("List_Tickets")]) == []


def test_twins_that_were_both_approved_are_not_told_again() -> None:
    both = [tool(), tool("List_tickets")]

    assert found(RULE, both, [*both, tool("other")]) == []
