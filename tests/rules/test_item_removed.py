"""The rule item-removed."""

from __future__ import annotations

from rule_kit import example, found, places, tool

RULE = "item-removed"


def test_a_tool_that_is_gone_is_low() -> None:
    assert places(found(RULE, *example(RULE))) == [("low", "get_ticket", "")]


def test_a_whole_list_that_is_gone_is_told_by_another_rule() -> None:
    assert found(RULE, [tool("a"), tool("b")], []) == []
