"""The audit log: every act is in it, and whatever was done to the log afterwards is found."""

from __future__ import annotations

import hashlib
import json
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import rfc8785
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from store_world import ACTOR, MINUTE, START, Clock, alert, delivery, look, review, snapshot, told, tool

import driftwatch
from driftwatch.errors import StoreError
from driftwatch.model import NOTHING_BEFORE, Action, Actor, Decision, EventKind, Severity, Silence
from driftwatch.store import Store
from driftwatch.store.audit import AuditWanted, entry_json

FIRST, SECOND = snapshot(tool("read")), snapshot(tool("read", description="More."))
COLUMNS = ("seq", "at", "who", "origin", "action", "server", "digest", "why", "details", "previous", "hash")
ROWS = 6


def fill(store: Store) -> None:
    """Let people do a few things."""
    store.record_look(look("git", FIRST))
    store.record_look(look("git", SECOND, baseline=FIRST.digest))
    store.approve(review(FIRST.digest, note="read “all” of it\n\u0000"), expected_baseline=FIRST.digest)
    store.reject(review(SECOND.digest, decision=Decision.REJECTED, by="bob\ud800", at=START + MINUTE))
    until = START + timedelta(hours=1)
    store.add_silence(
        Silence("sil_1", "git", "", "", Severity.HIGH, "roll-out", "ana", START, until), origin="web 192.0.2.7"
    )
    store.end_silence("sil_1", at=START + MINUTE, by=ACTOR)
    store.note_configuration({"daemon": "1"}, by=Actor("", "daemon"))
    store.note_configuration({"daemon": "2", "servers.git": "1"}, by=Actor("", "daemon"))


@pytest.fixture
def filled(store: Store) -> Store:
    fill(store)
    return store


@pytest.fixture(scope="module")
def master(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with a log, to be copied and tampered with."""
    file = tmp_path_factory.mktemp("audit") / "master.db"
    with Store.open(f"sqlite:///{file}", clock=Clock()) as opened:
        fill(opened)
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return file


@contextmanager
def tampered(master: Path, act: Callable[[sqlite3.Connection], object]) -> Iterator[Store]:
    """Give a copy of the database in which somebody did something."""
    file = master.parent / "copy.db"
    for suffix in ("", "-wal", "-shm"):
        Path(f"{file}{suffix}").unlink(missing_ok=True)
    shutil.copy(master, file)
    with closing(sqlite3.connect(file)) as connection:
        act(connection)
        connection.commit()
    with Store.open(f"sqlite:///{file}", clock=Clock()) as opened:
        yield opened


# What is in it


def test_every_act_is_an_entry_with_who_when_from_where_and_why(filled: Store) -> None:
    entries = filled.audit(oldest_first=True)

    assert [one.seq for one in entries] == list(range(1, ROWS + 1))
    assert [one.action for one in entries] == [
        Action.APPROVED,
        Action.REJECTED,
        Action.SILENCED,
        Action.UNSILENCED,
        Action.CONFIGURATION_CHANGED,
        Action.CONFIGURATION_CHANGED,
    ]
    first = entries[0]
    assert (first.who, first.origin, first.at, first.server, first.digest) == ("ana", "cli", START, "git", FIRST.digest)
    assert first.why == "read “all” of it\n\u0000"
    assert entries[2].origin == "web 192.0.2.7"
    assert entries[5].details["changed"] == ["daemon", "servers.git"]


def test_the_same_configuration_is_noted_once(filled: Store) -> None:
    again = filled.note_configuration({"servers.git": "1", "daemon": "2"}, by=Actor("", "daemon"))

    assert not again
    assert len(filled.audit()) == ROWS


def test_an_acknowledgement_a_retry_and_a_message_taken_out_are_acts(store: Store) -> None:
    store.record_look(look("git", FIRST))
    store.record_alert(told(alert(), delivery()))
    known = told(alert(), event=EventKind.ACKNOWLEDGED)

    store.acknowledge(known, by=ACTOR)
    store.retry_delivery("msg_1", by=ACTOR, now=START)
    store.cancel_delivery("msg_1", by=ACTOR, now=START)

    assert [one.action for one in store.audit()] == [Action.CANCELLED, Action.RETRIED, Action.ACKNOWLEDGED]
    assert store.audit()[2].details == {"alert": "alr_1", "before": {}}


def test_nobody_can_be_told_that_somebody_knows_without_saying_who(store: Store) -> None:
    with pytest.raises(ValueError, match="with who does"):
        store.record_alert(told(alert(), event=EventKind.ACKNOWLEDGED))

    assert store.alerts() == []


def test_what_could_not_be_done_is_no_act(filled: Store) -> None:
    ended = filled.end_silence("sil_1", at=START + MINUTE, by=ACTOR)
    retried = filled.retry_delivery("msg_none", by=ACTOR, now=START)
    cancelled = filled.cancel_delivery("msg_none", by=ACTOR, now=START)

    assert (ended, retried, cancelled) == (False, False, False)
    assert len(filled.audit()) == ROWS


def test_entries_are_found_by_what_they_say(filled: Store) -> None:
    def seqs(**wanted: Any) -> list[int]:
        return [one.seq for one in filled.audit(AuditWanted(**wanted))]

    assert seqs(action="silenced") == [3]
    assert seqs(server="git") == [3, 2, 1]
    assert seqs(who="ana") == [4, 3, 1]
    assert seqs(before=3) == [2, 1]
    assert seqs(after=5) == [6]
    assert seqs(since=START + MINUTE) == [4, 2]


# The chain


def test_an_untouched_log_is_whole_and_its_head_is_in_it(filled: Store) -> None:
    head = filled.audit(limit=1)[0].hash

    found = filled.verify_audit()

    assert (found.whole, found.count, found.head) == (True, ROWS, head)
    assert filled.verify_audit(head=head).whole
    assert filled.verify_audit(head=filled.audit()[3].hash).whole


def test_an_empty_log_is_whole(store: Store) -> None:
    found = store.verify_audit()

    assert (found.whole, found.count, found.head) == (True, 0, NOTHING_BEFORE)


def test_the_hash_can_be_made_from_the_export_alone(filled: Store) -> None:
    previous = NOTHING_BEFORE
    for entry in filled.audit(oldest_first=True):
        line = json.loads(json.dumps(entry_json(entry)))
        claimed = line.pop("hash")

        assert line["previous"] == previous
        assert hashlib.sha256(rfc8785.dumps(line)).hexdigest() == claimed
        previous = claimed


VALUES = st.one_of(
    st.integers(-(2**40), 2**40),
    st.text(max_size=20),
    st.sampled_from(["", "ana", "{}", "[]", '{"items": 1}', "\\u0061na", 1.5, b"ana", b"\xff", "0" * 64]),
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seq=st.integers(1, ROWS), column=st.sampled_from(COLUMNS), value=VALUES)
def test_every_edit_of_any_column_is_found(master: Path, seq: int, column: str, value: object) -> None:
    def edit(connection: sqlite3.Connection) -> None:
        where = f"SELECT {column} FROM audit WHERE seq = ?"
        kept.append(connection.execute(where, (seq,)).fetchone()[0])
        try:
            connection.execute(f"UPDATE audit SET {column} = ? WHERE seq = ?", (value, seq))
        except (sqlite3.IntegrityError, OverflowError, UnicodeEncodeError):
            return
        kept.append(connection.execute("SELECT seq FROM audit ORDER BY seq").fetchall())
        kept.append([row[0] for row in connection.execute(f"SELECT {column} FROM audit ORDER BY rowid")])

    kept: list[Any] = []
    with tampered(master, edit) as store:
        found = store.verify_audit()
        now = kept[2][seq - 1] if len(kept) > 2 and column != "seq" else None
        same = len(kept) < 3 or (column == "seq" and kept[1] == [(n,) for n in range(1, ROWS + 1)])
        same = same or (type(now) is type(kept[0]) and now == kept[0])

        assert found.whole == same
        assert same or found.broken_at is not None


@pytest.mark.parametrize(
    "spelling",
    [
        "UPDATE audit SET why = replace(why, '\\u201c', '\\u201C') WHERE seq = 1",
        "UPDATE audit SET why = replace(why, '\\n', '\\u000a') WHERE seq = 1",
        "UPDATE audit SET details = replace(details, ',', ', ') WHERE seq = 3",
        "UPDATE audit SET who = CAST(who AS BLOB) WHERE seq = 1",
        "UPDATE audit SET hash = upper(hash) WHERE seq = 2",
    ],
)
def test_the_same_said_in_other_letters_is_an_edit_too(master: Path, spelling: str) -> None:
    with tampered(master, lambda connection: connection.execute(spelling)) as store:
        assert not store.verify_audit().whole


@pytest.mark.parametrize("seq", range(1, ROWS))
def test_a_row_that_was_taken_out_is_missed(master: Path, seq: int) -> None:
    with tampered(master, lambda one: one.execute("DELETE FROM audit WHERE seq = ?", (seq,))) as store:
        found = store.verify_audit()

        assert (found.broken_at, found.count) == (seq, seq - 1)
        assert "missing" in found.why


def test_rows_moved_up_into_a_gap_do_not_hide_it(master: Path) -> None:
    def close_up(connection: sqlite3.Connection) -> None:
        connection.execute("DELETE FROM audit WHERE seq = 2")
        for seq in range(3, ROWS + 1):
            connection.execute("UPDATE audit SET seq = seq - 1 WHERE seq = ?", (seq,))

    with tampered(master, close_up) as store:
        assert store.verify_audit().broken_at == 2


@pytest.mark.parametrize(("one", "other"), [(1, 2), (2, 5), (5, 6)])
def test_swapped_rows_are_found(master: Path, one: int, other: int) -> None:
    def swap(connection: sqlite3.Connection) -> None:
        for before, after in ((one, -1), (other, one), (-1, other)):
            connection.execute("UPDATE audit SET seq = ? WHERE seq = ?", (after, before))

    with tampered(master, swap) as store:
        assert store.verify_audit().broken_at == one


@pytest.mark.parametrize("seq", [-3, 0, ROWS + 1, ROWS + 5])
def test_an_inserted_row_is_found(master: Path, seq: int) -> None:
    def insert(connection: sqlite3.Connection) -> None:
        rest = ", ".join(COLUMNS[1:])
        connection.execute(f"INSERT INTO audit (seq, {rest}) SELECT ?, {rest} FROM audit WHERE seq = 3", (seq,))

    with tampered(master, insert) as store:
        assert not store.verify_audit().whole


def test_a_log_whose_end_was_cut_off_is_whole_unless_a_head_was_noted(master: Path) -> None:
    with closing(sqlite3.connect(master)) as connection:
        (head,) = connection.execute("SELECT hash FROM audit ORDER BY seq DESC LIMIT 1").fetchone()

    with tampered(master, lambda one: one.execute("DELETE FROM audit WHERE seq > 4")) as store:
        assert store.verify_audit().whole
        found = store.verify_audit(head=head)

        assert (found.whole, found.broken_at) == (False, 5)
        assert "cut off or written anew" in found.why


def test_a_log_that_was_written_anew_from_an_edit_on_misses_the_head_that_was_noted(master: Path) -> None:
    with tampered(master, lambda one: one.execute("DELETE FROM audit")) as store:
        with closing(sqlite3.connect(master)) as connection:
            (head,) = connection.execute("SELECT hash FROM audit ORDER BY seq DESC LIMIT 1").fetchone()
        store.note_configuration({"daemon": "9"}, by=Actor("", "daemon"))

        assert store.verify_audit().whole
        assert not store.verify_audit(head=head).whole


def test_an_entry_that_cannot_be_read_is_an_error_in_words_and_stops_no_work(master: Path) -> None:
    spoil = "UPDATE audit SET details = '{', at = 'long ago' WHERE action = 'configuration-changed'"
    with tampered(master, lambda one: one.execute(spoil)) as store:
        with pytest.raises(StoreError, match="cannot be read") as error:
            store.audit()
        noted = store.note_configuration({"daemon": "2", "servers.git": "1"}, by=Actor("", "daemon"))

        assert "audit verify" in error.value.hint
        assert noted
        assert store.verify_audit().broken_at == 5


def test_two_processes_that_add_at_once_make_one_chain(store: Store, file: Path) -> None:
    code = (
        "import sys; from datetime import UTC, datetime; from driftwatch.store import Store\n"
        "from driftwatch.model import Actor\n"
        "store = Store.open(sys.argv[1], clock=lambda: datetime.now(UTC))\n"
        "print('ready', flush=True); sys.stdin.readline()\n"
        "for number in range(60):\n"
        "    store.note_failed_sign_in(by=Actor(sys.argv[2], 'web'), at=datetime.now(UTC), why=str(number))\n"
    )
    root = Path(driftwatch.__file__).resolve().parents[1]
    start = [sys.executable, "-c", code, f"sqlite:///{file}"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "cwd": root}
    programs = [subprocess.Popen([*start, name], **pipes) for name in ("one", "other")]
    for program in programs:
        assert program.stdout is not None
        assert program.stdout.readline() == "ready\n"

    outcomes = [program.stdin.write("go\n") for program in programs if program.stdin is not None]
    codes = [(program.communicate(timeout=60), program.returncode)[1] for program in programs]

    assert (len(outcomes), codes) == (2, [0, 0])
    found = store.verify_audit()
    assert (found.whole, found.count) == (True, 120)
    assert {one.who for one in store.audit(limit=200)} == {"one", "other"}
