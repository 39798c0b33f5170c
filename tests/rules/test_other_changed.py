"""The rule other-changed."""

from __future__ import annotations

from rule_kit import example, found, places, schema, tool

RULE = "other-changed"


def test_a_field_that_nobody_knows_is_low() -> None:
    assert places(found(RULE, *example(RULE))) == [("low", "list_tickets", "/x-vendor")]


def test_what_another_rule_speaks_of_is_left_to_it() -> None:
    after = tool(description="Other.", title="New", inputSchema=schema({"a": {}}), annotations={"readOnlyHint": True})

    assert found(RULE, [tool()], [after]) == []
