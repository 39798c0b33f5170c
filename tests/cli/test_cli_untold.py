"""What a check says of messages that did not go out as they were meant: on a real server and a real receiver."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cli_inbox import receiving
from cli_world import HOOK, SERVER, Ended, Run, tool

from driftwatch.store import Store

Drift = Callable[..., Ended]


def flat(text: str) -> str:
    """Give a text as one line: where it is broken does not matter."""
    return " ".join(text.split())


@pytest.fixture
def drift(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Drift:
    """Give the function that lets an approved server of this configuration turn, and checks it."""
    monkeypatch.setenv("HOOK", HOOK)
    listed, script = tmp_path / "tools.json", tmp_path / "server.py"
    script.write_text(SERVER, encoding="utf-8")

    def turn(channels: str, *more: str) -> Ended:
        (tmp_path / "driftwatch.toml").write_text(
            f"[servers.files]\nrehearse = false\ncommand = {json.dumps(sys.executable)}\n"
            f"args = {json.dumps([str(script), str(listed)])}\n{channels}",
            encoding="utf-8",
        )
        listed.write_text(json.dumps([tool()]), encoding="utf-8")
        assert run("check", "--no-deliver").code == 0
        assert run("approve", "files", "--by", "ann", "--yes").code == 0
        listed.write_text(json.dumps([tool(annotations={"readOnlyHint": False})]), encoding="utf-8")
        return run("check", *more)

    return turn


def webhook(url: str, *lines: str) -> str:
    return "\n".join(("[channels.ops]", f'url = "{url}"', 'secret = {env = "HOOK"}', *lines, ""))


def test_a_check_says_which_template_failed_where_and_why(run: Run, drift: Drift) -> None:
    with receiving() as inbox:
        ended = drift(webhook(inbox.url, 'title = "{{ server }}"', 'body = "\\n{{ findings[0].before.a }}"'))

    (row,) = run("deliveries", "--format", "json").json["deliveries"]
    shown = run("deliveries", "show", row["id"])
    assert ended.code == 1
    assert flat(ended.err).startswith(
        "warning: channels.ops: a template failed on a message, said in driftwatch's own words instead: body: line 2: "
    )
    assert row["template_trouble"].startswith("body: line 2: ")
    assert f"in driftwatch's own words: {row['template_trouble']}" in flat(shown.out)
    assert (row["state"], inbox.events[0]["data"]["template_trouble"]) == ("delivered", row["template_trouble"])


def test_a_template_that_works_is_not_spoken_of(run: Run, drift: Drift) -> None:
    with receiving() as inbox:
        ended = drift(webhook(inbox.url, 'title = "{{ server }}"', 'body = "{% if drill %}x{% endif %}"'))

    assert (ended.code, ended.err) == (1, "")
    assert [one["template_trouble"] for one in run("deliveries", "--format", "json").json["deliveries"]] == [None]


def test_whoever_is_told_reads_who_approved_the_baseline(run: Run, drift: Drift) -> None:
    with receiving() as inbox:
        drift(webhook(inbox.url))

    (told,) = inbox.events
    assert told["data"]["approved"]["by"] == "ann"
    assert "Baseline: approved by ann on " in run("deliveries", "show", "msg_").out


def test_a_check_says_which_messages_could_not_be_sent_why_and_what_to_do(run: Run, drift: Drift) -> None:
    with receiving(503) as inbox:
        ended = drift(webhook(inbox.url))

    assert flat(ended.out).endswith(
        "1 message to ops could not be sent: HTTP 503 Service Unavailable. They are sent at the next check, or by the"
        " daemon. Try the channel: driftwatch channels test ops"
    )


def test_a_check_says_which_messages_were_given_up_in_it_and_never_again(run: Run, drift: Drift) -> None:
    with receiving(410) as inbox:
        first = drift(webhook(inbox.url))
        again = run("check", "--format", "json")

    assert flat(first.out).endswith(
        "1 message to ops given up: HTTP 410 Gone. Once that is mended: driftwatch deliveries retry --dead"
        " --channel ops"
    )
    assert again.json["undelivered"] == []


def test_messages_that_a_killed_process_has_are_said_to_be_on_their_way(run: Run, drift: Drift, tmp_path: Path) -> None:
    with receiving() as inbox:
        drift(webhook(inbox.url), "--no-deliver")
        now = datetime.now(UTC)
        with Store.open(f"sqlite:///{tmp_path / 'driftwatch.db'}", clock=lambda: now) as store:
            (row,) = store.claim_deliveries(now=now, lease=timedelta(minutes=5), limit=9)
        ended = run("check", clock=lambda: now)
        listed = run("deliveries", clock=lambda: now)
        (said,) = run("check", "--format", "json", clock=lambda: now).json["undelivered"]

    until = f"{now + timedelta(minutes=5):%H:%M:%SZ}"
    assert inbox.got == []
    assert f"1 message to ops could not be sent: another process has them until {until}." in flat(ended.out)
    assert f"being sent by another process until {until}" in flat(listed.out)
    assert (said["id"], said["state"]) == (row.id, "pending")
