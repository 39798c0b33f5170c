"""The rule hint-restated."""

from __future__ import annotations

from rule_kit import example, found, hinted, places, tool

RULE = "hint-restated"


def test_a_hint_without_meaning_is_info() -> None:
    assert places(found(RULE, *example(RULE))) == [("info", "list_tickets", "/annotations/destructiveHint")]


def test_defaults_that_are_spelled_out_are_info() -> None:
    after = hinted(readOnlyHint=False, destructiveHint=True, idempotentHint=False, openWorldHint=True)

    findings = found(RULE, [tool()], [after])

    assert {one.severity for one in findings} == {"info"}
    assert len(findings) == 4
