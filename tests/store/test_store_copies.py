"""Backups are whole, whoever writes meanwhile; a restore takes only what is whole, and keeps what was there."""

from __future__ import annotations

import os
import shutil
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest
from store_past import everything, live, old
from store_world import ACTOR, MINUTE, START, Clock, dump, look, snapshot, tool

from driftwatch.errors import HeldError, NotOursError, SchemaError, StoreError, UsageError
from driftwatch.model import Action
from driftwatch.store import Store
from driftwatch.store.copies import back_up, inspect, restore
from driftwatch.store.holding import held
from driftwatch.store.schema import HEAD, VERSION_TABLE, revision_of
from tests.blank import blank


@pytest.fixture
def url(file: Path) -> str:
    """A database with a past, closed."""
    with Store.open(blank(file), clock=Clock()) as store:
        live(store)
    return f"sqlite:///{file}"


def read(file: Path) -> object:
    with Store.open(f"sqlite:///{file}", clock=Clock()) as store:
        return everything(store)


def spoil(file: Path, table: str) -> None:
    """Overwrite the first page of a table."""
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        [(root,)] = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,))
        [(page,)] = connection.execute("PRAGMA page_size")
    with file.open("r+b") as opened:
        opened.seek((root - 1) * page)
        opened.write(b"\xff" * page)


def others(folder: Path) -> set[str]:
    """Name what lies in a folder besides the database, its lock, and what SQLite leaves beside a file that was read."""
    left = {name for name in os.listdir(folder) if not name.endswith(("-wal", "-shm"))}
    return left - {"watch.db", "watch.db.lock"}


def test_a_backup_is_one_file_of_its_owner_that_holds_all_there_is(url: str, file: Path, tmp_path: Path) -> None:
    target = tmp_path / "kept.db"
    before = os.umask(0)
    try:
        found = back_up(url, target)
    finally:
        os.umask(before)

    assert others(tmp_path) == {"kept.db"}
    assert target.stat().st_mode & 0o777 == 0o600
    assert dump(target) == dump(file)
    facts = found.facts
    assert (facts.revision, facts.size) == (HEAD, target.stat().st_size)
    assert (facts.servers, facts.approved, facts.open_alerts, facts.entries) == (2, 1, 1, 7)
    assert found.verified is not None
    assert found.verified.good


def test_a_backup_is_of_one_moment_while_others_write_and_holds_up_nobody(url: str, file: Path, tmp_path: Path) -> None:
    stop = threading.Event()
    written: list[int] = []
    shown = [snapshot(tool("a", number=number)) for number in range(3)]

    def write() -> None:
        with Store.open(url, clock=Clock()) as store:
            while not stop.is_set():
                number = len(written)
                for name in ("left", "right"):
                    baseline = store.baseline(name)
                    digest = baseline.digest if baseline else None
                    store.record_look(look(name, shown[number % 3], baseline=digest))
                written.append(number)

    writer = threading.Thread(target=write)
    writer.start()
    found = []
    try:
        for number in range(6):
            goal = len(written) + 2
            while len(written) < goal:
                pass
            back_up(url, tmp_path / f"copy-{number}.db")
    finally:
        stop.set()
        writer.join()
    for number in range(6):
        with Store.open(f"sqlite:///{tmp_path / f'copy-{number}.db'}", clock=Clock()) as store:
            left, right = store.state("left").looks, store.state("right").looks
            found.append((left, right))

    assert all(left - right in {0, 1} for left, right in found)
    assert found == sorted(found)
    assert found[0] < found[-1]


def test_a_backup_replaces_no_file_unless_that_is_meant(url: str, tmp_path: Path) -> None:
    target = tmp_path / "kept.db"
    target.write_text("mine")

    with pytest.raises(UsageError, match="already") as raised:
        back_up(url, target)
    untouched = target.read_text()
    back_up(url, target, force=True)

    assert "--force" in raised.value.hint
    assert untouched == "mine"
    assert revision_of(target) == HEAD


@pytest.mark.parametrize("name", ["watch.db", "watch.db-wal", "watch.db.lock", "sub/../watch.db", "link"])
def test_a_backup_never_takes_the_place_of_the_database_or_of_what_belongs_to_it(
    url: str, file: Path, tmp_path: Path, name: str
) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "link").symlink_to(file)
    before = file.read_bytes()

    with pytest.raises(UsageError, match="belongs to the database"):
        back_up(url, tmp_path / name, force=True)

    assert file.read_bytes() == before


def test_a_place_that_cannot_hold_a_backup_is_refused(url: str, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name, why in ((".", "is a folder"), ("no/kept.db", "does not exist"), ("pipe", "no ordinary file")):
        with pytest.raises(UsageError, match=why):
            back_up(url, tmp_path / name, force=True)
    with pytest.raises(StoreError, match="There is no database"):
        back_up(f"sqlite:///{tmp_path / 'none.db'}", tmp_path / "kept.db")

    assert others(tmp_path) == {"pipe"}


@pytest.mark.parametrize("table", ["servers", "audit"])
def test_of_a_damaged_database_no_backup_is_made_and_the_last_good_one_stays(
    url: str, file: Path, tmp_path: Path, table: str
) -> None:
    target = tmp_path / "kept.db"
    back_up(url, target)
    good = target.read_bytes()
    spoil(file, table)

    with pytest.raises(StoreError, match="is damaged") as raised:
        back_up(url, target, force=True)

    assert str(file) in raised.value.message
    assert target.read_bytes() == good
    assert others(tmp_path) == {"kept.db"}


def test_a_log_that_does_not_hold_is_backed_up_and_said_but_not_restored_unless_that_is_meant(
    url: str, file: Path, tmp_path: Path
) -> None:
    target = tmp_path / "kept.db"
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("UPDATE audit SET who = 'eve' WHERE seq = 2")
        connection.commit()

    found = back_up(url, target)
    with pytest.raises(StoreError, match="audit log") as raised:
        restore(url, target, now=START, by=ACTOR)
    left = others(tmp_path)
    restored = restore(url, target, now=START, by=ACTOR, force=True)

    assert found.verified is not None
    assert not found.verified.whole
    assert "--force" in raised.value.hint
    assert left == {"kept.db"}
    assert restored.kept is not None


def test_a_restore_gives_back_what_there_was_keeps_what_is_there_and_says_what_differs(
    url: str, file: Path, tmp_path: Path
) -> None:
    target = tmp_path / "kept.db"
    back_up(url, target)
    before = read(target)
    with Store.open(url, clock=Clock()) as store:
        store.record_look(look("new", snapshot(tool("x")), at=START + 9 * MINUTE))
        store.end_silence("sil_1", by=ACTOR, at=START)
    changed = dump(file)

    done = restore(url, target, now=START, by=ACTOR)

    after = read(file)
    noted = after.pop("audit")
    assert {**before, "audit": None} == {**after, "audit": None}
    assert noted[1:] == before["audit"]
    assert (noted[0].action, noted[0].who, noted[0].details) == (Action.RESTORED, "ana", {"file": "kept.db"})
    assert done.before is not None
    assert (done.before.servers, done.now.servers) == (3, 2)
    assert (done.before.entries, done.now.entries) == (8, 7)
    assert done.before.last_look == START + 9 * MINUTE
    assert done.kept == tmp_path / "watch.db.before-restore-20260301T120000Z"
    assert dump(done.kept) == changed
    assert others(tmp_path) == {"kept.db", done.kept.name}
    with Store.open(url, clock=Clock()) as store:
        assert store.verify_audit().good


def test_a_restore_through_a_link_replaces_the_database_and_not_the_link(url: str, file: Path, tmp_path: Path) -> None:
    back_up(url, tmp_path / "kept.db")
    link = tmp_path / "link"
    link.symlink_to(file)

    done = restore(f"sqlite:///{link}", tmp_path / "kept.db", now=START, by=ACTOR)

    assert link.is_symlink()
    assert not file.is_symlink()
    assert done.kept is not None
    assert done.kept.name.startswith("watch.db.before-restore-")


def test_two_restores_in_a_second_keep_both_that_were_there(url: str, tmp_path: Path) -> None:
    target = tmp_path / "kept.db"
    back_up(url, target)

    first, second = (restore(url, target, now=START, by=ACTOR).kept for _ in range(2))

    assert first is not None
    assert second is not None
    assert {first.name, second.name} < others(tmp_path)


def test_a_restore_is_refused_while_somebody_uses_the_database(url: str, file: Path, tmp_path: Path) -> None:
    target = tmp_path / "kept.db"
    back_up(url, target)
    before = file.read_bytes()

    with held(url, doing="run", now=START), pytest.raises(HeldError, match="driftwatch run") as raised:
        restore(url, target, now=START, by=ACTOR)
    with Store.open(url, clock=Clock()) as store:
        store.states()
        with pytest.raises(StoreError, match="is locked by another program"):
            restore(url, target, now=START, by=ACTOR)
        rows = dump(file)

    assert "Stop it first" in raised.value.hint
    assert others(tmp_path) == {"kept.db"}
    assert file.read_bytes() == before
    assert dump(file) == rows


def test_only_a_whole_database_of_driftwatch_is_restored(url: str, file: Path, tmp_path: Path) -> None:
    good = tmp_path / "kept.db"
    back_up(url, good)
    cut, text, other, newer, empty = (tmp_path / name for name in ("cut", "text", "other", "newer", "empty"))
    cut.write_bytes(good.read_bytes()[: good.stat().st_size // 2])
    text.write_text("hello" * 100)
    with closing(sqlite3.connect(other)) as connection:
        connection.execute("CREATE TABLE theirs (name TEXT)")
    shutil.copy(good, newer)
    with closing(sqlite3.connect(newer)) as connection:
        connection.execute(f"UPDATE {VERSION_TABLE} SET version_num = '9999'")
        connection.commit()
    empty.touch()
    before = read(file)

    for source, kind in (
        (cut, StoreError),
        (text, StoreError),
        (other, NotOursError),
        (newer, SchemaError),
        (empty, StoreError),
        (tmp_path / "none", StoreError),
        (file, UsageError),
    ):
        with pytest.raises(kind):
            restore(url, source, now=START, by=ACTOR, force=True)

    assert read(file) == before
    assert others(tmp_path) == {"kept.db", "cut", "text", "other", "newer", "empty"}


@pytest.mark.parametrize("state", ["damaged", "header", "gone", "only the log beside it", "newer"])
def test_a_database_that_cannot_be_used_is_replaced_and_kept_as_it_was(
    url: str, file: Path, tmp_path: Path, state: str
) -> None:
    target = tmp_path / "kept.db"
    back_up(url, target)
    if state == "damaged":
        spoil(file, "servers")
    elif state == "header":
        file.write_bytes(b"x" * 5000)
    elif state == "newer":
        with closing(sqlite3.connect(file)) as connection:
            connection.execute(f"UPDATE {VERSION_TABLE} SET version_num = '9999'")
            connection.commit()
    else:
        file.unlink()
    if state == "only the log beside it":
        Path(f"{file}-wal").write_bytes(b"of another database" * 100)
    was = file.read_bytes() if file.exists() else b""

    done = restore(url, target, now=START, by=ACTOR)

    assert read(file)["states"] == read(target)["states"]
    assert not Path(f"{file}-wal").exists()
    if state == "gone":
        assert done.kept is None
    elif state == "only the log beside it":
        assert Path(f"{done.kept}-wal").read_bytes().startswith(b"of another")
    else:
        assert done.kept is not None
        assert done.kept.read_bytes()[100:] == was[100:]


def test_another_programs_database_is_not_replaced(tmp_path: Path, url: str, file: Path) -> None:
    target = tmp_path / "kept.db"
    back_up(url, target)
    file.unlink()
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE theirs (name TEXT)")
    before = file.read_bytes()

    with pytest.raises(NotOursError):
        restore(url, target, now=START, by=ACTOR)

    assert file.read_bytes() == before


def test_a_backup_of_an_earlier_version_is_made_and_restored_as_it_is(tmp_path: Path, file: Path) -> None:
    old(file, tmp_path / "made.db", "0003")
    url, rows = f"sqlite:///{file}", dump(file)

    found = back_up(url, tmp_path / "kept.db")
    done = restore(url, tmp_path / "kept.db", now=START, by=ACTOR)

    assert (found.facts.revision, found.verified, done.now.revision) == ("0003", None, "0003")
    assert dump(file) == rows


def test_a_sound_file_says_so_and_rows_without_what_they_refer_to_are_damage(url: str, file: Path) -> None:
    sound = inspect(file)
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("DELETE FROM snapshots")
        connection.commit()

    found = inspect(file)

    assert sound.damage == ()
    assert found.damage
    assert all("that is not there" in one for one in found.damage)
