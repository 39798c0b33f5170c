"""What the generic webhook does beyond the contract of every channel."""

from __future__ import annotations

import asyncio
import base64
from datetime import UTC, datetime, timedelta

import pytest
import standardwebhooks
from contracts.channel import PATIENCE, SIGNING_KEY, delivery, opened, receiver, status

from driftwatch import __version__
from driftwatch.config.channels import WebhookConfig
from driftwatch.config.secret import Secret
from driftwatch.errors import ConfigError
from driftwatch.model import SendVerdict
from driftwatch.tell.channels.webhook import Webhook
from driftwatch.tell.payload import encode


async def test_every_attempt_has_the_same_id_and_body_and_a_time_of_its_own() -> None:
    times = iter([datetime(2026, 3, 1, tzinfo=UTC) + timedelta(minutes=number) for number in range(9)])
    async with (
        receiver(status(503)) as there,
        opened("webhook", there.url, clock=lambda: next(times)) as channel,
        asyncio.timeout(PATIENCE),
    ):
        await channel.send(delivery())
        await channel.send(delivery())

    first, second = there.requests
    assert first.headers["webhook-id"] == second.headers["webhook-id"] == delivery().id
    assert first.body == second.body == encode(delivery().payload)
    assert first.headers["webhook-timestamp"] < second.headers["webhook-timestamp"]
    assert first.headers["webhook-signature"] != second.headers["webhook-signature"]


@pytest.mark.parametrize("part", ["webhook-id", "webhook-timestamp", "body"])
async def test_a_receiver_notices_when_anything_that_is_signed_was_touched(part: str) -> None:
    async with receiver() as there, opened("webhook", there.url) as channel, asyncio.timeout(PATIENCE):
        await channel.send(delivery())
    (request,) = there.requests
    headers = {**request.headers, part: str(int(request.headers["webhook-timestamp"]) + 1)}
    body = request.body + (b" " if part == "body" else b"")

    with pytest.raises(standardwebhooks.WebhookVerificationError):
        standardwebhooks.Webhook(SIGNING_KEY).verify(body, headers)


async def test_the_connection_is_used_again() -> None:
    async with (
        receiver(status(200, body=b"x" * 1_000)) as there,
        opened("webhook", there.url) as channel,
        asyncio.timeout(PATIENCE),
    ):
        await channel.send(delivery())
        await channel.send(delivery())

    assert (len(there.requests), there.connections) == (2, 1)


@pytest.mark.parametrize("held", ["secret", "old_secret"])
async def test_while_secrets_change_a_receiver_with_either_accepts_the_message(held: str) -> None:
    keys = {"secret": SIGNING_KEY, "old_secret": "whsec_" + base64.b64encode(b"o" * 24).decode()}
    async with receiver() as there:
        channel = Webhook(config(url=there.url, **{name: Secret(key) for name, key in keys.items()}))
        async with asyncio.timeout(PATIENCE):
            await channel.send(delivery())
        await channel.aclose()

    (request,) = there.requests
    standardwebhooks.Webhook(keys[held]).verify(request.body, request.headers)


def config(**more: object) -> WebhookConfig:
    given = {"name": "ops", "url": "https://hooks.example/x", "secret": Secret(SIGNING_KEY)}
    return WebhookConfig.model_construct(**{**WebhookConfig(**given).__dict__, **more})  # type: ignore[arg-type]


async def test_configured_headers_cannot_replace_ours() -> None:
    forged = {"Webhook-Id": Secret("forged"), "CONTENT-TYPE": Secret("text/plain"), "X-Team": Secret("web")}
    async with receiver() as there:
        channel = Webhook(config(url=there.url, headers=forged))
        async with asyncio.timeout(PATIENCE):
            result = await channel.send(delivery())
        await channel.aclose()

    (request,) = there.requests
    assert result.verdict is SendVerdict.DONE
    assert request.headers["webhook-id"] == delivery().id
    assert request.headers["content-type"] == "application/json"
    assert (request.headers["x-team"], request.headers["user-agent"]) == ("web", f"driftwatch/{__version__}")
    assert request.names.count("webhook-id") == request.names.count("content-type") == 1


@pytest.mark.parametrize(
    "more",
    [{"url": "ftp://hooks.example"}, {"url": "https://exa mple\x00/"}, {"headers": {"X": Secret("é\nü€")}}],
    ids=["scheme", "url", "header"],
)
async def test_what_cannot_be_sent_as_configured_is_stopped_in_our_own_words(more: dict[str, object]) -> None:
    channel = Webhook(config(**more))

    async with asyncio.timeout(PATIENCE):
        result = await channel.send(delivery())
    await channel.aclose()

    assert result.verdict is SendVerdict.STOP
    assert result.detail == "the configured URL or headers cannot be sent"


async def test_a_host_that_has_no_address_is_tried_again() -> None:
    channel = Webhook(config(url="https://no-such-host.invalid/x"))

    async with asyncio.timeout(PATIENCE):
        result = await channel.send(delivery())
    await channel.aclose()

    assert result.verdict is SendVerdict.RETRY
    assert result.detail == "the host name cannot be resolved"


@pytest.mark.parametrize("secret", ["", "whsec_", "not base64!", "whsec_ü"])
def test_a_secret_that_cannot_sign_is_refused_without_showing_it(secret: str) -> None:
    with pytest.raises(ConfigError) as caught:
        Webhook(config(secret=Secret(secret)))

    assert caught.value.message == "channels.ops.secret: not a signing secret"
    assert not secret or secret not in str(caught.value).replace("whsec_ before", "")
