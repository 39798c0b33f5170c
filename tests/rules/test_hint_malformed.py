"""The rule hint-malformed."""

from __future__ import annotations

import pytest
from rule_kit import example, found, hinted, places, scanned, tool

RULE = "hint-malformed"


def test_a_hint_that_becomes_a_string_is_medium() -> None:
    assert places(found(RULE, *example(RULE))) == [("medium", "change_ticket", "/annotations/destructiveHint")]


@pytest.mark.parametrize("value", [None, "true", 0, 1.0, [], {}])
def test_every_value_that_is_no_boolean_is_found(value: object) -> None:
    assert len(found(RULE, [hinted(readOnlyHint=True)], [hinted(readOnlyHint=value)])) == 1
    assert len(scanned(RULE, [hinted(readOnlyHint=value)])) == 1


def test_annotations_that_are_no_object_are_found() -> None:
    assert places(found(RULE, [tool()], [tool(annotations="read-only")])) == [
        ("medium", "list_tickets", "/annotations")
    ]


def test_a_malformed_hint_that_was_approved_is_not_told_again() -> None:
    before = hinted(readOnlyHint="true")

    assert found(RULE, [before], [{**before, "title": "Other"}]) == []


def test_the_same_unusable_value_is_not_told_again_because_its_keys_stand_in_another_order() -> None:
    before = tool(annotations={"readOnlyHint": {"a": 1, "b": 2.0}})
    after = tool(annotations={"readOnlyHint": {"b": 2, "a": 1}}, title="Tickets")

    assert found(RULE, [before], [after]) == []
