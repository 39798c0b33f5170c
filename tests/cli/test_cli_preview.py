"""preview: what a version bump would show, approved ahead, and what becomes of it when it is rolled out."""

from __future__ import annotations

import os
import re
import sqlite3
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from subprocess import PIPE, Popen
from typing import Any

import pytest
from cli_world import Run, tool
from servers.layouts import npm_package
from servers.releases import SERVER, Registry

from driftwatch.model import AlertKind
from driftwatch.store import Store

LOOSENED = tool(annotations={"readOnlyHint": False})


@pytest.fixture
def registry(tmp_path: Path) -> Registry:
    """Give a registry whose first release is configured, and one that loosens a hint."""
    made = Registry(tmp_path)
    made.release("1.0.0", tool())
    made.release("2.0.0", LOOSENED, tool("wipe"))
    _configure(tmp_path, made, "1.0.0")
    return made


def _configure(folder: Path, registry: Registry, version: str) -> None:
    """Write the configuration with the package pinned at a version."""
    (folder / "driftwatch.toml").write_text(registry.pinned(version))


def _database(folder: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Give every row of every table."""
    with sqlite3.connect(folder / "driftwatch.db") as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {name: sorted(connection.execute(f'SELECT * FROM "{name}"'), key=repr) for name in tables}


def _words(text: str) -> str:
    return " ".join(text.split())


@pytest.fixture
def approved(run: Run, registry: Registry) -> Registry:
    """The first release, approved."""
    assert run("check").code == 0
    assert run("approve", "tickets", "--by", "ann", "--yes").code == 0
    return registry


def test_a_preview_says_what_a_bump_would_change_and_touches_neither_the_database_nor_a_server_that_runs(
    run: Run, approved: Registry, tmp_path: Path, started: Callable[..., Popen[str]]
) -> None:
    before = _database(tmp_path)
    live = started([str(approved.npx), "-y", "@tickets/mcp@1.0.0"], stdin=PIPE, stdout=PIPE)

    ended = run("preview", "tickets", "--version", "2.0.0")

    said = _words(ended.out)
    assert ended.code == 1
    assert "list_files" in live.communicate('{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}\n', timeout=60)[0]
    assert '"@tickets/mcp@2.0.0" instead of "@tickets/mcp@1.0.0"' in said
    assert re.search(r"shown at both looks, against [0-9a-f]{12}, approved .+ by ann\.", said)
    assert "(version 2.0.0)" in said
    assert "/annotations/readOnlyHint" in said
    assert "item-added" in said
    assert said.endswith("To approve just this before it is rolled out, say it again with --approve.")
    assert _database(tmp_path) == before
    assert not (tmp_path / "driftwatch.db.sandbox").exists()


def test_programs_are_told_what_was_looked_at_and_what_it_shows(run: Run, approved: Registry) -> None:
    shape = run("preview", "tickets", "--version", "2.0.0", "--format", "json").json

    assert (shape["server"], shape["asked_version"], shape["ran_version"]) == ("tickets", "2.0.0", "2.0.0")
    assert (shape["steady"], shape["failure"], shape["approved_ahead"]) == (True, None, None)
    assert shape["lists"] == [{"digest": shape["live_digest"], "looks": 2}]
    assert shape["worst"] == "high"


def test_a_preview_is_a_comment_for_a_pull_request_too(run: Run, approved: Registry) -> None:
    ended = run("preview", "tickets", "--version", "2.0.0", "--once", "--format", "markdown")

    assert ended.code == 1
    assert "tickets `2.0.0` differs from what was approved" in ended.out
    assert "`1.0.0` → `2.0.0`" in ended.out
    assert "driftwatch preview tickets --version 2.0.0 --approve --digest sha256:" in ended.out


def test_a_bump_that_was_approved_ahead_raises_nothing_when_it_is_there(
    run: Run, approved: Registry, tmp_path: Path
) -> None:
    asked = ("preview", "tickets", "--version", "2.0.0", "--approve", "--yes")
    earlier = run(*asked, "--once", "--by", "ann", "--until", f"{datetime.now(UTC) + timedelta(days=2):%Y-%m-%d}")
    ahead = run(*asked, "--by", "bob", "--note", "read it")
    twice = run(*asked, "--once", "--by", "bob", "--note", "read it")
    between = run("check")
    _configure(tmp_path, approved, "2.0.0")

    landed = run("check")

    assert (ahead.code, between.code, landed.code) == (0, 0, 0)
    assert "nothing is raised: it is the baseline" in _words(ahead.out)
    assert "takes the place" not in earlier.out
    assert "by ann before, until" in _words(ahead.out)
    assert "this approval takes the place of that one" in _words(ahead.out)
    assert "takes the place" not in twice.out
    assert "as approved ahead by bob" in _words(landed.out)
    history = _words(run("history", "tickets").out)
    assert "approved ahead for version 2.0.0 by bob: read it" in history
    with Store.open(f"sqlite:///{tmp_path / 'driftwatch.db'}", clock=_never) as store:
        baseline = store.baseline("tickets")
        assert baseline is not None
        assert (baseline.by, baseline.note) == ("bob", "read it")
        assert store.open_alert("tickets", AlertKind.DRIFT) is None


def test_another_list_under_the_version_that_was_approved_is_told_with_what_differs(
    run: Run, approved: Registry, tmp_path: Path
) -> None:
    assert run("preview", "tickets", "--version", "2.0.0", "--approve", "--yes", "--by", "bob").code == 0
    approved.release("2.0.0", LOOSENED, tool("wipe"), tool("send_mail"))
    _configure(tmp_path, approved, "2.0.0")

    landed = run("check")

    said = _words(run("diff", "tickets").out)
    assert landed.code == 1
    assert "differs-from-reviewed" in said
    assert "approved ahead for version “2.0.0” by “bob”" in said
    assert "differs from that one in how it is started or reached and the tool “send_mail”" in said


def test_after_another_bump_it_is_said_that_the_approval_ahead_waits_for_its_version(
    run: Run, approved: Registry, tmp_path: Path
) -> None:
    assert run("preview", "tickets", "--version", "2.0.0", "--approve", "--yes", "--by", "bob").code == 0
    before = run("check")
    approved.release("3.0.0", LOOSENED, tool("send_mail"))
    _configure(tmp_path, approved, "3.0.0")

    bumped = run("check")

    assert "waits for version" not in before.out
    for said in (_words(bumped.out), _words(run("diff", "tickets").out)):
        assert re.search(
            r"approval ahead for tickets \(ahd_\w+, by bob\) waits for version 2.0.0, and 3.0.0 runs", said
        )


def test_the_same_list_from_other_files_under_that_version_is_not_what_was_approved(
    run: Run, approved: Registry, tmp_path: Path
) -> None:
    assert run("preview", "tickets", "--version", "2.0.0", "--approve", "--yes", "--by", "bob").code == 0
    approved.release("2.0.0", LOOSENED, tool("wipe"), code="# and a line more\n")
    _configure(tmp_path, approved, "2.0.0")

    assert run("check").code == 1
    assert "how it is started or reached" in _words(run("diff", "tickets").out)


def test_a_digest_that_is_not_shown_now_is_not_approved(run: Run, approved: Registry, tmp_path: Path) -> None:
    read = run("preview", "tickets", "--version", "2.0.0", "--format", "json").json["live_digest"]
    approved.release("2.0.0", LOOSENED)
    before = _database(tmp_path)

    refused = run("preview", "tickets", "--version", "2.0.0", "--approve", "--digest", read)

    assert refused.code == 2
    assert "It does not show" in refused.err
    assert _database(tmp_path) == before
    now = run("preview", "tickets", "--version", "2.0.0", "--format", "json").json["live_digest"]
    assert run("preview", "tickets", "--version", "2.0.0", "--approve", "--digest", now[7:19]).code == 0


def test_another_version_than_the_one_that_was_asked_for_is_not_approved(run: Run, approved: Registry) -> None:
    os.rename(approved.shelf / "2.0.0", approved.shelf / "3.0.0")

    refused = run("preview", "tickets", "--version", "3.0.0", "--approve", "--yes")

    assert refused.code == 2
    assert "Version 3.0.0 was asked for, and 2.0.0 is what ran." in _words(refused.out)
    assert "Nothing was approved" in refused.err


def test_a_candidate_with_two_faces_is_approved_by_its_digest_only(
    run: Run, approved: Registry, tmp_path: Path
) -> None:
    count = tmp_path / "starts"
    code = (
        f"\nimport pathlib\nseen = pathlib.Path({str(count)!r})\nseen.write_text(str(int(seen.read_text() or 0) + 1))\n"
    )
    count.write_text("0")
    server = SERVER.format(python=sys.executable, tools="[]", version="2.0.0").replace(
        "for line in sys.stdin:",
        f"{code}TOOLS.append({{'name': f'tool{{int(seen.read_text()) % 2}}'}})\nfor line in sys.stdin:",
    )
    npm_package(approved.shelf / "2.0.0" / "node_modules", version="2.0.0", server=server)

    seen = run("preview", "tickets", "--version", "2.0.0")
    refused = run("preview", "tickets", "--version", "2.0.0", "--approve", "--yes")
    shape = run("preview", "tickets", "--version", "2.0.0", "--format", "json").json

    assert "It shows another list from one start to the next" in _words(seen.out)
    assert "They differ in tool tool" in _words(seen.out)
    assert refused.code == 2
    assert (shape["steady"], len(shape["lists"])) == (False, 2)
    digest = shape["lists"][1]["digest"]
    assert run("preview", "tickets", "--version", "2.0.0", "--approve", "--digest", digest).code == 0


def test_what_cannot_be_started_is_no_clean_preview(run: Run, approved: Registry, tmp_path: Path) -> None:
    ended = run("preview", "tickets", "--version", "9.9.9")
    shape = run("preview", "tickets", "--version", "9.9.9", "--format", "json")
    refused = run("preview", "tickets", "--version", "9.9.9", "--approve", "--yes")

    assert (ended.code, shape.code, refused.code) == (5, 5, 2)
    assert "it could not be looked at" in _words(ended.out)
    assert shape.json["failure"]["code"] == "closed-early"
    assert "there is nothing to approve" in refused.err


def test_a_server_that_was_never_seen_is_judged_by_itself(run: Run, registry: Registry) -> None:
    ended = run("preview", "tickets", "--version", "2.0.0")

    assert "Nothing is approved yet: this is what driftwatch sees in it by itself." in _words(ended.out)
    assert "hint" in ended.out


def test_a_captured_list_is_compared_without_a_look(run: Run, approved: Registry, write: Callable[..., str]) -> None:
    name = write("next.json", {"tools": [LOOSENED]})

    ended = run("preview", "tickets", "--file", name)
    refused = run("preview", "tickets", "--file", name, "--version", "2.0.0", "--approve", "--yes")

    assert ended.code == 1
    assert '"next.json"' in ended.out
    assert refused.code == 2
    assert "does not say all that a look sees: it lacks prompts, resource templates" in refused.err


REFUSED = [
    ((), "It is not clear what to look at."),
    (("--command", "x", "--url", "https://x.example/"), "It is not clear what to look at."),
    (("--version", "-y"), "is no version"),
    (("--version", "latest"), "is no version"),
    (("--command", "x 'y"), "cannot be split"),
    (("--version", "2.0.0", "--with-credentials"), "go with --url"),
    (("--version", "2.0.0", "--yes"), "go with --approve"),
    (("--version", "2.0.0", "--approve", "--yes", "--until", "soon"), "is not a time"),
    (("--version", "2.0.0", "--approve", "--yes", "--until", "2020-01-01"), "good for no time, or for too long"),
    (("--version", "2.0.0", "--approve", "--digest", "zz"), "is not a digest"),
    (("--version", "2.0.0", "--approve", "--format", "json"), "Say which list with --digest"),
]


def test_what_is_not_clear_is_refused_before_anything_is_started(run: Run, registry: Registry, tmp_path: Path) -> None:
    for options, why in REFUSED:
        refused = run("preview", "tickets", *options)

        assert refused.code == 2, options
        assert why in refused.err
    assert not (tmp_path / "driftwatch.db").exists()


def _never() -> Any:
    raise AssertionError("nothing here needs the time")
