"""The commands of the database: backup, restore, and its schema."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from cli_telling import MARCH
from cli_world import Run, look, shown, tool

from driftwatch.store import Store
from driftwatch.store.holding import held
from driftwatch.store.schema import HEAD, VERSION_TABLE

FILE = "driftwatch.db"


@pytest.fixture
def closed(store: Store, tmp_path: Path) -> Path:
    """A database that nobody has open."""
    store.close()
    return tmp_path / FILE


def test_a_backup_is_made_looked_through_and_put_back(run: Run, closed: Path) -> None:
    made = run("backup", "kept.db")
    again = run("backup", "kept.db")
    forced = run("backup", "kept.db", "--force", "--format", "json")
    back = run("restore", "kept.db", "--by", "ana", clock=lambda: MARCH)
    log = run("audit", "--format", "json").json["entries"]

    assert made.code == 0
    assert made.out.startswith(f"The backup is in kept.db: schema {HEAD}, ")
    assert "Its audit log is whole" in made.out
    assert (again.code, again.out) == (2, "")
    assert "--force" in again.err
    assert (forced.json["schema"], forced.json["good"], forced.json["file"]) == (HEAD, True, "kept.db")
    assert back.code == 0
    assert f"{FILE}.before-restore-20260301T120000Z" in back.out.replace("\n  ", "")
    assert "Nothing that is counted differs from it." in back.out
    assert [(one["action"], one["who"]) for one in log] == [("restored", "ana")]


@pytest.mark.parametrize("command", ["backup", "restore"])
def test_a_backup_is_a_file_and_no_stream(run: Run, closed: Path, command: str) -> None:
    ended = run(command, "-")

    assert (ended.code, ended.out) == (2, "")
    assert "not a stream" in ended.err


def test_what_a_restore_takes_away_is_said(run: Run, closed: Path) -> None:
    run("backup", "empty.db")
    run("user", "add", "ann", "--role", "admin", "--no-password")

    ended = run("restore", "empty.db")

    assert "entries in the audit log: 0, was 1" in ended.out
    assert "1 entry of the audit log" in ended.out


def test_a_restore_beside_a_daemon_is_refused_and_the_holder_is_named(run: Run, closed: Path) -> None:
    run("backup", "kept.db")

    with held(f"sqlite:///{closed}", doing="run", now=MARCH):
        ended = run("restore", "kept.db")
        current = run("db", "current")

    assert ended.code == 4
    assert "is held by driftwatch run (process" in ended.err
    assert "It is held by driftwatch run" in current.out


def test_a_database_of_an_earlier_version_is_brought_up_to_date_by_the_command_that_everybody_is_told(
    run: Run, closed: Path
) -> None:
    with closing(sqlite3.connect(closed)) as connection:
        connection.execute("DROP INDEX ix_deliveries_state_seq_channel")
        connection.execute("DROP INDEX ix_deliveries_server")
        connection.execute(f"UPDATE {VERSION_TABLE} SET version_num = '0006'")
        connection.commit()

    refused = run("status")
    current = run("db", "current", "--format", "json")
    check = run("db", "check")
    upgraded = run("db", "upgrade", clock=lambda: MARCH)
    after = run("db", "current")
    again = run("db", "upgrade")

    assert (refused.code, refused.out) == (4, "")
    assert "driftwatch db upgrade" in refused.err
    assert (current.code, current.json) == (
        1,
        {"version": 1, "schema": "0006", "needed": HEAD, "current": False, "held_by": None},
    )
    assert (check.code, "verified after driftwatch db upgrade" in check.out) == (0, True)
    assert f"has the schema {HEAD} now; it had 0006" in upgraded.out.replace("\n  ", " ")
    assert (closed.parent / f"{FILE}.before-{HEAD}-20260301T120000Z").exists()
    assert (after.code, "It is up to date." in after.out) == (0, True)
    assert "is up to date" in again.out


def test_a_check_names_the_damage_and_ends_with_1(run: Run, closed: Path) -> None:
    good = run("db", "check")
    with closing(sqlite3.connect(closed)) as connection:
        connection.execute("INSERT INTO sightings (server, digest, first_seen) VALUES ('gone', 'gone', 0)")
        connection.commit()

    bad = run("db", "check")
    as_json = run("db", "check", "--format", "json")

    assert good.code == 0
    assert bad.code == 1
    assert "It is damaged:" in bad.out
    assert "driftwatch restore FILE" in bad.out
    assert (as_json.code, as_json.json["good"]) == (1, False)


@pytest.mark.parametrize("command", [("db", "current"), ("db", "check"), ("backup", "x.db")])
def test_without_a_database_nothing_is_made(
    run: Run, configured: Path, tmp_path: Path, command: tuple[str, ...]
) -> None:
    ended = run(*command)

    assert (ended.code, ended.out) == (4, "")
    assert "There is no database" in ended.err
    assert not (tmp_path / FILE).exists()


def test_an_upgrade_before_the_first_start_has_nothing_to_do(run: Run, configured: Path, tmp_path: Path) -> None:
    ended = run("db", "upgrade")

    assert (ended.code, ended.err) == (0, "")
    assert "driftwatch run makes one" in ended.out
    assert not (tmp_path / FILE).exists()


def test_a_prune_counts_first_then_drops_and_the_room_is_given_back(run: Run, store: Store, configured: Path) -> None:
    look_long_ago(store)
    store.close()
    with configured.open("a", encoding="utf-8") as file:
        file.write('\n[retention]\nlooks = "100d"\n')

    counted = run("prune", "--dry-run", "--format", "json", clock=lambda: MARCH)
    again = run("prune", "--dry-run", clock=lambda: MARCH)
    done = run("prune", "--by", "ana", clock=lambda: MARCH)
    nothing = run("prune", clock=lambda: MARCH)
    room = run("vacuum", "--format", "json")
    log = run("audit", "--format", "json").json["entries"]

    assert counted.json["dropped"] == {"looks": 3, "lists": 3, "items": 3, "alerts": 0, "deliveries": 0}
    assert again.out.replace("\n  ", " ").startswith(
        "Would be dropped: 3 looks that are over, 3 lists that nothing else needs (3 items)"
    )
    assert done.out.startswith("Dropped: 3 looks")
    assert nothing.out == "Nothing was kept for longer than it is to be.\n"
    assert room.json["bytes"] <= room.json["bytes_before"]
    assert [(one["action"], one["who"]) for one in log] == [("pruned", "ana")]


def test_an_age_that_cannot_be_meant_drops_nothing(run: Run, closed: Path) -> None:
    for age in ("soon", "7d", "0"):
        ended = run("prune", "--older-than", age)

        assert (ended.code, ended.out) == (2, "")
        assert "at least 8d" in ended.err


def look_long_ago(store: Store) -> None:
    """Let a server show fourteen lists one after the other, the first long ago."""
    for number in range(14):
        when = MARCH - timedelta(days=400 - 20 * number)
        look(store, "git", shown(tool(f"tool-{number}")), when=when)
