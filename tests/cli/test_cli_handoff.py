"""hosts, and export --for: who acts on hints, and the approved set in a host's form."""

from __future__ import annotations

import json
import tomllib
from datetime import UTC, datetime

import pytest
from cli_world import Run, at, look, shown, tool

from driftwatch.cli.hosts import hosts_row
from driftwatch.judge.hosts import HOSTS
from driftwatch.model import Decision, Review
from driftwatch.store import Store

APPROVED = shown(tool(), tool("delete_file", annotations={"destructiveHint": True}), tool("odd\x1b[2J name"))
LATER = shown(tool(), tool("new_file"))


@pytest.fixture
def seen(store: Store) -> Store:
    """A server that was looked at, and of which nothing is approved."""
    look(store, "files", APPROVED, when=at(-9))
    return store


@pytest.fixture
def approved(seen: Store) -> Store:
    """The same server, approved, and showing another list by now."""
    review = Review("files", APPROVED.digest, Decision.APPROVED, "ann", "cli", datetime.now(UTC), "")
    seen.approve(review, expected_baseline=APPROVED.digest, expected_digest=APPROVED.digest, judged="x", findings=())
    look(seen, "files", LATER, when=at(-1))
    return seen


def test_the_approved_set_goes_to_stdout_and_all_words_about_it_to_stderr(run: Run, approved: Store) -> None:
    ended = run("export", "files", "--for", "claude-code")

    assert ended.code == 0
    assert ended.json == {"permissions": {"allow": ["mcp__files__list_files"], "ask": ["mcp__files__delete_file"]}}
    assert "approved, for Claude Code" in ended.err
    assert "Merge it into: .claude/settings.json" in ended.err
    assert "asked about: delete_file: it does not say that it only reads" in ended.err
    assert "code.claude.com" in ended.err


def test_a_hostile_name_is_refused_with_a_note_that_shows_it_safely(run: Run, approved: Store) -> None:
    ended = run("export", "files", "--for", "codex")

    assert "refused and left out: odd" in ended.err
    assert "\x1b" not in ended.out + ended.err
    assert tomllib.loads(ended.out)["mcp_servers"]["files"]["enabled_tools"] == ["delete_file", "list_files"]


def test_the_host_may_know_the_server_by_another_name(run: Run, approved: Store) -> None:
    ended = run("export", "files", "--for", "cursor", "--as", "disk")

    assert ended.json == {"mcpAllowlist": ["disk:list_files"]}


def test_without_an_approval_there_is_nothing_to_hand_over(run: Run, seen: Store) -> None:
    ended = run("export", "files", "--for", "cursor")

    assert (ended.code, ended.out) == (2, "")
    assert "Nothing is approved for files" in ended.err
    assert "--provisional" in ended.err


def test_the_first_list_seen_is_handed_over_when_it_is_asked_for_and_called_unapproved(run: Run, seen: Store) -> None:
    ended = run("export", "files", "--for", "cursor", "--provisional")

    assert ended.code == 0
    assert "NOT approved" in ended.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--for", "claude-cod"), "Did you mean claude-code?"),
        (("--for", "emacs"), "There are: claude-code"),
        (("--for", "cursor", "--digest", "00000000"), "takes no --digest"),
        (("--for", "claude-code", "--as", "a__b"), "cannot carry the server name"),
        (("--as", "x"), "go with --for"),
        (("--provisional",), "go with --for"),
    ],
)
def test_what_cannot_be_handed_over_is_a_usage_error(
    run: Run, approved: Store, arguments: tuple[str, ...], words: str
) -> None:
    ended = run("export", "files", *arguments)

    assert (ended.code, ended.out) == (2, "")
    assert words in " ".join(ended.err.split())


def test_an_export_without_a_form_is_what_it_was(run: Run, approved: Store) -> None:
    assert [one["name"] for one in run("export", "files").json["tools"]] == ["list_files", "new_file"]


def test_hosts_lists_every_row_and_explains_each(run: Run) -> None:
    rows = run("hosts", "--format", "json").json["hosts"]

    assert len(rows) > 30
    assert max(len(line) for line in run("hosts").out.splitlines()) <= 80
    for row in rows:
        page = run("hosts", row["id"])

        assert page.code == 0
        assert page.out.startswith(row["id"])
        assert row["sources"]


def test_a_row_for_programs_says_what_it_does_and_how_it_takes_an_absent_hint(run: Run) -> None:
    (row,) = run("hosts", "codex-auto", "--format", "json").json["hosts"]

    assert row["absent"]["readOnlyHint"] == "spec"
    assert row["heeds_destructive_reader"] is True
    assert {one["does"] for one in row["acts"]} == {"asks before it runs", "runs it without asking"}
    assert json.dumps(row)


def test_all_rows_of_a_host_are_explained_by_its_name(run: Run) -> None:
    out = run("hosts", "VS Code").out

    assert "vscode-calls" in out
    assert "vscode-results" in out


def test_a_host_that_is_not_in_the_table_is_a_usage_error(run: Run) -> None:
    ended = run("hosts", "codx")

    assert ended.code == 2
    assert "Did you mean codex?" in ended.err


def test_the_table_of_hosts_breaks_no_id_and_says_what_each_does_otherwise(run: Run) -> None:
    rows = run("hosts", "--format", "json").json["hosts"]
    lines = run("hosts").out.splitlines()[1:]
    starts = [line for line in lines if not line.startswith(" ")]

    assert [line.split()[0] for line in starts] == [row["id"] for row in rows]
    for row in HOSTS:
        cells = hosts_row(row)
        assert cells[2] not in cells[3].partition(": ")[2:]
        assert cells[3].startswith(("readOnlyHint ", "destructiveHint ", "idempotentHint ", "openWorldHint "))


def test_a_rule_about_hints_says_where_the_hosts_are(run: Run) -> None:
    assert "driftwatch hosts" in run("rules", "hint-loosened").out
    assert "driftwatch hosts" in run("rules", "gate-loosened").out
    assert "driftwatch hosts" not in run("rules", "title-changed").out
