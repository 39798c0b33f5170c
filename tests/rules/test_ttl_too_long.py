"""The rule ttl-too-long."""

from __future__ import annotations

from rule_facts import FACTS
from rule_kit import example, found, scanned

from driftwatch.judge.behaviour import DAY_MS
from driftwatch.judge.facts import Facts

RULE = "ttl-too-long"


def test_a_list_that_calls_itself_fresh_for_more_than_a_day_is_low_in_a_scan_and_beside_a_change() -> None:
    before, after = example(RULE)

    for findings in (scanned(RULE, before), found(RULE, before, after)):
        assert [one.severity for one in findings] == ["low"]
        assert "tools/list: more than a year" in findings[0].message


def test_a_day_is_not_too_long() -> None:
    assert scanned(RULE, example(RULE)[0], Facts(lasting=(("tools/list", DAY_MS),))) == []


def test_beside_an_unchanged_approved_list_it_is_not_told_again() -> None:
    before, _ = example(RULE)

    assert found(RULE, before, before, FACTS[RULE]) == []


def test_a_time_that_no_clock_can_hold_is_only_long() -> None:
    assert scanned(RULE, example(RULE)[0], Facts(lasting=(("tools/list", 10**400),)))
