"""The rule header-invalid."""

from __future__ import annotations

import pytest
from rule_kit import example, found, places, scanned, schema, tool

RULE = "header-invalid"
TEXT = {"type": "string"}


def categories(properties: dict, **keywords: object) -> list[str]:
    after = tool(inputSchema=schema(properties, **keywords))
    return [finding.category for finding in found(RULE, [tool()], [after])]


def test_a_name_that_is_no_header_name_is_medium_and_says_that_clients_drop_the_tool() -> None:
    findings = found(RULE, *example(RULE))

    assert places(findings) == [("medium", "list_tickets", "/inputSchema/properties/region/x-mcp-header")]
    assert "must leave the tool out" in findings[0].message


@pytest.mark.parametrize("name", ["", "Region Name", "Région", "a:b", "a(b)", 5, None, ["a"], {"a": "b"}, True])
def test_what_is_no_token_is_invalid(name: object) -> None:
    assert categories({"p": {**TEXT, "x-mcp-header": name}}) == ["token"]


@pytest.mark.parametrize("name", ["Region", "x-1", "a.b", "~", "!#$%&'*+-.^_`|"])
def test_a_token_is_valid(name: str) -> None:
    assert categories({"p": {**TEXT, "x-mcp-header": name}}) == []


@pytest.mark.parametrize("kind", ["number", "object", "array", "null", ["string"], None])
def test_a_parameter_of_another_type_is_invalid(kind: object) -> None:
    declared = {"x-mcp-header": "Region"} if kind is None else {"type": kind, "x-mcp-header": "Region"}

    assert categories({"p": declared}) == ["type"]


@pytest.mark.parametrize("kind", ["string", "integer", "boolean"])
def test_a_plain_parameter_at_any_depth_of_properties_is_valid(kind: str) -> None:
    assert categories({"p": schema({"q": {"type": kind, "x-mcp-header": "Region"}})}) == []


@pytest.mark.parametrize(
    "properties",
    [
        {"p": {"type": "array", "items": {**TEXT, "x-mcp-header": "A"}}},
        {"p": {"anyOf": [{**TEXT, "x-mcp-header": "A"}]}},
        {"p": {"additionalProperties": {**TEXT, "x-mcp-header": "A"}}},
    ],
)
def test_what_is_not_reached_through_properties_alone_is_invalid(properties: dict) -> None:
    assert categories(properties) == ["place"]


def test_in_a_definition_or_on_the_input_itself_it_is_invalid() -> None:
    marked = {**TEXT, "x-mcp-header": "A"}

    assert categories({"p": {"$ref": "#/$defs/A"}}, **{"$defs": {"A": marked}}) == ["place"]
    assert categories({"p": TEXT}, **{"x-mcp-header": "A"}) == ["place"]


def test_names_that_differ_in_case_alone_are_one_name() -> None:
    properties = {"a": {**TEXT, "x-mcp-header": "Region"}, "b": {**TEXT, "x-mcp-header": "REGION"}}

    assert categories(properties) == ["twice"]


def test_a_line_break_in_the_name_is_high() -> None:
    after = tool(inputSchema=schema({"p": {**TEXT, "x-mcp-header": "A\r\nB: c"}}))

    assert [finding.severity.value for finding in found(RULE, [tool()], [after])] == ["high"]


def test_a_default_that_holds_the_keyword_is_no_header() -> None:
    assert categories({"p": {"type": "object", "default": {"x-mcp-header": "A B"}}}) == []


def test_a_first_list_is_looked_at_too() -> None:
    _, after = example(RULE)

    assert len(scanned(RULE, after)) == 1
