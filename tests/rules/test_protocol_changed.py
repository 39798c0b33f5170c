"""The rule protocol-changed."""

from __future__ import annotations

from rule_kit import example, found, places

RULE = "protocol-changed"


def test_an_older_revision_is_low() -> None:
    assert places(found(RULE, *example(RULE))) == [("low", "", "/protocolVersion")]


def test_a_newer_revision_is_info() -> None:
    after, before = example(RULE)

    assert [one.severity for one in found(RULE, before, after)] == ["info"]
