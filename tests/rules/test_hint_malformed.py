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


def test_a_value_that_a_host_takes_for_trust_in_place_of_a_spelled_out_hint_is_high() -> None:
    findings = found(RULE, [hinted(readOnlyHint=False)], [hinted(readOnlyHint="false")])

    assert places(findings) == [("high", "list_tickets", "/annotations/readOnlyHint")]
    assert {one.host for one in findings[0].hosts} >= {"VS Code (agent mode)", "GitHub Copilot CLI"}
    assert "takes it for true" in findings[0].message


@pytest.mark.parametrize(
    ("before", "after"), [({}, "true"), ({"readOnlyHint": True}, "true"), ({"readOnlyHint": False}, "")]
)
def test_a_value_that_buys_nothing_stays_medium(before: dict, after: object) -> None:
    assert [one.severity for one in found(RULE, [hinted(**before)], [hinted(readOnlyHint=after)])] == ["medium"]
