"""The rule server-renamed."""

from __future__ import annotations

from rule_kit import example, found, places

RULE = "server-renamed"


def test_another_name_is_low() -> None:
    assert places(found(RULE, *example(RULE))) == [("low", "", "/serverInfo/name")]


def test_a_name_that_was_not_known_before_is_info() -> None:
    assert [one.severity for one in found(RULE, {"tools": []}, {"tools": [], "serverInfo": {"name": "x"}})] == ["info"]
