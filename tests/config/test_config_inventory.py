"""The tables of hosts' files and of the supply watch."""

from __future__ import annotations

from pathlib import Path

import pytest

from driftwatch.config.inventory import WatchedFile
from driftwatch.config.load import parse
from driftwatch.config.words import InvalidConfigError

BASE = Path("/etc/driftwatch")
HOME = {"HOME": "/home/me", "WHERE": "/srv"}


def problems(text: str) -> str:
    with pytest.raises(InvalidConfigError) as caught:
        parse(text, HOME, base=BASE)
    return str(caught.value)


def one(text: str) -> WatchedFile:
    (file,) = parse(text, HOME, base=BASE).files
    assert isinstance(file, WatchedFile)
    return file


def test_a_file_is_looked_at_every_minute_under_its_name() -> None:
    file = one('[inventory.cursor]\nfile = "mcp.json"')

    assert (file.name, file.file, file.sort, file.enabled) == ("cursor", "/etc/driftwatch/mcp.json", "file", True)
    assert (file.interval.floor, file.interval.default, file.interval.ceiling) == (60, 60, 60)
    assert (file.optional, file.alert_after, file.host, file.missing) == (False, 3, "", ())


@pytest.mark.parametrize(
    ("written", "placed", "shown"),
    [
        ("~/.cursor/mcp.json", "/home/me/.cursor/mcp.json", "/home/me/.cursor/mcp.json"),
        ("/a/b.json", "/a/b.json", "/a/b.json"),
        ("${WHERE}/b.json", "/srv/b.json", "${WHERE}/b.json"),
    ],
)
def test_a_path_is_made_absolute(written: str, placed: str, shown: str) -> None:
    file = one(f'[inventory.x]\nfile = "{written}"')

    assert (file.file, file.shown_command) == (placed, shown)


def test_all_keys_are_taken() -> None:
    file = one(
        '[inventory.x]\nfile = "a.toml"\nhost = "Codex"\ninterval = "5m"\noptional = true\nalert_after = 1\n'
        'labels = { team = "web" }\nenabled = false'
    )

    assert (file.host_name, file.interval.default, file.optional, file.alert_after) == ("Codex", 300, True, 1)
    assert (file.labels, file.enabled) == ({"team": "web"}, False)


def test_files_share_the_name_space_of_servers() -> None:
    text = '[servers.x]\nurl = "https://a.example/mcp"\n[inventory.x]\nfile = "a.json"'

    assert "inventory.x: a server has this name already" in problems(text)


def test_a_server_cannot_be_a_file_nor_a_file_yaml() -> None:
    assert "'http', 'sse' or 'stdio'" in problems('[servers.x]\nurl = "https://a.example/mcp"\ntransport = "file"')
    assert "YAML" in problems('[inventory.x]\nfile = "config.yaml"')
    assert "is missing" in problems("[inventory.x]")


def test_files_and_servers_are_watched_and_found_by_name() -> None:
    text = '[servers.a]\nurl = "https://a.example/mcp"\n[inventory.b]\nfile = "a.json"'
    settings = parse(text, HOME, base=BASE)

    assert [one.name for one in settings.watched] == ["a", "b"]
    assert settings.server("b") is settings.files[0]


def test_the_supply_watch_is_off_and_asks_nobody() -> None:
    settings = parse("", {"NPM_CONFIG_REGISTRY": "https://npm.example"}, base=BASE)

    assert (settings.supply.enabled, settings.supply.words) == (False, "off")
    assert (settings.supply.npm, settings.supply.pypi, settings.supply.osv) == ("", "", "")


def test_the_supply_watch_names_whom_it_asks() -> None:
    text = '[supply]\nenabled = true\nnpm = "${WHERE_NPM}"\nosv = "https://osv.example/"\ninterval = "1h"'
    settings = parse(text, {"WHERE_NPM": "https://npm.example"}, base=BASE)

    assert settings.supply.words == "on (npm at ${WHERE_NPM}, osv at https://osv.example/)"
    assert (settings.supply.npm, settings.supply.interval) == ("https://npm.example", 3600)


def test_a_supply_watch_with_nobody_to_ask_is_a_problem() -> None:
    assert "there is nobody to ask" in problems("[supply]\nenabled = true")
    assert "user name or password" in problems('[supply]\nnpm = "https://u:p@npm.example"')
