"""What is older than the audit log is noted when the log begins, so that nothing can be put there later."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from store_world import ACTOR, MINUTE, START, Clock, look, review, snapshot, tool

from driftwatch.model import Action, Decision, Severity, Silence
from driftwatch.store import Store
from driftwatch.store.audit import hash_of, spelled

FIRST, SECOND = snapshot(tool("read")), snapshot(tool("read", description="More."))

FORGED = {
    "a silence": "INSERT INTO silences VALUES"
    " ('sil_x', '*', '', '', 'critical', '', 'ana', 0, 4000000000000000, NULL, '')",
    "a decision": "INSERT INTO reviews (server, digest, decision, by, at, note, origin, baseline, ahead)"
    f" VALUES ('git', '{FIRST.digest}', 'approved', 'ana', 0, '', '', '', '')",
    "a baseline": "UPDATE baselines SET state = 'approved', by = 'ana', since = 0",
}


def by_hand(file: Path, *statements: str) -> None:
    with closing(sqlite3.connect(file)) as connection:
        for statement in statements:
            assert connection.execute(statement).rowcount != 0
        connection.commit()


def begin(store: Store) -> None:
    """Let the log begin as a first check does."""
    store.note_configuration({"daemon": "1"}, by=ACTOR)


def decide(store: Store) -> None:
    """Let people decide what an earlier version writes down without a log."""
    store.approve(review(FIRST.digest), expected_baseline=FIRST.digest)
    store.reject(review(SECOND.digest, decision=Decision.REJECTED))
    store.add_silence(
        Silence("sil_1", "git", "", "", Severity.HIGH, "", "ana", START, START + 9 * MINUTE), origin="cli"
    )


@pytest.fixture
def looked(store: Store) -> Store:
    store.record_look(look("git", FIRST))
    store.record_look(look("git", SECOND, baseline=FIRST.digest))
    return store


@pytest.mark.parametrize("forged", FORGED)
@pytest.mark.parametrize("begun", [True, False])
def test_nothing_is_older_than_the_log_of_a_database_that_this_version_made(
    looked: Store, file: Path, forged: str, begun: bool
) -> None:
    if begun:
        begin(looked)
    before = looked.verify_audit()
    by_hand(file, FORGED[forged])
    if not begun:
        during = looked.verify_audit()
        assert (during.good, during.older) == (False, 0)
        begin(looked)

    found = looked.verify_audit()

    assert (before.good, before.older) == (True, 0)
    assert (found.whole, len(found.astray), found.older) == (True, 1, 0)
    assert "no entry says so" in found.astray[0]


WITHOUT_LOG = ("DELETE FROM audit", "DELETE FROM keys")
"""What makes a database as a version had it that kept no log."""


@pytest.fixture
def older(looked: Store, file: Path) -> Store:
    decide(looked)
    by_hand(file, *WITHOUT_LOG)
    begin(looked)
    return looked


def test_what_an_earlier_version_wrote_is_noted_by_the_first_entry_and_accused_of_nothing(older: Store) -> None:
    found = older.verify_audit()
    before: Any = older.audit()[-1].details["before"]

    assert (found.good, found.older) == (True, 4)
    assert {kind: len(marks) for kind, marks in before.items()} == {"baselines": 1, "decisions": 2, "silences": 1}


def test_to_end_what_is_older_than_the_log_or_to_decide_anew_is_no_fault(older: Store) -> None:
    older.end_silence("sil_1", at=START + 2 * MINUTE, by=ACTOR)
    older.approve(review(FIRST.digest, by="bob", at=START + 3 * MINUTE), expected_baseline=FIRST.digest)
    older.approve(review(SECOND.digest, by="bob", at=START + 4 * MINUTE), expected_baseline=FIRST.digest)

    assert older.verify_audit().astray == ()


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        (FORGED["a silence"], "there is the silence `sil_x`, but no entry says so"),
        (FORGED["a decision"], "by ana) is in the database, but no entry says so"),
        ("UPDATE silences SET until = until * 2", "of the silences that entry 1 found there when it was written, 1"),
        ("UPDATE silences SET server = '*'", "there is the silence `sil_1`, but no entry says so"),
        ("UPDATE baselines SET by = 'eve' WHERE superseded_at IS NULL", "approved by eve, but no entry says so"),
        ("DELETE FROM reviews WHERE decision = 'rejected'", "of the decisions that entry 1 found there"),
    ],
)
def test_a_row_put_among_what_is_older_or_changed_or_taken_out_there_is_named(
    older: Store, file: Path, statement: str, said: str
) -> None:
    by_hand(file, statement)

    found = older.verify_audit()

    assert (found.whole, found.good) == (True, False)
    assert any(said in sentence for sentence in found.astray), found.astray


@pytest.fixture
def unnoted(looked: Store, file: Path) -> Store:
    """Give a database whose log an earlier version began: its first entry says nothing of what is older."""
    decide(looked)
    by_hand(file, *WITHOUT_LOG)
    begin(looked)
    (entry,) = looked.audit()
    entry = replace(entry, details={name: value for name, value in entry.details.items() if name != "before"})
    with closing(sqlite3.connect(file)) as connection:
        kept = (json.dumps(spelled(entry))[1:-1], hash_of(entry))
        connection.execute("UPDATE audit SET details = ?, hash = ?", kept)
        connection.commit()
    return looked


def test_a_log_that_an_earlier_version_began_notes_once_what_is_older(unnoted: Store, file: Path) -> None:
    before = unnoted.verify_audit()
    noted = [unnoted.note_older(by=ACTOR), unnoted.note_older(by=ACTOR)]
    after = unnoted.verify_audit()
    by_hand(file, FORGED["a silence"])

    found = unnoted.verify_audit()

    assert (before.good, before.older) == (after.good, after.older) == (True, 4)
    assert (noted, unnoted.audit()[0].action) == ([True, False], Action.OLDER_NOTED)
    assert found.astray == ("there is the silence `sil_x`, but no entry says so",)


def test_what_was_put_in_by_hand_since_the_log_began_does_not_become_older_by_the_note(
    unnoted: Store, file: Path
) -> None:
    by_hand(file, FORGED["a silence"].replace("0, 4000", "3000000000000000, 4000"))

    unnoted.note_older(by=ACTOR)

    assert unnoted.verify_audit().astray == ("there is the silence `sil_x`, but no entry says so",)


def test_a_log_that_is_broken_or_says_it_already_notes_nothing(unnoted: Store, file: Path, tmp_path: Path) -> None:
    by_hand(file, "UPDATE audit SET who = 'eve'")
    with Store.open(f"sqlite:///{tmp_path / 'new.db'}", clock=Clock()) as new:
        empty = new.note_older(by=ACTOR)
        begin(new)

        assert (empty, new.note_older(by=ACTOR), unnoted.note_older(by=ACTOR)) == (False, False, False)
