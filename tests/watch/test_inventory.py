"""Looking at hosts' files: real files, in all states that they can be in."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest

from driftwatch.config.identities import IdentityConfig
from driftwatch.config.inventory import InventoryConfig, WatchedFile
from driftwatch.config.schema import ServerConfig
from driftwatch.model import Era, Listed, Malformed, Outcome, Refused, Unreachable
from driftwatch.watch.inventory import LARGEST, MOST_ENTRIES, FileFetcher, FilesToo, read
from tests.fakes import listed


def watched(path: Path, **fields: Any) -> WatchedFile:
    return WatchedFile.of(InventoryConfig(name="host", file=str(path), **fields))


def look(path: Path, **fields: Any) -> Outcome:
    return FileFetcher().look(watched(path, **fields))


def names(outcome: Outcome) -> list[str]:
    assert isinstance(outcome, Listed)
    return [entry["name"] for entry in outcome.document["entries"]]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mcp.json"
    path.write_text(json.dumps({"mcpServers": {"notes": {"command": "npx", "args": ["-y", "notes-mcp@1.2.0"]}}}))
    return path


def test_a_file_lists_its_entries_with_how_each_is_started(file: Path) -> None:
    outcome = look(file)

    assert isinstance(outcome, Listed)
    assert outcome.document == {
        "entries": [
            {
                "name": "notes",
                "section": "mcpServers",
                "transport": "stdio",
                "command": "npx",
                "args": ["-y", "notes-mcp@1.2.0"],
                "env": [],
                "package": {"ecosystem": "npm", "name": "notes-mcp", "asked": "notes-mcp@1.2.0", "pinned": True},
            }
        ]
    }
    assert (outcome.era, outcome.received_bytes) == (None, file.stat().st_size)


def test_an_entry_with_a_url_names_its_headers_only(file: Path) -> None:
    entry = {"url": "https://a.example/mcp?key=1", "headers": {"X-Key": "2"}, "disabled": True, "trust": True}
    file.write_text(json.dumps({"mcpServers": {"docs": entry}}))

    outcome = look(file)

    assert isinstance(outcome, Listed)
    (found,) = outcome.document["entries"]
    assert (found["url"], found["headers"], found["disabled"]) == ("https://a.example/mcp?key=***", ["X-Key"], True)
    assert found["settings"] == {"trust": True}


def test_a_link_is_followed(file: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.json"
    link.symlink_to(file)

    assert names(look(link)) == ["notes"]


def test_a_file_that_is_not_there_is_a_failed_look_and_an_optional_one_is_empty(tmp_path: Path) -> None:
    missing = look(tmp_path / "none.json")

    assert isinstance(missing, Unreachable)
    assert missing.code == "no-file"
    assert names(look(tmp_path / "none.json", optional=True)) == []


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "unreadable"),
        (b'{"mcpServers": {"no', "unreadable"),
        (b"\xff\xfe{", "not-utf8"),
        (b'{"mcpServers": []}', "no-table"),
        (b"[]", "unreadable"),
    ],
)
def test_half_a_file_is_never_a_file_without_entries(file: Path, data: bytes, code: str) -> None:
    file.write_bytes(data)

    outcome = look(file)

    assert isinstance(outcome, Malformed)
    assert outcome.code == code


def test_what_is_no_file_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.json")

    pipe, folder = look(tmp_path / "pipe.json"), look(tmp_path)

    assert isinstance(pipe, Malformed)
    assert pipe.code == "not-a-file"
    assert not isinstance(folder, Listed)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_is_refused(file: Path) -> None:
    file.chmod(0)

    assert isinstance(look(file), Refused)


def test_a_link_that_leads_in_a_circle_is_a_failed_look(tmp_path: Path) -> None:
    (tmp_path / "a.json").symlink_to(tmp_path / "b.json")
    (tmp_path / "b.json").symlink_to(tmp_path / "a.json")

    assert isinstance(look(tmp_path / "a.json"), Unreachable)


def test_too_much_is_refused_before_it_is_read_whole() -> None:
    assert read(b" " * (LARGEST + 1), name="a.json") == Malformed("too-large", "the file has more than 32 MiB")
    many = {"mcpServers": {str(number): 1 for number in range(MOST_ENTRIES + 1)}}
    outcome = read(json.dumps(many).encode(), name="a.json")
    assert isinstance(outcome, Malformed)
    assert outcome.code == "too-many-items"


def test_a_file_that_was_not_touched_is_not_read_again(file: Path) -> None:
    fetcher = FileFetcher(clock=lambda: time.time() + 60)

    first = fetcher.look(watched(file))

    assert fetcher.look(watched(file)) is first
    file.write_text(json.dumps({"mcpServers": {}}))
    assert names(fetcher.look(watched(file))) == []


def test_a_file_that_was_written_just_now_is_read_again(file: Path) -> None:
    fetcher = FileFetcher()
    size = file.stat().st_size

    first = names(fetcher.look(watched(file)))
    file.write_text(file.read_text().replace('"notes"', '"other"'))
    again = names(fetcher.look(watched(file)))

    assert (first, again, file.stat().st_size) == (["notes"], ["other"], size)


def test_hostile_names_are_kept_as_they_are(file: Path) -> None:
    file.write_text(json.dumps({"mcpServers": {"\x1b[2J": 1, "\u202eeman": {}, "\ud800": {}}}))

    assert names(look(file)) == ["\x1b[2J", "\u202eeman", "\ufffd"]


def test_a_key_that_stands_twice_is_odd(file: Path) -> None:
    file.write_text('{"mcpServers": {"a": {"command": "x"}, "a": {"command": "y"}}}')

    outcome = look(file)

    assert isinstance(outcome, Listed)
    assert [oddity.code for oddity in outcome.oddities] == ["duplicate-key"]


class Elsewhere:
    """Who looks at servers."""

    async def fetch(self, server: ServerConfig, *, era: Era | None, identity: IdentityConfig | None = None) -> Outcome:
        return listed(serverInfo={"name": server.name, "version": str(era), "identity": identity})


async def test_servers_are_left_to_who_looks_at_servers(file: Path) -> None:
    both = FilesToo(Elsewhere())
    server = ServerConfig(name="docs", url="https://a.example")

    of_server = await both.fetch(server, era=Era.MODERN)

    assert names(await both.fetch(watched(file), era=None)) == ["notes"]
    assert isinstance(of_server, Listed)
    assert of_server.document["serverInfo"] == {"name": "docs", "version": "modern", "identity": None}
