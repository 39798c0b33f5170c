"""A database of an earlier version is brought up to date, and keeps all that it holds."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection
from contextlib import closing
from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config
from store_world import (
    ACTOR,
    MINUTE,
    START,
    Clock,
    alert,
    delivery,
    dump,
    look,
    review,
    snapshot,
    testimony,
    told,
    tool,
)

from driftwatch.model import Decision, EventKind, Face
from driftwatch.store import Store
from driftwatch.store.engine import connect, writing
from driftwatch.store.schema import migrations
from driftwatch.store.tables import metadata

FIRST, SECOND = snapshot(tool("read")), snapshot(tool("read", description="More."))
GONE = {"aheads", "audit", "users", "tokens", "sessions", "links"}
"""The tables that the first version did not have."""


def earlier_version(file: Path, revision: str) -> None:
    """Make a database of an earlier version."""
    file.touch()
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
    engine = connect(file)
    config = Config()
    config.set_main_option("script_location", str(migrations()))
    with writing(engine) as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
    engine.dispose()


@pytest.fixture
def old(file: Path, tmp_path: Path) -> Path:
    """A database of the first version with something in every table that matters."""
    made = tmp_path / "made.db"
    with Store.open(f"sqlite:///{made}", clock=Clock()) as store:
        store.record_look(look("git", FIRST))
        store.record_look(look("git", SECOND, baseline=FIRST.digest))
        store.approve(review(FIRST.digest, note="fine\u202e"), expected_baseline=FIRST.digest)
        store.reject(review(SECOND.digest, decision=Decision.REJECTED, by="bob", at=START + MINUTE))
        store.record_alert(told(alert(snapshot_digest=SECOND.digest), delivery()))
    earlier_version(file, "0001")
    filled(file, made, GONE)
    return file


def filled(file: Path, made: Path, gone: Collection[str]) -> None:
    """Copy what is in a database into one of an earlier version that does not have all of its tables."""
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("ATTACH DATABASE ? AS made", (str(made),))
        for table in (name for name in metadata.tables if name not in {*gone, "keys"}):
            columns = ", ".join(f'"{row[1]}"' for row in connection.execute(f"PRAGMA table_info({table})"))
            connection.execute(f"INSERT INTO {table} ({columns}) SELECT {columns} FROM made.{table}")
        connection.commit()


def test_nothing_that_was_decided_or_seen_is_lost(old: Path) -> None:
    before = dump(old)

    with Store.open(f"sqlite:///{old}", clock=Clock()) as store:
        after = dump(old)
        reviews = store.reviews("git")
        open_now = store.alerts()

    kept = {name: [row[: len(rows[0])] for row in after[name]] for name, rows in before.items() if rows}
    assert {name: rows for name, rows in kept.items() if name != "driftwatch_version"} == {
        name: rows for name, rows in before.items() if rows and name != "driftwatch_version"
    }
    assert [(one.by, one.note, one.origin, one.items) for one in reviews] == [
        ("ana", "fine\u202e", "", ()),
        ("bob", "", "", ()),
    ]
    assert [one.refused for one in open_now] == [frozenset()]


def test_work_goes_on_after_the_upgrade_and_the_log_begins_there(old: Path) -> None:
    with Store.open(f"sqlite:///{old}", clock=Clock()) as store:
        empty = store.verify_audit()
        store.approve(review(SECOND.digest), expected_baseline=FIRST.digest)
        store.acknowledge(told(alert(snapshot_digest=SECOND.digest), event=EventKind.ACKNOWLEDGED), by=ACTOR)

        assert empty.count == 0
        assert (store.verify_audit().count, store.verify_audit().whole) == (2, True)
        assert store.reviews("git")[-1].origin == "cli"


def test_a_database_that_was_upgraded_is_like_a_new_one(old: Path, tmp_path: Path) -> None:
    new = tmp_path / "new.db"
    for file in (old, new):
        Store.open(f"sqlite:///{file}", clock=Clock()).close()

    def columns(file: Path) -> dict[str, list[tuple[object, ...]]]:
        with closing(sqlite3.connect(file)) as connection:
            return {name: list(connection.execute(f"PRAGMA table_info({name})")) for name in metadata.tables}

    assert columns(old) == columns(new)


def test_what_agents_were_shown_is_kept_beside_all_that_was_there_before(file: Path, tmp_path: Path) -> None:
    made = tmp_path / "made.db"
    with Store.open(f"sqlite:///{made}", clock=Clock()) as store:
        store.record_look(look("git", FIRST))
        store.record_face(Face("git", "cursor", looked_at=START), seen=[SECOND])
        store.approve(review(FIRST.digest), expected_baseline=FIRST.digest)
    earlier_version(file, "0003")
    filled(file, made, {"witnessed"})
    before = dump(file)

    with Store.open(f"sqlite:///{file}", clock=Clock()) as store:
        after = dump(file)
        store.take_testimony(testimony("git", FIRST), shown=FIRST)

        kept = {name: [row[: len(rows[0])] for row in after[name]] for name, rows in before.items() if rows}
        assert {name: rows for name, rows in kept.items() if name != "driftwatch_version"} == {
            name: rows for name, rows in before.items() if rows and name != "driftwatch_version"
        }
        assert [one.digest for one in store.testimonies("git")] == [FIRST.digest]
        assert [one.identity for one in store.faces("git")] == ["cursor"]
        assert store.verify_audit().good
