"""The rule output-widened."""

from __future__ import annotations

import pytest
from rule_kit import example, found, places, schema, tool

from driftwatch.model import Axis

RULE = "output-widened"


def test_a_result_that_may_be_missing_now_is_low_and_a_matter_of_contract() -> None:
    findings = found(RULE, *example(RULE))

    assert places(findings) == [("low", "list_tickets", "/outputSchema/required")]
    assert findings[0].axis is Axis.CONTRACT


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"enum": ["a"]}, {"enum": ["a", "b"]}),
        ({"type": "integer"}, {"type": "number"}),
        ({"type": "string"}, {"type": ["string", "null"]}),
        ({"type": "array", "maxItems": 5}, {"type": "array"}),
    ],
)
def test_what_was_not_to_be_expected_before_is_told(before: dict, after: dict) -> None:
    one, two = tool(outputSchema=schema({"p": before})), tool(outputSchema=schema({"p": after}))

    assert len(found(RULE, [one], [two])) == 1
    assert found(RULE, [two], [one]) == []


def test_a_property_that_is_gone_may_be_anything_now() -> None:
    one, two = tool(outputSchema=schema({"a": {}, "total": {"type": "integer"}})), tool(outputSchema=schema({"a": {}}))

    (gone,) = found(RULE, [one], [two])

    assert places([gone]) == [("low", "list_tickets", "/outputSchema/properties/total")]
    assert gone.message.startswith("The field “total” is gone from what the tool says it returns")


def test_a_property_that_a_closed_result_gets_is_more_than_before() -> None:
    one, two = (
        tool(outputSchema=schema(properties, additionalProperties=False))
        for properties in ({"a": {}}, {"a": {}, "b": {}})
    )

    (new,) = found(RULE, [one], [two])

    assert places([new]) == [("low", "list_tickets", "/outputSchema/properties/b")]
    assert new.message == "The field “b” is new in what the tool says it returns."
    assert [gone.message for gone in found("output-narrowed", [two], [one])] == [
        "The field “b” is gone from what the tool says it returns."
    ]


def test_only_another_spelling_is_cosmetic() -> None:
    before = schema({"p": {"anyOf": [{"type": "string"}, {"type": "null"}]}})
    one, two = tool(outputSchema=before), tool(outputSchema=schema({"p": {"type": ["null", "string"]}}))

    assert found(RULE, [one], [two]) == []
    assert {finding.severity.value for finding in found("schema-cosmetic", [one], [two])} == {"info"}
