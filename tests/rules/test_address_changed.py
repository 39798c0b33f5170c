"""The rule address-changed."""

from __future__ import annotations

from typing import Any

import pytest
from launch_kit import judged, remote, weighed
from rule_kit import example, found, places

RULE = "address-changed"
HERE = "https://tickets.example/mcp"
SIGN_IN = {
    "servers": ["https://login.example"],
    "issuer": "https://login.example",
    "authorization_endpoint": "https://login.example/authorize",
    "token_endpoint": "https://login.example/token",
}


def oauth(**fields: Any) -> dict[str, Any]:
    return remote(oauth={**SIGN_IN, **fields})


def test_another_host_is_high() -> None:
    assert places(found(RULE, *example(RULE))) == [("high", "", "/url")]


@pytest.mark.parametrize(
    ("url", "severity"),
    [
        ("https://tickets.example/v2/mcp", "medium"),
        ("https://tickets.example:8443/mcp", "high"),
        ("http://tickets.example/mcp", "high"),
        ("https://tickets.example.evil.example/mcp", "high"),
        ("https://TICKETS.example/mcp?team=***", "medium"),
        ("https://[::1/mcp", "high"),
    ],
)
def test_an_address_weighs_by_its_host(url: str, severity: str) -> None:
    assert weighed(RULE, remote(HERE), remote(url)) == [(severity, "/url")]


def test_http_that_became_https_on_the_same_host_is_low() -> None:
    assert weighed(RULE, remote("http://tickets.example/mcp"), remote(HERE)) == [("low", "/url")]


@pytest.mark.parametrize(
    ("before", "after", "severity"),
    [
        (None, "https://tickets.example/mcp/", "low"),
        ("https://tickets.example/mcp/", None, "low"),
        ("https://tickets.example/a", "https://tickets.example/b", "low"),
        (None, "https://elsewhere.example/mcp", "high"),
    ],
)
def test_a_redirect_weighs_by_where_it_leads(before: str | None, after: str | None, severity: str) -> None:
    sides = [remote(**({"redirect": one} if one else {})) for one in (before, after)]

    assert weighed(RULE, *sides) == [(severity, "/redirect")]


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"authorization_endpoint": "https://signin.example/authorize"}, [("high", "/oauth/authorization_endpoint")]),
        ({"token_endpoint": "http://login.example/token"}, [("high", "/oauth/token_endpoint")]),
        ({"authorization_endpoint": "https://login.example/v2"}, [("medium", "/oauth/authorization_endpoint")]),
        ({"registration_endpoint": "https://tickets.example/reg"}, [("medium", "/oauth/registration_endpoint")]),
        ({"servers": ["https://login.example", "https://other.example"]}, [("high", "/oauth/servers")]),
    ],
)
def test_where_people_sign_in_weighs_by_its_host(change: dict[str, Any], expected: list[tuple[str, str]]) -> None:
    assert weighed(RULE, oauth(), oauth(**change)) == expected


def test_a_moved_authorization_address_is_told_in_words_a_person_understands() -> None:
    (finding,) = judged(RULE, oauth(), oauth(authorization_endpoint="https://signin.example/authorize"))

    assert finding.message.startswith("People are sent elsewhere to sign in")


def test_metadata_that_are_first_seen_are_recorded_and_those_that_went_are_low() -> None:
    assert weighed(RULE, remote(), oauth()) == [("info", "/oauth")]
    assert weighed(RULE, oauth(), remote()) == [("low", "/oauth")]


def test_a_pin_that_was_taken_out_is_medium() -> None:
    pinned, other = (remote(tls={"pin": [f"sha256/{digit}"]}) for digit in "ab")

    assert weighed(RULE, pinned, remote()) == [("medium", "/tls")]
    assert weighed(RULE, pinned, other) == [("low", "/tls")]
    assert weighed(RULE, remote(), pinned) == [("info", "/tls")]


def test_other_headers_are_low() -> None:
    assert weighed(RULE, remote(), remote(headers=["Authorization", "X-Team"])) == [("low", "/headers")]
