"""Where a connection may go: what a name leads to is checked, and what was checked is what is connected to."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Sequence

import pytest
from fetch_world import KIT, listed, look, names, remote
from servers.http_faults import Fault
from servers.http_parts import HTML, Reply, Request
from servers.over_http import HttpServer, serving

from driftwatch.config.schema import ServerConfig
from driftwatch.config.secret import Secret
from driftwatch.model import Listed, Outcome, Refused, Unreachable
from driftwatch.watch.fetch.client import McpFetcher
from driftwatch.watch.fetch.kit import Kit
from driftwatch.watch.fetch.outbound import AddressRefusedError, Book

PUBLIC, PRIVATE, HERE, ELSEWHERE = "8.8.8.8", "10.0.0.1", "127.0.0.1", "127.0.0.2"
RESOURCE = "/.well-known/oauth-protected-resource/mcp"


class Names:
    """A resolver: gives one answer after the other, the last one for ever, and notes what it was asked."""

    def __init__(self, *answers: Sequence[str]) -> None:
        self._answers = list(answers)
        self.asked: list[str] = []

    async def __call__(self, host: str, _: int) -> Sequence[str]:
        self.asked.append(host)
        return self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]


async def look_with(resolver: Names, server: ServerConfig) -> Outcome:
    kit = Kit(environ=KIT.environ, grace=KIT.grace, book=Book(resolver))
    return await McpFetcher(kit).fetch(server, era=None)


def named(server: HttpServer, host: str, **fields: object) -> ServerConfig:
    return remote(server.url.replace(server.host, host), **fields)


async def test_a_name_is_looked_up_once_a_look_and_what_was_checked_is_what_is_connected_to() -> None:
    resolver = Names([HERE], [ELSEWHERE])
    async with HttpServer() as server, HttpServer(host=ELSEWHERE, at=server.port) as other:
        outcome = await look_with(resolver, named(server, "rebinds.example", addresses="any"))

    assert names(outcome) == ["read", "write"]
    assert (resolver.asked, other.connections) == (["rebinds.example"], 0)
    assert {request.headers["host"] for request in server.requests} == {f"rebinds.example:{server.port}"}


@pytest.mark.parametrize(
    "address",
    [HERE, "::ffff:127.0.0.1", "64:ff9b::7f00:1", "169.254.169.254", "fd00:ec2::254", "0.0.0.0", "fe80::1%lo"],
)
async def test_a_name_of_the_internet_that_leads_to_this_machine_is_not_connected_to(address: str) -> None:
    async with HttpServer() as server:
        outcome = await look_with(Names([address]), named(server, "rebinds.example", bearer=Secret("a-token-of-ours")))

        assert server.connections == 0
    assert isinstance(outcome, Refused)
    assert (outcome.code, address in outcome.detail) == ("address-refused", True)


async def test_a_name_that_led_to_the_internet_does_not_lead_into_a_private_network_later() -> None:
    book = Book(Names([PUBLIC], [PRIVATE], [PRIVATE, PUBLIC]))

    assert await book.addresses("rebinds.example", 443, "auto") == [PUBLIC]
    with pytest.raises(AddressRefusedError, match=r'leads to 10\.0\.0\.1.*write addresses = "any"'):
        await book.addresses("rebinds.example", 443, "auto")
    assert await book.addresses("rebinds.example", 443, "auto") == [PUBLIC]


async def test_a_name_of_a_private_network_from_the_start_is_taken_as_one() -> None:
    book = Book(Names([PRIVATE], [PRIVATE, HERE]))

    assert [await book.addresses("mcp.example", 443, "auto") for _ in range(2)] == [[PRIVATE], [PRIVATE]]
    with pytest.raises(AddressRefusedError, match='its entry says addresses = "public"'):
        await book.addresses("mcp.example", 443, "public")


async def test_a_local_name_leads_to_this_machine_without_being_asked_for() -> None:
    async with HttpServer() as server:
        outcome = await look_with(Names([HERE]), named(server, "mcp.internal"))

    assert isinstance(outcome, Listed)


async def test_a_resolver_that_never_answers_or_answers_with_thousands_has_its_bounds() -> None:
    class Silent(Names):
        async def __call__(self, host: str, _: int) -> Sequence[str]:
            self.asked.append(host)
            await asyncio.Event().wait()
            return ()

    silent, many = Silent(), Names([f"127.0.1.{number % 200}" for number in range(5000)])
    with socket.create_server((HERE, 0)) as taken:
        port = taken.getsockname()[1]
    waiting = await look_with(silent, remote(f"http://mcp.internal:{port}/mcp", times={"connect": 0.3}))

    assert waiting == Unreachable("timeout", "no connection in time for server/discover")
    assert len(await Book(many).addresses("mcp.internal", port, "auto")) == 8


async def test_of_several_addresses_one_that_answers_is_taken() -> None:
    async with HttpServer() as server:
        outcome = await look_with(Names(["127.0.0.3", HERE]), named(server, "mcp.internal"))

    assert isinstance(outcome, Listed)


# ---------------------------------------------------------------------------------- what a server names, and redirects


def redirect(target: str) -> Fault:
    async def act(_: HttpServer, __: Request, reply: Reply) -> bool:
        await reply.whole(307, b"", HTML, location=target)
        return True

    return act


@pytest.mark.parametrize(
    "target",
    [
        "http://127.0.0.2:{port}/mcp",
        "http://localhost:{port}/mcp",
        "http://[::1]:{port}/mcp",
        "http://[::ffff:127.0.0.1]:{port}/mcp",
        "http://2130706433:{port}/mcp",
        "http://0.0.0.0:{port}/mcp",
        "//127.0.0.2:{port}/mcp",
        "http://127.0.0.1:{port}@127.0.0.2/mcp",
        "http://user@127.0.0.1:{port}/mcp",
        "https://127.0.0.1:{port}/mcp",
        "http://169.254.169.254/latest/meta-data/",
        "file:///etc/passwd",
        "gopher://127.0.0.1:{port}/_x",
        "unix:///run/docker.sock",
        "http://[",
    ],
)
async def test_no_redirect_leads_off_the_origin(target: str) -> None:
    async with HttpServer() as server, HttpServer(host=ELSEWHERE, at=server.port) as other:
        server.fault = redirect(target.format(port=server.port))

        outcome = await look(remote(server.url, bearer=Secret("a-token-of-ours")))

        assert other.connections == 0
        assert len(server.requests) <= 6
    assert isinstance(outcome, Refused)
    assert outcome.code == "redirected"


async def test_what_sign_in_metadata_name_is_noted_and_never_connected_to() -> None:
    async with serving() as server, HttpServer(host=ELSEWHERE) as inner:
        here = json.dumps({"authorization_servers": [inner.origin, "http://169.254.169.254", "file:///etc/passwd"]})
        server.well_known = {RESOURCE: here.encode()}

        seen = await listed(remote(server.url, bearer=Secret("a-token-of-ours")))

        assert inner.connections == 0
    assert inner.origin in seen.launch["oauth"]["servers"]


async def test_sign_in_metadata_that_are_redirected_are_not_followed() -> None:
    async def act(server: HttpServer, request: Request, reply: Reply) -> bool:
        if "authorization" in request.headers:
            return False
        await reply.whole(302, b"", HTML, location=f"http://{ELSEWHERE}:{server.port}/secret")
        return True

    async with HttpServer(fault=act) as server, HttpServer(host=ELSEWHERE, at=server.port) as other:
        await listed(remote(server.url, bearer=Secret("a-token-of-ours")))

        assert other.connections == 0
