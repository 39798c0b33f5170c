"""A server gets another name and keeps all that is known of it; the audit log agrees with that, before and after."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from store_past import AHEAD, FIRST, SECOND, everything, live, old
from store_world import ACTOR, MINUTE, START, Clock, dump, look, review, snapshot, tool

from driftwatch.errors import UnknownServerError, UsageError
from driftwatch.model import Action, Decision
from driftwatch.store import Store
from driftwatch.store.copies import inspect, upgrade

LATER = START + timedelta(hours=1)


def renamed(value: object) -> str:
    return repr(value).replace("'git'", "'notes'")


def test_all_that_is_known_of_a_server_is_known_under_its_new_name(store: Store, file: Path) -> None:
    live(store)
    before = everything(store)

    store.rename_server("git", "notes", by=ACTOR, at=LATER)

    after = everything(store)
    assert sorted(after["states"]) == ["mail", "notes"]
    for name in ("sightings", "findings", "baselines", "reviews"):
        assert renamed(before[name]["git"]) == repr(after[name]["notes"])
    for name in ("aheads", "alerts", "deliveries", "silences", "faces"):
        assert renamed(before[name]) == repr(after[name])
    assert store.baseline("notes").digest == FIRST.digest
    assert renamed(before["testimonies"]) == repr(store.testimonies("notes"))
    assert [one.digest for one in store.waiting_aheads("notes", LATER)] == [AHEAD.digest]
    assert store.state("notes").judged != before["states"]["git"].judged
    assert inspect(file).damage == ()
    assert [name for name, rows in dump(file).items() if any("git" in row for row in rows)] == ["audit"]


def test_the_log_says_so_and_agrees_with_what_was_decided_before_and_after(store: Store, clock: Clock) -> None:
    live(store)

    store.rename_server("git", "notes", by=ACTOR, at=LATER)
    renamed_once = store.verify_audit()
    clock.now = LATER
    store.approve(review(SECOND.digest, server="notes", at=LATER), expected_baseline=FIRST.digest)
    store.record_look(look("git", snapshot(tool("another")), at=LATER))
    store.reject(review(snapshot(tool("another")).digest, decision=Decision.REJECTED, at=LATER))
    store.rename_server("notes", "papers", by=ACTOR, at=LATER + MINUTE)
    found = store.verify_audit()

    assert (renamed_once.astray, renamed_once.good) == ((), True)
    assert (found.astray, found.good) == ((), True)
    entry = next(one for one in store.audit() if one.action == Action.SERVER_RENAMED)
    assert (entry.server, entry.details, entry.who) == ("papers", {"from": "notes"}, "ana")


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (f"UPDATE baselines SET digest = '{SECOND.digest}' WHERE server = 'notes'", "the baseline of `notes`"),
        ("UPDATE reviews SET note = 'x' WHERE by = 'bob'", "a decision on `notes`"),
        ("UPDATE reviews SET server = 'mail'", "a decision on `mail`"),
        ("UPDATE aheads SET server = 'mail'", "the approval ahead `ahd_1`"),
        ("UPDATE silences SET server = 'mail'", "the silence `sil_1`"),
    ],
)
def test_what_is_changed_by_hand_after_a_rename_is_found_as_before(
    store: Store, file: Path, change: str, named: str
) -> None:
    live(store)
    store.rename_server("git", "notes", by=ACTOR, at=LATER)

    with closing(sqlite3.connect(file)) as connection:
        connection.execute(change)
        connection.commit()

    assert any(named in sentence for sentence in store.verify_audit().astray)


def test_what_is_older_than_the_log_is_known_again_under_the_new_name(tmp_path: Path) -> None:
    file = old(tmp_path / "watch.db", tmp_path / "made.db", "0001")
    upgrade(f"sqlite:///{file}", now=START)
    with Store.open(f"sqlite:///{file}", clock=Clock()) as store:
        store.reject(review(SECOND.digest, decision=Decision.REJECTED, at=LATER))
        before = store.verify_audit()

        store.rename_server("git", "notes", by=ACTOR, at=LATER)
        after = store.verify_audit()

    assert before.older > 0
    assert (after.older, after.astray, after.good) == (before.older, (), True)


def test_a_rename_may_be_what_the_log_begins_with(store: Store) -> None:
    store.record_look(look("git", FIRST))

    store.rename_server("git", "notes", by=ACTOR, at=LATER)

    assert store.verify_audit().good
    assert store.state("notes").looks == 1


def test_a_name_with_a_history_takes_over_nothing_and_one_that_was_only_planned_does(store: Store, file: Path) -> None:
    live(store)
    store.plan("planned", LATER)
    rows = dump(file)

    for name, kind in (("mail", UsageError), ("git", UsageError)):
        with pytest.raises(kind, match="history of its own"):
            store.rename_server("git", name, by=ACTOR, at=LATER)
    with pytest.raises(UnknownServerError):
        store.rename_server("nobody", "notes", by=ACTOR, at=LATER)
    untouched = dump(file) == rows
    store.rename_server("git", "planned", by=ACTOR, at=LATER)

    assert untouched
    assert store.baseline("planned").digest == FIRST.digest


def test_a_history_that_stands_in_the_way_is_moved_out_of_it_first(store: Store, file: Path) -> None:
    live(store)
    store.record_look(look("notes", SECOND))

    with pytest.raises(UsageError) as raised:
        store.rename_server("git", "notes", by=ACTOR, at=LATER)
    store.rename_server("notes", "notes-before", by=ACTOR, at=LATER)
    store.rename_server("git", "notes", by=ACTOR, at=LATER)

    assert "driftwatch servers rename notes notes-before" in raised.value.hint
    assert (store.baseline("notes").digest, store.baseline("notes-before").digest) == (FIRST.digest, SECOND.digest)
    assert store.verify_audit().good
    assert inspect(file).damage == ()
