"""The rule changed-same-version."""

from __future__ import annotations

from rule_kit import example, found, places, tool

RULE = "changed-same-version"


def test_a_grave_change_under_the_same_reported_version_is_info() -> None:
    assert places(found(RULE, *example(RULE))) == [("info", "", "/serverInfo/version")]


def test_an_ordinary_change_says_nothing_about_the_version() -> None:
    info = {"name": "tickets", "version": "1.2.0"}
    before = {"serverInfo": info, "tools": [tool()]}
    after = {"serverInfo": info, "tools": [tool(description="List tickets, closed ones too.")]}

    assert found(RULE, before, after) == []


def test_another_version_or_none_says_nothing() -> None:
    before, after = example(RULE)
    other = {**after, "serverInfo": {"name": "tickets", "version": "1.3.0"}}  # type: ignore[dict-item]

    assert found(RULE, before, other) == []
    assert found(RULE, {"tools": [tool()]}, {"tools": after["tools"]}) == []  # type: ignore[index]
