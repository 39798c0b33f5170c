"""The rule schema-narrowed."""

from __future__ import annotations

from rule_kit import example, found, places, schema, tool

RULE = "schema-narrowed"


def test_a_new_bound_is_low() -> None:
    assert places(found(RULE, *example(RULE))) == [("low", "list_tickets", "/inputSchema/properties/project/maxLength")]


def test_keywords_behind_branches_and_items_are_found() -> None:
    before = {"anyOf": [{"type": "array", "items": {"type": "string"}}]}
    after = {"anyOf": [{"type": "array", "items": {"type": "string", "maxLength": 3}}]}

    findings = found(RULE, [tool(inputSchema=schema({"p": before}))], [tool(inputSchema=schema({"p": after}))])

    assert [one.pointer for one in findings] == ["/inputSchema/properties/p/anyOf/0/items/maxLength"]


def test_a_property_named_like_a_keyword_is_no_keyword() -> None:
    after = tool(inputSchema=schema({"project": {"type": "string"}, "maxLength": {"type": "integer"}}))

    assert found(RULE, [tool()], [after]) == []
