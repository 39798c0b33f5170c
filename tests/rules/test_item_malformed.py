"""The rule item-malformed."""

from __future__ import annotations

from rule_kit import example, found, places, scanned, tool

RULE = "item-malformed"


def test_an_entry_that_is_no_object_is_medium() -> None:
    assert places(found(RULE, *example(RULE))) == [("medium", "", "")]


def test_a_list_that_is_no_list_is_medium_and_not_an_empty_one() -> None:
    before = {"serverInfo": {"name": "x"}, "tools": [tool()]}
    after = {"serverInfo": {"name": "x"}, "tools": None}

    assert places(found(RULE, before, after)) == [("medium", "", "/tools")]
    assert found("list-emptied", before, after) == found("item-removed", before, after) == []


def test_a_form_that_was_approved_is_not_told_again() -> None:
    odd = {"name": 5, "description": "Odd."}

    assert found(RULE, [odd], [odd, tool()]) == []
    assert len(scanned(RULE, [odd])) == 1


def test_half_of_a_character_is_told_once() -> None:
    (finding,) = scanned(RULE, [tool(description="Lists \ud800 tickets.")])

    assert finding.message == "A text holds half of a character."
