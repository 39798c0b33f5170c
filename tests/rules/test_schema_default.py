"""The rule schema-default."""

from __future__ import annotations

from rule_kit import example, found, places

RULE = "schema-default"


def test_another_default_is_low() -> None:
    assert places(found(RULE, *example(RULE))) == [("low", "list_tickets", "/inputSchema/properties/project/default")]
