"""The rule schema-widened."""

from __future__ import annotations

import pytest
from rule_kit import example, found, places, schema, tool

RULE = "schema-widened"


def test_choices_that_are_gone_are_low() -> None:
    assert places(found(RULE, *example(RULE))) == [("low", "list_tickets", "/inputSchema/properties/project/enum")]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"maxLength": 5}, {"maxLength": 50}),
        ({"maximum": 5}, {}),
        ({"minimum": 5}, {"minimum": 1}),
        ({"pattern": "^a$"}, {}),
        ({"format": "email"}, {}),
        ({"enum": ["a"]}, {"enum": ["a", "b"]}),
        ({"const": 1}, {}),
        ({"type": "integer"}, {"type": "number"}),
        ({"type": "string"}, {"type": ["string", "null"]}),
        ({"additionalProperties": False}, {}),
        ({"additionalProperties": False}, {"additionalProperties": {"type": "string"}}),
        ({"unevaluatedProperties": False}, {"unevaluatedProperties": True}),
        ({"required": ["a"]}, {}),
        ({"anyOf": [{"type": "string"}]}, {"anyOf": [{"type": "string"}, {"type": "null"}]}),
        ({"allOf": [{"minLength": 1}]}, {}),
        ({"uniqueItems": True}, {}),
        ({"items": {"type": "string"}}, {}),
    ],
)
def test_each_keyword_is_read_in_its_direction(before: dict, after: dict) -> None:
    one, two = tool(inputSchema=schema({"p": before})), tool(inputSchema=schema({"p": after}))

    assert len(found(RULE, [one], [two])) == 1
    assert found(RULE, [two], [one]) == []
