"""The rule instructions-changed."""

from __future__ import annotations

from rule_kit import example, found, places

RULE = "instructions-changed"


def test_other_instructions_are_low() -> None:
    assert places(found(RULE, *example(RULE))) == [("low", "", "/instructions")]


def test_instructions_that_come_and_go_are_told() -> None:
    with_, without = {"instructions": "Hello.", "serverInfo": {}}, {"serverInfo": {}}

    assert len(found(RULE, without, with_)) == len(found(RULE, with_, without)) == 1
