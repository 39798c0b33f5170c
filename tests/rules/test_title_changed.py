"""The rule title-changed."""

from __future__ import annotations

from rule_kit import example, found, places, schema, tool

RULE = "title-changed"


def test_another_title_is_low() -> None:
    assert places(found(RULE, *example(RULE))) == [("low", "list_tickets", "/title")]


def test_titles_inside_schemas_are_info() -> None:
    after = tool(inputSchema=schema({"project": {"type": "string", "title": "Project"}}))

    assert [one.severity for one in found(RULE, [tool()], [after])] == ["info"]


def test_a_parameter_called_title_is_no_title() -> None:
    after = tool(inputSchema=schema({"project": {"type": "string"}, "title": {"type": "string"}}))

    assert found(RULE, [tool()], [after]) == []


def test_the_display_name_of_a_resource_is_a_title() -> None:
    before, after = ({"resources": [{"uri": "a://b", "name": name}]} for name in ("one", "two"))

    assert places(found(RULE, before, after)) == [("low", "a://b", "/name")]
