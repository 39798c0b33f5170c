"""The rule address-doubtful."""

from __future__ import annotations

import pytest
from launch_kit import reached, remote
from rule_kit import example, found, places, scanned

RULE = "address-doubtful"


def launch(url: str) -> dict[str, object]:
    return reached(remote(oauth={"authorization_endpoint": url}))


def test_a_file_to_sign_in_at_is_high() -> None:
    assert places(found(RULE, *example(RULE))) == [("high", "", "/oauth/authorization_endpoint")]


@pytest.mark.parametrize(
    "url",
    [
        "a:$(calc.exe)?response_type=code",
        "https://login.example/authorize?x=`id`",
        'https://login.example/"&calc&"',
        "https://login.example/$(id)",
        "javascript:alert(1)",
        "https://",
        "login.example/authorize",
    ],
)
def test_what_is_no_plain_web_address_is_high_at_first_sight(url: str) -> None:
    assert places(scanned(RULE, launch(url))) == [("high", "", "/oauth/authorization_endpoint")]


def test_signing_in_without_encryption_is_medium_but_for_this_machine() -> None:
    assert places(scanned(RULE, launch("http://login.example/a"))) == [("medium", "", "/oauth/authorization_endpoint")]
    assert scanned(RULE, launch("http://127.0.0.1:8080/a")) == []


@pytest.mark.parametrize(
    "url", ["https://login.example/authorize?tenant=a%20b&x=(1)", "https://login.example:444/{t}/a"]
)
def test_an_ordinary_address_is_silent(url: str) -> None:
    assert scanned(RULE, launch(url)) == []
