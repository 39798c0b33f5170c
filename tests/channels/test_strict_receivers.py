"""The receivers of the tests refuse what their destinations refuse, so that a message that passes them is a message."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest
from contracts.alertmanager import read_alertmanager
from contracts.channel import PATIENCE, opened, receiver
from contracts.http import Received
from contracts.pagerduty import read_pagerduty
from contracts.slack import read_slack
from contracts.told import delivery

Change = Callable[[Any], object]


async def good(kind: str) -> Received:
    async with receiver() as there, opened(kind, there.url) as channel, asyncio.timeout(PATIENCE):
        await channel.send(delivery())
    return there.requests[0]


def changed(request: Received, change: Change) -> Received:
    body = json.loads(request.body)
    change(body)
    return Received(request.line, request.headers, json.dumps(body).encode())


@pytest.mark.parametrize(
    "change",
    [
        lambda body: body.update(colour="red"),
        lambda body: body.update(text=""),
        lambda body: body.update(text="a < b"),
        lambda body: body.update(text="AT&T"),
        lambda body: body.update(blocks=body["blocks"] * 10),
        lambda body: body["blocks"][0].update(block_id="x"),
        lambda body: body["blocks"][0]["text"].update(text="x" * 151),
        lambda body: body["blocks"][1]["text"].update(text="x" * 3_001),
        lambda body: body["blocks"][1]["text"].update(text=" "),
        lambda body: body["blocks"][1]["text"].update(text="a\u202eb"),
        lambda body: body["blocks"][1]["text"].update(type="mrkdwn"),
        lambda body: body["blocks"][1]["text"].update(emoji=True),
        lambda body: body["blocks"][2]["fields"].extend(body["blocks"][2]["fields"] * 2),
        lambda body: body["blocks"][-1]["elements"][0].update(url="javascript:alert(1)"),
        lambda body: body["blocks"][-1]["elements"][0].update(value="x"),
        lambda body: body["blocks"].extend({**body["blocks"][1], "text": _text(2_900)} for _ in range(5)),
    ],
)
async def test_slack_refuses_it(change: Change) -> None:
    request = await good("slack")
    read_slack(request)

    with pytest.raises(AssertionError):
        read_slack(changed(request, change))


async def test_slack_rings_for_what_is_between_angle_brackets() -> None:
    request = await good("slack")

    seen = read_slack(changed(request, lambda body: body.update(text="Look, <!channel>")))

    assert seen.mentions == ("<!channel>",)


@pytest.mark.parametrize(
    "change",
    [
        lambda body: body.update(colour="red"),
        lambda body: body.update(routing_key="other"),
        lambda body: body.update(event_action="open"),
        lambda body: body.update(dedup_key="x" * 256),
        lambda body: body["payload"].update(summary="x" * 1_025),
        lambda body: body["payload"].update(summary=""),
        lambda body: body["payload"].update(severity="high"),
        lambda body: body["payload"].update(details={}),
        lambda body: body["payload"].update(timestamp="2026-03-01T12:00:00"),
        lambda body: body["payload"]["custom_details"].update(what="\x1b[31m"),
        lambda body: body["payload"]["custom_details"].update(what="x" * 600_000),
        lambda body: body.update(client_url="javascript:alert(1)"),
        lambda body: body["links"][0].update(title="x"),
    ],
)
async def test_pagerduty_refuses_it(change: Change) -> None:
    request = await good("pagerduty")
    read_pagerduty(request)

    with pytest.raises(AssertionError):
        read_pagerduty(changed(request, change))


@pytest.mark.parametrize(
    "change",
    [
        lambda body: body.clear(),
        lambda body: body.append(body[0]),
        lambda body: body[0].update(status="firing"),
        lambda body: body[0]["labels"].update({"a-b": "x"}),
        lambda body: body[0]["labels"].update(__name__="x"),
        lambda body: body[0]["labels"].update(empty=""),
        lambda body: body[0]["labels"].update(number=1),
        lambda body: body[0]["annotations"].update(summary=""),
        lambda body: body[0]["annotations"].update(summary="a\x1b[31m"),
        lambda body: body[0].update(startsAt="2026-03-01 12:00"),
        lambda body: body[0].update(endsAt="2020-03-01T12:00:00Z"),
        lambda body: body[0].update(generatorURL="/alerts/alr_1"),
    ],
)
async def test_alertmanager_refuses_it(change: Change) -> None:
    request = await good("alertmanager")
    read_alertmanager(request)

    with pytest.raises(AssertionError):
        read_alertmanager(changed(request, change))


def _text(size: int) -> dict[str, object]:
    return {"type": "plain_text", "text": "x" * size, "emoji": False}
