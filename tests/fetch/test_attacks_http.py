"""Servers that mean harm, over HTTP: what becomes of the look, and what it cost the monitor."""

from __future__ import annotations

import pytest
from bounds import MIB, bounded
from fetch_world import LIMITS, look, names, remote
from servers.attacks import ATTACKS, DOCUMENTS
from servers.over_http import HttpServer

from driftwatch.config.oauth import OauthConfig
from driftwatch.config.secret import Secret
from driftwatch.model import Listed, Outcome


@pytest.mark.parametrize(
    ("attack", "codes"),
    [
        ("gzip bomb", {"too-large"}),
        ("deflate bomb", {"too-large"}),
        ("bomb in a bomb", {"content-encoding"}),
        ("br", {"content-encoding"}),
        ("zstd", {"content-encoding"}),
        ("more after the end of gzip", {"too-large"}),
        ("empty blocks", {"too-large"}),
        ("dripping head", {"timeout"}),
        ("dripping body", {"timeout"}),
        ("dripping events", {"timeout"}),
        ("many headers", {"too-large"}),
        ("endless header", {"too-large"}),
        ("folded header", {"too-large"}),
        ("endless status line", {"too-large"}),
        ("interim answers", {"too-large"}),
        ("trailers", {"closed-early"}),
        ("chunk extensions", {"too-large"}),
        ("endless size of a chunk", {"closed-early"}),
        ("another protocol", {"closed-early"}),
        ("endless body", {"too-large"}),
        ("endless events", {"flood"}),
        ("event without end", {"too-large"}),
        ("line without end", {"too-large"}),
        ("events of nothing", {"flood"}),
        ("comments", {"flood"}),
    ],
)
async def test_an_attack_fails_its_own_look_and_costs_no_more_than_the_limits_allow(
    attack: str, codes: set[str]
) -> None:
    times = {"request": 0.4} if "timeout" in codes else {}
    async with bounded(), HttpServer(fault=ATTACKS[attack]) as server:
        outcome = await look(remote(server.url, times=times))

    assert code_of(outcome) in codes, outcome


@pytest.mark.parametrize(
    ("attack", "code"),
    [
        ("deep JSON", "listed"),
        ("deep JSON without end", "invalid-json"),
        ("many keys", "listed"),
        ("one key many times", "listed"),
        ("long number", "listed"),
        ("many values", "invalid-json"),
    ],
)
async def test_json_of_an_unusual_kind_costs_a_bounded_multiple_of_its_size(attack: str, code: str) -> None:
    async with bounded(memory=64 * MIB, traced=False), HttpServer(fault=ATTACKS[attack]) as server:
        # The listing itself is not kept: that the caller has it is no leak.
        found = code_of(await look(remote(server.url, times={"request": 20.0})))

    assert found == code


@pytest.mark.parametrize(
    ("script", "code"), [("endless-pages", "too-many-pages"), ("repeated-cursor", "repeated-cursor")]
)
async def test_a_walk_over_pages_ends_and_keeps_none_of_them(script: str, code: str) -> None:
    async with bounded(), HttpServer(script) as server:
        outcome = await look(remote(server.url))

        assert len(server.requests) <= 2 + LIMITS["pages"]
    assert code_of(outcome) == code


async def test_a_connection_that_stays_open_after_the_answer_is_closed_with_the_look() -> None:
    async with bounded(), HttpServer(fault=ATTACKS["stays open"]) as server:
        outcome = await look(remote(server.url))

    assert names(outcome) == ["read", "write"]


async def test_cookies_are_few_stay_with_their_server_and_are_forgotten_with_the_connection() -> None:
    async with (
        bounded(),
        HttpServer("full", fault=ATTACKS["cookies"]) as server,
        HttpServer(host="127.0.0.2", at=server.port) as other,
    ):
        for one in (server, other, server):
            await look(remote(one.url, bearer=Secret("a-token-of-ours")))

        opening = [one.headers.get("cookie", "") for one in server.requests if one.method == "server/discover"]
        later = [one.headers["cookie"] for one in server.requests if one.method.endswith("/list")]
        assert opening == ["", ""]
        assert 38 < max(one.count("=") for one in later) <= 50
        assert not any("wide" in one or "long" in one for one in later)
        assert not any("cookie" in request.headers for request in (*other.requests, *other.asides, *server.asides))


@pytest.mark.parametrize("document", DOCUMENTS)
async def test_sign_in_metadata_that_are_an_attack_cost_little_and_fail_no_look(document: str) -> None:
    async with bounded(), HttpServer() as server:
        server.well_known = {"/.well-known/oauth-protected-resource/mcp": DOCUMENTS[document]}

        outcome = await look(remote(server.url, bearer=Secret("a-token-of-ours"), times={"request": 0.4}))

    assert names(outcome) == ["read", "write"]
    assert isinstance(outcome, Listed)
    assert "oauth" not in outcome.launch


@pytest.mark.parametrize("document", DOCUMENTS)
async def test_an_authorization_server_that_is_an_attack_costs_little_and_gets_nothing_more(document: str) -> None:
    async with bounded(), HttpServer(fault=DOCUMENTS[document]) as login, HttpServer() as server:
        oauth = OauthConfig(client_id="us", client_secret=Secret("a secret of ours"), token_url=f"{login.origin}/token")

        outcome = await look(remote(server.url, oauth=oauth, times={"request": 0.4}))

        assert (server.connections, login.connections) == (0, 1)
    assert code_of(outcome) == "sign-in"


def code_of(outcome: Outcome) -> str:
    return "listed" if isinstance(outcome, Listed) else outcome.code
