"""What a check says of messages that did not go out as they were meant: on a real server and a real receiver."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from cli_inbox import receiving
from cli_world import HOOK, SERVER, Ended, Run, tool

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
            f"[servers.files]\ncommand = {json.dumps(sys.executable)}\n"
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
