"""The rule output-narrowed."""

from __future__ import annotations

from rule_kit import example, found, places, schema, tool

from driftwatch.model import Axis

RULE = "output-narrowed"


def test_a_choice_that_went_is_low_and_a_matter_of_contract() -> None:
    findings = found(RULE, *example(RULE))

    assert [place[:2] for place in places(findings)] == [("low", "list_tickets")]
    assert findings[0].pointer.startswith("/outputSchema/properties/state/enum")
    assert findings[0].axis is Axis.CONTRACT


def test_a_property_that_an_open_result_describes_now_is_narrower() -> None:
    one, two = tool(outputSchema=schema({"a": {}})), tool(outputSchema=schema({"a": {}, "b": {"type": "string"}}))

    (new,) = found(RULE, [one], [two])

    assert places([new]) == [("low", "list_tickets", "/outputSchema/properties/b")]
    assert new.message == "The field “b” is new in what the tool says it returns."


def test_a_first_output_schema_is_told_as_a_whole() -> None:
    assert found(RULE, [tool()], [tool(outputSchema=schema())]) == []
    assert len(found("output-schema-changed", [tool()], [tool(outputSchema=schema())])) == 1
