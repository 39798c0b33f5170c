"""The table of the pages: where they listen, and for whom a proxy may speak."""

from __future__ import annotations

from pathlib import Path

import pytest

from driftwatch.config.load import parse
from driftwatch.config.schema import Settings
from driftwatch.config.web import read_address
from driftwatch.config.words import InvalidConfigError
from driftwatch.model import Role


def read(text: str, **environ: str) -> Settings:
    return parse(text, environ, base=Path("/nowhere"))


def wrong(text: str) -> list[str]:
    with pytest.raises(InvalidConfigError) as caught:
        read(text)
    return [f"{one.path}: {one.message}" for one in caught.value.problems]


def test_pages_are_served_on_loopback_unless_somebody_says_otherwise() -> None:
    web = read("").web

    assert (web.enabled, str(web.address), web.address.is_loopback, web.is_default_place) == (
        True, "127.0.0.1:8642", True, True,
    )  # fmt: skip


def test_settings_that_come_from_no_file_serve_nothing() -> None:
    assert not Settings().web.enabled


@pytest.mark.parametrize(
    ("listen", "host", "loopback"),
    [
        ("127.0.0.1:8642", "127.0.0.1", True),
        ("[::1]:80", "::1", True),
        ("localhost:0", "localhost", True),
        ("0.0.0.0:8642", "0.0.0.0", False),
        ("[::]:8642", "::", False),
        ("watch.internal:443", "watch.internal", False),
    ],
)
def test_a_place_to_listen_at_is_read(listen: str, host: str, loopback: bool) -> None:
    web = read(f'[web]\nlisten = "{listen}"').web

    assert (str(web.address), web.address.host, web.address.is_loopback) == (listen, host, loopback)
    assert not web.is_default_place


@pytest.mark.parametrize(
    "listen", ["", "8642", "127.0.0.1", ":8642", "::1:80", "[zz]:80", "a:99999", "http://a:80", "a b:1"]
)
def test_what_is_no_place_to_listen_at_is_said(listen: str) -> None:
    assert read_address(listen) is None
    assert [one.partition(":")[0] for one in wrong(f'[web]\nlisten = "{listen}"')] == ["web.listen"]


def test_a_variable_says_where_to_listen_too() -> None:
    web = read("", DRIFTWATCH_WEB_LISTEN="0.0.0.0:99").web

    assert (str(web.address), web.is_default_place) == ("0.0.0.0:99", False)


def test_a_proxy_that_names_people_is_named_itself() -> None:
    table = '[web]\nproxy_header = "Remote-User"\n'
    web = read(table + 'proxy_from = ["127.0.0.1", "2001:db8::/32"]\nproxy_role = "reviewer"').web

    assert (web.proxy_from, web.proxy_role) == (("127.0.0.1", "2001:db8::/32"), Role.REVIEWER)
    assert wrong(table) == ["web.proxy_header: it is not said which proxy may send it"]
    assert wrong('[web]\nproxy_role = "viewer"') == ["web.proxy_role: no proxy_header names people"]


@pytest.mark.parametrize("network", ["everybody", "192.0.2.7/24", "0.0.0.0/0", "::/0", "192.0.2.300"])
def test_a_proxy_is_an_address_or_a_network_and_never_everybody(network: str) -> None:
    assert wrong(f'[web]\nproxy_from = ["{network}"]')


@pytest.mark.parametrize("header", ["Cookie", "authorization", "X-Forwarded-For", "Host", "a b", "Remote-User:", ""])
def test_a_header_that_says_something_else_names_nobody(header: str) -> None:
    assert wrong(f'[web]\nproxy_from = ["192.0.2.1"]\nproxy_header = "{header}"')


def test_a_session_is_idle_for_no_longer_than_it_lasts() -> None:
    assert wrong('[web]\nsession_idle = "8d"') == ["web.session_idle: session_idle is longer than session_longest"]
    assert wrong('[web]\nsession_longest = "1h"') == [
        "web.session_longest: session_idle is longer than session_longest"
    ]


def test_every_wrong_key_is_said_at_once() -> None:
    assert len(wrong('[web]\nlisten = 8642\nhost = "x"\nhosts = ["a b"]\nenabled = "yes"\nproxy_role = "boss"')) == 6


def test_listening_for_others_in_clear_text_is_a_warning() -> None:
    def warned(text: str) -> bool:
        return any(line.startswith("web.listen") for line in read(text).warnings)

    table = '[web]\nlisten = "0.0.0.0:8642"\n'
    public = '[daemon]\npublic_url = "https://watch.example"\n'

    assert [warned(text) for text in ("", table, public + table, f"{table}enabled = false")] == [
        False,
        True,
        False,
        False,
    ]
