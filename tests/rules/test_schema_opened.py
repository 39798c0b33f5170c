"""The rule schema-opened."""

from __future__ import annotations

import pytest
from rule_kit import example, found, places, schema, tool

RULE = "schema-opened"
CLOSED = {"type": "object", "properties": {"x": {"type": "string"}}, "additionalProperties": False}
OPEN = {"type": "object", "properties": {"x": {"type": "string"}}}


def severities(before: dict, after: dict) -> list[str]:
    one, two = tool(inputSchema=schema({"p": before})), tool(inputSchema=schema({"p": after}))
    return [finding.severity.value for finding in found(RULE, [one], [two])]


def test_a_closed_input_that_takes_any_name_is_medium() -> None:
    assert places(found(RULE, *example(RULE))) == [("medium", "list_tickets", "/inputSchema/additionalProperties")]


def test_it_is_told_once_and_not_as_any_widening() -> None:
    assert found("schema-widened", *example(RULE)) == []


@pytest.mark.parametrize(
    "after",
    [
        OPEN,
        {**CLOSED, "additionalProperties": True},
        {**CLOSED, "additionalProperties": {"type": "string"}},
        {**CLOSED, "patternProperties": {"^x-": {"type": "string"}}},
        {"anyOf": [OPEN, {"type": "null"}]},
    ],
)
def test_every_way_to_let_names_in_is_found(after: dict) -> None:
    assert severities(CLOSED, after) == ["medium"]


def test_a_reference_that_was_closed_and_is_written_out_open_is_found() -> None:
    before = schema({"p": {"$ref": "#/$defs/P"}}, **{"$defs": {"P": CLOSED}})

    findings = found(RULE, [tool(inputSchema=before)], [tool(inputSchema=schema({"p": OPEN}))])

    assert places(findings) == [("medium", "list_tickets", "/inputSchema/properties/p")]


def test_new_properties_that_hold_no_free_text_are_low() -> None:
    assert severities(CLOSED, {**CLOSED, "additionalProperties": {"type": "integer"}}) == ["low"]
    assert severities(CLOSED, {**CLOSED, "additionalProperties": {"enum": ["a", "b"]}}) == ["low"]


@pytest.mark.parametrize(
    "after",
    [
        CLOSED,
        {"allOf": [CLOSED]},
        {"type": "object", "properties": {"x": {"type": "string"}}, "unevaluatedProperties": False},
        {"type": "string"},
    ],
)
def test_what_stays_closed_or_is_no_object_any_more_is_none_of_this(after: dict) -> None:
    assert severities(CLOSED, after) == []


def test_closing_is_none_of_this() -> None:
    assert severities(OPEN, CLOSED) == []


def closed_tools(*names: str, closed: bool) -> list[dict]:
    return [tool(name, inputSchema=schema(additionalProperties=not closed)) for name in names]


def test_a_server_that_opens_all_of_its_inputs_at_once_is_an_upgraded_library() -> None:
    before, after = (closed_tools("one", "two", "three", closed=closed) for closed in (True, False))

    assert {finding.severity.value for finding in found(RULE, before, after)} == {"low"}


def test_a_server_that_opens_some_of_its_inputs_is_not() -> None:
    before = closed_tools("one", "two", "three", "four", closed=True)
    after = [*closed_tools("one", "two", "three", closed=False), *closed_tools("four", closed=True)]

    assert {finding.severity.value for finding in found(RULE, before, after)} == {"medium"}
