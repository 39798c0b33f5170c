"""The rule meta-changed."""

from __future__ import annotations

from rule_kit import example, found, places, tool

RULE = "meta-changed"


def test_another_value_is_info() -> None:
    assert places(found(RULE, *example(RULE))) == [("info", "list_tickets", "/_meta/example.com~1tier")]


def test_gates_are_left_to_their_rules() -> None:
    assert found(RULE, [tool()], [tool(_meta={"anthropic/requiresUserInteraction": True})]) == []
