"""The rule hint-withdrawn."""

from __future__ import annotations

from rule_kit import example, found, hinted, places

RULE = "hint-withdrawn"


def test_a_danger_that_is_no_longer_spelled_out_is_medium() -> None:
    assert places(found(RULE, *example(RULE))) == [("medium", "change_ticket", "/annotations/destructiveHint")]


def test_a_danger_that_is_denied_is_loosened_and_not_withdrawn() -> None:
    assert found(RULE, [hinted(destructiveHint=True)], [hinted(destructiveHint=False)]) == []


def test_an_open_world_that_is_no_longer_mentioned_is_low() -> None:
    assert [one.severity for one in found(RULE, [hinted(openWorldHint=True)], [hinted()])] == ["low"]
