"""The rule capability-changed."""

from __future__ import annotations

from rule_kit import example, found, places

RULE = "capability-changed"


def test_a_lost_capability_is_low() -> None:
    assert places(found(RULE, *example(RULE))) == [("low", "", "/capabilities/tools/listChanged")]


def test_capabilities_that_were_not_known_before_are_info() -> None:
    findings = found(RULE, {"tools": []}, {"tools": [], "capabilities": {"tools": {}}})

    assert [one.severity for one in findings] == ["info"]
