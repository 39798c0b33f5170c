"""The rule schema-changed."""

from __future__ import annotations

import pytest
from rule_kit import example, found, places, schema, tool

RULE = "schema-changed"


def test_another_type_is_low() -> None:
    assert places(found(RULE, *example(RULE))) == [("low", "list_tickets", "/inputSchema/properties/project/type")]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"pattern": "^a$"}, {"pattern": "^b$"}),
        ({"$ref": "#/$defs/a"}, {"$ref": "#/$defs/b"}),
        ({"enum": ["a"]}, {"enum": ["b"]}),
        ({"$ref": "https://example.com/a"}, {"$ref": "https://example.com/b"}),
        ({}, {"x-vendor": 1}),
    ],
)
def test_what_has_no_direction_is_low(before: dict, after: dict) -> None:
    one, two = tool(inputSchema=schema({"p": before})), tool(inputSchema=schema({"p": after}))

    assert [finding.severity for finding in found(RULE, [one], [two])] == ["low"]


def test_keywords_that_take_each_other_s_place_are_judged_together() -> None:
    one, two = (
        tool(inputSchema=schema({"p": declared}))
        for declared in ({"type": "string"}, {"anyOf": [{"type": "integer"}, {"type": "null"}]})
    )

    findings = found(RULE, [one], [two])

    assert [finding.pointer for finding in findings] == ["/inputSchema/properties/p"]
    assert "refused" in findings[0].message


@pytest.mark.parametrize(
    ("reference", "before", "after"),
    [
        ("#p", {"A": {"$anchor": "p", "type": "string"}}, {"B": {"$anchor": "p", "type": "number"}}),
        (
            "#p",
            {"A": {"$anchor": "p", "type": "string"}, "B": {"type": "number"}},
            {"A": {"type": "string"}, "B": {"$anchor": "p", "type": "number"}},
        ),
        ("#p", {"A": {"$anchor": "p", "type": "string"}, "B": True}, {"B": True}),
        ("#/$defs/A/items", {"A": {"items": {"type": "string"}}, "B": True}, {"B": True}),
    ],
)
def test_a_reference_that_leads_elsewhere_with_no_word_changed_is_told(
    reference: str, before: dict, after: dict
) -> None:
    one, two = (tool(inputSchema=schema({"p": {"$ref": reference}}, **{"$defs": known})) for known in (before, after))

    assert found(RULE, [one], [two]) != []
    assert found("schema-cosmetic", [one], [two]) == []


def test_a_parameter_that_is_called_like_a_keyword_is_a_parameter() -> None:
    before = {"properties": {"type": "integer"}}
    after = {"properties": {"type": "string"}, "type": {"type": "integer"}}

    findings = found(RULE, [tool(inputSchema=schema(before))], [tool(inputSchema=schema(after))])

    assert places(findings) == [("low", "list_tickets", "/inputSchema/properties/properties/type")]
