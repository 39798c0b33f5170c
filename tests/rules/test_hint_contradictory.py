"""The rule hint-contradictory."""

from __future__ import annotations

from rule_kit import example, found, hinted, places, scanned

RULE = "hint-contradictory"


def test_a_reader_that_says_it_destroys_is_low() -> None:
    assert places(found(RULE, *example(RULE))) == [("low", "list_tickets", "/annotations/destructiveHint")]


def test_a_contradiction_that_was_approved_is_not_told_again() -> None:
    before = hinted(readOnlyHint=True, idempotentHint=False)

    assert found(RULE, [before], [{**before, "title": "Other"}]) == []
    assert len(scanned(RULE, [before])) == 1


def test_it_names_the_hosts_that_go_by_the_second_hint() -> None:
    destroys = found(RULE, *example(RULE))[0].message
    repeats = scanned(RULE, [hinted(readOnlyHint=True, idempotentHint=False)])[0].message

    assert "Codex (approval mode auto)" in destroys
    assert "No host that we know heeds the second" in repeats
