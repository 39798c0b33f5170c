"""The ways to a server: through a proxy, and with a certificate of our own."""

from __future__ import annotations

import ssl
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fetch_world import KIT, look, names, remote
from servers.keys import Authority
from servers.over_http import HttpServer
from servers.proxy import Proxy

from driftwatch.config.reach import ClientCertConfig
from driftwatch.config.schema import ServerConfig
from driftwatch.config.secret import Secret
from driftwatch.model import Listed, Outcome, Refused, Unreachable
from driftwatch.watch.fetch.client import McpFetcher
from driftwatch.watch.fetch.dialling import proxy_of

FAR = "http://far.example"


def through(proxy: Proxy, url: str, sign: str = "", **fields: Any) -> ServerConfig:
    return remote(url, proxy=Secret(f"http://{sign}127.0.0.1:{proxy.port}"), **fields)


async def look_in(environ: dict[str, str], server: ServerConfig) -> Outcome:
    return await McpFetcher(replace(KIT, environ=environ)).fetch(server, era=None)


# ------------------------------------------------------------------------------------------------------------- proxies


async def test_a_server_is_read_through_a_proxy_which_alone_looks_its_name_up() -> None:
    async with HttpServer() as server, Proxy(server.port) as proxy:
        seen = await look(through(proxy, f"{FAR}/mcp", "me:pass%20word@"))

        assert names(seen) == ["read", "write"]
        signed = "proxy-authorization: Basic bWU6cGFzcyB3b3Jk"
        assert {one.lower().replace(signed.lower(), signed) for one in proxy.asked} == {f"post {FAR}/mcp {signed}"}
        assert not any("proxy-authorization" in request.headers for request in server.requests)


async def test_tls_and_its_pins_reach_through_a_proxy_from_end_to_end(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    key, other = authority.key(), authority.key()
    async with HttpServer(tls=key.context) as server, Proxy(server.port) as proxy:
        trusted = {"ca_file": str(authority.file), "bearer": Secret("a-token-of-ours")}
        seen = await look(through(proxy, server.url, tls_pin=(key.pin,), **trusted))
        asked = len(server.requests)
        refused = await look(through(proxy, server.url, tls_pin=(other.pin,), **trusted))

        assert isinstance(seen, Listed)
        assert set(proxy.asked) == {f"CONNECT 127.0.0.1:{server.port}"}
        assert isinstance(refused, Refused)
        assert (refused.code, len(server.requests)) == ("tls-pin", asked)


@pytest.mark.parametrize(
    ("scheme", "answer", "expected"),
    [
        ("https", b"407 Tell me", Unreachable("proxy", "the proxy wants a name and a password, or other ones")),
        ("http", b"407 Tell me", Unreachable("proxy", "the proxy wants a name and a password, or other ones", 407)),
        ("https", b"502 topsecret", Unreachable("proxy", "the proxy answered with HTTP 502")),
    ],
)
async def test_a_proxy_that_refuses_is_told_from_the_server(scheme: str, answer: bytes, expected: Unreachable) -> None:
    async with Proxy(refuses=answer) as proxy:
        outcome = await look(through(proxy, f"{scheme}://far.example/mcp"))

    assert outcome == expected


async def test_a_proxy_that_is_away_is_named_as_such() -> None:
    async with Proxy() as proxy:
        pass

    assert await look(through(proxy, f"{FAR}/mcp")) == Unreachable("proxy", "no connection to the proxy")


async def test_the_environments_proxy_is_used_where_it_is_asked_for_and_not_otherwise() -> None:
    async with HttpServer() as server, Proxy(server.port) as proxy:
        environ = {"HTTP_PROXY": "http://127.0.0.1:9", "http_proxy": f"127.0.0.1:{proxy.port}"}
        asked = await look_in(environ, remote(f"{FAR}/mcp", proxy=Secret("environment")))
        plain = await look_in(environ, remote(server.url))

        assert isinstance(asked, Listed)
        assert isinstance(plain, Listed)
        assert {one.split(" ")[1] for one in proxy.asked} == {f"{FAR}/mcp"}


@pytest.mark.parametrize(
    ("url", "excepted", "is_used"),
    [
        ("https://mcp.example/x", "", True),
        ("https://mcp.example/x", "*", False),
        ("https://mcp.example/x", "mcp.example", False),
        ("https://a.mcp.example/x", "other.example, .mcp.example", False),
        ("https://notmcp.example/x", "mcp.example", True),
        ("https://mcp.example:8443/x", "mcp.example:8443", False),
        ("https://mcp.example:8443/x", "mcp.example:443", True),
        ("https://10.1.2.3/x", "10.0.0.0/8", False),
        ("https://11.1.2.3/x", "10.0.0.0/8", True),
        ("https://[fd00::1]/x", "[fd00::1]", False),
        ("https://[fd00::1]:8443/x", "[fd00::1]:8443", False),
        ("http://mcp.example/x", "", False),
    ],
)
def test_the_environments_exceptions_are_honoured(url: str, excepted: str, *, is_used: bool) -> None:
    environ = {"HTTPS_PROXY": "http://proxy.example:3128", "no_proxy": excepted}

    found = proxy_of(remote(url, proxy=Secret("environment")), url, environ)

    assert found == (("http://proxy.example:3128", None) if is_used else None)


async def test_a_proxy_of_the_environment_that_cannot_be_used_fails_the_look_without_being_repeated() -> None:
    environ = {"ALL_PROXY": "socks5://me:topsecret@proxy.example"}

    outcome = await look_in(environ, remote(f"{FAR}/mcp", proxy=Secret("environment")))

    assert outcome == Unreachable("proxy", "the proxy of the environment is not an HTTP proxy")


# -------------------------------------------------------------------------------------------------------- certificates


async def test_a_certificate_of_ours_is_shown_to_the_server_that_wants_one(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    key, ours = authority.key(), authority.key(password=b"pass word")
    wants(authority, key.context)
    cert = ClientCertConfig(cert=str(ours.file), password=Secret("pass word"))
    async with HttpServer(tls=key.context) as server:
        seen = await look(remote(server.url, ca_file=str(authority.file), client_cert=cert))
        stranger = await look(remote(server.url, ca_file=str(authority.file)))

    assert isinstance(seen, Listed)
    assert isinstance(stranger, Unreachable)


@pytest.mark.parametrize("password", [None, Secret("another one")])
async def test_a_certificate_that_cannot_be_used_is_a_failed_look_and_nobody_is_asked_for_a_password(
    tmp_path: Path, password: Secret | None
) -> None:
    authority = Authority(tmp_path)
    ours = authority.key(password=b"pass word")

    for cert in (str(ours.file), str(tmp_path / "none.pem")):
        refused = await look(
            remote("https://127.0.0.1:9/mcp", client_cert=ClientCertConfig(cert=cert, password=password))
        )

        assert isinstance(refused, Unreachable)
        assert (refused.code, "client_cert cannot be used" in refused.detail) == ("tls", True)
        assert "another one" not in refused.detail


def wants(authority: Authority, context: ssl.SSLContext) -> None:
    """Let a server ask for a certificate of an authority."""
    context.verify_mode = ssl.CERT_REQUIRED
    context.load_verify_locations(authority.file)
