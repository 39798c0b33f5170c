"""The rule output-schema-changed."""

from __future__ import annotations

from rule_kit import example, found, places, schema, tool

RULE = "output-schema-changed"


def test_another_result_is_low() -> None:
    assert places(found(RULE, *example(RULE))) == [("low", "list_tickets", "/outputSchema/properties/total/type")]


def test_a_schema_that_is_gone_is_low_and_one_finding() -> None:
    assert places(found(RULE, [tool(outputSchema=schema())], [tool()])) == [("low", "list_tickets", "/outputSchema")]


def test_only_the_dialect_is_cosmetic() -> None:
    dialect = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    one, two = tool(outputSchema=schema()), tool(outputSchema=schema(**dialect))

    assert found(RULE, [one], [two]) == []
    assert [finding.severity for finding in found("schema-cosmetic", [one], [two])] == ["info"]
