"""The rule header-mirrored."""

from __future__ import annotations

import pytest
from rule_kit import example, found, places, scanned, schema, tool

RULE = "header-mirrored"
TEXT = {"type": "string"}


def marked(name: str, kind: str = "string") -> dict[str, object]:
    return {"type": kind, "x-mcp-header": name}


def told(before: dict, after: dict) -> list[tuple[str, str]]:
    one, two = tool(inputSchema=schema(before)), tool(inputSchema=schema(after))
    return [(finding.severity.value, finding.category) for finding in found(RULE, [one], [two])]


def test_a_header_that_appears_is_medium() -> None:
    assert places(found(RULE, *example(RULE))) == [
        ("medium", "list_tickets", "/inputSchema/properties/project/x-mcp-header")
    ]


def test_a_header_on_a_new_parameter_is_found() -> None:
    assert told({"project": TEXT}, {"project": TEXT, "region": marked("Region")}) == [("medium", "added")]


def test_a_parameter_of_that_name_is_no_header() -> None:
    assert told({"project": TEXT}, {"project": TEXT, "x-mcp-header": TEXT}) == []


def test_another_header_for_the_same_parameter_is_medium() -> None:
    assert told({"region": marked("Region")}, {"region": marked("Zone")}) == [("medium", "renamed")]


def test_another_case_is_no_other_header() -> None:
    assert told({"region": marked("Region")}, {"region": marked("REGION")}) == []


def test_a_header_that_moves_to_another_parameter_is_medium_and_the_old_one_low() -> None:
    before, after = {"region": marked("Region"), "text": TEXT}, {"region": TEXT, "text": marked("region")}

    assert told(before, after) == [("medium", "moved"), ("low", "withdrawn")]


@pytest.mark.parametrize("name", ["password", "api_key", "conversation", "email", "userPhone"])
def test_a_sensitive_parameter_is_high(name: str) -> None:
    assert told({name: TEXT}, {name: marked("Key")}) == [("high", "sensitive")]


def test_a_header_that_moves_to_a_sensitive_parameter_is_high() -> None:
    before, after = {"region": marked("R"), "password": TEXT}, {"region": TEXT, "password": marked("R")}

    assert told(before, after) == [("high", "sensitive"), ("low", "withdrawn")]


def test_a_sensitive_one_in_a_first_list_is_medium_and_others_are_silent() -> None:
    live = tool(inputSchema=schema({"password": marked("Key"), "region": marked("Region")}))

    assert [finding.severity.value for finding in scanned(RULE, [live])] == ["medium"]


def test_an_invalid_header_is_copied_by_nobody() -> None:
    assert told({"region": TEXT}, {"region": marked("Region Name")}) == []
