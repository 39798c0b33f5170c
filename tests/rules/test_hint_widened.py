"""The rule hint-widened."""

from __future__ import annotations

import pytest
from rule_kit import example, found, hinted, places, tool

RULE = "hint-widened"


def test_a_reader_that_may_write_now_is_high() -> None:
    assert places(found(RULE, *example(RULE))) == [("high", "list_tickets", "/annotations/readOnlyHint")]


@pytest.mark.parametrize(
    ("before", "after", "severity"),
    [
        ({"readOnlyHint": True}, {}, "medium"),
        ({"readOnlyHint": True}, {"destructiveHint": True}, "high"),
        ({"destructiveHint": False}, {"destructiveHint": True}, "high"),
        ({"destructiveHint": False}, {}, "medium"),
        ({"openWorldHint": False}, {"openWorldHint": True}, "medium"),
        ({"openWorldHint": False}, {}, "low"),
        ({"idempotentHint": True}, {"idempotentHint": False}, "low"),
    ],
)
def test_a_promise_that_is_denied_weighs_more_than_one_that_is_no_longer_made(
    before: dict, after: dict, severity: str
) -> None:
    assert [one.severity for one in found(RULE, [hinted(**before)], [hinted(**after)])] == [severity]


def test_a_hint_without_meaning_on_a_read_only_tool_widens_nothing() -> None:
    before, after = hinted(readOnlyHint=True), hinted(readOnlyHint=True, destructiveHint=True)

    assert found(RULE, [before], [after]) == []


def test_annotations_that_vanish_whole_widen_what_they_promised() -> None:
    findings = found(RULE, [hinted(readOnlyHint=True, openWorldHint=False)], [tool()])

    assert {one.pointer for one in findings} == {"/annotations/readOnlyHint", "/annotations/openWorldHint"}


def test_a_reader_that_no_longer_says_so_weighs_more_when_it_reaches_outside_too() -> None:
    before = hinted(readOnlyHint=True, openWorldHint=False)

    assert places(found(RULE, [before], [hinted(openWorldHint=True)]))[0][:1] == ("high",)
    assert {one.severity for one in found(RULE, [before], [hinted(openWorldHint=False)])} == {"medium"}


def test_it_names_the_hosts_that_ask_more_from_now_on_first() -> None:
    finding = found(RULE, [hinted(openWorldHint=False)], [hinted(openWorldHint=True)])[0]

    assert finding.hosts[0].host == "VS Code (results)"
    assert finding.hosts[0].now == "lets you review the result before the model sees it"
