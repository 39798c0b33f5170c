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
