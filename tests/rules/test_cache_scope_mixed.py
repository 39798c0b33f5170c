"""The rule cache-scope-mixed."""

from __future__ import annotations

from rule_kit import example, found, places, scanned

RULE = "cache-scope-mixed"
PLACES = [("low", "", "/cacheScopes/tools~1list")]


def test_pages_that_do_not_agree_are_low_in_a_comparison_and_in_a_scan() -> None:
    before, after = example(RULE)

    assert places(found(RULE, before, after)) == PLACES
    assert places(scanned(RULE, after)) == PLACES


def test_pages_that_did_not_agree_before_are_not_told_again() -> None:
    _, mixed = example(RULE)

    assert found(RULE, mixed, {**mixed, "instructions": "Read first."}) == []


def test_scopes_of_any_sort_are_read() -> None:
    for odd in ("private", 7, ["private+public"], {"tools/list": {"private+public": 1}}):
        assert scanned(RULE, {"cacheScopes": odd, "tools": []}) == []
