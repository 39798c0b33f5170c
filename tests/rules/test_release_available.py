"""The rule release-available."""

from __future__ import annotations

from entry_kit import entries, entry, supplied
from rule_kit import example, found, places, scanned

from driftwatch.model import Kind

RULE = "release-available"


def test_a_newer_release_is_info() -> None:
    (finding,) = found(RULE, *example(RULE))

    assert (finding.severity, finding.before, finding.after) == ("info", "1.2.0", "1.3.0")
    assert "2026-02-01" in finding.message


def test_it_is_told_of_an_entry_and_of_a_first_look_too() -> None:
    facts = supplied(Kind.ENTRY, "notes", latest="2", newer="2")

    assert places(scanned(RULE, entries(entry()), facts)) == [("info", "notes", "")]


def test_what_is_not_in_use_any_more_or_has_nothing_newer_is_silent() -> None:
    assert scanned(RULE, {"tools": []}, supplied(latest="2", newer="2")) == []
    assert found(RULE, *example(RULE), supplied(latest="1.2.0")) == []
