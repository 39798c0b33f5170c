"""What stands in the tables is held against the audit log: a row that was changed by hand is named."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from store_world import ACTOR, MINUTE, START, Clock, look, review, snapshot, tool

from driftwatch.model import (
    Actor,
    Ahead,
    AuditEntry,
    Decision,
    Face,
    Kind,
    Role,
    Severity,
    Silence,
    Token,
    User,
    Verdict,
    Verified,
)
from driftwatch.store import Store
from driftwatch.store.chain import AuditWalk
from driftwatch.store.standing import Standing

FIRST, SECOND, THIRD = (snapshot(tool("read", description=words)) for words in ("Reads.", "More.", "All."))
LATER = START + timedelta(days=9)
BOB = Actor("bob", "web 192.0.2.7")
AHEAD = Ahead("ahd_1", "git", THIRD.digest, THIRD.body, "1.2.4", "ana", "cli", START, LATER)
SILENCE = Silence("sil_1", "git", "", "", Severity.HIGH, "roll-out", "ana", START, LATER)
TOKEN = Token("tok_1", "ci", "ana", Role.VIEWER, "a" * 64, START, scopes="lock", expires_at=LATER)
FACE = Face("git", "cursor", Verdict.DRIFTED, shown="sha256:theirs", ordinary="sha256:ours", suspect="sha256:odd")


def fill(store: Store) -> None:
    """Let people do something of every kind, and some of it twice. The log begins before."""
    store.note_failed_sign_in(by=BOB, at=START - MINUTE, why="no such user")
    store.record_look(look("git", FIRST))
    store.record_look(look("git", SECOND, baseline=FIRST.digest))
    store.record_face(FACE)
    store.approve(review(FIRST.digest, note="read"), expected_baseline=FIRST.digest, seen_faces=[FACE])
    refused = review(SECOND.digest, decision=Decision.REJECTED, by="bob\ud800", at=START + MINUTE)
    store.reject(replace(refused, items=((Kind.TOOL, "read", 0),)))
    store.approve(review(SECOND.digest, at=START + MINUTE), expected_baseline=FIRST.digest)
    store.approve(review(SECOND.digest, by="bob", at=START + 2 * MINUTE), expected_baseline=SECOND.digest)
    store.record_look(look("new", FIRST))
    for number in ("1", "2", "3"):
        this = snapshot(tool("read", description=number))
        store.add_ahead(replace(AHEAD, id=f"ahd_{number}", digest=this.digest, body=this.body), this)
    store.end_ahead("ahd_2", by=BOB, at=START)
    landed = snapshot(tool("read", description="3"))
    (third,) = [one for one in store.aheads("git") if one.id == "ahd_3"]
    store.record_look(look("git", landed, baseline=SECOND.digest, landed=third))
    for number in ("1", "2"):
        store.add_silence(replace(SILENCE, id=f"sil_{number}"), origin="web")
        store.add_user(User(f"user{number}", Role.ADMIN, START, password="$argon2id$x"), by=ACTOR)
        store.add_token(replace(TOKEN, id=f"tok_{number}", sha256=number * 64), by=ACTOR)
    store.end_silence("sil_2", at=START, by=BOB)
    store.add_user(User("gone", Role.VIEWER, START), by=ACTOR)
    store.remove_user("gone", by=ACTOR, at=START)
    store.change_user("user2", by=BOB, at=START, role=Role.VIEWER, disabled=True)
    store.revoke_token("tok_2", by=BOB, at=START)


@pytest.fixture(scope="module")
def master(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("astray") / "master.db"
    with Store.open(f"sqlite:///{file}", clock=Clock()) as opened:
        fill(opened)
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return file


@contextmanager
def tampered(master: Path, *statements: str) -> Iterator[Store]:
    """Give a copy of the database in which somebody wrote by hand."""
    file = master.parent / "copy.db"
    for suffix in ("", "-wal", "-shm"):
        Path(f"{file}{suffix}").unlink(missing_ok=True)
    shutil.copy(master, file)
    with closing(sqlite3.connect(file)) as connection:
        for statement in statements:
            assert connection.execute(statement).rowcount != 0
        connection.commit()
    with Store.open(f"sqlite:///{file}", clock=Clock()) as opened:
        yield opened


def verified(master: Path, *statements: str) -> Verified:
    with tampered(master, *statements) as store:
        return store.verify_audit()


def test_what_people_did_agrees_with_what_stands(master: Path) -> None:
    found = verified(master)

    assert (found.good, found.astray, found.older) == (True, (), 0)


KEPT = "server, digest, decision, by, at, note, origin"
CURRENT = "superseded_at IS NULL AND server"


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        (f"UPDATE baselines SET digest = '{FIRST.digest}' WHERE {CURRENT} = 'git'", "the baseline of `git` is sha256:"),
        (f"UPDATE baselines SET by = 'eve' WHERE {CURRENT} = 'git'", "by eve, but the last entry about it (nr"),
        (f"UPDATE baselines SET state = 'provisional' WHERE {CURRENT} = 'git'", "state provisional, but the last"),
        (f"UPDATE baselines SET superseded_at = 1 WHERE {CURRENT} = 'git'", "`git` has no baseline, but the last"),
        (
            f"UPDATE baselines SET state = 'approved', by = 'eve' WHERE {CURRENT} = 'new'",
            "approved by eve, but no entry",
        ),
        ("UPDATE reviews SET note = 'fine' WHERE id = 1", "(approved sha256:"),
        ("UPDATE reviews SET by = 'eve' WHERE id = 2", "by eve) is in the database, but no entry says so"),
        ("UPDATE reviews SET items = NULL WHERE id = 2", "that entry 3 tells of"),
        ("UPDATE reviews SET items = x'00ff' WHERE id = 2", "that entry 3 tells of"),
        ("UPDATE reviews SET decision = 'approved' WHERE id = 2", "(approved sha256:"),
        ("UPDATE reviews SET at = at + 1 WHERE id = 2", "that entry 3 tells of"),
        ("UPDATE reviews SET ahead = 'ahd_1' WHERE id = 1", "no entry says so"),
        ("UPDATE reviews SET ahead = '' WHERE ahead != ''", "no entry says so"),
        ("DELETE FROM reviews WHERE id = 1", "that entry 2 tells of"),
        (f"INSERT INTO reviews ({KEPT}) SELECT {KEPT} FROM reviews WHERE id = 1", "no entry says so"),
        ("UPDATE faces SET learned = 'sha256:evil'", "`git` shows as the identity `cursor` sha256:evil is approved"),
        ("UPDATE faces SET settled = 'sha256:evil'", "`git` shows as the identity `cursor` sha256:evil is approved"),
        ("UPDATE faces SET identity = 'other'", "as the identity `other` sha256:theirs is approved, but no entry"),
        (
            "UPDATE aheads SET until = until + 1000000 WHERE id = 'ahd_1'",
            "the approval ahead `ahd_1`: until 2026-03-10",
        ),
        ("UPDATE aheads SET until = 'never' WHERE id = 'ahd_1'", "the approval ahead `ahd_1`: until never"),
        (f"UPDATE aheads SET digest = '{FIRST.digest}' WHERE id = 'ahd_1'", "the approval ahead `ahd_1`: digest"),
        ("UPDATE aheads SET version = '9' WHERE id = 'ahd_1'", "version 9, but the last entry about it (nr"),
        ("UPDATE aheads SET used_at = NULL WHERE id = 'ahd_3'", "the approval ahead `ahd_3`: not used"),
        ("UPDATE aheads SET ended_at = NULL WHERE id = 'ahd_2'", "the approval ahead `ahd_2`: not ended"),
        ("UPDATE aheads SET id = 'ahd_9' WHERE id = 'ahd_1'", "there is the approval ahead `ahd_9`, but no entry"),
        ("DELETE FROM aheads WHERE id = 'ahd_1'", "the approval ahead `ahd_1` is gone, but"),
        ("UPDATE silences SET server = '*' WHERE id = 'sil_1'", "the silence `sil_1`: server *, but"),
        ("UPDATE silences SET severity = 'critical' WHERE id = 'sil_1'", "the silence `sil_1`: severity critical"),
        ("UPDATE silences SET until = until * 2 WHERE id = 'sil_1'", "the silence `sil_1`: until 2082"),
        ("UPDATE silences SET ended_at = NULL WHERE id = 'sil_2'", "the silence `sil_2`: not ended, but"),
        (
            "UPDATE silences SET id = 'sil_9', created_at = created_at + 1 WHERE id = 'sil_1'",
            "the silence `sil_9`, but no",
        ),
        ("DELETE FROM silences WHERE id = 'sil_2'", "the silence `sil_2` is gone, but"),
        ("UPDATE users SET role = 'admin' WHERE name = 'user2'", "the user `user2`: role admin, but the last"),
        ("UPDATE users SET role = 'king' WHERE name = 'user2'", "the user `user2`: role king, but the last"),
        ("UPDATE users SET disabled = 0 WHERE name = 'user2'", "the user `user2`: not disabled, but the last"),
        ("DELETE FROM users WHERE name = 'user1'", "the user `user1` is gone, but the last entry about it"),
        (
            "INSERT INTO users (name, role, created_at, disabled) VALUES ('gone', 'admin', 0, 0)",
            "there is the user `gone`, but no entry says so",
        ),
        ("UPDATE tokens SET role = 'admin' WHERE id = 'tok_1'", "the token `tok_1`: role admin, but the last"),
        ("UPDATE tokens SET scopes = '' WHERE id = 'tok_1'", "the token `tok_1`: scopes nothing, but the last"),
        ("UPDATE tokens SET expires_at = NULL WHERE id = 'tok_1'", "the token `tok_1`: expires nothing, but the last"),
        ("UPDATE tokens SET revoked_at = NULL WHERE id = 'tok_2'", "the token `tok_2`: not revoked, but the last"),
        (
            "UPDATE tokens SET by = 'eve' WHERE id = 'tok_1'",
            "the token `tok_1`: by eve, but the last entry about it (nr",
        ),
        ("UPDATE tokens SET sha256 = 'ee' WHERE id = 'tok_1'", "the token `tok_1`: secret "),
        ("UPDATE users SET password = '$argon2id$eve' WHERE name = 'user1'", "the user `user1`: password "),
        ("UPDATE users SET password = NULL WHERE name = 'user1'", "the user `user1`: password nothing, but the last"),
        ("UPDATE users SET password = x'00' WHERE name = 'user2'", "the user `user2`: password "),
        ("UPDATE silences SET reason = 'fine' WHERE id = 'sil_1'", "the silence `sil_1`: reason fine, but the last"),
        ("UPDATE aheads SET note = 'fine' WHERE id = 'ahd_1'", "the approval ahead `ahd_1`: note fine, but the last"),
        ("UPDATE aheads SET body = 'ee' WHERE id = 'ahd_1'", "the approval ahead `ahd_1`: body ee, but the last"),
        (f"UPDATE baselines SET note = 'fine' WHERE {CURRENT} = 'git'", "the baseline of `git`: note fine, but the"),
        (f"UPDATE baselines SET since = since + 60000000 WHERE {CURRENT} = 'git'", "`git`: since 2026-"),
        ("DELETE FROM tokens WHERE id = 'tok_2'", "the token `tok_2` is gone, but the last entry about it"),
    ],
)
def test_a_row_that_was_changed_by_hand_is_named(master: Path, statement: str, said: str) -> None:
    found = verified(master, statement)

    assert (found.whole, found.good) == (True, False)
    assert any(said in sentence for sentence in found.astray), found.astray


def test_an_entry_of_an_earlier_version_that_does_not_have_it_accuses_nobody() -> None:
    standing = Standing()
    entry = AuditEntry(1, START, "ana", "cli", "user-added", "", "", "", {"user": "ana", "role": "admin"}, "", "")
    made = {"token": "tok_1", "name": "ci", "role": "viewer", "scopes": ""}

    standing.take(entry)
    standing.take(replace(entry, action="token-made", details=made))
    standing.take(replace(entry, action="approved-ahead", details={"ahead": "ahd_1"}))

    known = standing.known
    assert "password" not in known["users"]["ana"].values
    assert not {"by", "secret"} & {*known["tokens"]["tok_1"].values}
    assert "body" not in known["aheads"]["ahd_1"].values


def test_no_entry_holds_what_a_password_or_a_token_could_be_guessed_from(master: Path) -> None:
    with tampered(master) as store:
        said = json.dumps([dict(one.details) for one in store.audit()])

    assert "argon2id" not in said
    assert "1" * 20 not in said


def test_both_sides_are_named_with_the_entry_and_who_made_it(master: Path) -> None:
    landed = snapshot(tool("read", description="3"))

    (said,) = verified(master, f"UPDATE baselines SET digest = '{FIRST.digest}' WHERE {CURRENT} = 'git'").astray

    now, was = FIRST.digest[:19], landed.digest[:19]
    assert said == f"the baseline of `git` is {now}, but the last entry that set it (nr 10, ana) set {was}"


def test_what_is_put_right_through_driftwatch_agrees_again(master: Path) -> None:
    with tampered(master, f"UPDATE baselines SET digest = '{FIRST.digest}' WHERE {CURRENT} = 'git'") as store:
        astray = store.verify_audit()
        store.approve(review(SECOND.digest, at=LATER), expected_baseline=FIRST.digest)

        assert (astray.good, store.verify_audit().good) == (False, True)


def test_a_log_that_is_broken_is_held_against_nothing(master: Path) -> None:
    found = verified(master, "UPDATE audit SET who = 'eve' WHERE seq = 3", "UPDATE users SET role = 'viewer'")

    assert (found.whole, found.broken_at, found.astray) == (False, 3, ())


def test_many_rows_changed_by_hand_are_named_up_to_a_number_and_counted(master: Path) -> None:
    more = (
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 150)"
        " INSERT INTO users (name, role, created_at, disabled) SELECT 'u' || i, 'admin', 0, 0 FROM n"
    )

    found = verified(master, more)

    assert (len(found.astray), found.astray[-1]) == (101, "and 50 more")


def test_the_log_is_gone_through_in_steps_that_others_may_write_between(store: Store) -> None:
    for number in range(1_000):
        store.note_failed_sign_in(by=ACTOR, at=START, why=str(number))
    steps = store.verify_audit_by_steps()

    first = next(steps)
    store.add_user(User("late", Role.ADMIN, START), by=ACTOR)
    rest = list(steps)

    assert (first, rest[:-1]) == (None, [None])
    assert (rest[-1] and rest[-1].good, rest[-1] and rest[-1].count) == (True, 1_001)


def test_a_walk_that_goes_on_reads_the_entries_since_and_holds_all_that_stands_against_the_log(
    store: Store, file: Path
) -> None:
    def by_hand(statement: str) -> None:
        with closing(sqlite3.connect(file)) as connection:
            assert connection.execute(statement).rowcount != 0
            connection.commit()

    def gone_on() -> Verified:
        return next(found for found in store.verify_audit_by_steps(walk=walk) if found is not None)

    walk = AuditWalk()
    store.add_user(User("ann", Role.VIEWER, START), by=ACTOR)
    store.add_user(User("bob", Role.VIEWER, START), by=ACTOR)
    began = gone_on()
    store.change_user("bob", by=ACTOR, at=START, role=Role.ADMIN)
    since = gone_on()
    by_hand("UPDATE users SET role = 'admin' WHERE name = 'ann'")
    row = gone_on()
    by_hand("UPDATE audit SET who = 'eve' WHERE seq = 1")
    old, whole = gone_on(), store.verify_audit()
    by_hand("DELETE FROM audit WHERE seq = 3")
    anew = gone_on()

    assert [(one.count, one.good) for one in (began, since)] == [(2, True), (3, True)]
    assert (len(row.astray), old.whole, whole.broken_at) == (1, True, 1)
    assert (anew.whole, anew.broken_at) == (False, 1)


@pytest.mark.parametrize("again", [None, lambda store: store.note_configuration({"daemon": "1"}, by=BOB)])
def test_what_is_older_than_the_log_is_counted_and_accused_of_nothing(
    master: Path, again: Callable[[Store], object] | None
) -> None:
    new = ("aheads", "audit", "users", "tokens", "keys")
    with tampered(master, *(f"DELETE FROM {table}" for table in new)) as store:
        if again is not None:
            store._clock.later(timedelta(days=1))  # type: ignore[attr-defined]
            again(store)

        found = store.verify_audit()

    # Five decisions, the baseline of git, two silences, and what was settled of one identity twice.
    assert (found.good, found.astray, found.older) == (True, (), 10)


def test_what_is_decided_anew_of_old_rows_is_known_from_there_on(master: Path) -> None:
    new = ("aheads", "audit", "users", "tokens", "keys")
    landed = snapshot(tool("read", description="3"))
    with tampered(master, *(f"DELETE FROM {table}" for table in new)) as store:
        store.end_silence("sil_1", at=START + 3 * MINUTE, by=BOB)
        store.approve(review(landed.digest, by="bob", at=LATER), expected_baseline=landed.digest)

        found = store.verify_audit()

    assert (found.good, found.astray) == (True, ())
