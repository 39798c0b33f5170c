"""A database of an earlier version is brought up to date when a person asks for it, and keeps all that it holds."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from store_past import FIRST, SECOND, THIRD, everything, old
from store_world import ACTOR, MINUTE, START, Clock, alert, dump, review, testimony, told

from driftwatch.errors import HeldError, SchemaError, StoreError
from driftwatch.model import Acknowledged, EventKind, TestimonyState
from driftwatch.store import Store
from driftwatch.store.copies import inspect, upgrade
from driftwatch.store.holding import held
from driftwatch.store.schema import HEAD, REVISIONS, revision_of
from driftwatch.store.tables import metadata

EARLIER = REVISIONS[:-1]
MADE: dict[str, bytes] = {}


@pytest.fixture(params=EARLIER)
def past(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, Path]:
    """A database of each version that there was, with a past in it, and which version that is."""
    made = tmp_path / "made.db"
    if "made" in MADE:
        made.write_bytes(MADE["made"])
    file = old(tmp_path / "watch.db", made, request.param)
    MADE["made"] = made.read_bytes()
    return request.param, file


def columns(file: Path) -> dict[str, list[tuple[object, ...]]]:
    with closing(sqlite3.connect(file)) as connection:
        return {name: list(connection.execute(f"PRAGMA table_info({name})")) for name in metadata.tables}


def indexes(file: Path) -> set[tuple[str, str]]:
    with closing(sqlite3.connect(file)) as connection:
        return set(connection.execute("SELECT name, tbl_name FROM sqlite_master WHERE type = 'index'"))


def kept(before: dict[str, list[tuple[object, ...]]], file: Path) -> bool:
    """Say whether every row is there as it was; columns that were added stand behind it."""
    after = dump(file)
    rows = {name: rows for name, rows in before.items() if rows and name != "driftwatch_version"}
    return {name: [row[: len(rows[0])] for row in after[name]] for name, rows in rows.items()} == rows


def test_a_database_of_any_earlier_version_is_refused_with_the_command_and_left_as_it_is(
    past: tuple[str, Path],
) -> None:
    revision, file = past
    before = file.read_bytes()

    for more in ({}, {"prepare": False}, {"read_only": True}):
        with pytest.raises(SchemaError) as raised:
            Store.open(f"sqlite:///{file}", clock=Clock(), **more)

        assert revision in raised.value.message
        assert HEAD in raised.value.message
        assert "driftwatch db upgrade" in raised.value.hint
    assert file.read_bytes() == before
    assert raised.value.exit_code == 4


def test_after_the_upgrade_from_any_version_all_is_read_approvals_stand_and_the_log_verifies(
    past: tuple[str, Path], tmp_path: Path
) -> None:
    revision, file = past
    url, before = f"sqlite:///{file}", dump(file)
    new = tmp_path / "new.db"
    Store.open(f"sqlite:///{new}", clock=Clock()).close()

    was, backup = upgrade(url, now=START)

    assert (was, revision_of(file)) == (revision, HEAD)
    assert backup is not None
    assert (revision_of(backup), backup.stat().st_mode & 0o777) == (revision, 0o600)
    assert kept(before, file)
    assert columns(file) == columns(new)
    assert indexes(file) == indexes(new)
    assert inspect(file).damage == ()
    with Store.open(url, clock=Clock()) as store:
        found = everything(store)
        assert found["states"]["git"].baseline.digest == FIRST.digest
        assert [(one.by, one.note, one.decision.value) for one in found["reviews"]["git"]] == [
            ("ana", "fine\u202e", "approved"),
            ("bob", "", "rejected"),
        ]
        assert {one.id: one.state.value for one in found["alerts"]} == {"alr_1": "acknowledged", "alr_2": "resolved"}
        assert {one.id: one.state.value for one in found["deliveries"]} == {
            "msg_1": "delivered",
            "msg_2": "pending",
            "msg_3": "pending",
        }
        assert found["snapshots"] == {one.digest: one for one in (FIRST, SECOND, THIRD)}
        assert [one.id for one in found["aheads"]] == (["ahd_1"] if revision > "0001" else [])
        assert len(found["testimonies"]) == (2 if revision >= "0004" else 0)
        verified = store.verify_audit()
        assert verified.whole
        if revision > "0001":
            assert (verified.astray, verified.count) == ((), len(found["audit"]))


def test_work_goes_on_after_the_upgrade_from_any_version(past: tuple[str, Path]) -> None:
    _, file = past
    upgrade(f"sqlite:///{file}", now=START, backup=False)

    with Store.open(f"sqlite:///{file}", clock=Clock()) as store:
        before = store.verify_audit().count
        store.approve(review(SECOND.digest, at=START + 5 * MINUTE), expected_baseline=FIRST.digest)
        known = Acknowledged("ana", START, "again", frozenset())
        store.acknowledge(
            told(alert(snapshot_digest=SECOND.digest, acknowledged=known), event=EventKind.ACKNOWLEDGED), by=ACTOR
        )
        store.take_testimony(testimony("git", SECOND, session="a9", state=TestimonyState.SAME), shown=SECOND)

        assert store.baseline("git").digest == SECOND.digest
        assert (store.verify_audit().count, store.verify_audit().whole) == (before + 2, True)
        assert store.reviews("git")[-1].origin == "cli"
    assert inspect(file).damage == ()
    assert list(file.parent.glob("*.before-*")) == []


def test_a_log_that_begins_with_the_upgrade_counts_what_is_older_and_accuses_nobody(tmp_path: Path) -> None:
    file = old(tmp_path / "watch.db", tmp_path / "made.db", "0001")
    upgrade(f"sqlite:///{file}", now=START)

    with Store.open(f"sqlite:///{file}", clock=Clock()) as store:
        empty = store.verify_audit()
        store.approve(review(SECOND.digest, at=START + 5 * MINUTE), expected_baseline=FIRST.digest)
        after = store.verify_audit()

    assert (empty.count, after.count, after.good) == (0, 1, True)
    assert after.older > 0


def test_an_upgrade_is_not_made_beside_a_daemon_and_not_of_what_is_not_there(tmp_path: Path) -> None:
    file = old(tmp_path / "watch.db", tmp_path / "made.db", "0005")
    url, before = f"sqlite:///{file}", file.read_bytes()

    with held(url, doing="run", now=START), pytest.raises(HeldError, match="driftwatch run"):
        upgrade(url, now=START)
    with pytest.raises(StoreError, match="There is no database"):
        upgrade(f"sqlite:///{tmp_path / 'none.db'}", now=START)

    assert file.read_bytes() == before
    assert upgrade(url, now=START)[0] == "0005"
    assert upgrade(url, now=START) == (HEAD, None)


def test_an_upgrade_that_fails_half_way_leaves_the_database_and_its_backup_as_they_were(tmp_path: Path) -> None:
    file = old(tmp_path / "watch.db", tmp_path / "made.db", "0002")
    rows = dump(file)
    with closing(sqlite3.connect(file)) as connection:
        # What stands in the way of the third migration of four.
        connection.execute("CREATE TABLE rehearsed (other TEXT)")
        connection.commit()

    with pytest.raises(StoreError):
        upgrade(f"sqlite:///{file}", now=START)

    assert revision_of(file) == "0002"
    assert {name: found for name, found in dump(file).items() if name != "rehearsed"} == rows
    [backup] = tmp_path.glob("watch.db.before-*")
    assert revision_of(backup) == "0002"
