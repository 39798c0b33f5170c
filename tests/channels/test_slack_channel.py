"""What Slack is told: one message of blocks, whatever a server wrote, and within every size."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Mapping
from typing import Any

import pytest
from contracts.channel import PATIENCE, opened, receiver
from contracts.seen import Seen
from contracts.slack import MOST, accept_slack, units
from contracts.told import acknowledged, alert, batched, delivery, finding, over, payload, told

from driftwatch.model import AlertKind, Delivery, EventKind, SendVerdict, Severity

HOSTILE = (
    "<!channel> <@U012AB3CD> @here #general <https://evil.example|click> *bold* _it_ :bell: `x` "
    "& &lt;!here&gt; \x07\u202e"
)
WIDE = "\U0001f600"


async def posted(sent: Delivery) -> tuple[dict[str, Any], Seen]:
    """Give the message as it came in, and what a person sees of it; the receiver has checked it."""
    async with receiver() as there, opened("slack", there.url) as channel, asyncio.timeout(PATIENCE):
        result = await channel.send(sent)
    assert result.verdict is SendVerdict.DONE
    (request,) = there.requests
    return json.loads(request.body), accept_slack(request)


def kinds(message: Mapping[str, Any]) -> list[str]:
    return [block["type"] for block in message["blocks"]]


async def test_an_alert_is_a_header_what_happened_its_facts_its_findings_and_a_button() -> None:
    message, seen = await posted(delivery())

    assert kinds(message) == ["header", "section", "section", "section", "section", "section", "actions"]
    assert seen.title == "[HIGH] files: 3 findings, the worst text-directive"
    assert "Labels\nteam=web, site=north" in seen.text
    assert "HIGH text-directive in tool “read_file” (new)\nThe description tells the model" in seen.text
    assert seen.links == ("https://watch.example.com/alerts/alr_5f0c2d9a7b1e4f36",)


async def test_without_a_page_the_command_stands_in_place_of_the_button() -> None:
    message, seen = await posted(told(EventKind.OPENED, public_url=None))

    assert kinds(message)[-1] == "context"
    assert seen.links == ()
    assert seen.text.endswith("Run: driftwatch diff files")


@pytest.mark.parametrize(
    ("sent", "title"),
    [
        (told(EventKind.UPDATED), "[HIGH, more of it] files: 3 findings, the worst text-directive"),
        (told(EventKind.REMINDED, cause="not-acknowledged"), "[HIGH, still open] files: 3 findings, the worst"),
        (told(EventKind.ACKNOWLEDGED, acknowledged()), "[ACKNOWLEDGED] files: 3 findings"),
        (told(EventKind.RESOLVED), "[RESOLVED] files: shows its baseline again"),
        (told(EventKind.OPENED, drill=True), "DRILL [HIGH] files"),
        (
            told(EventKind.OPENED, alert(kind=AlertKind.CHANNEL, server="", channel="mail")),
            "[HIGH] channel mail: takes",
        ),
    ],
    ids=["updated", "reminded", "acknowledged", "resolved", "drill", "channel"],
)
async def test_the_header_and_the_notification_say_what_it_is(sent: Delivery, title: str) -> None:
    message, seen = await posted(sent)

    assert seen.title.startswith(title)
    assert message["text"] == seen.title


async def test_a_batch_has_a_line_for_each_alert() -> None:
    _, seen = await posted(batched(3))

    lines = [line for line in seen.text.splitlines() if "server-00" in line and "opened" in line]
    assert [line.split(" — ")[0] for line in lines] == [f"HIGH server-00{number}: opened" for number in range(3)]
    assert seen.links == (str(batched(3).payload["data"]["link"]),)  # type: ignore[index, call-overload]


async def test_of_500_alerts_as_many_are_listed_as_fit_and_the_rest_is_counted_and_linked() -> None:
    sent = batched(500)

    _, seen = await posted(sent)

    listed = re.findall(r"(?m)^HIGH server-\d+: \w+$", seen.text)
    more = re.search(r"… and (\d+) more\. The whole: (\S+)", seen.text)
    assert more is not None
    assert len(listed) > 300
    assert len(listed) + int(more[1]) == 500
    assert more[2] in seen.links


async def test_two_thousand_findings_are_cut_and_counted() -> None:
    many = tuple(finding(item=f"tool-{number}") for number in range(2_000))

    message, seen = await posted(told(EventKind.OPENED, alert(many)))

    shown = seen.text.count("HIGH text-directive in tool")
    assert len(message["blocks"]) <= 50
    assert shown >= 30
    assert f"… and {2_000 - shown} more. The whole: https://watch.example.com/" in seen.text


@pytest.mark.parametrize("letter", ["n", "&", WIDE, "a&", "@"], ids=["plain", "ampersand", "wide", "mixed", "at"])
async def test_no_text_of_a_server_makes_a_message_too_large(letter: str) -> None:
    name = letter * (100_000 // len(letter))
    many = tuple(finding(name, item=f"{name}{number}", message=name) for number in range(40))
    labels = {f"{letter}{number}": name[:600] for number in range(30)}

    message, seen = await posted(told(EventKind.OPENED, alert(many, summary=name), labels=labels))

    assert units(json.dumps(message["blocks"], ensure_ascii=False)) <= MOST
    assert "HIGH text-directive" in seen.text
    assert "more. The whole: https://watch.example.com/" in seen.text


async def test_nothing_that_a_server_wrote_rings_links_or_formats() -> None:
    bad = finding(HOSTILE, item=HOSTILE, message=HOSTILE)

    message, seen = await posted(told(EventKind.OPENED, alert((bad,), summary=HOSTILE), labels={"a": HOSTILE}))

    assert seen.mentions == ()
    assert seen.links == ("https://watch.example.com/alerts/alr_5f0c2d9a7b1e4f36",)
    assert message["mrkdwn"] is False
    assert not any(sign in seen.text for sign in "<>@#`*[\x07\u202e" if sign not in seen.title)
    assert "://" not in seen.text
    assert ":bell:" not in seen.text


async def test_a_text_of_ones_own_stands_for_what_would_be_there() -> None:
    body = payload()
    body["data"] |= {"title": "Ops & <friends>", "text": "First line\nsecond " + "x" * 5_000}  # type: ignore[operator]

    message, seen = await posted(delivery(body))

    assert kinds(message) == ["header", "section", "actions"]
    assert message["text"] == "Ops &amp; &lt;friends&gt;"
    assert seen.title == "Ops & <friends>"
    assert "First line\nsecond xxx" in seen.text
    assert "(the whole: https://watch.example.com/alerts/alr_5f0c2d9a7b1e4f36)" in seen.text


async def test_a_page_with_an_address_that_no_button_takes_gives_way_to_the_command() -> None:
    message, seen = await posted(
        told(EventKind.RESOLVED, over(), public_url=f"https://watch.example.com/{'x' * 3_000}")
    )

    assert kinds(message)[-1] == "context"
    assert seen.links == ()


async def test_a_severity_stands_in_words() -> None:
    found = [finding(item=severity.value, severity=severity) for severity in Severity]

    _, seen = await posted(told(EventKind.OPENED, alert(found)))

    assert all(f"{severity.value.upper()} text-directive" in seen.text for severity in Severity)
