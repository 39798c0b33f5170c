"""The rule schema-cosmetic."""

from __future__ import annotations

from typing import Any

import pytest
from rule_kit import example, found, places, schema, tool

import driftwatch

RULE = "schema-cosmetic"
OPTIONAL = {"anyOf": [{"type": "string"}, {"type": "null"}]}
DRAFT_7 = {"$schema": "http://json-schema.org/draft-07/schema#"}
DRAFT_2020 = {"$schema": "https://json-schema.org/draft/2020-12/schema"}


def test_a_union_written_as_a_list_of_types_is_info() -> None:
    assert places(found(RULE, *example(RULE))) == [
        ("info", "list_tickets", "/inputSchema/properties/project"),
    ]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({}, {"$schema": "http://json-schema.org/draft-07/schema#"}),
        ({"enum": ["a", "b"]}, {"enum": ["b", "a"]}),
        ({}, {"required": []}),
        ({}, {"items": {}}),
        ({}, {"additionalProperties": {}}),
        ({}, {"uniqueItems": False}),
        ({"type": "string"}, {"type": ["string"]}),
        ({}, {"examples": ["x"]}),
    ],
)
def test_what_accepts_the_same_is_info_and_nothing_else(before: dict, after: dict) -> None:
    one, two = tool(inputSchema=schema({"p": before})), tool(inputSchema=schema({"p": after}))

    assert [finding.severity for finding in found(RULE, [one], [two])] == ["info"]
    assert found("schema-widened", [one], [two]) == found("schema-narrowed", [one], [two]) == []


INNER = schema({"field": {"type": "string"}, "limit": {"type": "integer", "minimum": 1}}, required=["field"])
SPELLINGS: dict[str, dict[str, Any]] = {
    "written out": schema({"filter": INNER, "state": {"enum": ["open"]}, "note": OPTIONAL}),
    "by reference": schema(
        {"filter": {"$ref": "#/$defs/Filter"}, "state": {"const": "open"}, "note": {"type": ["string", "null"]}},
        **{"$defs": {"Filter": {"title": "Filter", **INNER}}, **DRAFT_2020},
    ),
    "in draft 7": schema(
        {
            "note": {"oneOf": [{"type": "null"}, {"type": "string"}]},
            "filter": {"$ref": "#/definitions/Filter"},
            "state": {"enum": ["open"]},
        },
        **{"definitions": {"Filter": INNER}, "additionalProperties": True, **DRAFT_7},
    ),
    "by parts": schema(
        {
            "filter": {
                "allOf": [
                    {"type": "object", "properties": {"field": {"type": "string"}}, "required": ["field"]},
                    {"properties": {"limit": {"type": "integer", "exclusiveMinimum": 0}}},
                ]
            },
            "state": {"anyOf": [{"const": "open"}]},
            "note": {"$ref": "#/$defs/a~1b"},
        },
        **{"$defs": {"a/b": OPTIONAL}, "required": []},
    ),
}


@pytest.mark.parametrize("before", SPELLINGS)
@pytest.mark.parametrize("after", SPELLINGS)
def test_one_schema_in_four_spellings_is_never_more_than_info(before: str, after: str) -> None:
    one, two = (tool(inputSchema=SPELLINGS[spelling]) for spelling in (before, after))

    report = driftwatch.compare([one], [two])

    assert {finding.severity.value for finding in report.findings} <= {"info"}
    assert bool(report.findings) is (before != after)


def test_what_changes_beside_a_new_spelling_is_told_alone() -> None:
    after = {**SPELLINGS["by reference"], "required": ["state"]}

    report = driftwatch.compare([tool(inputSchema=SPELLINGS["written out"])], [tool(inputSchema=after)])

    louder = [(finding.rule, finding.pointer) for finding in report.findings if finding.severity > "info"]
    assert louder == [("parameter-required", "/inputSchema/required")]


def test_a_parameter_that_comes_beside_a_new_spelling_is_told_alone() -> None:
    after = {**SPELLINGS["by reference"]}
    after["properties"] = {**after["properties"], "page": {"type": "integer"}}

    report = driftwatch.compare([tool(inputSchema=SPELLINGS["written out"])], [tool(inputSchema=after)])

    louder = [(finding.rule, finding.pointer) for finding in report.findings if finding.severity > "info"]
    assert louder == [("parameter-added", "/inputSchema/properties/page")]


def test_a_dialect_that_nobody_knows_is_not_cosmetic() -> None:
    one, two = tool(), tool(inputSchema=schema(**{"$schema": "https://example.com/own"}))

    assert found(RULE, [one], [two]) == []
    assert len(found("schema-changed", [one], [two])) == 1


def test_a_keyword_that_nobody_knows_is_not_cosmetic() -> None:
    one, two = tool(), tool(inputSchema=schema(**{"x-vendor": {"mode": "fast"}}))

    assert found(RULE, [one], [two]) == []
