"""How a server is started or reached, as a person reads it before deciding."""

from __future__ import annotations

from typing import Any

import pytest

from driftwatch.judge.snapshot import take
from driftwatch.report.page import contents, in_order, to_page
from driftwatch.report.started import in_a_line

DIGEST = f"sha256:{'1' * 64}"
FETCHED = {
    "transport": "stdio",
    "command": "npx",
    "args": ["-y", "tickets-mcp", "two words"],
    "env": ["TICKETS_TOKEN"],
    "executable": {"path": "/usr/bin/npx", "digest": DIGEST},
    "package": {"ecosystem": "npm", "name": "tickets-mcp", "asked": "tickets-mcp", "pinned": False, "version": "1.2.0"},
}
REMOTE = {
    "transport": "http",
    "url": "https://tickets.example/mcp",
    "headers": ["Authorization"],
    "tls": {"pin": ["sha256/abc"]},
    "oauth": {"servers": ["https://login.example"], "token_endpoint": "https://login.example/token"},
}


def page(launch: Any) -> str:
    return to_page(in_order(take({"tools": [], "launch": launch})), colour=False, width=120)


def test_a_launch_comes_first_and_is_told_in_words() -> None:
    assert [line.rstrip() for line in page(FETCHED).splitlines()] == [
        "",
        "how it is started",
        "  runs  npx -y tickets-mcp 'two words'",
        "  variables (values not kept)  TICKETS_TOKEN",
        "  program  /usr/bin/npx",
        f"    its content  {DIGEST}",
        "  package",
        "    from  npm",
        "    name  tickets-mcp",
        "    asked for as  tickets-mcp",
        "    version that runs  1.2.0",
        "    pinned  no: any start may run something newer",
    ]


def test_an_address_is_told_with_its_key_and_where_people_sign_in() -> None:
    told = page(REMOTE)

    for line in (
        "address  https://tickets.example/mcp",
        "headers (values not kept)  Authorization",
        "pinned key  sha256/abc",
        "authorization servers  https://login.example",
        "tokens come from  https://login.example/token",
    ):
        assert line in told


@pytest.mark.parametrize(
    ("odd", "words"),
    [
        (7, ["7"]),
        ({"command": 7, "args": {"a": "first"}}, ["command  7", "a  first"]),
        ({"package": {"pinned": "x", "else": "y"}, "tls": 1}, ["pinned  x", "else  y", "tls  1"]),
        ({"executable": {"path": "/a", "more": "z"}, "oauth": 2, "transport": "ws"}, ["more  z", "oauth  2", "ws"]),
    ],
)
def test_nothing_of_an_odd_launch_is_left_out(odd: Any, words: list[str]) -> None:
    told = page(odd)

    assert [word for word in words if word not in told] == []


def test_one_line_says_how_it_is_started() -> None:
    assert in_a_line(take({"tools": [], "launch": FETCHED})) == (
        "It is started by: npx -y tickets-mcp 'two words' (version 1.2.0)"
    )
    assert in_a_line(take({"tools": [], "launch": REMOTE})) == "It is reached at: https://tickets.example/mcp"
    assert in_a_line(take({"tools": []})) == ""


def test_a_launch_does_not_count_as_something_to_read() -> None:
    assert contents(take({"tools": [], "launch": FETCHED})) == contents(take({"tools": []}))


def test_an_entry_of_a_hosts_file_is_told_the_same_way() -> None:
    told = to_page(take({"entries": [{"name": "tickets", **FETCHED}]}).items, colour=False, width=120)

    assert "runs  npx -y tickets-mcp 'two words'" in told
