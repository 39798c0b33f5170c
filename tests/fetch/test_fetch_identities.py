"""As whom a look is made is what the server gets to see: over HTTP and stdio, in both eras."""

from __future__ import annotations

import json
from typing import Any

import pytest
from fetch_world import KIT, entry, local
from servers.http_parts import Request
from servers.over_http import HttpServer
from servers.over_stdio import command

from driftwatch import __version__
from driftwatch.config.identities import IdentityConfig, presets
from driftwatch.config.secret import Secret
from driftwatch.model import Era, Listed
from driftwatch.watch.fetch.client import McpFetcher

META = "io.modelcontextprotocol/"
ROOTS = {"roots": {"listChanged": True}, "tasks": {"list": {}}}
DRESSED = IdentityConfig(
    name="dressed",
    client_name="some-host",
    client_version="4.5",
    title="Some Host",
    user_agent="some-host/4.5",
    capabilities=ROOTS,
    headers={"authorization": Secret("Bearer theirs")},
    env={"ROLE": Secret("reader")},
)


@pytest.mark.parametrize("era", [Era.MODERN, Era.HANDSHAKE])
async def test_the_server_is_shown_the_identitys_client_info_capabilities_and_credential(era: Era) -> None:
    identity = DRESSED.model_copy(update={"era": era})
    async with HttpServer() as server:
        watched = entry(url=server.url, headers={"Authorization": Secret("Bearer ours"), "X-Kept": Secret("yes")})

        outcome = await McpFetcher(KIT).fetch(watched, era=None, identity=identity)

    assert isinstance(outcome, Listed)
    assert outcome.era is era
    assert {request.headers.get("user-agent") for request in server.requests} == {"some-host/4.5"}
    assert {request.headers["authorization"] for request in _posted(server)} == {"Bearer theirs"}
    assert {request.headers["x-kept"] for request in _posted(server)} == {"yes"}
    info, declared = _said(server.requests[0].message)
    assert info == {"name": "some-host", "version": "4.5", "title": "Some Host"}
    assert declared == ROOTS


@pytest.mark.parametrize("era", [Era.MODERN, Era.HANDSHAKE])
async def test_without_an_identity_driftwatch_says_who_it_is(era: Era) -> None:
    async with HttpServer() as server:
        await McpFetcher(KIT).fetch(entry(url=server.url), era=era)

    assert {request.headers.get("user-agent") for request in server.requests} == {f"driftwatch/{__version__}"}
    assert _said(server.requests[0].message) == ({"name": "driftwatch", "version": __version__}, {})


async def test_every_modern_request_declares_the_same() -> None:
    identity = DRESSED.model_copy(update={"era": Era.MODERN})
    async with HttpServer("full") as server:
        await McpFetcher(KIT).fetch(entry(url=server.url), era=None, identity=identity)

    said = [_said(request.message) for request in _posted(server)]
    assert len(said) > 4
    assert all(one == said[0] for one in said)


async def test_an_identity_without_a_user_agent_sends_none() -> None:
    nameless = DRESSED.model_copy(update={"user_agent": None})
    async with HttpServer() as server:
        await McpFetcher(KIT).fetch(entry(url=server.url), era=None, identity=nameless)

    assert not any("user-agent" in request.headers for request in (*server.requests, *server.asides))


async def test_a_credential_alone_is_sent_under_our_own_name() -> None:
    reader = IdentityConfig(name="reader", headers={"Authorization": Secret("Bearer theirs")})
    async with HttpServer() as server:
        await McpFetcher(KIT).fetch(entry(url=server.url), era=None, identity=reader)

    assert {request.headers["authorization"] for request in _posted(server)} == {"Bearer theirs"}
    assert _said(server.requests[0].message)[0]["name"] == "driftwatch"


async def test_a_local_server_gets_the_identitys_variables() -> None:
    program, args = command("honest", "shows-environment")
    watched = entry(command=program, args=args, env={"ROLE": Secret("owner"), "KEPT": Secret("yes")})

    outcome = await McpFetcher(KIT).fetch(watched, era=None, identity=DRESSED)

    assert isinstance(outcome, Listed)
    environ = json.loads(outcome.document["instructions"])["environ"]
    assert (environ["ROLE"], environ["KEPT"]) == ("reader", "yes")


@pytest.mark.parametrize("identity", presets(), ids=[one.name for one in presets()])
async def test_every_built_in_identity_can_look_at_a_real_server(identity: IdentityConfig) -> None:
    outcome = await McpFetcher(KIT).fetch(local("full"), era=None, identity=identity)

    assert isinstance(outcome, Listed)
    assert outcome.era is Era.HANDSHAKE


async def test_a_server_without_the_identitys_era_is_looked_at_in_the_one_it_has() -> None:
    identity = DRESSED.model_copy(update={"era": Era.HANDSHAKE})

    outcome = await McpFetcher(KIT).fetch(local("modern-only"), era=None, identity=identity)

    assert isinstance(outcome, Listed)
    assert outcome.era is Era.MODERN


def _posted(server: HttpServer) -> list[Request]:
    """Give the conversation without what is asked beside it as anybody might."""
    return [request for request in server.requests if request.verb == "POST"]


def _said(message: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Give client info and capabilities of a message of either era."""
    params = message["params"]
    if message["method"] == "initialize":
        return params["clientInfo"], params["capabilities"]
    return params["_meta"][f"{META}clientInfo"], params["_meta"][f"{META}clientCapabilities"]
