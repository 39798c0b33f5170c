"""The rule package-pin-changed."""

from __future__ import annotations

import pytest
from launch_kit import fetched, judged, local, weighed
from rule_kit import example, found, places

RULE = "package-pin-changed"


def loose(asked: str) -> dict[str, object]:
    return fetched(asked, pinned=False)


def test_a_lost_pin_is_medium() -> None:
    assert places(found(RULE, *example(RULE))) == [("medium", "", "/package")]


@pytest.mark.parametrize(
    ("before", "after", "severity"),
    [
        (fetched("tickets-mcp@1.2.0"), fetched("tickets-mcp@1.3.0"), "low"),
        (fetched("tickets-mcp@1.10.0"), fetched("tickets-mcp@1.9.0"), "medium"),
        (loose("tickets-mcp"), fetched("tickets-mcp@1.2.0"), "info"),
        (loose("tickets-mcp"), loose("tickets-mcp@beta"), "medium"),
        (fetched(), fetched("ticket-mcp@1.2.0", name="ticket-mcp"), "high"),
        (fetched(), fetched(ecosystem="pypi"), "high"),
        (fetched(), fetched(name="something-else"), "high"),
    ],
)
def test_what_is_asked_for_weighs_by_name_and_pin(
    before: dict[str, object], after: dict[str, object], severity: str
) -> None:
    assert weighed(RULE, before, after) == [(severity, "/package")]


def test_a_moved_pin_is_told_with_both_versions() -> None:
    (finding,) = judged(RULE, fetched("tickets-mcp@1.2.0"), fetched("tickets-mcp@1.3.0"))

    assert "“tickets-mcp@1.2.0” → “tickets-mcp@1.3.0”" in finding.message


def test_a_package_that_comes_or_goes_is_told() -> None:
    assert weighed(RULE, local(), fetched()) == [("medium", "/package")]
    assert weighed(RULE, fetched(), local()) == [("low", "/package")]


def test_what_runs_alone_is_not_this_rules_business() -> None:
    assert judged(RULE, fetched(), fetched(version="1.2.1")) == []
