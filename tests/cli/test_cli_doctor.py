"""doctor: what it prints, for people and for programs, and what it ends with."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from cli_world import SECRET, Run

from tests.blank import blank
from tests.contracts.http import closed_port

GOOD = '[web]\nenabled = false\n[channels.ops]\nkind = "command"\ncommand = "/bin/true"\n'


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a machine on which all is well but that no daemon runs."""
    tmp_path.chmod(0o700)
    blank(tmp_path / "driftwatch.db")
    for name in ("HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    write(tmp_path, GOOD)
    return tmp_path


def write(folder: Path, text: str) -> None:
    (folder / "driftwatch.toml").write_text(text, encoding="utf-8")
    (folder / "driftwatch.toml").chmod(0o600)


def test_a_machine_on_which_all_is_well_ends_with_0_and_says_what_was_looked_at(run: Run, machine: Path) -> None:
    ended = run("doctor")

    assert ended.code == 0, ended.out
    assert "configuration:\n  ok: " in ended.out
    assert "warning: no daemon watches with this database\n    Start it: systemctl start driftwatch" in ended.out
    assert "0 problems" in ended.out


def test_for_programs_each_line_says_what_how_sure_and_what_to_do(run: Run, machine: Path) -> None:
    ended = run("doctor", "--offline", "--format", "json")

    (line,) = [line for line in ended.json["lines"] if line["check"] == "running"]
    assert line == {
        "area": "daemon",
        "check": "running",
        "subject": "",
        "state": "warning",
        "what": "no daemon watches with this database",
        "do": "Start it: systemctl start driftwatch, or driftwatch run",
        "sure": "certain",
    }
    assert (ended.json["version"], ended.json["worst"]) == (1, "warning")
    assert sum(ended.json["counts"].values()) == len(ended.json["lines"])


def test_a_configuration_that_cannot_be_used_ends_with_3_and_the_rest_is_looked_at(run: Run, machine: Path) -> None:
    write(machine, f'{GOOD}[servers.notes]\nurl = "http://127.0.0.1:9/mcp"\nbearer = {{env = "NOBODY_SETS_THIS"}}\n')

    ended = run("doctor")

    assert ended.code == 3
    assert "PROBLEM: servers.notes.bearer: " in ended.out
    assert "not known: notes: not looked at: " in ended.out
    assert "database:\n" in ended.out


def test_a_database_that_cannot_be_used_ends_with_4_before_servers_count(run: Run, machine: Path) -> None:
    write(machine, f'{GOOD}[servers.gone]\nurl = "http://127.0.0.1:{closed_port()}/mcp"\n')
    with closing(sqlite3.connect(machine / "driftwatch.db")) as connection, connection:
        connection.execute("UPDATE driftwatch_version SET version_num = '0006'")

    ended = run("doctor")

    assert ended.code == 4
    assert "driftwatch db upgrade" in ended.out
    assert "PROBLEM: gone: " in ended.out


def test_servers_alone_end_with_5_and_anything_beside_them_with_1(run: Run, machine: Path) -> None:
    gone = f'[servers.gone]\nurl = "http://127.0.0.1:{closed_port()}/mcp"\nbearer = "{SECRET}"\n'
    write(machine, GOOD + gone)
    alone = run("doctor").code
    write(machine, GOOD.replace("/bin/true", "/nonexistent/program") + gone)

    assert (alone, run("doctor").code, run("doctor", "--offline").code) == (5, 1, 0)


def test_what_is_good_of_many_is_counted_unless_all_of_it_is_asked_for(run: Run, machine: Path) -> None:
    channels = "".join(f'[channels.c{number}]\nkind = "command"\ncommand = "/bin/true"\n' for number in range(9))
    write(machine, GOOD + channels)

    short, whole = run("doctor").out, run("doctor", "--all").out

    assert "channels:\n  ok: 10 of 10 (all of them: --all)\n" in short
    assert "ok: c8: its program is there" in whole
    assert "ok: c8" not in short


def test_to_send_and_to_connect_to_nobody_cannot_both_be(run: Run, machine: Path) -> None:
    assert run("doctor", "--offline", "--send").code == 2
