"""approve looks again before it asks."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from cli_world import Run

SCRIPT = Path(__file__).parents[1] / "servers" / "moody.py"

Mood = Callable[..., None]


@pytest.fixture
def mood(tmp_path: Path) -> Mood:
    """Give the function that configures a server that is not the same at every start, and says how often it started."""

    def configured(name: str, *more: str) -> None:
        args = json.dumps(["-SE", str(SCRIPT), name, str(tmp_path / "state")])
        (tmp_path / "driftwatch.toml").write_text(
            "\n".join(
                [
                    '[defaults]\nsandbox = "none"\n[servers.notes]',
                    f"command = {json.dumps(sys.executable)}\nargs = {args}",
                    *more,
                ]
            ),
            encoding="utf-8",
        )

    return configured


def _starts(folder: Path) -> str:
    return (folder / "state").read_text()


def _words(text: str) -> str:
    return " ".join(text.split())


def test_a_list_is_looked_at_again_once_before_it_is_approved_and_it_is_said_how_often(
    run: Run, mood: Mood, tmp_path: Path
) -> None:
    mood("honest")
    run("check")
    before = run("diff", "notes")
    ended = run("approve", "notes", "--by", "ann", "--yes")
    after = run("diff", "notes", "--format", "json").json["looked_again"]
    document = run("diff", "notes", "--format", "markdown").out
    status = run("status")
    log = run("audit")
    (entry,) = run("audit", "--action", "approved", "--format", "json").json["entries"]

    assert ended.code == 0
    assert "after 3 looks" in _words(log.out)
    assert entry["details"]["looked"] == {
        "looks": 3,
        "again": True,
        "other": "",
        "client": "claude-code",
        "as_client": "same",
    }
    assert "Not looked at again yet." in before.out
    assert "Looking at notes again first, in a new process and as claude-code. --once leaves that out." in _words(
        ended.out
    )
    said = "Looked at 3 times, each in a new process, also as claude-code: the same list each time."
    assert said in _words(ended.out)
    assert (after["looks"], after["same"], after["as_client"], after["words"]) == (3, True, "same", said)
    assert said in _words(document)
    assert _starts(tmp_path) == "3"
    assert "second name" not in status.out


def test_a_server_that_wakes_at_its_second_start_is_not_approved(run: Run, mood: Mood) -> None:
    mood("second")
    first = run("check", "--format", "json").json["results"][0]["snapshot_digest"]
    refused = run("approve", "notes", "--by", "ann", "--yes")
    named = run("approve", "notes", "--digest", first[7:19], "--by", "ann")

    assert refused.code == 1
    assert "showed another list" in _words(refused.err)
    assert "driftwatch diff notes" in refused.err
    # Who reads that and names the first list all the same is told again, and obeyed.
    assert named.code == 0
    assert "after 1 look, the next of which showed another list" in _words(run("audit").out)
    assert "the second look showed another list" in _words(named.out)


def test_a_server_that_woke_once_is_not_approved_without_a_word_when_it_shows_the_first_list_again(
    run: Run, mood: Mood
) -> None:
    mood("only-second")
    first = run("check", "--format", "json").json["results"][0]["snapshot_digest"]
    run("approve", "notes", "--by", "ann", "--yes")
    again = run("check")
    found = run("diff", "notes")
    refused = run("approve", "notes", "--by", "ann", "--yes")
    bad = run("diff", "notes", "--format", "json").json["looked_again"]["other_digest"]
    said_no = run("reject", "notes", "--digest", bad[7:19], "--by", "ann", "--note", "reads keys")
    run("check")
    stands, status = run("diff", "notes"), run("status")
    for_programs = run("diff", "notes", "--format", "json").json
    named = run("approve", "notes", "--digest", first[7:19], "--by", "ann")
    after = run("check")

    assert said_no.code == 0
    line = f"(“reads keys”), and stands all the same: the list of another start, {bad[7:19]}."
    assert line in _words(stands.out)
    assert line in _words(status.out)
    assert "HIGH other-start" in _words(stands.out)
    assert "it was rejected, and stands until a list is approved" in _words(stands.out)
    assert "worst high" in _words(status.out)
    (refusal,) = for_programs["rejections"]
    assert (refusal["start_digest"], refusal["by"], refusal["stands"]) == (bad, "ann", True)
    assert again.code == 1
    assert "HIGH other-start" in _words(found.out)
    assert "~/.ssh/id_rsa" in found.out
    assert refused.code == 1
    assert "came to light: the second look, made before a decision, showed another list" in _words(refused.err)
    assert f"approve notes --digest {first[7:19]}" in _words(refused.err)
    assert named.code == 0
    assert after.code == 0


def test_what_cannot_be_started_again_is_said_and_left_to_the_person(run: Run, mood: Mood) -> None:
    mood("once")
    run("check")
    ended = run("approve", "notes", "--by", "ann", "--yes")

    assert ended.code == 0
    assert "Not looked at again: in a new process it could not be looked at" in _words(ended.out)


@pytest.mark.parametrize(("table", "option"), [("", "--once"), ("rehearse = false", "--yes")])
def test_it_is_left_out_where_somebody_says_so(run: Run, mood: Mood, tmp_path: Path, table: str, option: str) -> None:
    mood("honest", table)
    run("check")
    ended = run("approve", "notes", "--by", "ann", "--yes", option)

    assert ended.code == 0
    assert "Not looked at again" in ended.out
    assert _starts(tmp_path) == "1"
    assert "after 1 look, not looked at again" in _words(run("audit").out)


def test_another_name_that_is_shown_another_list_stands_among_the_identities_until_that_ends(
    run: Run, mood: Mood
) -> None:
    mood("for-claude")
    run("check")
    refused = run("approve", "notes", "--by", "ann", "--yes")
    again = run("approve", "notes", "--by", "ann", "--yes")
    first = run("diff", "notes", "--format", "json").json["live_digest"]
    ended = run("approve", "notes", "--by", "ann", "--digest", first[7:19])
    shown = run("show", "notes", "--as", "second name")
    found = run("diff", "notes", "--format", "json").json
    status = run("status")

    for one in (refused, again):
        assert one.code == 1
        assert "Another list of 'notes' came to light: as claude-code it is shown another list;" in _words(one.err)
        assert "critical two-faces stands" in _words(one.err)
        assert f"approve notes --digest {first[7:19]}" in _words(one.err)
    assert ended.code == 0
    assert "second name (claude-code): looked as" in status.out
    assert "As claude-code it is shown another list." in _words(ended.out)
    assert "read ~/.ssh/id_rsa" in shown.out
    assert "two-faces" in [one["rule"] for one in found["findings"]]
