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
        ({"not": {"const": 1}}, {}),
        ({"dependentRequired": {"a": ["b"]}}, {}),
        ({"if": {"required": ["a"]}, "then": {"required": ["b"]}}, {"if": {"required": ["a"]}}),
        ({"pattern": "^[a-z]+$"}, {"pattern": "^[A-Za-z]+$"}),
        ({"multipleOf": 4}, {"multipleOf": 2}),
        ({"additionalProperties": {"type": "integer"}}, {"additionalProperties": {"type": "number"}}),
        ({"patternProperties": {"^a": {"maxLength": 1}}}, {"patternProperties": {"^a": {"maxLength": 2}}}),
        ({"prefixItems": [{"type": "string"}]}, {}),
        ({"allOf": [{"anyOf": [{"const": 1}]}]}, {"allOf": [{"anyOf": [{"const": 1}, {"const": 2}]}]}),
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


def test_a_definition_that_grows_widens_what_refers_to_it() -> None:
    one, two = (
        tool(inputSchema=schema({"p": {"$ref": "#/$defs/P"}}, **{"$defs": {"P": {"enum": choices}}}))
        for choices in (["a"], ["a", "b"])
    )

    assert places(found(RULE, [one], [two])) == [("low", "list_tickets", "/inputSchema/$defs/P/enum/1")]


@pytest.mark.parametrize(("shut", "open_"), [(False, True), (False, {"type": "string"}), ({"type": "string"}, True)])
def test_a_definition_that_is_replaced_as_a_whole_is_no_other_spelling(shut: object, open_: object) -> None:
    one, two = (
        tool(inputSchema=schema({"p": {"$ref": "#/$defs/P"}}, **{"$defs": {"P": declared}}))
        for declared in (shut, open_)
    )

    assert places(found(RULE, [one], [two])) == [("low", "list_tickets", "/inputSchema/$defs/P")]
    assert len(found("schema-narrowed", [two], [one])) == 1
    assert found("schema-cosmetic", [one], [two]) == []


def test_what_grows_under_a_not_narrows() -> None:
    one, two = (tool(inputSchema=schema({"p": {"not": {"enum": choices}}})) for choices in (["a"], ["a", "b"]))

    assert found(RULE, [one], [two]) == []
    assert len(found("schema-narrowed", [one], [two])) == 1


def test_what_grows_in_a_definition_under_a_not_narrows() -> None:
    one, two = (
        tool(inputSchema=schema({"p": {"not": {"$ref": "#/$defs/P"}}}, **{"$defs": {"P": {"enum": choices}}}))
        for choices in (["a"], ["a", "b"])
    )

    assert found(RULE, [one], [two]) == []
    assert len(found("schema-narrowed", [one], [two])) == 1


def test_what_grows_in_an_inner_definition_under_a_not_narrows() -> None:
    one, two = (
        tool(inputSchema=schema({"p": {"not": {"$ref": "#/properties/p/$defs/P"}, "$defs": {"P": {"enum": choices}}}}))
        for choices in (["a"], ["a", "b"])
    )

    assert found(RULE, [one], [two]) == []
    assert len(found("schema-narrowed", [one], [two])) == 1


def test_an_example_shows_what_a_branch_lets_in() -> None:
    one, two = (
        tool(inputSchema=schema({"p": declared}))
        for declared in ({"type": "string"}, {"anyOf": [{"type": "string"}, {"type": "integer"}]})
    )

    messages = [finding.message for finding in found(RULE, [one], [two])]

    assert all("for example: 1" in message for message in messages)


def test_a_choice_that_came_is_named_and_the_others_are_not_said_to_be_absent() -> None:
    one, two = (tool(inputSchema=schema({"p": {"enum": choices}})) for choices in (["a"], ["a", "b"]))

    (finding,) = found(RULE, [one], [two])

    assert "accepts more than before: enum has now “b”." in finding.message
    assert "absent" not in finding.message
