"""The rule icon-changed."""

from __future__ import annotations

from rule_kit import example, found, places

RULE = "icon-changed"


def test_an_icon_from_elsewhere_is_info() -> None:
    assert places(found(RULE, *example(RULE))) == [("info", "list_tickets", "/icons")]


def sites(*urls: str) -> tuple[object, ...]:
    return tuple({"serverInfo": {"websiteUrl": url}} for url in urls)


def test_a_website_at_another_host_is_low_and_names_it() -> None:
    (finding,) = found(RULE, *sites("https://a.example/x", "https://b.example/x"))

    assert places([finding]) == [("low", "", "/serverInfo/websiteUrl")]
    assert "b.example" in finding.message


def test_another_page_at_the_same_host_is_info() -> None:
    findings = found(RULE, *sites("https://a.example/x", "HTTPS://A.example/y"))

    assert places(findings) == [("info", "", "/serverInfo/websiteUrl")]


def test_a_name_before_an_at_sign_is_not_the_host() -> None:
    assert [one.severity for one in found(RULE, *sites("https://a.example", "https://a.example@b.example"))] == ["low"]
