"""The rule duplicate-name."""

from __future__ import annotations

from rule_kit import example, found, places, scanned, tool

RULE = "duplicate-name"


def test_a_second_entry_of_a_name_is_medium() -> None:
    assert places(found(RULE, *example(RULE))) == [("medium", "list_tickets", "/name")]


def test_a_duplicate_that_was_approved_is_not_told_again() -> None:
    twice = [tool(), tool(description="Other.")]

    assert found(RULE, twice, [*twice, tool("other")]) == []
    assert len(scanned(RULE, twice)) == 1


def test_a_second_entry_that_denies_what_the_approved_one_admits_is_high() -> None:
    approved = tool("sync", annotations={"destructiveHint": True})
    harmless, alike = (
        tool("sync", title=str(value), annotations={"destructiveHint": value}) for value in (False, True)
    )

    assert places(found(RULE, [approved], [approved, harmless])) == [("high", "sync", "/name")]
    assert places(found(RULE, [approved], [approved, alike])) == [("medium", "sync", "/name")]
