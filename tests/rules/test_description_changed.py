"""The rule description-changed."""

from __future__ import annotations

from rule_kit import example, found, places, schema, tool

RULE = "description-changed"


def test_other_words_are_low() -> None:
    assert places(found(RULE, *example(RULE))) == [("low", "list_tickets", "/description")]


def test_only_another_spacing_is_info() -> None:
    findings = found(RULE, [tool()], [tool(description="List the open\n  tickets.\n")])

    assert [one.severity for one in findings] == ["info"]


def test_a_parameter_called_description_is_no_description() -> None:
    after = tool(inputSchema=schema({"project": {"type": "string"}, "description": {"type": "string"}}))

    assert found(RULE, [tool()], [after]) == []


def test_descriptions_of_parameters_and_arguments_are_named() -> None:
    described = tool(inputSchema=schema({"project": {"type": "string", "description": "Key."}}))
    before, after = ({"prompts": [{"name": "p", "arguments": [{"name": "a", "description": d}]}]} for d in "xy")

    assert [one.pointer for one in found(RULE, [tool()], [described])] == [
        "/inputSchema/properties/project/description"
    ]
    assert [one.pointer for one in found(RULE, before, after)] == ["/arguments/0/description"]


def test_it_says_how_many_words_came_and_went() -> None:
    (finding,) = found(RULE, [tool()], [tool(description="List the closed tickets of all.")])

    assert finding.message == "A description reads otherwise: words put in 4, taken out 2."


def test_a_description_that_is_no_text_is_told_too() -> None:
    assert places(found(RULE, [tool()], [tool(description=["List the open tickets."])])) == [
        ("low", "list_tickets", "/description")
    ]
