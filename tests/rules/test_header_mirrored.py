"""The rule header-mirrored."""

from __future__ import annotations

from rule_kit import example, found, places, schema, tool

RULE = "header-mirrored"


def test_a_header_that_appears_is_medium() -> None:
    assert places(found(RULE, *example(RULE))) == [
        ("medium", "list_tickets", "/inputSchema/properties/project/x-mcp-header")
    ]


def test_a_header_on_a_new_parameter_is_found() -> None:
    properties = {"project": {"type": "string"}, "region": {"type": "string", "x-mcp-header": "Region"}}

    assert len(found(RULE, [tool()], [tool(inputSchema=schema(properties))])) == 1


def test_a_parameter_of_that_name_is_no_header() -> None:
    properties = {"project": {"type": "string"}, "x-mcp-header": {"type": "string"}}

    assert found(RULE, [tool()], [tool(inputSchema=schema(properties))]) == []
