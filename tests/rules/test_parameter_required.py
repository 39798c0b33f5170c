"""The rule parameter-required."""

from __future__ import annotations

from rule_kit import example, found, places, schema, tool

RULE = "parameter-required"


def test_a_parameter_that_must_be_given_now_is_low() -> None:
    assert places(found(RULE, *example(RULE))) == [("low", "list_tickets", "/inputSchema/required/0")]


def test_a_parameter_that_need_not_be_given_any_more_is_none_of_this() -> None:
    after, before = example(RULE)

    assert found(RULE, before, after) == []
    assert len(found("schema-widened", before, after)) == 1


def test_another_order_is_none_of_this() -> None:
    one, two = (tool(inputSchema=schema(required=names)) for names in (["a", "b"], ["b", "a"]))

    assert found(RULE, [one], [two]) == []
    assert [one.severity for one in found("schema-cosmetic", [one], [two])] == ["info"]


def test_a_prompt_argument_that_becomes_required_is_low() -> None:
    before, after = ({"prompts": [{"name": "p", "arguments": [{"name": "a", "required": r}]}]} for r in (False, True))

    assert places(found(RULE, before, after)) == [("low", "p", "/arguments/0/required")]
