"""One message about many alerts: one row for each, bounded, the same whatever the order, and safe to show."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from importlib.resources import files
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from driftwatch.model import (
    Acknowledged,
    Alert,
    AlertKind,
    AlertState,
    Delivery,
    Event,
    EventKind,
    Finding,
    Kind,
    Severity,
)
from driftwatch.tell.batch import ROW_CHARS, batch
from driftwatch.tell.payload import MAX_BODY, body, encode
from driftwatch.tell.words import plain_text, words_of

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
VALIDATOR = Draft202012Validator(
    json.loads((files("driftwatch.tell") / "webhook.schema.json").read_text(encoding="utf-8"))
)


def finding(severity: Severity = Severity.HIGH, *, rule: str = "hint-loosened", item: str = "read_file") -> Finding:
    return Finding(rule, severity, Kind.TOOL, item, "/annotations", f"{item} has a looser hint")


def alert(number: int, *findings: Finding, **more: Any) -> Alert:
    made = Alert(
        id=f"alr_{number}",
        server=f"server-{number}",
        kind=AlertKind.DRIFT,
        state=AlertState.OPEN,
        severity=max((one.severity for one in findings), default=Severity.MEDIUM),
        opened_at=NOW,
        updated_at=NOW,
        findings=findings,
        summary=f"server-{number} differs. Review it with: driftwatch diff server-{number}",
    )
    return replace(made, **more)


def member(about: Alert, kind: EventKind = EventKind.OPENED, *, number: int = 0, drill: bool = False) -> Delivery:
    """Give the delivery that waits for others to be told of with it."""
    event = Event(kind, about, about.findings if kind is EventKind.OPENED else (), drill=drill)
    return Delivery(
        id=f"msg_{about.id}_{kind.value}_{number}",
        channel="ops",
        server=about.server,
        alert_id=about.id,
        event=kind,
        payload=body(event, now=NOW, public_url="https://watch.example"),
        route="fleet",
    )


def sent(*members: Delivery, public_url: str | None = None) -> dict[str, Any]:
    """Give a batch's data as a strict receiver reads it, checked against the published schema."""
    made = batch(members, now=NOW + timedelta(minutes=1), public_url=public_url)
    encoded = encode(made.payload)
    assert len(encoded) <= MAX_BODY
    decoded = json.loads(encoded)
    VALIDATOR.validate(decoded)
    assert (made.id, made.event, made.channel, made.route) == (
        decoded["data"]["batch"], EventKind.BATCH, members[0].channel, members[0].route,
    )  # fmt: skip
    data: dict[str, Any] = decoded["data"]
    return data


def test_a_batch_says_in_full_what_it_gathers() -> None:
    low, high = alert(1, finding(Severity.LOW)), alert(2, finding(), finding(Severity.LOW, rule="tool-added"))

    made = batch([member(low), member(high)], now=NOW, public_url="https://watch.example/")

    VALIDATOR.validate(json.loads(encode(made.payload)))
    rows = [
        {
            "alert": f"alr_{number}",
            "server": f"server-{number}",
            "channel": None,
            "labels": {},
            "kind": "drift",
            "severity": severity,
            "state": "open",
            "drill": False,
            "reason": None,
            "link": f"https://watch.example/alerts/alr_{number}",
            "command": f"driftwatch diff server-{number}",
            "findings": len(rules),
            "rules": rules,
            "summary": f"server-{number} differs. Review it with: driftwatch diff server-{number}",
            "events": ["opened"],
        }
        for number, severity, rules in ((2, "high", ["hint-loosened", "tool-added"]), (1, "low", ["hint-loosened"]))
    ]
    assert made.payload == {
        "type": "driftwatch.batch",
        "version": 1,
        "timestamp": "2026-03-01T12:00:00.000Z",
        "data": {
            "batch": made.id,
            "route": "fleet",
            "drill": False,
            "severity": "high",
            "summary": "2 alerts at once on server-1, server-2. The worst is hint-loosened, in 2 of them: one roll-out "
            "may be behind it.",
            "title": None,
            "text": None,
            "template_trouble": None,
            "counts": {
                "alerts": 2,
                "servers": 2,
                "open": 2,
                "by_severity": {"critical": 0, "high": 1, "medium": 0, "low": 1, "info": 0},
                "by_event": {"opened": 2},
            },
            "alerts": rows,
            "alerts_omitted": 0,
            "link": f"https://watch.example/batches/{made.id}",
            "command": f"driftwatch deliveries show {made.id}",
        },
    }


def test_whatever_was_told_of_one_alert_is_one_row() -> None:
    bad = alert(1, finding(Severity.CRITICAL))
    over = replace(
        bad, state=AlertState.RESOLVED, severity=Severity.LOW, reason="approved", resolved_at=NOW, summary="It is over."
    )

    data = sent(
        member(bad),
        member(bad, EventKind.UPDATED, number=1),
        member(bad, EventKind.UPDATED, number=2),
        member(alert(2, finding())),
        member(over, EventKind.RESOLVED),
    )

    assert [row["alert"] for row in data["alerts"]] == ["alr_1", "alr_2"]
    row = data["alerts"][0]
    assert row["events"] == ["opened", "updated", "resolved"]
    assert (row["state"], row["reason"], row["summary"]) == ("resolved", "approved", "It is over.")
    assert row["severity"] == data["severity"] == "critical", "what is over was as bad as it got"
    assert data["counts"]["by_event"] == {"opened": 2, "resolved": 1, "updated": 1}
    assert "1 of them over by now" in data["summary"]


def test_the_worst_come_first_and_the_rest_in_the_order_of_arrival() -> None:
    severities = [Severity.LOW, Severity.CRITICAL, Severity.LOW, Severity.HIGH, Severity.CRITICAL]

    data = sent(*(member(alert(number, finding(severity))) for number, severity in enumerate(severities)))

    assert [row["alert"] for row in data["alerts"]] == ["alr_1", "alr_4", "alr_3", "alr_0", "alr_2"]


@pytest.mark.parametrize(
    ("alerts", "words"),
    [
        (
            [
                alert(1, finding(Severity.LOW, rule="tool-added")),
                alert(2, finding(Severity.LOW, rule="tool-added")),
                alert(3, finding(Severity.CRITICAL, rule="text-directive"), finding(Severity.LOW, rule="tool-added")),
            ],
            " The worst is text-directive, in one of them.",
        ),
        (
            [
                alert(1, finding(rule="hint-loosened")),
                alert(2, finding(rule="text-directive")),
                alert(3, finding(rule="text-directive"), finding(Severity.LOW, rule="hint-loosened")),
                alert(4, finding(Severity.LOW, rule="tool-added")),
            ],
            " The worst is text-directive, in 2 of them: one roll-out may be behind it.",
        ),
        ([alert(1, kind=AlertKind.HEALTH), alert(2, kind=AlertKind.HEALTH)], ""),
    ],
    ids=["rare and bad", "as bad and less rare", "no rules"],
)
def test_a_summary_names_the_worst_rule_and_of_those_as_bad_the_most_frequent(alerts: list[Alert], words: str) -> None:
    summary = sent(*map(member, alerts))["summary"]

    assert summary.partition(".")[2] == words


def test_a_summary_names_no_rule_of_what_is_over() -> None:
    gone = alert(1, finding(Severity.CRITICAL, rule="text-directive"), state=AlertState.RESOLVED, resolved_at=NOW)

    summary = sent(member(gone, EventKind.RESOLVED), member(alert(2, finding())))["summary"]

    assert summary.endswith(" 1 of them over by now. The worst is hint-loosened, in one of them.")


def test_five_hundred_alerts_stand_in_one_body() -> None:
    members = [
        member(alert(number, *(finding(item=f"tool_{number}_{one}") for one in range(3)))) for number in range(500)
    ]

    data = sent(*members, public_url="https://watch.example")

    assert (len(data["alerts"]), data["alerts_omitted"]) == (500, 0)
    assert data["counts"] == {
        "alerts": 500,
        "servers": 500,
        "open": 500,
        "by_severity": {"critical": 0, "high": 500, "medium": 0, "low": 0, "info": 0},
        "by_event": {"opened": 500},
    }
    assert data["summary"].startswith("500 alerts at once on server-0, server-1, server-10, ")
    assert "and 495 more" in data["summary"]


def test_long_summaries_give_way_before_any_alert_does() -> None:
    few, many = (
        [member(alert(number, finding(), summary="x" * 2_000)) for number in range(count)] for count in (20, 500)
    )

    short, long = sent(*many), sent(*few)

    assert {len(row["summary"]) for row in long["alerts"]} == {300}
    assert {len(row["summary"]) for row in short["alerts"]} == {100}
    assert (len(short["alerts"]), short["alerts_omitted"]) == (500, 0)


def test_those_that_are_over_or_known_are_not_counted_as_open() -> None:
    known = alert(1, finding(), state=AlertState.ACKNOWLEDGED, acknowledged=Acknowledged("sam", NOW))
    over = alert(2, finding(), state=AlertState.RESOLVED, reason="approved", resolved_at=NOW)

    data = sent(member(known, EventKind.ACKNOWLEDGED), member(over, EventKind.RESOLVED), member(alert(3, finding())))

    assert (data["counts"]["alerts"], data["counts"]["open"]) == (3, 1)


def test_of_five_thousand_those_that_do_not_fit_are_counted_and_the_worst_are_kept() -> None:
    members = [member(alert(number, finding(Severity.LOW))) for number in range(4_999)]
    members.append(member(alert(4_999, finding(Severity.CRITICAL))))

    data = sent(*members)

    assert data["counts"]["alerts"] == 5_000
    assert 500 < len(data["alerts"]) < 5_000
    assert len(data["alerts"]) + data["alerts_omitted"] == 5_000
    assert data["alerts"][0]["alert"] == "alr_4999"


def test_the_same_ones_gathered_again_are_the_same_message_whatever_the_order() -> None:
    members = [member(alert(number, finding())) for number in range(20)]
    shuffled = random.Random(7).sample(members, k=len(members))

    first, again = (batch(some, now=NOW, public_url=None).id for some in (members, shuffled))

    assert first == again
    assert first != batch(members[1:], now=NOW, public_url=None).id


def test_a_batch_is_a_drill_only_when_all_of_it_is() -> None:
    one, two = member(alert(1, finding()), drill=True), member(alert(2, finding()))

    assert sent(one)["drill"] is True
    assert sent(one, two)["drill"] is False


def test_alerts_about_no_server_count_as_none() -> None:
    channel = alert(1, server="", kind=AlertKind.CHANNEL, channel="pager", summary="pager takes no messages.")
    blind = alert(2, server="", kind=AlertKind.DAEMON, summary="No look at anything has worked for an hour.")

    data = sent(member(channel), member(blind))

    assert (data["counts"]["alerts"], data["counts"]["servers"]) == (2, 0)
    assert data["summary"].startswith("2 alerts at once on driftwatch, pager.")
    assert words_of(batch([member(channel)], now=NOW, public_url=None).payload).title == "[MEDIUM] 1 alert"


@pytest.mark.parametrize(("servers", "title"), [(1, "[HIGH] 1 alert on 1 server"), (3, "[HIGH] 3 alerts on 3 servers")])
def test_a_title_counts_alerts_and_servers(servers: int, title: str) -> None:
    members = [member(alert(number, finding())) for number in range(servers)]

    assert words_of(batch(members, now=NOW, public_url=None).payload).title == title


def test_a_title_says_how_many_are_over() -> None:
    ends = [
        member(replace(alert(number, finding()), state=AlertState.RESOLVED, reason="approved"), EventKind.RESOLVED)
        for number in range(2)
    ]
    news = member(alert(9, finding()))

    titles = [words_of(batch(some, now=NOW, public_url=None).payload).title for some in (ends, [*ends, news])]

    assert titles == ["[RESOLVED] 2 alerts on 2 servers", "[HIGH] 3 alerts on 3 servers, 2 of them over"]


def test_a_title_says_when_somebody_knows_of_all_of_it() -> None:
    known = [
        member(alert(number, finding(), state=AlertState.ACKNOWLEDGED), EventKind.ACKNOWLEDGED) for number in range(2)
    ]

    title = words_of(batch(known, now=NOW, public_url=None).payload).title

    assert title == "[ACKNOWLEDGED] 2 alerts on 2 servers"


def test_hostile_text_in_a_summary_means_nothing_to_the_place_that_shows_it() -> None:
    evil = "@channel <!here> [x](https://evil.example) {{ 7*7 }} \u202e\x1b[31m`rm` " + "x" * 3_000
    members = [member(alert(number, finding(item=evil), summary=evil)) for number in range(3)]

    data = sent(*members)
    words = words_of(batch(members, now=NOW, public_url=None).payload)

    assert all(len(row["summary"]) <= max(ROW_CHARS) for row in data["alerts"])
    assert evil not in data["summary"]
    said = plain_text(words, 10_000)
    for sign in ("@channel", "<!", "](", "://", "{{", "\u202e", "\x1b", "`"):
        assert sign not in said, sign
