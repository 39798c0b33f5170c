"""config check and import."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from cli_world import Run

HOST = {
    "mcpServers": {
        "files": {"command": "npx", "args": ["-y", "a-files-server"], "env": {"API_TOKEN": "hidden-in-the-host-file"}},
        "docs": {"url": "https://docs.example/mcp"},
    }
}


@pytest.fixture
def host(tmp_path: Path) -> str:
    (tmp_path / "host.json").write_text(json.dumps(HOST), encoding="utf-8")
    return "host.json"


def test_a_good_configuration_is_said_to_be_good(run: Run, configured: Path) -> None:
    ended = run("config", "check")

    assert ended.code == 0
    assert ended.out == (
        f"{configured}: good.\n3 servers, 1 channel (1 webhook); database sqlite:///{configured.parent}/driftwatch.db\n"
    )


def test_what_local_servers_run_in_here_is_said_with_the_reason(
    run: Run, configured: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DRIFTWATCH_SANDBOX", "auto")
    monkeypatch.setenv("PATH", str(tmp_path))
    why = "none, because bubblewrap (the program bwrap) is not installed"

    assert f"\nsandbox of local servers: {why}\n" in run("config", "check").out
    assert f"Sandbox of local servers: {why}." in " ".join(run("status").out.split())


def test_the_files_of_hosts_are_counted_as_well(run: Run, configured: Path) -> None:
    with configured.open("a", encoding="utf-8") as file:
        file.write("".join(f'[inventory.{name}]\nfile = "{name}.json"\n' for name in ("one", "two")))

    assert "3 servers, 2 files of hosts, 1 channel (1 webhook); " in run("config", "check").out


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("zed.json", '{"context_servers": {"notes": {"command": "notes-mcp"}}}'),
        ("codex.toml", '[mcp_servers.notes]\ncommand = "notes-mcp"\n'),
    ],
)
def test_every_host_that_the_help_names_is_read(run: Run, tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")

    helped = " ".join(run("import", "--help").out.split())

    assert "[servers.notes]" in run("import", name).out
    assert "Zed and Codex" in helped


def test_every_problem_of_a_configuration_is_told_at_once(run: Run, tmp_path: Path) -> None:
    (tmp_path / "x.toml").write_text('[servers.a]\nurl = "ftp://x"\n[servers.b]\ncomand = "x"\n', encoding="utf-8")

    ended = run("-c", "x.toml", "config", "check")

    assert (ended.code, ended.out) == (3, "")
    assert "servers.a.url" in ended.err
    assert "servers.b.comand" in ended.err
    assert "\\u{005C}" not in ended.err


def test_channels_are_counted_by_their_kinds_and_routes_as_well(run: Run, configured: Path) -> None:
    with configured.open("a", encoding="utf-8") as file:
        file.write('[channels.chat]\nkind = "slack"\nurl = "https://chat.example/x"\n')
        file.write('[channels.log]\nkind = "slack"\nurl = "https://chat.example/y"\n')
        file.write('[routes.default]\nchannels = ["ops", "chat", "log"]\n')

    assert "3 servers, 3 channels (1 webhook, 2 slack), 1 route; " in run("config", "check").out


def test_apprise_is_asked_whether_it_takes_the_url_as_the_daemon_asks_it(run: Run, configured: Path) -> None:
    with configured.open("a", encoding="utf-8") as file:
        file.write('[channels.phone]\nkind = "apprise"\nurl = "nosuchservice://topic-4711"\n')
        file.write('[channels.chat]\nkind = "slack"\nurl = "https://chat.example/x"\nbody = "{{ findings[0].rule }}"\n')

    ended = run("config", "check")

    assert (ended.code, ended.out) == (3, "")
    assert "channels.phone.url: Apprise knows no such service — Write it as Apprise does" in ended.err
    assert "channels.chat.body: fails on" in ended.err
    assert "4711" not in ended.err


def test_where_apprise_is_not_installed_a_check_says_so_and_what_follows(
    run: Run, configured: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "apprise", None)
    with configured.open("a", encoding="utf-8") as file:
        file.write('[channels.phone]\nkind = "apprise"\nurl = "ntfy://topic"\n')

    ended = run("config", "check")

    assert ended.code == 0
    assert "channels.phone: Apprise is not installed here, so it was not tried, and driftwatch run" in ended.err
    assert "pip install" in ended.err


def test_a_template_that_fails_on_any_kind_of_message_is_a_problem_of_the_configuration(
    run: Run, configured: Path
) -> None:
    with configured.open("a", encoding="utf-8") as file:
        file.write('title = "{{ severity }}"\nbody = "{{ findings[0].rule }}"\n')

    ended = run("config", "check")

    assert (ended.code, ended.out) == (3, "")
    assert "channels.ops.body: fails on a server that cannot be looked at: line 1: tuple object has no" in ended.err
    assert "channels.ops.title" not in ended.err


def test_an_import_prints_entries_that_load_and_says_what_is_not_pinned(
    run: Run, host: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended = run("import", host)

    assert ended.code == 0
    assert "warning: files: not pinned: " in ended.err
    assert "hidden-in-the-host-file" not in ended.out + ended.err
    (tmp_path / "driftwatch.toml").write_text(ended.out, encoding="utf-8")
    for line in ended.err.splitlines():
        if line.startswith("warning: set "):
            monkeypatch.setenv(line.split()[2], "x")
    assert run("config", "check").code == 0
    assert [server["name"] for server in run("servers", "--format", "json").json["servers"]] == ["files", "docs"]


def test_an_import_never_overwrites_a_file(run: Run, host: str, tmp_path: Path) -> None:
    first = run("import", host, "--out", "new.toml")
    written = (tmp_path / "new.toml").read_text(encoding="utf-8")

    second = run("import", host, "--out", "new.toml")

    assert (first.code, first.out) == (0, "")
    assert second.code == 2
    assert "error: new.toml is there already." in second.err
    assert (tmp_path / "new.toml").read_text(encoding="utf-8") == written


def test_an_import_from_stdin_works(run: Run) -> None:
    assert "[servers.docs]" in run("import", "-", stdin=json.dumps(HOST)).out


def test_a_file_that_lists_no_servers_is_a_clear_error(run: Run) -> None:
    ended = run("import", "-", stdin="{}")

    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith('error: "stdin" lists no MCP servers')
