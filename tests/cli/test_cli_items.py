"""approve and reject of single items, what waits ahead, and the audit log, as people type them."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
import rfc8785
from cli_world import Run, at, look, shown, tool

from driftwatch.cli.asides import against_it
from driftwatch.cli.items import places_of
from driftwatch.config.load import load
from driftwatch.model import Actor, Kind, Verified
from driftwatch.report.subject import NOTHING
from driftwatch.review.ahead import approve_ahead
from driftwatch.review.approve import places_between
from driftwatch.review.judged import judged_of
from driftwatch.store import AlertWrite, Store
from driftwatch.tell.pipes import decide_audit


@pytest.fixture(autouse=True)
def _wide(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal in which no row of a table is broken."""
    monkeypatch.setenv("COLUMNS", "240")


OLD = shown(tool(), tool("get_file"))
NEW = shown(tool(annotations={"readOnlyHint": False}), tool("get_file", title="Get"), tool("odd\u202ename"))
NEW_SHORT = NEW.digest[7:19]


@pytest.fixture
def drifted(run: Run, store: Store) -> Store:
    """A server whose first list was approved and that then changed three tools."""
    look(store, "files", OLD, when=at(-9))
    assert run("approve", "files", "--note", "read it", "--by", "ann", "--yes").code == 0
    look(store, "files", NEW, when=at(-5))
    return store


def keys(store: Store) -> set[str]:
    baseline = store.baseline("files")
    snapshot = store.snapshot(baseline.digest) if baseline else None
    assert snapshot is not None
    return {item.key for item in snapshot.of(Kind.TOOL)}


# Items


def test_the_baseline_takes_the_items_that_are_named_also_as_they_are_shown(run: Run, drifted: Store) -> None:
    ended = run(
        "approve", "files", "--item", "tool:get_file", "--item", "tool:odd\\u{202E}name", "--yes", "--by", "ann"
    )

    assert (ended.code, ended.err) == (0, "")
    assert f"Approved 2 items of {NEW_SHORT} of files by ann." in ended.out
    assert "It shows another list" in ended.out
    assert keys(drifted) == {"list_files", "get_file", "odd\u202ename"}
    assert "driftwatch diff files" in ended.out
    assert "list_files" in run("diff", "files").out


def test_what_was_rejected_is_said_while_it_is_shown_whatever_else_changes(run: Run, drifted: Store) -> None:
    run("reject", "files", "--item", "tool:list_files", "--item", "tool:get_file", "--by", "bob", "--note", "no \u202e")
    later = shown(tool(annotations={"readOnlyHint": False}), tool("get_file", title="Get one"), tool("new"))
    look(drifted, "files", later, when=at(-4))
    shows, moved = "and shown all the same: tool:list_files.", "but it has changed since: tool:get_file."

    for command in ("diff", "show"):
        said = " ".join(run(command, "files").out.split())
        assert "Rejected by bob on " in said
        assert "(“no \\u{202E}”), " + shows in said
        assert "(“no \\u{202E}”), " + moved in said
        rows = run(command, "files", "--format", "json").json["rejections"]
        assert [(row["item"]["key"], row["by"], row["stands"]) for row in rows] == [
            ("get_file", "bob", False), ("list_files", "bob", True),
        ]  # fmt: skip
    asked = run("approve", "files", "--yes", "--by", "ann")
    assert shows in " ".join(asked.out.split())
    assert "Rejected" not in run("diff", "files").out


def test_a_history_says_which_items_were_decided_on(run: Run, drifted: Store) -> None:
    run("approve", "files", "--item", "tool:get_file", "--yes", "--by", "ann")
    run("reject", "files", "--item", "tool:list_files", "--by", "bob", "--note", "never")

    story = run("history", "files", "--format", "json").json["history"]
    words = run("history", "files").out

    decided = [entry for entry in story if entry["what"] in {"approved", "rejected"}][1:]
    assert [(entry["by"], entry["items"]) for entry in decided] == [
        ("ann", ["tool:get_file"]),
        ("bob", ["tool:list_files"]),
    ]
    assert decided[0]["origin"].startswith("cli ")
    assert decided[0]["baseline"] == drifted.state("files").baseline.digest  # type: ignore[union-attr]
    assert "approved 1 item (tool:get_file) by ann; the baseline is " in words
    assert "rejected 1 item (tool:list_files) by bob: never" in words


@pytest.mark.parametrize(
    ("items", "said"),
    [
        (("tool:list_files",), ", which was rejected by bob on "),
        (("tool:get_file",), ""),
        (None, ", of which tool:list_files was rejected by bob on "),
    ],
)
def test_who_is_asked_about_an_approval_hears_who_said_no_to_it(
    run: Run, drifted: Store, configured: Path, items: tuple[str, ...] | None, said: str
) -> None:
    run("reject", "files", "--item", "tool:list_files", "--by", "bob", "--note", "no \u202e")
    settings = load(configured, {}, secrets=False)
    live = drifted.snapshot(drifted.state("files").last_digest)
    subject = judged_of(drifted, settings, "files", NOTHING, live=live, at=at(0)).subject
    places = places_of(items, places_between(drifted, "files", None))

    question = against_it(subject.rejected, places)

    assert question.startswith(said)
    assert bool(question) is bool(said)
    assert not said or question.endswith("(“no \\u{202E}”)")


def test_a_refused_item_is_no_refused_list(run: Run, drifted: Store) -> None:
    ended = run("reject", "files", "--item", "tool:list_files", "--by", "bob")

    assert ended.out == f"Rejected 1 item of {NEW_SHORT} of files by bob. The baseline stays.\n"
    assert run("status", "--format", "json").json["servers"][0]["rejected"] is False
    run("reject", "files", "--by", "bob")
    assert run("status", "--format", "json").json["servers"][0]["rejected"] is True


@pytest.mark.parametrize(
    ("item", "said"),
    [
        ("tool:get_fil", "get_file"),
        ("tool:0123456789", "What differs: tool:get_file"),
        ("prompt:get_file", "Nothing called"),
        ("get_file", "is not an item"),
        ("gadget:get_file", "is not an item"),
        ("tool", "is not an item"),
        ("server:x", "is not an item"),
        ("server", "Nothing called"),
    ],
)
def test_what_is_no_item_that_differs_is_refused_with_what_is(run: Run, drifted: Store, item: str, said: str) -> None:
    for verb in ("approve", "reject"):
        ended = run(verb, "files", "--item", item, "--digest", NEW.digest)

        assert ended.code == 2
        assert said in ended.err
    assert len(drifted.reviews("files")) == 1


def test_until_something_is_approved_items_are_refused(run: Run, store: Store) -> None:
    look(store, "files", OLD, when=at(-9))
    look(store, "files", NEW, when=at(-5))

    ended = run("approve", "files", "--item", "tool:get_file", "--yes")

    assert ended.code == 2
    assert "Approve or reject the first list as a whole" in ended.err


# Ahead


def ahead(store: Store, configured: Path, **more: str) -> str:
    settings = load(configured, {}, secrets=False)
    now = at(-3)
    by = Actor("ann", "cli ann@desk")
    made = approve_ahead(store, settings, "files", NEW, by=by, now=now, until=at(0) + timedelta(days=3), **more)
    return made.id


def test_what_is_approved_ahead_is_listed_until_it_is_ended(run: Run, store: Store, configured: Path) -> None:
    look(store, "files", OLD, when=at(-9))
    made = ahead(store, configured, version="1.2.4", note="read \x1b[2J it")

    listed = run("ahead")
    as_json = run("ahead", "--server", "files", "--format", "json").json
    ended = run("ahead", "end", made[:9], "--by", "bob", "--note", "called off")
    after = run("ahead").out
    everything = run("ahead", "--all").out
    again = run("ahead", "end", made)

    assert f"{made[:12]}  files   1.2.4    {NEW_SHORT}" in listed.out
    assert "waits, good for 2 d" in listed.out
    assert "\x1b" not in listed.out
    assert [(one["id"], one["package_version"], one["by"]) for one in as_json["ahead"]] == [(made, "1.2.4", "ann")]
    assert ended.out == f"{made}: ended. {NEW_SHORT} of files is not approved ahead any more.\n"
    assert after == "Nothing is approved ahead.\n"
    assert "by bob" in everything
    assert (again.code, "was ended at" in again.err) == (2, True)


def test_a_history_says_what_was_approved_ahead(run: Run, store: Store, configured: Path) -> None:
    look(store, "files", OLD, when=at(-9))
    made = ahead(store, configured, version="1.2.4", note="fine")
    run("ahead", "end", made, "--by", "bob")

    out = run("history", "files").out

    assert "approved ahead for version 1.2.4 by ann: fine" in out
    assert "the approval ahead by ann was ended by bob" in out


# The audit log


def test_the_log_is_listed_newest_first_page_by_page_and_by_what_it_says(run: Run, drifted: Store) -> None:
    run("reject", "files", "--item", "tool:list_files", "--by", "bob", "--note", "no \x1b[2J")

    page = run("audit", "--limit", "1")
    rest = run("audit", "--before", "2", "--format", "json").json
    found = run("audit", "--action", "rejected", "--who", "bob", "--server", "files").out
    misspelt = run("audit", "--action", "reject")

    assert "rejected" in page.out
    assert "\x1b" not in page.out
    assert "There is more: driftwatch audit --before 2" in page.out
    assert [(one["seq"], one["action"], one["who"]) for one in rest["entries"]] == [(1, "approved", "ann")]
    assert rest["next"] is None
    assert "bob (cli " in found
    assert (misspelt.code, "rejected" in misspelt.err) == (2, True)
    assert run("audit", "--who", "eve").out == "Nothing of that is in the audit log.\n"


def test_a_log_is_verified_and_a_head_that_was_noted_is_looked_for(run: Run, drifted: Store) -> None:
    head = drifted.audit()[0].hash

    whole = run("audit", "verify")
    noted = run("audit", "verify", "--head", head.upper())
    gone = run("audit", "verify", "--head", "0" * 63 + "1", "--format", "json")
    wrong = run("audit", "verify", "--head", "abc")

    assert (whole.code, whole.out.splitlines()[:2]) == (0, ["The audit log is whole: 1 entry.", f"head {head}"])
    assert (noted.code, "The hash that you gave is in it." in noted.out) == (0, True)
    assert (gone.code, gone.json["whole"], gone.json["broken_at"]) == (1, False, 2)
    assert (wrong.code, "64 hex digits" in wrong.err) == (2, True)


def test_an_edited_log_ends_with_1_and_says_where(run: Run, drifted: Store, configured: Path) -> None:
    drifted.close()
    with closing(sqlite3.connect(configured.parent / "driftwatch.db")) as connection:
        connection.execute("UPDATE audit SET who = 'eve'")
        connection.commit()

    ended = run("audit", "verify")

    assert ended.code == 1
    assert "not as it was written: entry 1 is not as it was written" in ended.out
    assert "compare it with a backup" in ended.out


def test_a_baseline_changed_by_hand_ends_with_1_and_names_both_sides(
    run: Run, drifted: Store, configured: Path
) -> None:
    drifted.close()
    with closing(sqlite3.connect(configured.parent / "driftwatch.db")) as connection:
        current = "FROM baselines, servers WHERE superseded_at IS NULL"
        ((was, now),) = connection.execute(f"SELECT digest, last_digest {current}").fetchall()
        connection.execute("UPDATE baselines SET digest = ? WHERE superseded_at IS NULL", (now,))
        connection.commit()

    ended = run("audit", "verify")
    for_programs = run("audit", "verify", "--format", "json")

    said = f"the baseline of `files` is {now[:19]}, but the last entry that set it (nr 1, ann) set {was[:19]}"
    assert (ended.code, for_programs.code) == (1, 1)
    assert "The audit log is whole: 1 entry." in ended.out
    assert said in " ".join(ended.out.split())
    assert (for_programs.json["whole"], for_programs.json["agrees"]) == (True, False)
    assert (for_programs.json["astray"], for_programs.json["older"]) == ([said], 0)


def test_status_says_that_the_database_was_changed_by_hand_while_the_alert_stands(run: Run, drifted: Store) -> None:
    before = run("status", "--format", "json").json["changed_by_hand"]
    broken = Verified(0, "0" * 64, 1, "entry 1 is missing")
    told = decide_audit(None, broken, now=at(-1), new_id=lambda: "alr_0123456789abcdef")
    assert told is not None
    drifted.record_alert(AlertWrite(alert=told.alert, event=told.event))

    said = run("status").out
    listed = run("alerts").out

    assert before is None
    assert "The database was changed by hand, see: driftwatch alerts show alr_01234567" in said
    assert run("status", "--format", "json").json["changed_by_hand"] == "alr_0123456789abcdef"
    assert "driftwatch: the database was changed by hand" in listed


def test_an_export_is_one_entry_a_line_and_can_be_verified_without_driftwatch(run: Run, drifted: Store) -> None:
    run("reject", "files", "--by", "bob")

    lines = run("audit", "export").out.splitlines()
    later = run("audit", "export", "--since", "2999-01-01")

    previous = "0" * 64
    for line in lines:
        entry = json.loads(line)
        claimed = entry.pop("hash")
        assert entry["previous"] == previous
        assert hashlib.sha256(rfc8785.dumps(entry)).hexdigest() == claimed
        previous = claimed
    assert len(lines) == 2
    assert (later.code, later.out) == (0, "")
