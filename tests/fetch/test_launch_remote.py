"""What is found out about a server with a URL: where it leads, its key, and where it sends people to sign in."""

from __future__ import annotations

import json
import ssl
from pathlib import Path
from typing import Any

import pytest
from fetch_world import KIT, entry, listed, look, remote
from servers.keys import Authority
from servers.over_http import HttpServer, serving

from driftwatch.config.schema import ServerConfig
from driftwatch.config.secret import Secret
from driftwatch.model import Listed, Refused, Unreachable
from driftwatch.watch.fetch.client import McpFetcher
from driftwatch.watch.fetch.kit import Kit
from driftwatch.watch.fetch.metadata import LIFE
from tests.fakes import FrozenClock

TOKEN = Secret("a-token-of-ours")
RESOURCE = "/.well-known/oauth-protected-resource/mcp"
ISSUER = "/.well-known/oauth-authorization-server"
ENDPOINTS = {
    "authorization_endpoint": "https://login.example/authorize",
    "token_endpoint": "https://login.example/token",
}


def signed_in(server: HttpServer, **fields: Any) -> ServerConfig:
    return remote(server.url, bearer=TOKEN, **fields)


def says(**fields: Any) -> bytes:
    return json.dumps(fields).encode()


async def test_an_address_is_told_with_the_names_of_its_headers_and_no_value() -> None:
    async with serving() as server:
        told = (await listed(remote(f"{server.url}?key=hunter2", headers={"X-Team": Secret("a-team-secret")}))).launch

    assert told == {"transport": "http", "url": f"{server.url}?key=***", "headers": ["X-Team"]}


async def test_a_redirect_within_the_origin_is_told() -> None:
    async with serving(fault="redirects-within") as server:
        told = (await listed(remote(server.url))).launch

    assert told["redirect"] == f"{server.origin}/moved"


async def test_a_server_that_nobody_signs_in_to_is_not_asked_about_it() -> None:
    async with serving() as server:
        await listed(remote(server.url))
        assert server.asides == []

        await listed(remote(server.url, oauth_metadata="on"))
        assert server.asides != []

        server.asides.clear()
        await listed(signed_in(server, oauth_metadata="off"))
        assert server.asides == []


async def test_metadata_of_the_servers_own_origin_are_read_and_no_credential_is_sent() -> None:
    async with serving() as server:
        server.well_known = {RESOURCE: says(authorization_servers=[server.origin]), ISSUER: says(**ENDPOINTS)}

        told = (await listed(signed_in(server))).launch

    assert told["oauth"] == {"servers": [server.origin], **ENDPOINTS}
    assert [request.path for request in server.asides] == [RESOURCE, ISSUER]
    assert not any("authorization" in request.headers for request in server.asides)


async def test_an_issuer_elsewhere_is_noted_and_never_asked() -> None:
    async with serving() as server, serving() as other:
        server.well_known = {RESOURCE: says(authorization_servers=[other.origin, "https://login.example"])}

        told = (await listed(signed_in(server))).launch

    assert told["oauth"] == {"servers": sorted([other.origin, "https://login.example"])}
    assert other.asides == []
    assert other.requests == []


async def test_a_server_of_the_older_kind_is_its_own_issuer() -> None:
    async with serving() as server:
        server.well_known = {ISSUER: says(**ENDPOINTS)}

        told = (await listed(signed_in(server))).launch

    assert told["oauth"] == ENDPOINTS


@pytest.mark.parametrize(
    "body",
    [b"[]", b"{", b'"text"', b"\xff", b"{" * 100_000, b"x" * 300_000, says(authorization_servers="https://a.example")],
)
async def test_what_is_no_metadata_is_absent_and_odd(body: bytes) -> None:
    async with serving() as server:
        server.well_known = {RESOURCE: body}

        seen = await listed(signed_in(server))

    assert "oauth" not in seen.launch
    assert seen.unsettled == ()
    assert {oddity.code for oddity in seen.oddities} == {"unreadable-metadata"}


async def test_a_hostile_address_is_kept_as_it_is_and_opened_by_nobody() -> None:
    address = "a:$(touch /tmp/never)?x=`id`"
    async with serving() as server:
        server.well_known = {ISSUER: says(authorization_endpoint=address, token_endpoint=7)}

        seen = await listed(signed_in(server))

    assert seen.launch["oauth"] == {"authorization_endpoint": address}
    assert [oddity.pointer for oddity in seen.oddities] == ["/launch/oauth/token_endpoint"]


@pytest.mark.parametrize("status", [500, 503, 429])
async def test_metadata_that_cannot_be_had_right_now_are_left_open(status: int) -> None:
    async with serving() as server:
        server.well_known = {RESOURCE: status}

        seen = await listed(signed_in(server))

    assert seen.unsettled == ("oauth",)
    assert "oauth" not in seen.launch


async def test_metadata_are_asked_for_once_a_day_and_an_outage_does_not_take_them_away() -> None:
    clock = FrozenClock()
    fetcher = McpFetcher(Kit(environ=KIT.environ, grace=KIT.grace, clock=clock))
    async with serving() as server:
        server.well_known = {ISSUER: says(**ENDPOINTS)}
        seen = []
        for step in ("first", "again", "outage"):
            if step == "outage":
                clock.forward(LIFE.total_seconds())
                server.well_known = dict.fromkeys((RESOURCE, ISSUER), 503)
            asked = len(server.asides)
            outcome = await fetcher.fetch(signed_in(server), era=None)
            assert isinstance(outcome, Listed)
            seen.append((len(server.asides) - asked > 0, outcome.launch["oauth"]))

    assert seen == [(True, ENDPOINTS), (False, ENDPOINTS), (True, ENDPOINTS)]


@pytest.mark.parametrize(
    ("fault", "found"), [("says-where-to-sign-in", "/meta"), ("says-elsewhere-to-sign-in", RESOURCE)]
)
async def test_whoever_comes_without_a_credential_is_told_where_to_look_and_every_process_looks_there(
    fault: str, found: str
) -> None:
    async with serving(fault=fault) as server:
        metadata = says(authorization_servers=["https://login.example"])
        server.well_known = {"/meta": metadata, RESOURCE: metadata}

        watched = remote(f"{server.url}?key=hunter2", bearer=TOKEN)
        told = []
        for _ in range(2):
            seen = await McpFetcher(Kit(environ=KIT.environ, grace=KIT.grace)).fetch(watched, era=None)
            assert isinstance(seen, Listed)
            told.append(seen.launch)

    bare = [one for one in (*server.requests, *server.asides) if "authorization" not in one.headers]
    assert [one["oauth"] for one in told] == [{"servers": ["https://login.example"]}] * 2
    assert sorted(request.path for request in bare) == sorted(["/mcp", found] * 2)
    assert not any("hunter2" in request.path for request in bare)


# ------------------------------------------------------------------------------------------------------------- TLS


async def test_a_server_is_read_over_a_certificate_of_its_own_authority(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    key = authority.key()
    async with HttpServer(tls=key.context) as server:
        trusted = entry(url=server.url, ca_file=str(authority.file), tls_pin=(key.pin,))

        told = (await listed(trusted)).launch
        stranger = await look(entry(url=server.url))

    assert told["tls"] == {"pin": [key.pin]}
    assert isinstance(stranger, Unreachable)
    assert stranger.code == "tls"


@pytest.mark.parametrize("transport", ["http", "sse"])
async def test_another_key_ends_the_look_before_anything_is_sent(tmp_path: Path, transport: str) -> None:
    authority = Authority(tmp_path)
    key, other = authority.key(), authority.key()
    async with HttpServer("honest", "legacy" if transport == "sse" else "none", tls=other.context) as server:
        watched = entry(
            url=server.url, transport=transport, ca_file=str(authority.file), tls_pin=(key.pin,), bearer=TOKEN
        )

        refused = await look(watched)

    assert isinstance(refused, Refused)
    assert refused.code == "tls-pin"
    assert other.pin in refused.detail
    assert server.requests == []


async def test_one_of_several_pins_is_enough_so_that_a_key_can_be_changed(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    key, other = authority.key(), authority.key()
    async with HttpServer(tls=other.context) as server:
        seen = await look(entry(url=server.url, ca_file=str(authority.file), tls_pin=(key.pin, other.pin)))

    assert isinstance(seen, Listed)


async def test_sign_in_metadata_are_asked_for_over_the_pinned_key_too(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    key = authority.key()
    async with HttpServer(tls=key.context) as server:
        server.well_known = {ISSUER: says(**ENDPOINTS)}

        told = (await listed(signed_in(server, ca_file=str(authority.file), tls_pin=(key.pin,)))).launch

    assert told["oauth"] == ENDPOINTS


@pytest.mark.parametrize("content", [None, b"no certificate"])
async def test_a_file_of_certificates_that_cannot_be_used_is_a_failed_look(
    tmp_path: Path, content: bytes | None
) -> None:
    file = tmp_path / "ca.pem"
    if content is not None:
        file.write_bytes(content)

    refused = await look(entry(url="https://127.0.0.1:9/mcp", ca_file=str(file)))

    assert isinstance(refused, Unreachable)
    assert refused.code == "tls"
    assert "ca_file" in refused.detail


def test_the_pin_of_a_test_is_the_pin_of_the_product(tmp_path: Path) -> None:
    from driftwatch.watch.fetch.pins import pin_of

    authority = Authority(tmp_path)
    key = authority.key()
    file = next(path for path in tmp_path.glob("*.pem") if path != authority.file)
    der = ssl.PEM_cert_to_DER_cert(file.read_text().partition("-----BEGIN PRIVATE")[0])

    assert pin_of(der) == key.pin
