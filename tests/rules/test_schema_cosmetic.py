"""The rule schema-cosmetic."""

from __future__ import annotations

import pytest
from rule_kit import example, found, places, schema, tool

RULE = "schema-cosmetic"


def test_a_keyword_spelled_out_at_its_default_is_info() -> None:
    assert places(found(RULE, *example(RULE))) == [("info", "list_tickets", "/inputSchema/additionalProperties")]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({}, {"$schema": "http://json-schema.org/draft-07/schema#"}),
        ({"enum": ["a", "b"]}, {"enum": ["b", "a"]}),
        ({}, {"required": []}),
        ({}, {"items": {}}),
        ({}, {"uniqueItems": False}),
        ({"type": "string"}, {"type": ["string"]}),
        ({}, {"examples": ["x"]}),
    ],
)
def test_what_accepts_the_same_is_info_and_nothing_else(before: dict, after: dict) -> None:
    one, two = tool(inputSchema=schema({"p": before})), tool(inputSchema=schema({"p": after}))

    assert [finding.severity for finding in found(RULE, [one], [two])] == ["info"]
    assert found("schema-widened", [one], [two]) == found("schema-narrowed", [one], [two]) == []
