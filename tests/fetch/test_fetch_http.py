"""HTTP servers that misbehave: what the outcome says, and that the connection is always given back."""

from __future__ import annotations

import socket
from typing import Any

import pytest
from fetch_world import codes, listed, look, names, remote
from servers.over_http import HttpServer

from driftwatch.config.secret import Secret
from driftwatch.model import Era, Failure, Listed, Malformed, Outcome, Refused, Unreachable


async def look_at(fault: str, script: str = "honest", era: Era | None = None, **fields: Any) -> Outcome:
    async with HttpServer(script, fault) as server:
        return await look(remote(server.url, **fields), era)


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        ("401", Refused("unauthorized", "", 401)),
        ("403", Refused("forbidden", "", 403)),
        ("404", Refused("not-found", "", 404)),
        ("429", Refused("rate-limited", "", 429, 120.0)),
        ("500", Unreachable("http-status", "", 500)),
        ("html", Malformed("html", "")),
        ("html-on-list", Malformed("html", "")),
        ("plain-text", Malformed("content-type", "")),
        ("accepted", Malformed("no-answer", "")),
        ("redirects", Refused("redirected", "", 307)),
        ("redirects-to-get", Refused("redirected", "", 302)),
        ("redirects-in-a-circle", Refused("redirected", "", 307)),
        ("drops", Unreachable("closed-early", "")),
        ("drops-on-list", Unreachable("closed-early", "")),
        ("closes-early", Unreachable("closed-early", "")),
        ("500-with-error", Malformed("list-error", "")),
        ("200-mb", Malformed("too-large", "")),
        ("200-mb-at-once", Malformed("too-large", "")),
        ("declared-200-mb", Malformed("too-large", "")),
        ("bomb", Malformed("too-large", "")),
        ("not-gzip", Malformed("content-encoding", "")),
        ("unknown-encoding", Malformed("content-encoding", "")),
        ("endless-events", Malformed("flood", "")),
        ("endless-event", Malformed("too-large", "")),
    ],
)
@pytest.mark.parametrize("era", [None, Era.HANDSHAKE])
async def test_a_failing_server_gives_an_outcome_that_says_what_happened(
    fault: str, expected: Failure, era: Era | None
) -> None:
    outcome = await look_at(fault, era=era)

    assert isinstance(outcome, type(expected))
    assert outcome.code == expected.code
    assert getattr(outcome, "status", None) == getattr(expected, "status", None)
    assert getattr(outcome, "retry_after", None) == getattr(expected, "retry_after", None)
    assert outcome.detail.isprintable()
    assert "topsecret" not in outcome.detail or fault == "401"


async def test_a_page_that_is_gone_in_the_middle_is_no_empty_list() -> None:
    modern = await look_at("404-on-list", era=Era.MODERN)
    handshake = await look_at("404-on-list", era=Era.HANDSHAKE)

    assert isinstance(modern, Refused)
    assert (modern.code, modern.status) == ("not-found", 404)
    assert handshake == Unreachable("closed-early", "the server ended the session before tools/list", 404)


async def test_a_date_to_come_back_at_is_understood() -> None:
    outcome = await look_at("503")

    assert isinstance(outcome, Unreachable)
    assert (outcome.code, outcome.status) == ("http-status", 503)
    assert (outcome.retry_after or 0) > 10**9


async def test_a_refusal_does_not_repeat_our_own_secrets() -> None:
    outcome = await look_at("401", headers={"Authorization": Secret("Bearer topsecret")})

    assert isinstance(outcome, Refused)
    assert 'realm="notes", token="***"' in outcome.detail


async def test_a_redirect_says_where_to_without_its_query() -> None:
    outcome = await look_at("redirects")

    assert outcome == Refused("redirected", 'server/discover is redirected to "http://127.0.0.2:9/elsewhere"', 307)


async def test_credentials_stay_on_their_origin() -> None:
    async with HttpServer("honest") as elsewhere, HttpServer("honest", "redirects") as server:
        elsewhere.url  # noqa: B018
        await look(remote(server.url, headers={"Authorization": Secret("Bearer t")}))

        assert elsewhere.requests == []
        assert {request.headers["authorization"] for request in server.requests} == {"Bearer t"}


async def test_a_redirect_within_the_origin_is_followed() -> None:
    outcome = await look_at("redirects-within")

    assert names(outcome) == ["read", "write"]


async def test_after_a_definite_no_nothing_more_is_asked() -> None:
    async with HttpServer("honest", "429") as server:
        await look(remote(server.url))

        assert server.methods() == ["server/discover"]


async def test_an_old_server_that_fails_on_the_probe_gets_the_handshake() -> None:
    outcome = await look_at("500-on-discover")

    assert isinstance(outcome, Listed)
    assert outcome.era is Era.HANDSHAKE


@pytest.mark.parametrize("fault", ["hangs", "hangs-on-list", "trickles"])
async def test_a_server_that_hangs_is_unreachable_and_says_where(fault: str) -> None:
    outcome = await look_at(fault, times={"request": 0.3, "look": 0.6})

    assert isinstance(outcome, Unreachable)
    assert outcome.code == "timeout"
    assert ("server/discover" if fault == "hangs" else "tools/list") in outcome.detail


@pytest.mark.parametrize("era", list(Era))
@pytest.mark.parametrize("fault", ["events", "gzip"])
async def test_answers_in_a_stream_or_compressed_are_read_all_the_same(fault: str, era: Era) -> None:
    outcome = await look_at(fault, era=era)

    assert isinstance(outcome, Listed)
    assert (names(outcome), outcome.era) == (["read", "write"], era)


@pytest.mark.parametrize("script", ["deep", "duplicate-keys", "lone-surrogate", "invalid-utf8"])
async def test_what_is_odd_in_a_stream_is_odd_all_the_same(script: str) -> None:
    streamed = await look_at("events", script)
    plain = await look_at("none", script)

    assert isinstance(streamed, Listed)
    assert isinstance(plain, Listed)
    assert streamed.document == plain.document
    assert codes(streamed) == codes(plain) != {}


@pytest.mark.parametrize("era", list(Era))
async def test_what_a_server_asks_of_us_on_a_stream_is_declined_and_recorded(era: Era) -> None:
    outcome = await look_at("asks", era=era)

    assert isinstance(outcome, Listed)
    assert outcome.asked == ("sampling/createMessage",)


async def test_we_say_who_we_are_and_promise_nothing() -> None:
    async with HttpServer("honest") as server:
        await look(remote(server.url), Era.HANDSHAKE)

        params = server.requests[0].message["params"]
        assert params["clientInfo"]["name"] == "driftwatch"
        assert params["capabilities"] == {}
        assert server.requests[0].headers["user-agent"].startswith("driftwatch/")
        assert not [
            method for method in server.methods() if method.startswith(("tools/call", "prompts/get", "resources/read"))
        ]


async def test_nobody_listening_is_no_connection() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]

    outcome = await look(remote(f"http://127.0.0.1:{port}/mcp"))

    assert outcome == Unreachable("connect", "no connection: Connection refused")


async def test_a_name_that_does_not_resolve_is_named_as_such() -> None:
    outcome = await look(remote("http://does-not-exist.invalid/mcp"))

    assert outcome == Unreachable("dns", "the host name cannot be resolved")


async def test_a_server_without_tls_behind_https_is_named_as_such() -> None:
    async with HttpServer("honest") as server:
        outcome = await look(remote(server.url.replace("http:", "https:"), times={"connect": 2.0}))

    assert isinstance(outcome, Unreachable)
    assert outcome.code == "tls"


# ----------------------------------------------------------------- HTTP+SSE


async def look_at_legacy(fault: str, script: str = "honest", **fields: Any) -> Outcome:
    async with HttpServer(script, fault) as server:
        return await look(remote(server.url, transport="sse", **fields))


async def test_the_legacy_transport_is_spoken() -> None:
    outcome = await look_at_legacy("legacy")

    assert isinstance(outcome, Listed)
    assert (names(outcome), outcome.era) == (["read", "write"], Era.HANDSHAKE)


@pytest.mark.parametrize("script", ["deep", "duplicate-keys", "invalid-utf8"])
async def test_the_legacy_transport_shows_what_is_odd(script: str) -> None:
    outcome = await look_at_legacy("legacy", script)

    assert codes(outcome) != {}


async def test_a_message_of_more_than_a_mebibyte_fits_the_legacy_transport() -> None:
    outcome = await look_at_legacy("legacy", "large", limits={"message_bytes": 2**22})

    assert names(outcome) == ["long"]


@pytest.mark.parametrize(
    ("fault", "code"),
    [
        ("legacy-elsewhere", "redirected"),
        ("legacy-without-endpoint", "timeout"),
        ("html", "html"),
        ("401", "unauthorized"),
        ("404", "not-found"),
        ("redirects", "redirected"),
        ("drops", "closed-early"),
        ("hangs", "timeout"),
        ("endless-event-at-once", "too-large"),
    ],
)
async def test_a_failing_legacy_server_gives_an_outcome_that_says_what_happened(fault: str, code: str) -> None:
    outcome = await look_at_legacy(fault, times={"look": 1.0})

    assert not isinstance(outcome, Listed)
    assert outcome.code == code


async def test_a_legacy_server_says_invalid_json_when_the_answer_is() -> None:
    outcome = await look_at_legacy("legacy", "invalid-json", times={"request": 0.5})

    assert isinstance(outcome, Malformed)
    assert outcome.code == "invalid-json"


async def test_one_listing_is_like_another() -> None:
    async with HttpServer("full") as server:
        first = await listed(remote(server.url))
        second = await listed(remote(server.url))

    assert first == second
