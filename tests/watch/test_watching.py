"""Which entries of a host's file are servers that are watched, and what makes a file be judged anew."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from driftwatch.config.contents import read
from driftwatch.config.load import parse
from driftwatch.config.schema import Settings
from driftwatch.judge.beside import Watch, WatchedAs, Watching
from driftwatch.judge.snapshot import take
from driftwatch.watch.inventory import document_of
from driftwatch.watch.known import watching_of
from driftwatch.watch.known.watching import watching_key

CONFIG = """
[servers.notes]
command = "npx"
args = ["-y", "notes-mcp@1.2.0", "--token", "${TOKEN}"]
[servers.docs]
url = "https://docs.example/mcp?key=${TOKEN}"
[servers.off]
url = "https://off.example/mcp"
enabled = false
[inventory.cursor]
file = "mcp.json"
"""


def settings(text: str = CONFIG) -> Settings:
    return parse(text, {"TOKEN": "abcd1234efgh5678"}, base=Path("/srv"))


def watching(**servers: Any) -> Watching:
    entries, _ = read(json.dumps({"mcpServers": servers}), name="mcp.json", largest=10_000)
    found = watching_of(settings(), take(document_of(entries)))
    assert found is not None
    return found


def test_an_entry_that_goes_through_a_witness_is_watched_as_what_that_wraps() -> None:
    words = ["witness", "notes", "--", "npx", "-y", "notes-mcp@1.2.0", "--token", "zyxw9876vuts5432"]

    found = watching(other={"command": "/opt/bin/driftwatch", "args": words})

    assert found.of("other") == WatchedAs("other", "notes", same=True)


@pytest.mark.parametrize(
    ("entry", "server"),
    [
        ({"command": "npx", "args": ["-y", "notes-mcp@1.2.0", "--token", "zyxw9876vuts5432"]}, "notes"),
        ({"command": "npx", "args": ["-y", "notes-mcp@1.2.0", "--token", "${env:TOKEN}"]}, "notes"),
        ({"url": "https://docs.example/mcp"}, "docs"),
        ({"url": "https://DOCS.example:443/mcp/?key=other"}, "docs"),
    ],
)
def test_an_entry_that_is_reached_as_a_server_is_watched_whatever_its_name_and_its_secrets(
    entry: Any, server: str
) -> None:
    assert watching(other=entry).of("other") == WatchedAs("other", server, same=True)


@pytest.mark.parametrize(
    "entry",
    [
        {"command": "/tmp/npx", "args": ["-y", "notes-mcp@1.2.0", "--token", "zyxw9876vuts5432"]},
        {"command": "npx", "args": ["-y", "notes-mcp@1.3.0", "--token", "zyxw9876vuts5432"]},
        {"command": "npx", "args": ["-y", "notes-mcp@1.2.0"]},
        {"url": "http://docs.example/mcp"},
        {"url": "https://docs.example.evil.example/mcp"},
        {"url": "https://off.example/mcp"},
        3,
    ],
)
def test_anything_else_is_not_watched(entry: Any) -> None:
    assert watching(other=entry).of("other") is None


def test_a_name_alone_is_told_as_a_name_alone() -> None:
    assert watching(notes={"command": "sh"}).of("notes") == WatchedAs("notes", "notes", same=False)


def test_the_servers_are_known_by_package_and_host() -> None:
    known = watching().servers

    assert known == (Watch("notes", "npm:notes-mcp", ""), Watch("docs", "", "docs.example:443"))


def test_a_server_has_no_entries_to_watch() -> None:
    assert watching_of(settings(), take({"tools": []})) is None


def test_a_file_is_judged_anew_when_the_servers_are_others_and_only_then() -> None:
    before, same, other = settings(), settings(), settings(CONFIG.replace("docs.example", "doc.example"))

    keys = [watching_key(one, one.server("cursor")) for one in (before, same, other)]

    assert keys[0] == keys[1] != keys[2]
    assert watching_key(before, before.server("notes")) == ""
