"""The rule other-changed."""

from __future__ import annotations

from rule_kit import example, found, places, schema, tool

RULE = "other-changed"


def test_a_field_that_nobody_knows_is_low() -> None:
    assert places(found(RULE, *example(RULE))) == [("low", "list_tickets", "/x-vendor")]


def test_what_another_rule_speaks_of_is_left_to_it() -> None:
    after = tool(description="Other.", title="New", inputSchema=schema({"a": {}}), annotations={"readOnlyHint": True})

    assert found(RULE, [tool()], [after]) == []


def test_what_came_beside_something_that_a_rule_knows_is_not_passed_over() -> None:
    hints, how = {"title": "List tickets", "x-trust": "full"}, {"x-a": 1, "taskSupport": "required"}
    after = tool(annotations=hints, execution=how)

    assert places(found(RULE, [tool()], [after])) == [
        ("low", "list_tickets", "/annotations/x-trust"),
        ("low", "list_tickets", "/execution/x-a"),
    ]


def test_what_took_the_place_of_something_else_is_told_part_by_part() -> None:
    before, after = tool(annotations="none"), tool(annotations={"title": "List tickets", "note": {"a": 1}})

    assert places(found(RULE, [before], [after])) == [("low", "list_tickets", "/annotations/note")]
