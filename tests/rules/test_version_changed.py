"""The rule version-changed."""

from __future__ import annotations

from rule_kit import example, found, places

RULE = "version-changed"


def test_another_version_is_info() -> None:
    assert places(found(RULE, *example(RULE))) == [("info", "", "/serverInfo/version")]
