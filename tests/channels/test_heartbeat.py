"""The dead man's switch: one call, and what came of it."""

from __future__ import annotations

import asyncio
import logging

import pytest
from contracts.channel import PATIENCE, closed_url, receiver, status
from contracts.http import hang

from driftwatch.config.secret import Secret
from driftwatch.model import SendVerdict
from driftwatch.tell.channels.heartbeat import Heartbeat


@pytest.mark.parametrize("code", [200, 202, 204])
async def test_a_beat_is_one_call_by_get(code: int) -> None:
    async with receiver(status(code)) as there, asyncio.timeout(PATIENCE):
        heartbeat = Heartbeat(Secret(there.url), PATIENCE)
        result = await heartbeat.beat()
        await heartbeat.aclose()

    (request,) = there.requests
    assert result.verdict is SendVerdict.DONE
    assert request.line.startswith("GET /hooks/")
    assert request.body == b""


async def test_a_beat_that_is_not_heard_is_said_without_the_url(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    said = []
    async with receiver(status(500), status(302), hang()) as there, asyncio.timeout(PATIENCE):
        for url in (there.url, there.url, there.url, closed_url()):
            heartbeat = Heartbeat(Secret(url), 0.3)
            said.append((await heartbeat.beat()).detail)
            said.append(repr(heartbeat))
            await heartbeat.aclose()

    assert said[::2] == [
        "HTTP 500 Internal Server Error",
        "HTTP 302 Found (redirects are not followed)",
        "no answer in time",
        "no connection: refused or unreachable",
    ]
    assert "token" not in "\n".join([*said, caplog.text])
