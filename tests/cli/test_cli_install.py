"""The witness in the files of hosts, as a person puts it there and takes it out again."""

from __future__ import annotations

import json
import stat
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from cli_world import CONFIG, Run
from witness.hosting import program

from driftwatch.config.files import load_witness
from driftwatch.config.secret import Secret
from driftwatch.store import Store

ENTRIES = {
    "git": {"command": "git-mcp", "args": ["--token", "${KEY}"]},
    "files": {"url": "https://files.example/mcp"},
    "other": {"command": "npx", "args": ["-y", "other-mcp"]},
}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the home folder of a person whose driftwatch is a program of its own."""
    place = tmp_path / "home"
    place.mkdir()
    for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "CODEX_HOME", "CLAUDE_CONFIG_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(place))
    monkeypatch.setattr(sys, "argv", [program(tmp_path)])
    monkeypatch.setattr(sys, "platform", "linux")
    return place


@pytest.fixture
def cursor(home: Path) -> Path:
    """Write the file of a host."""
    path = home / ".cursor" / "mcp.json"
    path.parent.mkdir()
    path.write_text(json.dumps({"mcpServers": ENTRIES}, indent=2))
    return path


def words(text: str) -> str:
    return " ".join(text.split())


def test_a_dry_run_shows_the_difference_and_touches_nothing(
    run: Run, store: Store, cursor: Path, home: Path, configured: Path
) -> None:
    before = cursor.read_bytes()

    ended = run("witness", "install", "cursor", "--dry-run")

    said = words(ended.out)
    assert ended.code == 0
    assert "mcpServers.git: witnessed as git - git-mcp --token ${KEY} + " in said
    # A long path may be broken at any place of it.
    assert "/driftwatchwitnessgit--hostcursor--git-mcp--token${KEY}" in said.replace(" ", "")
    assert "files: left as it is: it is a remote server." in said
    assert "driftwatch witness forward files --upstream https://files.example/mcp" in said
    assert "other: left as it is: driftwatch does not watch it." in said
    assert "will name the daemon at http://127.0.0.1:8642 and a new token, which may hand in looks only" in said
    assert cursor.read_bytes() == before
    assert [path.name for path in home.iterdir()] == [".cursor"]
    assert list(store.tokens(at=None)) == []


def test_nothing_is_written_where_nobody_can_be_asked(run: Run, cursor: Path, configured: Path) -> None:
    before = cursor.read_bytes()

    ended = run("witness", "install", "cursor")

    assert (ended.code, cursor.read_bytes()) == (2, before)
    assert "Add --yes" in ended.err


def test_install_makes_the_settings_and_uninstall_needs_nothing_of_driftwatch(
    run: Run, store: Store, cursor: Path, home: Path, configured: Path
) -> None:
    before = cursor.read_bytes()

    installed = run("witness", "install", "cursor", "--yes", "--by", "ann")
    (token,) = store.tokens(at=None)
    audited = run("audit", "--format", "json").out
    listed = run("witness", "list", "--format", "json").json["servers"]
    said = run("witness", "list").out
    again = run("witness", "install", "cursor", "--yes")
    configured.unlink()
    (configured.parent / "driftwatch.db").unlink()
    undone = run("witness", "uninstall", "cursor")

    assert (installed.code, again.code, undone.code) == (0, 0, 0)
    assert (token.scopes, token.by, token.expires_at) == ("looks", "ann", None)
    assert token.id in audited
    assert [one["witness"] for one in listed] == [
        {"server": "git", "host": "cursor", "program": sys.argv[0]},
        None,
        None,
    ]
    assert said.splitlines()[:2] == ["cursor: ~/.cursor/mcp.json", "  mcpServers.git: witnessed, as git in cursor"]
    assert "There is nothing to change." in again.out
    assert "as it was before install, to the byte" in words(undone.out)
    assert "The witness's settings stay" in words(undone.out)
    assert cursor.read_bytes() == before
    settings = home / ".config" / "driftwatch" / "witness.toml"
    assert stat.S_IMODE(settings.stat().st_mode) == 0o600
    found = load_witness(None, {}, home)
    assert found.url == "http://127.0.0.1:8642"
    assert isinstance(found.token, Secret)


def test_a_daemon_elsewhere_is_named_with_the_file_of_its_token(
    run: Run, store: Store, cursor: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "conf"))
    monkeypatch.setenv("XDG_STATE_HOME", str(home / "state"))
    (home / "token").write_text("dw_from-elsewhere\n")
    options = ("--url", "https://watch.example", "--token-file", str(home / "token"))

    without = run("witness", "install", "cursor", "--yes", "--url", "https://watch.example")
    installed = run("witness", "install", "cursor", "--yes", *options)
    again = run("witness", "install", "cursor", "--yes", *options)

    assert (without.code, installed.code, again.code) == (2, 0, 2)
    settings = home / "conf" / "driftwatch" / "witness.toml"
    found = load_witness(settings, {}, home)
    assert found.token is not None
    assert (found.url, found.token.reveal()) == ("https://watch.example", "dw_from-elsewhere")
    # A host has neither variable, so both places are written down.
    assert found.spool == str(home / "state" / "driftwatch" / "witness")
    args = json.loads(cursor.read_text())["mcpServers"]["git"]["args"]
    assert args[:6] == ["witness", "git", "--host", "cursor", "--settings", str(settings)]
    assert list(store.tokens(at=None)) == []


def test_a_daemon_that_takes_no_looks_is_no_place_to_hand_them_to(run: Run, cursor: Path, configured: Path) -> None:
    configured.write_text(f"{CONFIG}\n[web]\nenabled = false\n")
    before = cursor.read_bytes()

    ended = run("witness", "install", "cursor", "--yes")

    assert (ended.code, cursor.read_bytes()) == (3, before)
    assert "--token-file" in ended.err


def test_a_driftwatch_that_a_host_could_not_start_is_not_written_into_its_file(
    run: Run, cursor: Path, home: Path, configured: Path
) -> None:
    Path(sys.argv[0]).write_text("#!/bin/sh\nexit 1\n")
    before = cursor.read_bytes()

    ended = run("witness", "install", "cursor", "--yes")

    assert (ended.code, cursor.read_bytes()) == (2, before)
    assert "cannot be started as a host would start it" in words(ended.err)
    assert not (home / ".config").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("curser",), "Did you mean cursor?"),
        (("zed",), "Zed keeps its servers in"),
        (("nowhere.json",), '"nowhere.json" cannot be read'),
        (("cursor", "--server", "gti"), "Did you mean git?"),
        (("cursor", "--host", "a b"), "cannot be the name of a host"),
    ],
)
def test_what_is_not_there_is_told_with_what_was_meant(
    arguments: tuple[str, ...], said: str, run: Run, cursor: Path, configured: Path
) -> None:
    ended = run("witness", "install", *arguments)

    assert ended.code == 2
    assert said in words(ended.err)


def test_a_file_of_a_project_is_that_of_its_host_and_one_in_a_repository_is_said_to_be(
    run: Run, home: Path, configured: Path, tmp_path: Path, write: Callable[..., str]
) -> None:
    (tmp_path / ".git").mkdir()
    name = write(".mcp.json", {"mcpServers": {"git": ENTRIES["git"]}})

    ended = run("witness", "install", name, "--yes")

    assert json.loads((tmp_path / name).read_text())["mcpServers"]["git"]["args"][2:4] == ["--host", "claude-code"]
    assert "Do not commit it" in words(ended.out)
    assert "uninstall .mcp.json" in words(ended.out)
