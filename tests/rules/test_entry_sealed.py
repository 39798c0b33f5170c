"""The rule entry-sealed."""

from __future__ import annotations

from entry_kit import entries, entry
from rule_kit import example, found, places

RULE = "entry-sealed"


def test_a_masked_value_that_changed_is_low() -> None:
    assert places(found(RULE, *example(RULE))) == [("low", "notes", "/sealed/args")]
    assert found("other-changed", *example(RULE)) == []


def test_a_masked_value_that_came_or_went_is_info() -> None:
    without, sealed = entries(entry()), entries(entry(sealed={"env": "12"}))

    assert [finding.severity for finding in found(RULE, without, sealed)] == ["info"]
    assert [finding.severity for finding in found(RULE, sealed, without)] == ["info"]
