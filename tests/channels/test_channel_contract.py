"""What every kind of channel promises, on real sockets."""

from __future__ import annotations

import asyncio
import logging
import socket
from datetime import UTC, datetime
from pathlib import Path

import pytest
from contracts.channel import (
    CASES,
    PATIENCE,
    SECRETS,
    Answer,
    delivery,
    drip,
    flood,
    hang,
    opened,
    raw,
    receiver,
    status,
)

import driftwatch.tell.channels
from driftwatch.model import SendVerdict

DONE = [200, 201, 202, 204, 206, 299]
AGAIN = [302, 303, 307, 304, 400, 401, 402, 403, 404, 405, 406, 408, 409, 411, 414, 415, 418, 422, 425, 426, 429, 451]
AGAIN += [499, 500, 501, 502, 503, 504, 507, 599, 600, 999]
STOP = [301, 308, 410, 413]

NOT_DESTINATIONS = {"__init__", "base", "http"}

kinds = pytest.mark.parametrize("kind", sorted(CASES))


def test_every_kind_of_channel_runs_this_kit() -> None:
    folder = Path(driftwatch.tell.channels.__file__).parent

    assert {path.stem for path in folder.glob("*.py")} - NOT_DESTINATIONS == set(CASES)


@kinds
async def test_a_message_arrives_as_its_destination_wants_it(kind: str) -> None:
    async with receiver() as there, opened(kind, there.url) as channel:
        async with asyncio.timeout(PATIENCE):
            result = await channel.send(delivery())

    assert result.verdict is SendVerdict.DONE
    (request,) = there.requests
    assert CASES[kind].accept(request) == dict(delivery().payload)


@kinds
@pytest.mark.parametrize(
    ("codes", "verdict"),
    [(DONE, SendVerdict.DONE), (AGAIN, SendVerdict.RETRY), (STOP, SendVerdict.STOP)],
    ids=["done", "again", "stop"],
)
async def test_every_status_has_its_verdict(kind: str, codes: list[int], verdict: SendVerdict) -> None:
    async with receiver(*(status(code) for code in codes)) as there, opened(kind, there.url) as channel:
        async with asyncio.timeout(PATIENCE):
            results = {code: await channel.send(delivery()) for code in codes}

    assert {code: result.verdict for code, result in results.items()} == dict.fromkeys(codes, verdict)
    assert all(str(code) in result.detail for code, result in results.items())
    assert not any("Whatever" in result.detail for result in results.values())


@kinds
@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("7", 7.0),
        ("0", 0.0),
        ("Sun, 01 Mar 2026 12:01:30 GMT", 90.0),
        ("Sun, 01 Mar 2026 11:00:00 GMT", 0.0),
        ("soon", None),
        ("-5", None),
        ("1e9", None),
        ("99999999999999999999", None),
    ],
)
async def test_a_receiver_says_when_to_come_back(kind: str, header: str, seconds: float | None) -> None:
    now = datetime(2026, 3, 1, 12, tzinfo=UTC)
    answer = status(503, {"Retry-After": header})
    async with receiver(answer) as there, opened(kind, there.url, clock=lambda: now) as channel:
        async with asyncio.timeout(PATIENCE):
            result = await channel.send(delivery())

    assert (result.verdict, result.retry_after) == (SendVerdict.RETRY, seconds)


@kinds
@pytest.mark.parametrize("code", [301, 302, 303, 307, 308])
async def test_a_redirect_is_not_followed(kind: str, code: int) -> None:
    async with (
        receiver() as elsewhere,
        receiver(status(code, {"Location": elsewhere.url})) as there,
        opened(kind, there.url) as channel,
        asyncio.timeout(PATIENCE),
    ):
        result = await channel.send(delivery())

    assert result.verdict is not SendVerdict.DONE
    assert "redirects are not followed" in result.detail
    assert elsewhere.requests == []


@kinds
@pytest.mark.parametrize(
    "answer",
    [hang(), hang(b"HTTP/1.1 200 OK\r\ncontent-le"), drip(b"HTTP/1.1 200 OK\r\nx-slow: ")],
    ids=["silence", "half-an-answer", "byte-by-byte"],
)
async def test_a_receiver_that_does_not_answer_in_time_is_tried_again(kind: str, answer: Answer) -> None:
    async with receiver(answer) as there, opened(kind, there.url, timeout=0.2) as channel:
        async with asyncio.timeout(PATIENCE):
            result = await channel.send(delivery())

    assert (result.verdict, result.detail) == (SendVerdict.RETRY, "no answer in time")


@kinds
@pytest.mark.parametrize(
    "answer",
    [raw(b""), raw(b"\x00\x16 this is no HTTP\r\n\r\n"), raw(b"HTTP/1.1 banana OK\r\n\r\n")],
    ids=["hang-up", "noise", "no-number"],
)
async def test_an_answer_that_breaks_is_tried_again(kind: str, answer: Answer) -> None:
    async with receiver(answer) as there, opened(kind, there.url) as channel:
        async with asyncio.timeout(PATIENCE):
            result = await channel.send(delivery())

    assert result.verdict is SendVerdict.RETRY
    assert result.detail == "the connection broke before a whole answer came"


@kinds
async def test_a_refused_connection_is_tried_again(kind: str) -> None:
    async with opened(kind, closed_url()) as channel, asyncio.timeout(PATIENCE):
        result = await channel.send(delivery())

    assert (result.verdict, result.detail) == (SendVerdict.RETRY, "no connection: refused or unreachable")


@kinds
async def test_a_connection_that_is_not_secure_as_it_should_be_is_tried_again(kind: str) -> None:
    async with receiver(greeting=b"HTTP/1.1 400 No TLS here\r\n\r\n") as there:
        secure = there.url.replace("http://", "https://")
        async with opened(kind, secure) as channel, asyncio.timeout(PATIENCE):
            result = await channel.send(delivery())

    assert result.verdict is SendVerdict.RETRY
    assert result.detail == "the secure connection failed: certificate or TLS version"
    assert there.requests == []


@kinds
async def test_a_handshake_that_does_not_end_is_given_up(kind: str) -> None:
    async with receiver() as there:
        secure = there.url.replace("http://", "https://")
        async with opened(kind, secure, timeout=0.2) as channel, asyncio.timeout(PATIENCE):
            result = await channel.send(delivery())
            await there.gone.wait()

    assert (result.verdict, result.detail) == (SendVerdict.RETRY, "no answer in time")


@kinds
@pytest.mark.parametrize(
    "answer",
    [
        flood(b"HTTP/1.1 200 OK\r\ncontent-length: 99999999999\r\n\r\n"),
        flood(b"HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\n"),
        hang(b"HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n"),
        raw(b"HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nx"),
    ],
    ids=["endless", "not-really-gzip", "never-ends", "cut-short"],
)
async def test_once_the_status_is_known_the_rest_of_an_answer_changes_nothing(kind: str, answer: Answer) -> None:
    async with receiver(answer) as there, opened(kind, there.url) as channel:
        async with asyncio.timeout(PATIENCE):
            result = await channel.send(delivery())
            await there.gone.wait()

    assert result.verdict is SendVerdict.DONE


@kinds
async def test_no_cookie_is_sent_back(kind: str) -> None:
    async with receiver(status(200, {"Set-Cookie": "a=b; Path=/"})) as there, opened(kind, there.url) as channel:
        async with asyncio.timeout(PATIENCE):
            await channel.send(delivery())
            await channel.send(delivery())

    assert len(there.requests) == 2
    assert "cookie" not in there.requests[1].headers


@kinds
async def test_the_environment_cannot_reroute_messages(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with receiver() as there, receiver() as proxy:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{proxy.port}")
        async with opened(kind, there.url) as channel, asyncio.timeout(PATIENCE):
            await channel.send(delivery())

    assert (len(there.requests), len(proxy.requests)) == (1, 0)


@kinds
@pytest.mark.parametrize("payload", [{"a": "\ud800"}, {"a": float("nan")}, {"a": object()}])
async def test_a_message_that_cannot_be_written_is_stopped_and_not_sent(kind: str, payload: dict[str, object]) -> None:
    async with receiver() as there, opened(kind, there.url) as channel, asyncio.timeout(PATIENCE):
        result = await channel.send(delivery(payload))

    assert result.verdict is SendVerdict.STOP
    assert there.requests == []


@kinds
async def test_cancelling_a_send_passes(kind: str) -> None:
    async with receiver(hang()) as there, opened(kind, there.url) as channel, asyncio.timeout(PATIENCE):
        sending = asyncio.create_task(channel.send(delivery()))
        await there.begun.wait()
        sending.cancel()

        with pytest.raises(asyncio.CancelledError):
            await sending


@kinds
@pytest.mark.parametrize("host", ["there", "nobody", "secure"])
async def test_no_secret_gets_out(kind: str, host: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    # What a receiver echoes must not come back through us either.
    echo = status(500, {"Location": "/".join(SECRETS), "X-Echo": " ".join(SECRETS)}, " ".join(SECRETS).encode())
    noise = raw(SECRETS[3].encode() + b"\r\n\r\n")
    async with receiver(status(200), status(401), echo, noise, hang()) as there:
        url = {"there": there.url, "nobody": closed_url(), "secure": there.url.replace("http:", "https:")}[host]
        async with opened(kind, url, timeout=0.3) as channel, asyncio.timeout(PATIENCE):
            said = [(await channel.send(delivery())).detail for _ in range(5)]
            said += [repr(channel), str(channel)]

    text = "\n".join([*said, caplog.text])
    assert [secret for secret in SECRETS if secret in text] == []


def closed_url() -> str:
    """Give the address of a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    return f"http://127.0.0.1:{port}/hooks/path-token-4711?key=query-token-0815"
