"""inventory: which servers the hosts' files name, whether each is watched, and how it stands to the approval."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from cli_world import Run

CONFIG = """
[servers.notes]
command = "notes-mcp"
args = ["--all"]
[inventory.cursor]
file = "mcp.json"
host = "Cursor"
"""

NOTES = {"command": "notes-mcp", "args": ["--all"]}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "driftwatch.toml").write_text(CONFIG)
    write(tmp_path, notes=NOTES, tickets={"command": "tickets-mcp"})
    return tmp_path


def write(folder: Path, **servers: Any) -> None:
    (folder / "mcp.json").write_text(json.dumps({"mcpServers": servers}))


def test_entries_are_listed_with_what_watches_them_before_anything_is_approved(run: Run, folder: Path) -> None:
    ended = run("inventory")

    assert ended.code == 0
    assert [line.split() for line in ended.out.splitlines()[1:3]] == [
        ["cursor", "notes", "notes-mcp", "--all", "notes", "not", "approved"],
        ["cursor", "tickets", "tickets-mcp", "not", "watched", "not", "approved"],
    ]
    assert "1 server of cursor not watched" in ended.out
    assert f"driftwatchimport{folder / 'mcp.json'}" in "".join(ended.out.split())
    assert "driftwatch approve cursor" in ended.out


def test_each_entry_stands_to_the_approval(run: Run, folder: Path) -> None:
    run("inventory")
    assert run("approve", "cursor", "--by", "me", "--yes").code == 0
    assert [row["stands"] for row in run("inventory", "--format", "json").json["files"][0]["entries"]] == [
        "approved"
    ] * 2

    write(folder, notes={"command": "sh"}, other={"url": "https://a.example/mcp"})
    ended = run("inventory", "--format", "json")

    (file,) = ended.json["files"]
    assert {row["name"]: (row["stands"], row["watched_as"], row["reached_as_watched"]) for row in file["entries"]} == {
        "notes": ("changed", "notes", False),
        "other": ("new", None, False),
        "tickets": ("gone", None, False),
    }
    assert (file["name"], file["host"], file["code"]) == ("cursor", "Cursor", "drift")
    assert {"entry-added", "entry-removed", "launch-changed"} <= {finding["rule"] for finding in file["findings"]}
    assert ended.code == 1


def test_a_file_that_cannot_be_read_ends_with_five_and_keeps_what_was_seen(run: Run, folder: Path) -> None:
    run("inventory")
    (folder / "mcp.json").write_text("{")

    ended = run("inventory")

    assert ended.code == 5
    assert "cursor could not be read: unreadable" in ended.out
    assert "tickets-mcp" in ended.out


@pytest.mark.parametrize("missing", [False, True])
def test_rows_of_an_earlier_look_are_marked_as_such(run: Run, folder: Path, *, missing: bool) -> None:
    run("inventory")
    run("approve", "cursor", "--by", "me", "--yes")
    (folder / "mcp.json").unlink() if missing else (folder / "mcp.json").write_text("{")

    said, shape = run("inventory").out, run("inventory", "--format", "json").json["files"][0]

    rows = [line for line in said.splitlines() if "notes-mcp" in line or "tickets-mcp" in line]
    assert len(rows) == 2
    assert " ".join(said.split()).count("when last seen") == 2
    assert "Its rows are those of the last look that went well." in " ".join(said.split())
    assert shape["entries_as_last_seen"]


def test_an_entry_that_is_gone_says_as_what_its_server_is_watched(run: Run, folder: Path) -> None:
    run("inventory")
    run("approve", "cursor", "--by", "me", "--yes")
    write(folder, tickets={"command": "tickets-mcp"})

    (file,) = run("inventory", "--format", "json").json["files"]

    gone = next(row for row in file["entries"] if row["stands"] == "gone")
    assert (gone["name"], gone["watched_as"], gone["reached_as_watched"]) == ("notes", "notes", True)


def test_hostile_entries_cannot_speak_to_the_terminal(run: Run, folder: Path) -> None:
    write(folder, **{"\x1b[2J\u202e": {"command": "\x1b]0;x\x07"}})

    ended = run("inventory")

    assert "\x1b" not in ended.out
    assert "\u202e" not in ended.out


def test_only_files_can_be_named(run: Run, folder: Path) -> None:
    assert folder.is_dir()
    assert run("inventory", "notes").code == 2
    assert "cursor" in run("inventory", "curser").err


def test_without_files_there_is_nothing_to_say_and_it_is_said(run: Run, tmp_path: Path) -> None:
    (tmp_path / "driftwatch.toml").write_text('[servers.a]\nurl = "https://a.example/mcp"')

    ended = run("inventory")

    assert ended.code == 3
    assert "[inventory.NAME]" in ended.err


def test_a_file_is_looked_at_shown_approved_and_listed_as_a_server_is(run: Run, folder: Path) -> None:
    assert folder.is_dir()
    assert "first sight" in run("check", "cursor").out
    shown = run("show", "cursor")
    assert "2 entries" in " ".join(shown.out.split())
    assert "not looked at" not in shown.out
    assert run("approve", "cursor", "--by", "me", "--yes").code == 0
    assert "clean" in run("status").out
    assert "file" in run("servers").out
    assert run("history", "cursor").code == 0


def test_the_supply_watch_says_that_it_is_off(run: Run, folder: Path) -> None:
    assert folder.is_dir()
    assert "Supply watch: off." in run("servers").out
    assert "Supply watch: off." in run("status").out
    assert run("servers", "--format", "json").json["supply"] == {"enabled": False}
    ended = run("supply")
    assert (ended.code, "is off" in ended.err) == (2, True)
