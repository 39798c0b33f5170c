"""The rule entry-unasked."""

from __future__ import annotations

from typing import Any

import pytest
from entry_kit import entries, entry
from rule_kit import example, found, places, scanned

RULE = "entry-unasked"


def test_one_more_tool_of_a_known_entry_is_low() -> None:
    (finding,) = found(RULE, *example(RULE))

    assert (finding.severity, finding.pointer, finding.after) == ("low", "/settings/alwaysAllow", ["delete_note"])


@pytest.mark.parametrize(
    ("settings", "pointer"),
    [
        ({"trust": True}, "/settings/trust"),
        ({"default_tools_approval_mode": "approve"}, "/settings/default_tools_approval_mode"),
    ],
)
def test_all_tools_of_a_known_entry_are_medium(settings: dict[str, Any], pointer: str) -> None:
    assert places(found(RULE, entries(entry()), entries(entry(settings=settings)))) == [("medium", "notes", pointer)]


@pytest.mark.parametrize(
    "settings",
    [{"autoApprove": ["a"]}, {"tools": {"a": {"approval_mode": "approve"}}}, {"trust": True}],
)
def test_a_new_entry_that_brings_its_permission_is_medium(settings: dict[str, Any]) -> None:
    (finding,) = found(RULE, entries(), entries(entry(settings=settings)))

    assert finding.severity == "medium"


@pytest.mark.parametrize(
    "settings",
    [{"trust": 1}, {"trust": "true"}, {"alwaysAllow": []}, {"alwaysAllow": "a"}, {"tools": ["a"]}, {"tools": {"a": 3}}],
)
def test_what_lets_nothing_run_is_silent(settings: dict[str, Any]) -> None:
    assert found(RULE, entries(), entries(entry(settings=settings))) == []


def test_a_first_look_tells_it_low_and_less_than_before_is_silent() -> None:
    before = entries(entry(settings={"alwaysAllow": ["a", "b"]}))

    assert [finding.severity for finding in scanned(RULE, before)] == ["low"]
    assert found(RULE, before, entries(entry(settings={"alwaysAllow": ["a"]}))) == []


def test_an_entry_that_is_switched_on_brings_its_permission_as_a_new_one_does() -> None:
    off, on = (entry(settings={"alwaysAllow": ["a"]}, **more) for more in ({"disabled": True}, {}))

    assert places(found(RULE, entries(off), entries(on))) == [("medium", "notes", "/settings/alwaysAllow")]
    assert found(RULE, entries(on), entries(off)) == []
    assert found(RULE, entries(off), entries(off)) == []
