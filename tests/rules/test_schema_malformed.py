"""The rule schema-malformed."""

from __future__ import annotations

import pytest
from rule_kit import example, found, places, scanned, tool

RULE = "schema-malformed"


def test_a_schema_that_becomes_null_is_medium() -> None:
    assert places(found(RULE, *example(RULE))) == [("medium", "list_tickets", "/inputSchema")]


@pytest.mark.parametrize("value", [[], "object", True, 5])
def test_a_schema_that_is_no_object_is_medium(value: object) -> None:
    assert [one.severity for one in found(RULE, [tool()], [tool(inputSchema=value)])] == ["medium"]
    assert len(scanned(RULE, [tool(inputSchema=value)])) == 1


def test_a_missing_schema_is_said_to_be_missing() -> None:
    after = {"name": "list_tickets", "description": "List the open tickets."}

    assert "missing" in found(RULE, [tool()], [after])[0].message


@pytest.mark.parametrize("value", [[], "object", None, 5])
def test_an_output_schema_that_is_no_object_is_medium_and_none_at_all_is_fine(value: object) -> None:
    assert places(found(RULE, [tool()], [tool(outputSchema=value)])) == [("medium", "list_tickets", "/outputSchema")]
    assert found(RULE, [tool(outputSchema={})], [tool()]) == []


@pytest.mark.parametrize("kind", ["string", ["object", "null"], None])
def test_an_input_that_is_no_object_any_more_is_medium(kind: object) -> None:
    after = tool(inputSchema={"type": kind})

    assert places(found(RULE, [tool()], [after])) == [("medium", "list_tickets", "/inputSchema/type")]
    assert found(RULE, [after], [after]) == []
