"""What Apprise's services get: one message each, within their limits, and nothing that was not configured."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from contracts.apprise import plain_service_of, service_of
from contracts.hostile import HOSTILE, formed_in
from contracts.http import Received, closed_port, receiver, status
from contracts.told import alert, batched, delivery, finding, over, payload, told

from driftwatch.errors import ConfigError
from driftwatch.model import Delivery, EventKind, SendResult, SendVerdict, Severity
from driftwatch.tell.channels.base import Channel, make_ready

PATIENCE = 20.0


async def send(url: str, sent: Delivery, make: Callable[[str], Channel] = service_of) -> SendResult:
    async with asyncio.timeout(PATIENCE):
        return await make(url).send(sent)


def json_body(request: Received) -> tuple[str, str]:
    body = json.loads(request.body)
    return body["title"], body["message"]


def mattermost_body(request: Received) -> tuple[str, str]:
    assert "multipart" not in request.headers["content-type"]
    return "", json.loads(request.body)["text"]


def gotify_body(request: Received) -> tuple[str, str]:
    return json_body(request)


SERVICES: dict[str, tuple[str, Callable[[Received], tuple[str, str]], int]] = {
    "json": ("json://127.0.0.1:{port}/x", json_body, 32_768),
    "ntfy": ("ntfy://127.0.0.1:{port}/topic", json_body, 7_800),
    "mattermost": ("mmost://127.0.0.1:{port}/3ccdd113474722377935511fc85d3dd4", mattermost_body, 4_000),
    "gotify": ("gotify://127.0.0.1:{port}/aLKJ3n2kj_token", gotify_body, 32_768),
}

services = pytest.mark.parametrize("service", sorted(SERVICES))


@services
@pytest.mark.parametrize("sent", [delivery(), batched(500)], ids=["one", "fleet"])
async def test_a_service_gets_one_message_within_its_limit(service: str, sent: Delivery) -> None:
    url, read, most = SERVICES[service]
    async with receiver(*[status(200, body=b"{}")] * 3) as there:
        result = await send(url.format(port=there.port), sent)

    assert result.verdict is SendVerdict.DONE
    (request,) = there.requests
    title, text = read(request)
    data = sent.payload["data"]
    assert 0 < len(title) + len(text) <= most
    assert "[HIGH]" in (title or text)
    assert data["link"] in text
    assert data["command"] in text


@services
async def test_a_service_forms_nothing_from_hostile_text(service: str) -> None:
    url, read, _ = SERVICES[service]
    found = [finding(text, item=text, message=text) for text in HOSTILE]
    # A service shows as many as fit, so each is sent first once.
    chunks = [found[start : start + 8] for start in range(0, len(found), 8)]
    sent = [delivery(payload(one=alert(chunk), public_url=None)) for chunk in chunks]
    async with receiver(*[status(200, body=b"{}")] * len(sent)) as there:
        channel = service_of(url.format(port=there.port))
        for one in sent:
            assert (await channel.send(one)).verdict is SendVerdict.DONE

    for request in there.requests:
        assert formed_in("\n".join(read(request))) == []


async def test_underscores_inside_words_are_taken_out_for_services_that_format_there_too() -> None:
    async with receiver() as there:
        await send(f"json://127.0.0.1:{there.port}/x", delivery(payload(one=alert([finding(item="a_b_c")]))))

    (request,) = there.requests
    _, text = json_body(request)
    assert "aˍbˍc" in text
    # What can be followed and what can be typed stay as they are.
    assert f"/alerts/{alert().id}" in text


@pytest.mark.parametrize(
    ("sent", "kind"),
    [
        (delivery(), "failure"),
        (told(EventKind.RESOLVED, over()), "success"),
        (told(EventKind.OPENED, alert(severity=Severity.MEDIUM)), "warning"),
        (told(EventKind.OPENED, alert(severity=Severity.LOW)), "info"),
    ],
    ids=["high", "resolved", "medium", "low"],
)
async def test_a_message_is_marked_by_how_bad_it_is(sent: Delivery, kind: str) -> None:
    async with receiver() as there:
        await send(f"json://127.0.0.1:{there.port}/x", sent)

    assert json.loads(there.requests[0].body)["type"] == kind


async def test_a_redirect_is_not_followed() -> None:
    async with receiver() as elsewhere, receiver(status(302, {"Location": elsewhere.url})) as there:
        result = await send(f"json://127.0.0.1:{there.port}/x", delivery())

    assert result.verdict is SendVerdict.RETRY
    assert elsewhere.requests == []


async def test_the_home_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".netrc").write_text("machine 127.0.0.1 login somebody password else\n")
    (tmp_path / ".netrc").chmod(0o600)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("NETRC", str(tmp_path / ".netrc"))
    async with receiver() as there:
        await send(f"json://127.0.0.1:{there.port}/x", delivery(), plain_service_of)

    (request,) = there.requests
    assert "authorization" not in request.headers
    assert os.listdir(tmp_path) == [".netrc"]


@pytest.mark.parametrize("url", ["nosuch://secret-4711", "secret-4711", "slack://secret-4711", "file:///secret-4711"])
async def test_a_service_that_apprise_does_not_know_is_refused_without_its_url(url: str) -> None:
    service = service_of(url)

    with pytest.raises(ConfigError) as caught:
        await make_ready([service])
    result = await send(url, delivery())

    assert (result.verdict, result.detail) == (SendVerdict.RETRY, caught.value.message)
    assert caught.value.message == "channels.ops.url: Apprise knows no such service"
    assert "4711" not in str(caught.value)


def test_where_apprise_is_not_installed_it_says_how_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "apprise", None)

    with pytest.raises(ConfigError) as caught:
        service_of("json://127.0.0.1/x")

    assert caught.value.message == "channels.ops: Apprise is not installed here"
    assert "pip install 'mcp-driftwatch[apprise]'" in caught.value.hint


async def test_nothing_waits_while_apprise_is_asked_what_a_service_takes() -> None:
    services = [plain_service_of("json://127.0.0.1/x") for _ in range(3)]
    turns = 0

    asking = asyncio.create_task(make_ready(services))
    while not asking.done():
        await asyncio.sleep(0)
        turns += 1

    await asking
    assert turns > 100


async def test_asking_apprise_can_be_cut_short() -> None:
    asking = asyncio.create_task(make_ready([plain_service_of("json://127.0.0.1/x")]))
    await asyncio.sleep(0)
    asking.cancel()

    with pytest.raises(asyncio.CancelledError):
        await asking


async def test_apprise_is_never_loaded_into_the_daemon() -> None:
    loaded: dict[str, Any] = {name: module for name, module in sys.modules.items() if name.split(".")[0] == "apprise"}

    await send(f"json://127.0.0.1:{closed_port()}/x", delivery(), plain_service_of)

    assert {name for name in sys.modules if name.split(".")[0] == "apprise"} == set(loaded) == set()
