"""What the local servers that driftwatch starts can do to its pages, and what is hidden from them for its own files."""

from __future__ import annotations

from pathlib import Path

import pytest

from driftwatch.config.load import parse

LOCAL = '[servers.notes]\ncommand = "sh"\n'


def said(text: str, key: str, base: Path = Path("/nowhere")) -> list[str]:
    found = parse(text, {"PATH": "/bin:/usr/bin"}, base=base).warnings
    return [line for line in found if line.startswith(f"{key}: ")]


def proxied(*networks: str, header: str = 'proxy_header = "Remote-User"\n') -> str:
    return f"[web]\nproxy_from = {list(networks)}\n{header}{LOCAL}"


@pytest.mark.parametrize("network", ["127.0.0.1", "127.0.0.0/8", "126.0.0.0/7", "::1", "::/8"])
def test_a_local_server_that_could_name_itself_a_person_is_warned_of(network: str) -> None:
    (line,) = said(proxied("192.0.2.7", network), "web.proxy_header")

    assert "1 local server (notes) can connect" in line
    assert network in line
    assert "approve what it shows itself" in line
    assert all(word in line for word in ("another address", 'network = "off"', "by password"))


@pytest.mark.parametrize(
    "sandbox", ['sandbox = "none"', 'sandbox = {network = "fetch-only"}', "sandbox = {kind = 'none', network = 'off'}"]
)
def test_what_runs_without_walls_or_fetches_can_too(sandbox: str) -> None:
    assert said(proxied("127.0.0.1") + sandbox, "web.proxy_header")


@pytest.mark.parametrize(
    "text",
    [
        proxied("192.0.2.7", "2001:db8::7"),
        proxied("127.0.0.1") + 'sandbox = {network = "off"}',
        proxied("127.0.0.1") + "enabled = false",
        proxied("127.0.0.1").replace('command = "sh"', 'url = "https://notes.example/mcp"'),
        proxied("127.0.0.1").replace("[web]", "[web]\nenabled = false"),
    ],
)
def test_nobody_is_warned_where_no_server_can_speak_as_the_proxy(text: str) -> None:
    assert not said(text, "web.proxy_header")
    assert not said(text, "web.proxy_from")


def test_without_a_header_only_forged_addresses_are_warned_of() -> None:
    text = proxied("127.0.0.1", header="")

    (line,) = said(text, "web.proxy_from")

    assert "forge X-Forwarded-For" in line
    assert not said(text, "web.proxy_header")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    for name in ("watch", "servers"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "server.py").touch()
    return tmp_path


@pytest.mark.parametrize("cwd", [".", ".."])
def test_a_folder_with_driftwatchs_own_files_is_said_to_be_empty_in_the_sandbox(cwd: str, place: Path) -> None:
    (line,) = said(f"{LOCAL}args = ['server.py']\ncwd = '{cwd}'", "servers.notes.cwd", place / "watch")

    assert "holds driftwatch's own configuration or database" in line
    assert "in the sandbox it is empty" in line
    assert "move driftwatch.toml and its database into a folder of their own" in line
    assert 'sandbox = "none"' in line


def test_the_folder_of_a_script_with_driftwatchs_own_files_is_said_to_be_hidden(place: Path) -> None:
    text = f"{LOCAL}args = ['-u', '{place}/watch/server.py']"

    (line,) = said(text, "servers.notes.args[1]", place / "watch")

    assert "the sandbox shows it alone" in line
    assert "modules and files beside it are missing" in line


def test_a_database_beside_a_server_hides_its_folder_as_well(place: Path) -> None:
    text = f"[database]\nurl = 'sqlite:///../servers/watch.db'\n{LOCAL}cwd = '../servers'"

    assert said(text, "servers.notes.cwd", place / "watch")


@pytest.mark.parametrize(
    "rest",
    [
        "cwd = '../servers'\nargs = ['server.py']",
        "cwd = '.'\nsandbox = 'none'",
        "cwd = '.'\nsandbox = {kind = 'container', image = 'node:22'}",
        "cwd = '.'\nenabled = false",
        "args = ['../watch/notes.txt', '../watch/gone.py']",
    ],
)
def test_nothing_is_said_where_nothing_is_hidden(rest: str, place: Path) -> None:
    found = parse(f"{LOCAL}{rest}", {"PATH": "/bin:/usr/bin"}, base=place / "watch").warnings

    assert not [line for line in found if "driftwatch's own" in line]
