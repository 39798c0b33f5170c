"""The rule entry-removed."""

from __future__ import annotations

from entry_kit import entries, entry
from rule_kit import example, found, places

RULE = "entry-removed"


def test_an_entry_that_is_gone_is_low() -> None:
    assert places(found(RULE, *example(RULE))) == [("low", "tickets", "")]
    assert found("item-removed", *example(RULE)) == []


def test_many_are_told_as_one() -> None:
    many = [entry(name, command=name) for name in "abc"]

    (finding,) = found(RULE, entries(entry(), *many), entries(entry()))

    assert (finding.severity, finding.items) == ("low", ("a", "b", "c"))


def test_a_file_that_lost_many_and_names_none_any_more_is_medium() -> None:
    (finding,) = found(RULE, entries(*[entry(name, command=name) for name in "abc"]), entries())

    assert finding.severity == "medium"
    assert "none any more" in finding.message


def test_an_entry_that_is_switched_off_is_low_and_no_riddle() -> None:
    before, after = entries(entry()), entries(entry(disabled=True))

    (finding,) = found(RULE, before, after)

    assert (finding.severity, finding.pointer, finding.axis) == ("low", "/disabled", "contract")
    assert "switched off" in finding.message
    assert found("other-changed", before, after) == []
