"""alerts, silences and deliveries on a clock that stands still: what is printed, what is refused, what is safe."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from cli_telling import FAILED, HOUR, MARCH, alert, delivered, flat, message, silence, told
from cli_world import CONFIG, Ended

from driftwatch.model import (
    Acknowledged,
    AlertKind,
    AlertState,
    DeliveryState,
    Severity,
)
from driftwatch.store import AlertWrite, Store
from driftwatch.tell.batch import batch

ROUTES = """
[channels.boss]
url = "https://boss.example/hook"
secret = {env = "HOOK"}
min_severity = "critical"

[routes.web]
servers = ["git"]
channels = ["boss"]

[routes.default]
channels = ["ops"]
window = "1m"
escalate_after = "30m"
escalate_to = ["boss"]
"""


def test_an_alert_that_somebody_knows_of_says_who_and_what_they_said(say: Callable[..., Ended], store: Store) -> None:
    known = Acknowledged("ana", MARCH, "it is the roll-out")
    told(store, alert(state=AlertState.ACKNOWLEDGED, acknowledged=known))

    assert say("alerts").out == (
        "HIGH      files: drift, opened 2026-03-01 11:00Z, acknowledged 2026-03-01 12:00Z\n"
        "          by ana: it is the roll-out\n"
        "          alr_11112222333344445555666677778888\n"
        "          files no longer shows what its baseline shows.\n"
    )
    kept = say("alerts", "--format", "json").json["alerts"][0]
    assert kept["acknowledged"] == {"by": "ana", "at": "2026-03-01T12:00:00Z", "note": "it is the roll-out"}


def test_alerts_about_no_server_say_what_they_are_about(say: Callable[..., Ended], store: Store) -> None:
    told(store, alert(server="", channel="ops", kind=AlertKind.CHANNEL, findings=(FAILED,), summary="It fails."))
    told(store, alert(id="alr_daemon", server="", kind=AlertKind.DAEMON, findings=(), summary="Nothing works."))

    lines = say("alerts").out.splitlines()

    assert lines[0] == "HIGH      channel ops: takes no messages, opened 2026-03-01 11:00Z, still open"
    assert lines[3] == "HIGH      driftwatch: no look at anything works, opened 2026-03-01 11:00Z, still"


def test_what_is_silenced_is_counted_with_its_end_and_its_reason(say: Callable[..., Ended], store: Store) -> None:
    told(store)
    store.add_silence(silence(), origin="cli")
    store.add_silence(silence(id="sil_over", rule="*", until=MARCH - timedelta(minutes=1)), origin="cli")

    ended = say("alerts")

    assert "1 of 2 findings is silenced until 2026-03-01 14:00Z by ana: they roll it out (sil_aaaabbbb)" in flat(
        ended.out
    )
    assert "sil_over" not in ended.out
    assert [one["silence"] for one in say("alerts", "--format", "json").json["alerts"][0]["silenced"]] == [
        "sil_aaaabbbbccccddddeeeeffff00001111"
    ]


def test_an_alert_is_shown_with_its_findings_and_who_was_told(say: Callable[..., Ended], store: Store) -> None:
    kept = told(store)
    delivered(store, message(kept))
    store.add_silence(silence(), origin="cli")

    ended = say("alerts", "show", "alr_1111")

    assert (ended.code, ended.err) == (0, "")
    assert "hint-readonly-loosened" in ended.out
    assert "text-injection" in ended.out
    assert ended.out.count("Hidden: silenced until 2026-03-01 14:00Z (sil_aaaabbbb)") == 1
    assert "message channel event created state result msg_12222333 ops opened" in flat(ended.out)
    assert ended.out.endswith("Next:\n  driftwatch diff files\n  driftwatch alerts ack alr_11112222\n")
    whole = say("alerts", "show", "alr_1111", "--format", "json").json
    assert (len(whole["alert"]["findings"]), [one["state"] for one in whole["messages"]]) == (2, ["delivered"])


def test_an_alert_that_nobody_heard_of_says_how_to_find_out_why(say: Callable[..., Ended], store: Store) -> None:
    store.record_alert(AlertWrite(alert(), None, ()))

    assert "Nobody was told of it. Why: driftwatch alerts route --explain" in say("alerts", "show", "alr_").out


def test_alerts_are_acknowledged_by_the_beginnings_of_their_ids(say: Callable[..., Ended], store: Store) -> None:
    kept = told(store)
    delivered(store, message(kept))
    told(store, alert(id="alr_git", server="git"), message(alert(id="alr_git", server="git"), 2))

    ended = say("alerts", "ack", "alr_1111", "alr_g", "alr_git", "--by", "ana", "--note", "mine")

    more = (
        "acknowledged. Nobody is reminded of it any more, until it grows. 1 message about it: sent at the next check,"
    )
    assert flat(ended.out) == (
        f"files (alr_11112222333344445555666677778888): {more} or when the daemon runs."
        f" git (alr_git): {more} or when the daemon runs."
    )
    assert {one.acknowledged.note for one in store.alerts() if one.acknowledged} == {"mine"}
    again = say("alerts", "ack", "alr_git", "--by", "bob")
    assert again.out == ("git (alr_git): ana said so at 2026-03-01 12:00Z already. Nothing was changed.\n")
    told_json = say("alerts", "ack", "alr_git", "--by", "bob", "--format", "json").json["acknowledged"]
    assert [(one["new"], one["queued"]) for one in told_json] == [(False, [])]


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (("alerts", "ack", "alr_nowhere"), "No alert has an id that begins with"),
        (("alerts", "show", "alr_"), "More than one alert has an id that begins with"),
        (("alerts", "route"), "Say which alert is meant."),
        (("alerts", "route", "--server", "fles"), "No server is called"),
        (("alerts", "route", "--kind", "channel", "--channel", "opps"), "No channel is called"),
        (("alerts", "route", "--server", "git", "--rule", "hint-widend"), "No rule is called"),
        (("silences", "end", "sil_nowhere"), "No silence has an id that begins with"),
        (("silences", "add", "--reason", "x", "--for", "2h"), "leaving everything out"),
        (("silences", "add", "--server", "git", "--reason", "x"), "Say when the silence ends."),
        (("silences", "add", "--server", "git", "--reason", "x", "--for", "soon"), "is not a length of time"),
        (("silences", "add", "--server", "git", "--reason", "x", "--until", "later"), "is not a time"),
        (("silences", "add", "--server", "git", "--reason", "x", "--for", "999999999d"), "too long"),
        (("silences", "add", "--server", "git", "--for", "2h"), "needs a reason"),
        (("deliveries", "retry"), "Say which messages to send again."),
        (("deliveries", "retry", "--channel", "ops"), "Say which messages to send again."),
        (("deliveries", "show", "msg_nowhere"), "No message has an id that begins with"),
        (("deliveries", "cancel", "msg_nowhere"), "No message has an id that begins with"),
    ],
)
def test_what_cannot_be_is_refused_with_a_hint(
    say: Callable[..., Ended], store: Store, command: tuple[str, ...], said: str
) -> None:
    told(store)
    told(store, alert(id="alr_git", server="git"), message(alert(id="alr_git", server="git"), 2))

    ended = say(*command, *(("--by", "ana") if {"ack", "add", "end", "cancel"} & set(command) else ()))

    assert (ended.code, ended.out) == (2, "")
    assert said in ended.err
    assert len(ended.err.splitlines()) > 1


def test_where_an_alert_goes_is_said_and_with_explain_why(
    say: Callable[..., Ended], store: Store, configured: Path
) -> None:
    configured.write_text(CONFIG + ROUTES, encoding="utf-8")
    told(store)
    store.add_silence(silence(), origin="cli")

    short = say("alerts", "route", "alr_1111")
    long = say("alerts", "route", "alr_1111", "--explain")

    assert short.out == (
        "files, drift, high (alr_11112222):\n"
        "  goes to ops (webhook), gathered for up to 60 s; it was told\n"
        "  after 30 min without an acknowledgement would be passed on, and nobody there\n"
        "    asks for it\n"
        "  sil_aaaabbbb keeps 1 of its findings back until 2026-03-01 14:00Z (for 2 h):\n"
        "    they roll it out\n"
    )
    assert long.out.startswith(short.out)
    assert "no    web      boss      it is for the servers git" in long.out
    assert "yes ops default it was told of it, and hears of what is new in it" in flat(long.out)
    assert "no boss default it asks for critical or worse, and this is high" in flat(long.out)


def test_where_an_alert_would_go_is_said_for_programs_too(
    say: Callable[..., Ended], store: Store, configured: Path
) -> None:
    configured.write_text(CONFIG + ROUTES, encoding="utf-8")

    found = say("alerts", "route", "--server", "git", "--severity", "critical", "--format", "json").json
    daemon = say("alerts", "route", "--kind", "daemon", "--severity", "critical", "--format", "json").json

    assert (found["alert"], found["server"], found["severity"]) == (None, "git", "critical")
    assert [(one["name"], one["taken"]) for one in found["routes"]] == [("web", True), ("default", False)]
    assert [(one["name"], one["hears"]) for one in found["channels"]] == [("ops", False), ("boss", True)]
    assert [one["name"] for one in daemon["channels"] if one["hears"]] == ["ops"]
    (escalation,) = daemon["escalations"]
    assert (escalation["after_seconds"], [one["name"] for one in escalation["channels"] if one["hears"]]) == (
        1800,
        ["boss"],
    )


def test_a_silence_is_made_listed_and_ended(say: Callable[..., Ended], store: Store) -> None:
    told(store)
    assert say("silences").out == "No silence is in force: everything is told.\n"

    made = say(
        "silences", "add", "--server", "files", "--rule", "hint-*", "--for", "2h", "--reason", "x", "--by", "ana"
    )

    (kept,) = store.silences()
    assert flat(made.out) == (
        f"{kept.id}: keeps back what is found on files by hint-*, up to high, until 2026-03-01 14:00Z."
        " Of what is open now that is 1 finding."
        f" To end it sooner: driftwatch silences end {kept.id[:12]}"
    )
    assert (kept.until, kept.severity) == (MARCH + 2 * HOUR, Severity.HIGH)
    assert say("silences").out.splitlines()[0].split() == ["silence", "keeps", "back", "until", "by", "reason"]
    ended = say("silences", "end", kept.id[:9], "--by", "bob")
    assert ended.out.startswith(f"{kept.id}: ended. What it kept back is told")
    assert say("silences").out == "No silence is in force: everything is told.\n"
    (over,) = say("silences", "--all", "--format", "json").json["silences"]
    assert (over["ended_by"], over["in_force"]) == ("bob", False)


def test_a_silence_for_a_server_that_is_not_there_is_made_with_a_warning(
    say: Callable[..., Ended], store: Store
) -> None:
    until = ("--until", "2026-03-05T10:00", "--reason", "x", "--by", "ana")

    ended = say("silences", "add", "--server", "fils", *until, "--format", "json")

    assert "no server is called" in ended.err
    assert ended.json["silence"]["until"] == "2026-03-05T10:00:00Z"
    assert say("silences", "add", "--server", "fil*", *until).err == ""


def test_the_outbox_says_when_what_waits_is_due_and_lists_only_what_fits(
    say: Callable[..., Ended], store: Store
) -> None:
    kept = alert()
    rows = (
        message(kept, 1, channel="team", state=DeliveryState.HELD, next_attempt_at=MARCH + timedelta(seconds=50)),
        message(kept, 2, last_result="HTTP 503", attempts=3, next_attempt_at=MARCH + timedelta(minutes=9)),
        message(kept, 3, channel="boss", state=DeliveryState.CANCELLED, last_result="taken out by ana"),
        message(kept, 4, state=DeliveryState.BATCHED, batch="msg_batch0001"),
    )
    told(store, kept, *rows)

    out = flat(say("deliveries").out)

    assert "gathered by the route default; goes out in 50 s" in out
    assert "HTTP 503 (3 tries); tried again in 9 min" in out
    assert "in msg_batch000" in out
    only = say("deliveries", "--state", "cancelled", "--channel", "boss", "--server", "files", "--format", "json").json
    assert [one["last_result"] for one in only["deliveries"]] == ["taken out by ana"]
    assert say("deliveries", "--state", "dead").out == "No message fits.\n"


def test_a_message_is_shown_as_it_is_read_and_whole_for_programs(say: Callable[..., Ended], store: Store) -> None:
    row = message(told(store))

    ended = say("deliveries", "show", "msg_1222")

    assert ended.out.startswith(f"{row.id}: opened, alert\n  alr_1111")
    assert "for ops, by the route default\n" in ended.out
    assert "[HIGH] files: a text gained instructions to the model (text-injection), and 1 more" in flat(ended.out)
    assert "Acknowledge: driftwatch alerts ack alr_11112222\n" in ended.out
    assert "Run: driftwatch diff files\n" in ended.out
    assert say("deliveries", "show", "msg_1222", "--format", "json").json["payload"] == row.payload


def test_a_message_about_several_alerts_is_shown_with_what_went_into_it(
    say: Callable[..., Ended], store: Store
) -> None:
    first, second = alert(), alert(id="alr_git", server="git")
    rows = [message(first, 1, state=DeliveryState.HELD), message(second, 2, state=DeliveryState.HELD)]
    told(store, first, rows[0])
    told(store, second, rows[1])
    whole = batch(rows, now=MARCH, public_url=None)
    store.seal([row.id for row in rows], batch=whole, now=MARCH)

    ended = say("deliveries", "show", whole.id)

    assert f"{whole.id}: several alerts" in ended.out
    assert "msg_12222333  files" in ended.out
    assert "msg_22222333  git" in ended.out
    assert "2 alerts on 2 servers" in ended.out
    assert len(say("deliveries", "show", whole.id, "--format", "json").json["members"]) == 2


def test_a_payload_that_nobody_can_read_is_no_error(say: Callable[..., Ended], store: Store) -> None:
    told(store, alert(), message(alert(), payload={"from": "another version"}))

    ended = say("deliveries", "show", "msg_1222")

    assert ended.code == 0
    assert "cannot be shown as text" in ended.out


def test_messages_are_sent_again_and_taken_out(say: Callable[..., Ended], store: Store) -> None:
    row = message(told(store))
    delivered(store, row, DeliveryState.DEAD)

    assert 'No channel is called "opps"' in say("deliveries", "retry", "--dead", "--channel", "opps").err
    assert say("deliveries", "retry", "--dead").out.startswith(f"{row.id}: goes to ops again")
    assert store.delivery(row.id).state is DeliveryState.PENDING
    assert say("deliveries", "cancel", "msg_1", "--by", "ana").out.startswith(f"{row.id}: taken out;")
    again = say("deliveries", "cancel", "msg_1", "--by", "ana")
    assert (again.code, "was taken out before" in again.err) == (2, True)
    assert say("deliveries", "retry", "msg_1").code == 0
