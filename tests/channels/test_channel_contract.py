"""What every kind of channel promises, on real sockets and with real programs."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet
from contracts.channel import CASES, PATIENCE, SECRETS, Answer, Case, opened
from contracts.http import flood, hang, raw, receiver, status
from contracts.speech import Speech
from contracts.told import acknowledged, batched, delivery, told

import driftwatch.tell.channels
from driftwatch.model import Delivery, EventKind, SendVerdict

NOT_DESTINATIONS = {
    *("__init__", "apprise_program", "base", "heartbeat", "http", "letter", "post", "program", "starting_program"),
    "reach",
    "taken",
}

MESSAGES: dict[str, Delivery] = {
    "opened": delivery(),
    "updated": told(EventKind.UPDATED),
    "reminded": told(EventKind.REMINDED, cause="not-acknowledged"),
    "acknowledged": told(EventKind.ACKNOWLEDGED, acknowledged()),
    "resolved": told(EventKind.RESOLVED),
    "drill": told(EventKind.OPENED, drill=True),
    "no-page": told(EventKind.OPENED, public_url=None),
    "batch": batched(),
    "fleet": batched(500),
}

HANDSHAKE = 1.0
"""Seconds for an attempt whose handshake does not end. It is given up a tenth earlier, which a busy machine must not
miss: cancelled from outside in the middle of one, a connection stays open."""

kinds = pytest.mark.parametrize("kind", sorted(CASES))
posters = pytest.mark.parametrize("kind", sorted(kind for kind, case in CASES.items() if case.posts))


def every(pick: Callable[[Speech], Mapping[str, object]]) -> list[ParameterSet]:
    """Give every kind with each of its answers of one sort."""
    return [
        pytest.param(kind, answer, id=f"{kind}-{name}")
        for kind, case in sorted(CASES.items())
        for name, answer in pick(case.speech).items()
    ]


def in_time(case: Case) -> asyncio.Timeout:
    """Give the patience that a test has with a kind."""
    return asyncio.timeout(max(PATIENCE, 10 * case.most))


def test_every_kind_of_channel_runs_this_kit() -> None:
    folder = Path(driftwatch.tell.channels.__file__).parent

    assert {path.stem for path in folder.glob("*.py")} - NOT_DESTINATIONS == set(CASES)


@kinds
@pytest.mark.parametrize("message", sorted(MESSAGES))
async def test_a_message_arrives_as_its_destination_wants_it(kind: str, message: str) -> None:
    sent, case = MESSAGES[message], CASES[kind]
    async with case.speech.there() as there, opened(kind, there.url) as channel, in_time(case):
        result = await channel.send(sent)

    assert result.verdict is SendVerdict.DONE
    assert len(there.requests) >= 1
    for request in there.requests:
        seen = case.accept(request)
        assert set(seen.links) <= {link for link in _links(sent) if link}
        assert seen.mentions == ()
        assert seen.exact is None or seen.exact == dict(sent.payload)


@kinds
@pytest.mark.parametrize("sort", ["done", "again", "stop"])
async def test_every_answer_has_its_verdict(kind: str, sort: str) -> None:
    case = CASES[kind]
    answers: Mapping[str, Answer] = getattr(case.speech, sort)
    verdict = {"done": SendVerdict.DONE, "again": SendVerdict.RETRY, "stop": SendVerdict.STOP}[sort]
    async with case.speech.there(*answers.values()) as there, opened(kind, there.url) as channel:
        results = {}
        for name in answers:
            async with in_time(case):
                results[name] = await channel.send(delivery())

    assert {name: result.verdict for name, result in results.items()} == dict.fromkeys(answers, verdict)
    assert not case.says_why or all(name.partition(" #")[0] in result.detail for name, result in results.items())
    assert not any("Whatever" in result.detail for result in results.values())


@posters
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


@posters
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


@pytest.mark.parametrize(("kind", "answer"), every(lambda speech: speech.late))
async def test_a_destination_that_does_not_answer_in_time_is_tried_again(kind: str, answer: Answer) -> None:
    case = CASES[kind]
    async with (
        case.speech.there(answer) as there,
        opened(kind, there.url, timeout=case.most) as channel,
        in_time(case),
    ):
        result = await channel.send(delivery())

    assert (result.verdict, result.detail) == (SendVerdict.RETRY, case.speech.late_says)


@pytest.mark.parametrize(("kind", "answer"), every(lambda speech: speech.broken))
async def test_an_answer_that_breaks_is_tried_again(kind: str, answer: tuple[Answer, str]) -> None:
    case = CASES[kind]
    async with case.speech.there(answer[0]) as there, opened(kind, there.url) as channel, in_time(case):
        result = await channel.send(delivery())

    assert (result.verdict, result.detail) == (SendVerdict.RETRY, answer[1])


@kinds
async def test_a_destination_that_is_not_there_is_tried_again(kind: str) -> None:
    case = CASES[kind]
    async with opened(kind, case.speech.nobody()) as channel, in_time(case):
        result = await channel.send(delivery())

    assert (result.verdict, result.detail) == (SendVerdict.RETRY, case.speech.nobody_says)


@kinds
async def test_a_connection_that_is_not_secure_as_it_should_be_is_tried_again(kind: str) -> None:
    case = CASES[kind]
    if case.speech.secured is None:
        pytest.skip("its destinations have no secure form")
    async with (
        case.speech.there(greeting=case.speech.greeting) as there,
        opened(kind, case.speech.secured(there.url)) as channel,
        in_time(case),
    ):
        result = await channel.send(delivery())

    assert result.verdict is SendVerdict.RETRY
    assert result.detail == case.speech.insecure_says
    assert there.requests == []


@posters
async def test_a_handshake_that_does_not_end_is_given_up(kind: str) -> None:
    async with receiver() as there:
        secure = there.url.replace("http://", "https://")
        async with opened(kind, secure, timeout=HANDSHAKE) as channel, asyncio.timeout(PATIENCE):
            result = await channel.send(delivery())
            await there.gone.wait()

    assert (result.verdict, result.detail) == (SendVerdict.RETRY, "no answer in time")


@posters
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


@posters
async def test_no_cookie_is_sent_back(kind: str) -> None:
    async with receiver(status(200, {"Set-Cookie": "a=b; Path=/"})) as there, opened(kind, there.url) as channel:
        async with asyncio.timeout(PATIENCE):
            await channel.send(delivery())
            await channel.send(delivery())

    assert len(there.requests) == 2
    assert "cookie" not in there.requests[1].headers


@kinds
async def test_the_environment_cannot_reroute_messages(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    case = CASES[kind]
    async with case.speech.there() as there, receiver() as proxy:
        for name in ("HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{proxy.port}")
        async with opened(kind, there.url) as channel, in_time(case):
            await channel.send(delivery())

    assert (len(there.requests), len(proxy.requests)) == (1, 0)


@kinds
@pytest.mark.parametrize("payload", [{"a": "\ud800"}, {"a": float("nan")}, {"a": object()}])
async def test_a_message_that_cannot_be_written_is_stopped_and_not_sent(kind: str, payload: dict[str, object]) -> None:
    case = CASES[kind]
    async with case.speech.there() as there, opened(kind, there.url) as channel, in_time(case):
        result = await channel.send(delivery(payload))

    assert result.verdict is SendVerdict.STOP
    assert there.requests == []


@kinds
async def test_cancelling_a_send_passes(kind: str) -> None:
    case = CASES[kind]
    answer = next(iter(case.speech.late.values()))
    async with case.speech.there(answer) as there, opened(kind, there.url) as channel, in_time(case):
        sending = asyncio.create_task(channel.send(delivery()))
        await there.arrived()
        sending.cancel()

        with pytest.raises(asyncio.CancelledError):
            await sending


@kinds
@pytest.mark.parametrize("host", ["there", "nobody", "secure"])
async def test_no_secret_gets_out(
    kind: str, host: str, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    case = CASES[kind]
    if host == "secure" and case.speech.secured is None:
        pytest.skip("its destinations speak in clear text only")
    async with case.speech.there(*case.speech.echoes) as there:
        secure = case.speech.secured or str
        url = {"there": there.url, "nobody": case.speech.nobody(), "secure": secure(there.url)}[host]
        async with opened(kind, url, timeout=max(case.most, HANDSHAKE)) as channel:
            said = [repr(channel), str(channel)]
            for _ in case.speech.echoes or [None]:
                async with in_time(case):
                    said.append((await channel.send(delivery())).detail)

    text = "\n".join([*said, caplog.text, *capfd.readouterr()])
    assert [secret for secret in SECRETS if secret in text] == []


def _links(sent: Delivery) -> list[str | None]:
    data = sent.payload["data"]
    return [data["link"], *(row["link"] for row in data.get("alerts", ()))]
