"""The rule protocol-changed."""

from __future__ import annotations

from rule_kit import example, found, places

RULE = "protocol-changed"


def test_an_older_revision_is_medium() -> None:
    assert places(found(RULE, *example(RULE))) == [("medium", "", "/protocolVersion")]


def test_a_fall_back_to_sessions_says_what_is_lost() -> None:
    (finding,) = found(RULE, {"protocolVersion": "2026-07-28"}, {"protocolVersion": "2025-11-25"})

    assert finding.severity == "medium"
    assert "from one connection to the next" in finding.message


def test_a_revision_that_is_no_date_is_neither_older_nor_newer() -> None:
    findings = found(RULE, {"protocolVersion": "2025-11-25"}, {"protocolVersion": "DRAFT"})

    assert [one.severity for one in findings] == ["low"]


def test_a_newer_revision_is_info() -> None:
    after, before = example(RULE)

    assert [one.severity for one in found(RULE, before, after)] == ["info"]
