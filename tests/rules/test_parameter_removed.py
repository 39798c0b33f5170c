"""The rule parameter-removed."""

from __future__ import annotations

from rule_kit import example, found, places, schema, tool

RULE = "parameter-removed"


def test_a_parameter_that_is_gone_is_low() -> None:
    assert places(found(RULE, *example(RULE))) == [("low", "list_tickets", "/inputSchema/properties/page")]


def test_arguments_of_prompts_count() -> None:
    before = {"prompts": [{"name": "p", "arguments": [{"name": "a"}, {"name": "b"}]}]}

    findings = found(RULE, before, {"prompts": [{"name": "p", "arguments": [{"name": "b"}]}]})

    assert places(findings) == [("low", "p", "/arguments/0")]


def test_of_an_object_that_is_gone_only_the_object_is_told() -> None:
    before = tool(inputSchema=schema({"project": {"type": "string"}, "filter": schema({"a": {}, "b": {}})}))

    assert [one.pointer for one in found(RULE, [before], [tool()])] == ["/inputSchema/properties/filter"]
