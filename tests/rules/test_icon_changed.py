"""The rule icon-changed."""

from __future__ import annotations

from rule_kit import example, found, places

RULE = "icon-changed"


def test_an_icon_from_elsewhere_is_info() -> None:
    assert places(found(RULE, *example(RULE))) == [("info", "list_tickets", "/icons")]


def test_another_website_of_the_server_is_info() -> None:
    before, after = ({"serverInfo": {"websiteUrl": f"https://{host}.example"}} for host in "ab")

    assert places(found(RULE, before, after)) == [("info", "", "/serverInfo/websiteUrl")]
