"""channels and channels test: on real receivers, a real program and a real database."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import standardwebhooks
from cli_inbox import Inbox, closed_port, receiving
from cli_world import HOOK, Run, at

from driftwatch.model import (
    Alert,
    AlertKind,
    AlertState,
    Delivery,
    DeliveryState,
    EventKind,
    SendResult,
    SendVerdict,
    Severity,
)
from driftwatch.store import Store
from driftwatch.store.records import AlertWrite

PROGRAM = "import sys; open(sys.argv[1], 'ab').write(sys.stdin.buffer.read() + b'\\n'); sys.exit(int(sys.argv[2]))"


@pytest.fixture
def write(configured: Path) -> Callable[..., None]:
    """Give the function that writes a configuration with these channels, each given by its lines."""

    def file(**channels: str) -> None:
        tables = [f"[channels.{name}]\n{lines}\n" for name, lines in channels.items()]
        configured.write_text(
            '[servers.files]\nurl = "https://files.example/mcp"\n' + "".join(tables), encoding="utf-8"
        )

    return file


def webhook(inbox: Inbox) -> str:
    return f'url = "{inbox.url}/${{KEY}}"\nsecret = {{env = "HOOK"}}'


def attempted(store: Store, channel: str, result: SendResult, state: DeliveryState, *, minutes: float) -> None:
    """Write down one attempt of a channel so many minutes ago, as the loop that delivers does."""
    when = at(-minutes)
    name = f"msg_{channel}_{minutes}"
    alert = Alert(f"alr_{name}", "files", AlertKind.DRIFT, AlertState.OPEN, Severity.HIGH, when, when)
    row = Delivery(name, channel, "files", alert.id, EventKind.OPENED, payload={"data": {}}, created_at=when)
    store.record_alert(AlertWrite(alert, EventKind.OPENED, (row,)))
    store.finish_delivery(name, result=result, state=state, next_attempt_at=None, now=when)
    store.record_alert(AlertWrite(replace(alert, state=AlertState.RESOLVED, resolved_at=when), EventKind.RESOLVED))


def test_a_webhook_gets_a_signed_test_alert_and_its_end(run: Run, write: Callable[..., None]) -> None:
    with receiving() as inbox:
        write(ops=webhook(inbox))

        ended = run("channels", "test", "ops")

    assert (ended.code, ended.err) == (0, "")
    assert ended.out == (
        "ops (webhook): ok, it took the test alert (HTTP 200 OK) and its end (HTTP 200\n  OK)\n"
        "  Look there: what came is marked DRILL.\n"
    )
    first, second = (standardwebhooks.Webhook(HOOK).verify(body, headers) for _, headers, body in inbox.got)
    assert [first["type"], second["type"]] == ["driftwatch.alert.opened", "driftwatch.alert.resolved"]
    assert first["data"]["alert"] == second["data"]["alert"]
    assert first["data"]["drill"] is second["data"]["drill"] is True
    assert first["data"]["summary"] == "DRILL, nothing happened: a test of the channel ops. It is over in a moment."


def test_two_tests_are_two_alerts(run: Run, write: Callable[..., None]) -> None:
    with receiving() as inbox:
        write(ops=webhook(inbox))

        assert [run("channels", "test", "ops").code, run("channels", "test", "ops").code] == [0, 0]

    assert len({event["data"]["alert"] for event in inbox.events}) == 2
    assert len({headers["webhook-id"] for _, headers, _ in inbox.got}) == 4


def test_no_incident_stays_open_at_a_pager(run: Run, write: Callable[..., None]) -> None:
    with receiving(202, 202) as inbox:
        write(pager=f'kind = "pagerduty"\nrouting_key = {{env = "KEY"}}\nurl = "{inbox.url}/v2/enqueue"')

        ended = run("channels", "test", "pager", "--format", "json")

    assert ended.code == 0
    assert [event["event_action"] for event in inbox.events] == ["trigger", "resolve"]
    assert len({event["dedup_key"] for event in inbox.events}) == 1
    assert inbox.events[0]["payload"]["summary"].startswith("DRILL ")
    assert ended.json == {
        "version": 1,
        "channels": [
            {
                "name": "pager",
                "kind": "pagerduty",
                "works": True,
                "opened": {"verdict": "done", "detail": "HTTP 202 Accepted", "retry_after": None},
                "resolved": {"verdict": "done", "detail": "HTTP 202 Accepted", "retry_after": None},
                "template_trouble": "",
                "next": "Look there: what came is marked DRILL.",
            }
        ],
    }


def test_all_of_them_are_tested_and_one_that_fails_is_said_with_what_to_do(
    run: Run, write: Callable[..., None], tmp_path: Path
) -> None:
    program = json.dumps(["-c", PROGRAM, str(tmp_path / "got"), "0"])
    with receiving(403) as inbox:
        write(
            ops=webhook(inbox),
            chat=f'kind = "slack"\nurl = "http://127.0.0.1:{closed_port()}/x"',
            log=f'kind = "command"\ncommand = "{sys.executable}"\nargs = {program}',
        )

        ended = run("channels", "test", "--all")

    said = " ".join(ended.out.split())
    assert ended.code == 1
    assert "ops (webhook): FAILED, it did not take the test alert: HTTP 403 Forbidden; an alert would be tried" in said
    assert (
        "It answers, and does not let driftwatch in. Check the secret, which must be the one that the receiver" in said
    )
    assert "Nothing listens there. Check host and port in the url, that it runs" in said
    assert "chat (slack): FAILED, it did not take the test alert: no connection: refused or unreachable" in said
    assert "log (command): ok, it took the test alert (exit 0) and its end (exit 0)" in said
    got = [json.loads(line)["type"] for line in (tmp_path / "got").read_text(encoding="utf-8").splitlines()]
    assert got == ["driftwatch.alert.opened", "driftwatch.alert.resolved"]


def test_what_was_turned_away_for_good_gets_no_end(run: Run, write: Callable[..., None]) -> None:
    with receiving(410) as inbox:
        write(ops=webhook(inbox))

        ended = run("channels", "test", "ops", "--format", "json")

    assert (ended.code, len(inbox.got)) == (1, 1)
    assert ended.json["channels"][0]["opened"]["verdict"] == "stop"
    assert ended.json["channels"][0]["resolved"] is None


def test_an_end_that_is_not_taken_is_said(run: Run, write: Callable[..., None]) -> None:
    with receiving(200, 500) as inbox:
        write(ops=webhook(inbox))

        ended = run("channels", "test", "ops")

    said = " ".join(ended.out.split())
    assert ended.code == 1
    assert "FAILED, it took the test alert and not its end: HTTP 500 Internal Server Error" in said
    assert "End the test alert by hand where it stands open, then try again." in said


def test_a_test_uses_the_templates_of_the_channel_and_says_when_one_fails(run: Run, write: Callable[..., None]) -> None:
    own = 'title = "{{ event }} of {{ server }}"\nbody = "{{ counts.nothing }}"'
    with receiving() as inbox:
        write(ops=f"{webhook(inbox)}\n{own}")

        ended = run("channels", "test", "ops")

    assert ended.code == 0
    assert [event["data"]["title"] for event in inbox.events] == [
        "opened of driftwatch-test",
        "resolved of driftwatch-test",
    ]
    assert [event["data"]["text"] for event in inbox.events] == [None, None]
    assert "warning: channels.ops: a template failed" in ended.err
    assert "has no attribute 'nothing'" in ended.err


def test_a_channel_that_lost_a_message_and_passes_a_test_counts_as_well_again(
    run: Run, write: Callable[..., None], store: Store
) -> None:
    lost = SendResult(SendVerdict.STOP, "HTTP 413 Content Too Large")
    attempted(store, "ops", lost, DeliveryState.DEAD, minutes=5)
    attempted(store, "team", lost, DeliveryState.DEAD, minutes=5)
    with receiving() as good, receiving(500, 500) as bad:
        write(ops=webhook(good), team=webhook(bad))

        run("channels", "test", "--all")

    health = store.channel_health()
    assert (health["ops"].failures, health["ops"].dead) == (0, 0)
    assert (health["team"].failures, health["team"].dead) == (1, 1)


def test_a_test_leaves_nothing_in_the_database(run: Run, write: Callable[..., None], configured: Path) -> None:
    with receiving() as inbox:
        write(ops=webhook(inbox))

        run("channels", "test", "ops")

    assert not (configured.parent / "driftwatch.db").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["oops"], 'error: No channel is called "oops".\n  Did you mean ops?'),
        ([], "error: Say which channels to test.\n  Give their names, or --all."),
        (["ops", "--all"], "error: Say which channels to test."),
    ],
)
def test_a_test_of_nothing_is_a_mistake_in_the_call(
    run: Run, configured: Path, arguments: list[str], words: str
) -> None:
    ended = run("channels", "test", *arguments)

    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith(words)


def test_a_test_needs_a_channel_and_its_secrets(
    run: Run, write: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    write()
    without = run("channels", "test", "--all")
    monkeypatch.delenv("HOOK")
    write(ops='url = "https://ops.example/hook"\nsecret = {env = "HOOK"}')
    secretless = run("channels", "test", "ops")

    assert (without.code, secretless.code) == (3, 3)
    assert "No channel is configured" in without.err
    assert "channels.ops.secret: the environment variable HOOK is not set" in secretless.err


def test_channels_are_listed_without_their_secrets_and_with_how_they_do(
    run: Run, write: Callable[..., None], store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(
        ops='url = "https://ops.example/${KEY}"\nsecret = {env = "HOOK"}',
        chat='kind = "slack"\nurl = {env = "KEY"}\nmin_severity = "high"',
        new='kind = "command"\ncommand = "note"\naxes = ["security"]',
    )
    busy = SendResult(SendVerdict.RETRY, "HTTP 503 Service Unavailable")
    for minutes, state in ((20, DeliveryState.PENDING), (15, DeliveryState.DEAD), (10, DeliveryState.PENDING)):
        attempted(store, "chat", busy, state, minutes=minutes)
    attempted(store, "ops", SendResult(SendVerdict.DONE, "HTTP 200 OK"), DeliveryState.DELIVERED, minutes=5)
    for name in ("KEY", "HOOK"):
        monkeypatch.delenv(name)

    text, found = run("channels"), run("channels", "--format", "json")

    assert (text.code, text.err) == (0, "")
    lines = [" ".join(line.split()) for line in text.out.splitlines()]
    assert lines[0] == "channel kind where from how it does"
    assert lines[1] == "ops webhook https://ops.example/${KEY} medium works, last 5 min ago"
    assert lines[2].startswith("chat slack *** high failing for 20 min, 3")
    assert "given up" in text.out
    assert "new command note medium nothing sent yet" in lines
    rows = {row["name"]: row for row in found.json["channels"]}
    assert rows["chat"]["failures"] == 3
    assert rows["chat"]["last_result"] == "HTTP 503 Service Unavailable"
    assert (rows["ops"]["failures"], rows["ops"]["failing_since"]) == (0, None)
    assert (rows["new"]["last_ok_at"], rows["new"]["axes"]) == (None, ["security"])


def test_that_there_is_no_channel_is_said(run: Run, write: Callable[..., None]) -> None:
    write()

    assert run("channels").out.startswith("There is no channel, so nobody is told of anything.")
    assert run("channels", "--format", "json").json == {"version": 1, "channels": []}
