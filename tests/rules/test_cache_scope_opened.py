"""The rule cache-scope-opened."""

from __future__ import annotations

import pytest
from rule_kit import example, found, places

RULE = "cache-scope-opened"
PLACE = "/cacheScopes/tools~1list"


def scopes(**said: str) -> dict[str, object]:
    return {"cacheScopes": {"server/discover": "private", **{key.replace("_", "/"): said[key] for key in said}}}


def test_a_list_that_becomes_public_is_medium() -> None:
    assert places(found(RULE, *example(RULE))) == [("medium", "", PLACE)]


def test_a_list_that_said_nothing_was_private() -> None:
    assert places(found(RULE, scopes(), scopes(tools_list="public"))) == [("medium", "", PLACE)]


@pytest.mark.parametrize(("before", "after"), [("public", "private"), ("public", "private+public")])
def test_a_list_that_was_public_before_is_opened_to_nobody(before: str, after: str) -> None:
    findings = found(RULE, scopes(tools_list=before), scopes(tools_list=after))

    assert [one.severity for one in findings] == ["info"]


def test_scopes_that_were_not_known_before_are_only_recorded() -> None:
    findings = found(RULE, {"capabilities": {}}, {"capabilities": {}, **scopes(tools_list="public")})

    assert places(findings) == [("info", "", "/cacheScopes")]
