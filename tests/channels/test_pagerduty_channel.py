"""What PagerDuty is told: which incidents there are, and that each of them ends."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest
from contracts.channel import PATIENCE, opened, receiver, status
from contracts.http import Received
from contracts.pagerduty import Service, accept_pagerduty, read_pagerduty, texts
from contracts.told import NOW, PUBLIC_URL, acknowledged, alert, batched, delivery, finding, over, payload, told

from driftwatch.model import AlertKind, AlertState, Delivery, EventKind, SendResult, SendVerdict, Severity
from driftwatch.tell.batch import batch

ALERT = "alr_5f0c2d9a7b1e4f36"


async def posted(*sent: Delivery) -> list[Received]:
    async with receiver() as there, opened("pagerduty", there.url) as channel, asyncio.timeout(PATIENCE):
        for one in sent:
            assert (await channel.send(one)).verdict is SendVerdict.DONE
    return there.requests


async def events(*sent: Delivery) -> list[dict[str, Any]]:
    return [read_pagerduty(request) for request in await posted(*sent)]


async def incidents(*sent: Delivery) -> Service:
    service = Service()
    for request in await posted(*sent):
        service.take(request)
    return service


def gathered(members: Sequence[Delivery]) -> Delivery:
    named = [replace(one, id=f"msg_{number:032x}") for number, one in enumerate(members)]
    return batch(named, now=NOW, public_url=PUBLIC_URL)


async def test_an_alert_triggers_an_incident_that_says_where_and_how_bad() -> None:
    (event,) = await events(delivery())

    body = event["payload"]
    assert (event["event_action"], event["dedup_key"], event["client"]) == ("trigger", ALERT, "driftwatch")
    assert event["client_url"] == event["links"][0]["href"] == f"https://watch.example.com/alerts/{ALERT}"
    assert body["summary"] == "[HIGH] files: 3 findings, the worst text-directive"
    assert (body["source"], body["class"], body["group"]) == ("files", "text-directive", "web")
    assert datetime.fromisoformat(body["timestamp"]) == NOW
    assert body["custom_details"]["command"] == "driftwatch diff files"
    assert len(body["custom_details"]["findings"]) == 3


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [("critical", "critical"), ("high", "error"), ("medium", "warning"), ("low", "info"), ("info", "info")],
)
async def test_every_severity_has_one_of_theirs(ours: str, theirs: str) -> None:
    (event,) = await events(told(EventKind.OPENED, alert(severity=Severity(ours))))

    assert event["payload"]["severity"] == theirs


async def test_one_alert_is_one_incident_from_its_beginning_to_its_end() -> None:
    service = await incidents(
        told(EventKind.OPENED),
        told(EventKind.OPENED),
        told(EventKind.UPDATED),
        told(EventKind.REMINDED),
        told(EventKind.ACKNOWLEDGED, acknowledged()),
        told(EventKind.RESOLVED),
        told(EventKind.RESOLVED),
    )

    assert service.history == [("triggered", ALERT), ("acknowledged", ALERT), ("resolved", ALERT)]
    assert service.open == {}


async def test_500_alerts_at_once_are_one_incident() -> None:
    sent = batched(500)

    trigger, *ends = await events(sent)

    assert (trigger["event_action"], trigger["dedup_key"]) == ("trigger", sent.id)
    assert len(trigger["payload"]["custom_details"]["alerts"]) == 500
    assert {end["event_action"] for end in ends} == {"resolve"}
    assert len(ends) == 100


async def test_a_batch_ends_when_the_last_of_its_alerts_does() -> None:
    members = [told(EventKind.OPENED, alert(id=f"alr_{number}"), public_url=None) for number in range(2)]
    sent = gathered(members)
    ends = [
        replace(told(EventKind.RESOLVED, over(alert(id=f"alr_{number}"))), opened_in=sent.id) for number in range(2)
    ]

    half = await incidents(sent, ends[0])
    whole = await incidents(sent, ends[0], replace(ends[1], over=(sent.id,)))

    assert list(half.open) == [sent.id]
    assert whole.history == [("triggered", sent.id), ("resolved", sent.id)]


async def test_a_batch_is_known_when_the_last_of_its_alerts_is() -> None:
    members = [told(EventKind.OPENED, alert(id=f"alr_{number}"), public_url=None) for number in range(2)]
    sent = gathered(members)
    news = [told(EventKind.ACKNOWLEDGED, replace(acknowledged(), id=f"alr_{number}")) for number in range(2)]

    half = await incidents(sent, news[0])
    whole = await incidents(sent, news[0], replace(news[1], known=(sent.id,)))

    assert half.history == [("triggered", sent.id)]
    assert whole.history == [("triggered", sent.id), ("acknowledged", sent.id)]


async def test_a_batch_that_brings_news_says_of_an_earlier_one_that_it_is_known() -> None:
    first = gathered([told(EventKind.OPENED, alert(id=f"alr_{number}")) for number in range(2)])
    rows = [told(EventKind.ACKNOWLEDGED, replace(acknowledged(), id=f"alr_{number}")) for number in range(2)]
    news = replace(gathered(rows), id="msg_news", known=(first.id,))

    service = await incidents(first, news)

    assert service.history == [("triggered", first.id), ("acknowledged", first.id)]


async def test_nobody_is_paged_for_what_was_over_within_the_window() -> None:
    sent = gathered([told(EventKind.OPENED), told(EventKind.RESOLVED)])

    async with receiver() as there, opened("pagerduty", there.url) as channel, asyncio.timeout(PATIENCE):
        result = await channel.send(sent)

    assert result == SendResult(SendVerdict.DONE, "everything in it was over before anybody was paged")
    assert there.requests == []


async def test_a_batch_passes_on_what_became_of_alerts_that_were_told_before_it() -> None:
    first, second = alert(id="alr_1"), alert(id="alr_2")
    known = replace(second, state=AlertState.ACKNOWLEDGED, acknowledged=acknowledged().acknowledged)
    both = gathered([told(EventKind.RESOLVED, over(first)), told(EventKind.ACKNOWLEDGED, known)])
    news = replace(both, alone=("alr_1",))

    service = await incidents(told(EventKind.OPENED, first), told(EventKind.OPENED, second), news)

    assert service.history[2:] == [("acknowledged", "alr_2"), ("resolved", "alr_1")]


async def test_what_was_taken_of_several_events_is_not_sent_again_when_the_rest_is() -> None:
    sent = batched(10)
    answers = [status(202), status(202), status(429, {"Retry-After": "3"}), status(202)]
    async with receiver(*answers) as there, opened("pagerduty", there.url) as channel, asyncio.timeout(PATIENCE):
        results = [await channel.send(sent) for _ in range(2)]

    keys = [read_pagerduty(request)["dedup_key"] for request in there.requests]
    assert [(result.verdict, result.retry_after) for result in results] == [
        (SendVerdict.RETRY, 3.0),
        (SendVerdict.DONE, None),
    ]
    assert keys == [sent.id, "alr_0000000000000004", "alr_0000000000000009", "alr_0000000000000009"]


async def test_many_events_are_sent_in_as_many_attempts_as_they_take() -> None:
    sent = batched(500)
    async with (
        receiver() as there,
        opened("pagerduty", there.url, timeout=0.1) as channel,
        asyncio.timeout(4 * PATIENCE),
    ):
        while (await channel.send(sent)).verdict is not SendVerdict.DONE:
            pass

    keys = {read_pagerduty(request)["dedup_key"] for request in there.requests}
    assert keys == {sent.id, *(f"alr_{number:016x}" for number in range(4, 500, 5))}


async def test_a_drill_is_marked_for_whoever_is_paged() -> None:
    (event,) = await events(told(EventKind.OPENED, drill=True))

    assert event["payload"]["summary"].startswith("DRILL ")
    assert event["payload"]["custom_details"]["drill"] == "yes, nothing happened"


async def test_an_alert_about_no_server_has_a_source_all_the_same() -> None:
    about_channel = alert(kind=AlertKind.CHANNEL, server="", channel="mail", findings=())
    about_all = alert(kind=AlertKind.DAEMON, server="", findings=())

    seen = await events(told(EventKind.OPENED, about_channel), told(EventKind.OPENED, about_all))

    assert [one["payload"]["source"] for one in seen] == ["mail", "driftwatch"]
    assert [one["payload"]["class"] for one in seen] == ["channel", "daemon"]


@pytest.mark.parametrize("letter", ["n", "@", "\U0001f600"], ids=["plain", "at", "wide"])
async def test_no_text_of_a_server_makes_an_event_too_large(letter: str) -> None:
    name = letter * 100_000
    many = tuple(finding(name, item=f"{name}{number}", message=name) for number in range(50))
    body = payload(EventKind.OPENED, alert(many, summary=name), labels={"team": name, "site": name})
    body["data"]["title"] = name  # type: ignore[index, call-overload]

    (event,) = await events(delivery(body))

    details = event["payload"]["custom_details"]
    assert len(details["findings"]) >= 5
    assert "more: https://watch.example.com/alerts/" in details["left out"]


async def test_two_thousand_findings_are_cut_and_counted() -> None:
    many = tuple(finding(item=f"tool-{number}") for number in range(2_000))

    (event,) = await events(told(EventKind.OPENED, alert(many)))

    details = event["payload"]["custom_details"]
    assert len(details["findings"]) > 200
    assert details["left out"].startswith(f"{2_000 - len(details['findings'])} more: ")


async def test_a_text_of_ones_own_stands_for_what_would_be_there() -> None:
    body = payload()
    body["data"] |= {"title": "Look at files", "text": "x" * 100_000}  # type: ignore[operator]

    (event,) = await events(delivery(body))

    assert event["payload"]["summary"] == "Look at files"
    assert set(event["payload"]["custom_details"]) == {"text", "command"}
    assert event["payload"]["custom_details"]["text"].endswith(f"(the whole: https://watch.example.com/alerts/{ALERT})")


async def test_nothing_that_a_server_wrote_links_or_runs() -> None:
    text = "https://evil.example [x](http://evil.example) <b>x</b> {{x}} ${y} evil.example @all \x1b[31m\u202e"
    bad = finding(text, item=text, message=text)

    (request,) = await posted(told(EventKind.OPENED, alert((bad,), summary=text), labels={"team": text}))

    seen = accept_pagerduty(request)
    details = read_pagerduty(request)["payload"]["custom_details"]
    assert set(seen.links) == {f"https://watch.example.com/alerts/{ALERT}"}
    assert not any(
        sign in said for said in texts(details) for sign in ("://", "evil.example", "<", "@", "{{", "${", "](")
    )
