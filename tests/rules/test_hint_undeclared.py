"""The rule hint-undeclared."""

from __future__ import annotations

import pytest
from rule_kit import example, found, hinted, scanned, tool

RULE = "hint-undeclared"
READER = {"readOnlyHint": True, "destructiveHint": False, "openWorldHint": True}


def test_a_scan_names_the_tools_that_leave_hints_unsaid() -> None:
    findings = scanned(RULE, example(RULE)[1])

    assert [(one.severity, one.item, one.category) for one in findings] == [
        ("info", "get_ticket", "missing"),
        ("info", "list_tickets", "moot"),
    ]


@pytest.mark.parametrize(
    ("hints", "category"),
    [
        ({}, "missing"),
        ({"readOnlyHint": None, "openWorldHint": True}, "missing"),
        ({"readOnlyHint": True}, "missing"),
        ({"readOnlyHint": False, "openWorldHint": False, "idempotentHint": True}, "missing"),
        ({"readOnlyHint": True, "openWorldHint": True}, "moot"),
        ({"readOnlyHint": False, "destructiveHint": True, "openWorldHint": False}, "optional"),
    ],
)
def test_what_is_unsaid_is_told_by_what_it_means(hints: dict, category: str) -> None:
    assert [one.category for one in scanned(RULE, [hinted(**hints)])] == [category]


def test_a_reader_with_three_explicit_hints_leaves_nothing_unsaid() -> None:
    assert scanned(RULE, [hinted(**READER)]) == []


def test_many_tools_are_told_once_with_their_count() -> None:
    findings = scanned(RULE, [tool(name) for name in ("a", "b", "c")])

    assert [(one.items, one.category) for one in findings] == [(("a", "b", "c"), "missing")]
    assert findings[0].message.startswith("3 tools leave hints unsaid")


def test_a_comparison_tells_of_new_tools_and_of_those_that_lost_a_hint_only() -> None:
    before = [hinted("old"), hinted("loser", **READER)]

    findings = found(
        RULE, before, [hinted("old", title="Old"), hinted("loser", **READER | {"openWorldHint": None}), tool("new")]
    )

    assert [(one.item, one.pointer, one.category) for one in findings] == [
        ("loser", "/annotations/openWorldHint", "missing"),
        ("new", "/annotations/readOnlyHint", "missing"),
    ]


def test_a_tool_that_turns_from_reader_to_writer_owes_what_readers_need_not_say() -> None:
    before, after = hinted(readOnlyHint=True, openWorldHint=True), hinted(readOnlyHint=False, openWorldHint=True)

    assert [one.category for one in found(RULE, [before], [after])] == ["missing"]


def test_other_annotations_that_change_beside_it_are_told_on_their_own() -> None:
    before, after = hinted(**READER), hinted(**READER | {"openWorldHint": None, "audience": "all"})

    assert any(one.pointer == "/annotations/audience" for one in found("other-changed", [before], [after]))
