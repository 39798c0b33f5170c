from __future__ import annotations

import logging
import os
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from store_world import Clock, look, snapshot, tool

import driftwatch
from driftwatch.errors import StoreError
from driftwatch.store import Store
from driftwatch.store.engine import connect
from driftwatch.store.schema import HEAD, REVISIONS, VERSION_TABLE, migrations, open_engine
from driftwatch.store.tables import metadata

ROOT = Path(driftwatch.__file__).resolve().parents[1]
FIRST = snapshot(tool("read"))


def python(code: str, *arguments: object, **more: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.Popen(
        command, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.PIPE, **more
    )


def refused(file: Path, clock: Clock) -> StoreError:
    with pytest.raises(StoreError) as raised:
        Store.open(f"sqlite:///{file}", clock=clock)
    assert raised.value.hint
    return raised.value


def sql(file: Path, *statements: str) -> None:
    with closing(sqlite3.connect(file)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()


def test_the_migrations_from_nothing_make_the_tables_of_the_metadata(file: Path) -> None:
    engine = open_engine(f"sqlite:///{file}")

    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE, "compare_type": True})
        differences = compare_metadata(context, metadata)

    engine.dispose()
    assert differences == []


def test_the_partial_indexes_are_those_of_the_metadata(file: Path, tmp_path: Path) -> None:
    plain = tmp_path / "plain.db"
    plain.touch()
    engine = connect(plain)
    metadata.create_all(engine)
    engine.dispose()
    open_engine(f"sqlite:///{file}").dispose()

    def conditions(path: Path) -> dict[str, str]:
        with closing(sqlite3.connect(path)) as connection:
            rows = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql LIKE '%WHERE%'")
            return {name: text.split("WHERE ")[1] for name, text in rows}

    assert conditions(file) == conditions(plain)
    assert len(conditions(file)) == 8


def test_the_known_revisions_are_the_migration_scripts(tmp_path: Path) -> None:
    config = Config()
    config.set_main_option("script_location", str(migrations()))
    scripts = ScriptDirectory.from_config(config)

    assert [script.revision for script in scripts.walk_revisions()][::-1] == list(REVISIONS)
    assert scripts.get_heads() == [HEAD]


def test_a_current_file_is_opened_without_alembic(store: Store, file: Path) -> None:
    code = (
        "import sys; from datetime import UTC, datetime; from driftwatch.store import Store\n"
        "Store.open(sys.argv[1], clock=lambda: datetime.now(UTC)).close()\n"
        "print('alembic' in sys.modules)"
    )
    process = python(code, f"sqlite:///{file}")

    out, err = process.communicate(timeout=60)

    assert (out.strip(), err) == ("False", "")


def test_logging_is_left_as_it_was(file: Path, clock: Clock) -> None:
    mine = logging.getLogger("somebody.else")
    before = (list(logging.root.handlers), logging.root.level, mine.disabled)

    Store.open(f"sqlite:///{file}", clock=clock).close()

    assert (list(logging.root.handlers), logging.root.level, mine.disabled) == before


def test_an_empty_file_and_one_without_tables_are_filled(tmp_path: Path, clock: Clock) -> None:
    empty, bare = tmp_path / "empty.db", tmp_path / "50%25 bare#.db"
    empty.touch()
    sql(bare, "PRAGMA user_version = 7")

    for file in (empty, bare):
        with closing(sqlite3.connect(file)):
            open_engine(f"sqlite:///{file}").dispose()
        assert b"driftwatch_version" in file.read_bytes()


def test_the_file_is_in_wal_mode_also_when_it_was_restored_without(file: Path, clock: Clock) -> None:
    with Store.open(f"sqlite:///{file}", clock=clock) as store:
        store.record_look(look("git", FIRST))
    sql(file, "PRAGMA journal_mode = DELETE")

    with Store.open(f"sqlite:///{file}", clock=clock) as store, closing(sqlite3.connect(file)) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert store.snapshot(FIRST.digest) == FIRST


def test_connections_keep_what_is_promised(file: Path) -> None:
    engine = open_engine(f"sqlite:///{file}")

    with engine.connect() as connection:
        asked = ("foreign_keys", "synchronous", "busy_timeout", "journal_mode")
        said = [connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in asked]

    engine.dispose()
    assert said == [1, 2, 30_000, "wal"]


@pytest.mark.parametrize("revision", ["0002_from_the_future", "", None])
def test_a_newer_database_is_refused_and_left_byte_for_byte(file: Path, clock: Clock, revision: str | None) -> None:
    with Store.open(f"sqlite:///{file}", clock=clock) as store:
        store.record_look(look("git", FIRST))
    change = f"UPDATE {VERSION_TABLE} SET version_num = '{revision}'"
    sql(file, change if revision is not None else f"DELETE FROM {VERSION_TABLE}")
    before = file.read_bytes()

    error = refused(file, clock)

    assert "newer driftwatch" in str(error)
    assert file.read_bytes() == before
    assert error.exit_code == 4


def test_another_programs_database_is_refused_and_left_byte_for_byte(file: Path, clock: Clock) -> None:
    sql(file, "CREATE TABLE alembic_version (version_num TEXT)", "CREATE TABLE servers (name TEXT)")
    before = file.read_bytes()

    assert "another program" in str(refused(file, clock))
    assert file.read_bytes() == before
    assert os.listdir(file.parent) == [file.name]


@pytest.mark.parametrize("content", [b"x", b"Not a database at all. " * 500, b"SQLite format 3"])
def test_a_file_that_is_not_sqlite_is_refused_and_left_byte_for_byte(file: Path, clock: Clock, content: bytes) -> None:
    file.write_bytes(content)

    assert "not a SQLite database" in str(refused(file, clock))
    assert file.read_bytes() == content
    assert os.listdir(file.parent) == [file.name]


@pytest.mark.parametrize("damage", ["header", "schema"])
def test_a_damaged_database_is_refused_and_left_byte_for_byte(file: Path, clock: Clock, damage: str) -> None:
    Store.open(f"sqlite:///{file}", clock=clock).close()
    content = bytearray(file.read_bytes())
    start = 16 if damage == "header" else 100
    content[start : start + 400] = b"\xff" * 400
    file.write_bytes(content)

    refused(file, clock)

    assert file.read_bytes() == content


def test_damage_found_later_is_an_error_that_says_what_to_do(file: Path, clock: Clock) -> None:
    with Store.open(f"sqlite:///{file}", clock=clock) as store:
        store.record_look(look("git", FIRST))
    with closing(sqlite3.connect(file)) as connection:
        [(root,)] = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'servers'")
        [(page,)] = connection.execute("PRAGMA page_size")
    with file.open("r+b") as opened:
        opened.seek((root - 1) * page)
        opened.write(b"\xff" * page)

    with Store.open(f"sqlite:///{file}", clock=clock) as store, pytest.raises(StoreError) as raised:
        store.states()

    assert "damaged" in raised.value.message
    assert "backup" in raised.value.hint


def test_a_place_that_cannot_hold_a_database_is_refused(tmp_path: Path, clock: Clock) -> None:
    assert "does not exist" in str(refused(tmp_path / "no" / "watch.db", clock))
    assert "is a folder" in str(refused(tmp_path, clock))
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    "url",
    [
        "",
        "driftwatch.db",
        "sqlite:///x\x00.db",
        "sqlite://",
        "sqlite:///:memory:",
        "sqlite:///x.db?mode=ro",
        "sqlite:///file:x.db",
        "sqlite://host/x.db",
        "postgresql://user:topsecret@db/x",
        "mysql://x",
    ],
)
def test_a_url_that_is_no_file_is_refused_without_showing_it(url: str, clock: Clock) -> None:
    with pytest.raises(StoreError) as raised:
        Store.open(url, clock=clock)

    assert "sqlite:///" in raised.value.hint
    assert "topsecret" not in str(raised.value)


@pytest.fixture
def stranger_folder() -> Iterator[Path]:
    """A folder that another user of this machine can reach; root may write everywhere, so a stranger has to try."""
    with tempfile.TemporaryDirectory() as name:
        os.chmod(name, 0o755)
        yield Path(name)


@pytest.mark.parametrize("closed", ["folder", "file for writing", "file for reading"])
def test_a_place_without_access_is_refused(stranger_folder: Path, clock: Clock, closed: str) -> None:
    file = stranger_folder / "watch.db"
    Store.open(f"sqlite:///{file}", clock=clock).close()
    os.chmod(stranger_folder, 0o555 if closed == "folder" else 0o777)
    os.chmod(file, {"folder": 0o666, "file for writing": 0o444, "file for reading": 0o222}[closed])
    before = file.read_bytes() if os.access(file, os.R_OK) else None
    code = (
        "import os, sys; from datetime import UTC, datetime; from driftwatch.store import Store\n"
        "from driftwatch.errors import StoreError\n"
        "if os.getuid() == 0: os.setgroups([]); os.setgid(65534); os.setuid(65534)\n"
        "try: Store.open(sys.argv[1], clock=lambda: datetime.now(UTC))\n"
        "except StoreError as error: print(error)\n"
    )
    process = python(code, f"sqlite:///{file}")

    out, err = process.communicate(timeout=60)

    os.chmod(stranger_folder, 0o755)
    assert err == ""
    assert "cannot be" in out
    assert "Give the user that runs driftwatch" in out
    assert before is None or file.read_bytes() == before


def test_processes_that_start_at_once_on_a_new_file_all_succeed(file: Path, clock: Clock) -> None:
    code = (
        "import sys; from datetime import UTC, datetime; from driftwatch.store import Store; import alembic.command\n"
        "print('ready', flush=True); sys.stdin.readline()\n"
        "store = Store.open(sys.argv[1], clock=lambda: datetime.now(UTC))\n"
        "store.plan(sys.argv[2], datetime.now(UTC)); store.close()\n"
    )
    processes = [python(code, f"sqlite:///{file}", f"server-{number}") for number in range(3)]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()

    results = [(process.communicate(timeout=60)[1], process.returncode) for process in processes]

    assert results == [("", 0)] * 3
    with Store.open(f"sqlite:///{file}", clock=clock) as store:
        assert sorted(store.states()) == ["server-0", "server-1", "server-2"]


def test_a_process_that_dies_while_it_upgrades_leaves_a_file_that_opens(file: Path, clock: Clock) -> None:
    code = (
        "import os, sys; from driftwatch.store.engine import connect, writing\n"
        "from driftwatch.store.schema import bring_up_to_date\n"
        "from pathlib import Path; from sqlalchemy import event, Engine\n"
        "@event.listens_for(Engine, 'before_cursor_execute')\n"
        "def die(c, cursor, statement, *rest):\n"
        "    if 'CREATE TABLE alerts' in statement: os.kill(os.getpid(), 9)\n"
        "bring_up_to_date(Path(sys.argv[1]))\n"
    )
    process = python(code, file)
    process.communicate(timeout=60)
    assert process.returncode == -9
    assert file.exists()

    with Store.open(f"sqlite:///{file}", clock=clock) as store:
        store.record_look(look("git", FIRST))


def test_a_file_that_another_program_holds_is_an_error_that_says_so(store: Store, file: Path) -> None:
    with closing(sqlite3.connect(file, isolation_level=None)) as holder, store._engine.connect() as connection:
        holder.execute("BEGIN IMMEDIATE")
        connection.exec_driver_sql("PRAGMA busy_timeout = 1")
        connection.close()

        with pytest.raises(StoreError, match="locked by another program"):
            store.record_look(look("git", FIRST))


def test_a_database_of_a_version_that_was_never_released_is_refused_in_words(tmp_path: Path, clock: Clock) -> None:
    file = tmp_path / "driftwatch.db"
    with Store.open(f"sqlite:///{file}", clock=clock) as store:
        sql(file, "ALTER TABLE servers DROP COLUMN calm_at")

        with pytest.raises(StoreError) as raised:
            store.states()

    assert "never released" in str(raised.value)
    assert "Move the file away" in (raised.value.hint or "")


def test_a_new_database_is_its_owners_alone(tmp_path: Path, clock: Clock) -> None:
    before = os.umask(0o022)
    try:
        with Store.open(f"sqlite:///{tmp_path / 'new.db'}", clock=clock) as store:
            store.record_look(look("files", FIRST))

            assert {oct(file.stat().st_mode & 0o777) for file in tmp_path.glob("new.db*")} == {"0o600"}
    finally:
        os.umask(before)
