"""Tokens by OAuth client credentials: whom driftwatch asks, what it proves, what it keeps, what it says of failures."""

from __future__ import annotations

import base64
import contextlib
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from fetch_world import KIT, remote
from servers.over_http import HttpServer
from servers.tokens import Issuer, wants

from driftwatch.config.identities import IdentityConfig
from driftwatch.config.oauth import OauthConfig
from driftwatch.config.schema import ServerConfig
from driftwatch.config.secret import Secret
from driftwatch.model import Listed, Outcome, Refused, Unreachable
from driftwatch.watch.fetch.client import McpFetcher
from driftwatch.watch.fetch.kit import Kit
from driftwatch.watch.fetch.outbound import Book
from tests.fakes import FrozenClock

SECRET = "a secret: of ours"


@dataclass
class World:
    """A server that wants a token, whoever gives them, and a fetcher with its own memory."""

    server: HttpServer
    login: HttpServer
    issuer: Issuer
    clock: FrozenClock

    def __post_init__(self) -> None:
        self.fetcher = McpFetcher(kit_with(self.clock))

    def entry(self, **oauth: Any) -> ServerConfig:
        known: dict[str, Any] = {"client_id": "drift:watch", "issuer": self.login.origin}
        known |= {} if "private_key" in oauth else {"client_secret": Secret(SECRET)}
        return remote(f"{self.server.url}?key=hunter2", oauth=OauthConfig(**(known | oauth)))

    async def look(self, **oauth: Any) -> Outcome:
        return await self.fetcher.fetch(self.entry(**oauth), era=None)


def kit_with(clock: FrozenClock) -> Kit:
    return Kit(environ=KIT.environ, grace=KIT.grace, clock=clock)


@contextlib.asynccontextmanager
async def world(issuer: Issuer | None = None, *, also: int = 0) -> AsyncIterator[World]:
    made = issuer or Issuer()
    async with HttpServer(fault=made.act) as login, HttpServer(fault=wants(made, also=also)) as server:
        made.announce(login)
        yield World(server, login, made, FrozenClock())


async def test_a_token_is_got_before_the_first_request_and_serves_many_looks() -> None:
    async with world() as made:
        first, second = await made.look(scope="mcp.read"), await made.look(scope="mcp.read")

        assert isinstance(first, Listed)
        assert isinstance(second, Listed)
        assert "token-1-of-ours" not in json.dumps(first.launch)
        ((fields, headers),) = made.issuer.asked
        assert fields == {"grant_type": "client_credentials", "scope": "mcp.read", "resource": made.server.url}
        pair = base64.b64decode(headers["authorization"].removeprefix("Basic "))
        assert pair == b"drift%3Awatch:a%20secret%3A%20of%20ours"
        with_it = [one for one in made.server.requests if one.message]
        assert {one.headers["authorization"] for one in with_it} == {"Bearer token-1-of-ours"}


async def test_a_server_that_repeats_our_token_in_its_metadata_does_not_get_it_kept() -> None:
    async with world() as made:
        place = "/.well-known/oauth-authorization-server"
        made.server.well_known[place] = b'{"authorization_endpoint": "https://x.example/?t=token-1-of-ours"}'

        seen = await made.look()

    assert isinstance(seen, Listed)
    assert seen.launch["oauth"] == {"authorization_endpoint": "https://x.example/?t=***"}


async def test_the_secret_can_go_into_the_body_and_the_endpoint_can_be_given() -> None:
    async with world() as made:
        seen = await made.look(send="post", issuer="", token_url=f"{made.login.origin}/t", resource="")

        assert isinstance(seen, Listed)
        ((fields, headers),) = made.issuer.asked
        assert fields == {
            "grant_type": "client_credentials",
            "client_id": "drift:watch",
            "client_secret": SECRET,
        }
        assert "authorization" not in headers
        assert made.login.asides == []


async def test_a_private_key_signs_what_proves_who_we_are_to_that_issuer_only() -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
    async with world() as made:
        seen = await made.look(private_key=Secret(pem), algorithm="ES256")

        assert isinstance(seen, Listed)
        ((fields, _),) = made.issuer.asked
        claims = json.loads(base64.urlsafe_b64decode(fields["client_assertion"].split(".")[1] + "=="))
        assert (claims["iss"], claims["sub"], claims["aud"]) == ("drift:watch", "drift:watch", made.login.origin)
        assert fields["client_assertion_type"].endswith(":jwt-bearer")

        wrong = await McpFetcher(kit_with(made.clock)).fetch(
            made.entry(private_key=Secret(pem), algorithm="RS256"), era=None
        )

    assert wrong == Refused("sign-in", "the private_key cannot sign with RS256")


async def test_a_token_is_asked_for_anew_before_it_ends() -> None:
    async with world(Issuer(life=600)) as made:
        for seconds in (0, 539, 2):
            made.clock.forward(seconds)
            assert isinstance(await made.look(), Listed)

        assert made.issuer.given == ["token-1-of-ours", "token-2-of-ours"]


async def test_a_token_that_is_refused_is_replaced_once() -> None:
    async with world(also=1) as made:
        seen = await made.look()

        assert isinstance(seen, Listed)
        assert len(made.issuer.given) == 2


async def test_a_server_that_refuses_every_token_is_refused_and_repeats_none_of_them() -> None:
    async with world(also=99) as made:
        refused = await made.look()

        assert isinstance(refused, Refused)
        assert (refused.code, refused.status) == ("unauthorized", 401)
        assert "Bearer ***" in refused.detail
        assert "of-ours" not in refused.detail
        assert len(made.issuer.given) == 2
        assert made.server.methods() == ["server/discover"] * 2


@pytest.mark.parametrize(
    ("answer", "kind", "words"),
    [
        ((401, {"error": "invalid_client"}), Refused, 'answered with HTTP 401 ("invalid_client")'),
        ((400, {"error": f"\x1b[31m{SECRET}"}), Refused, 'HTTP 400 ("\\u{1b}[31m***")'),
        ((503, {}), Unreachable, "answered with HTTP 503"),
        ((302, {}), Refused, "answered with HTTP 302"),
        ((200, {"access_token": "a b"}), Refused, "gave no bearer token that can be used"),
        ((200, {"access_token": "a\r\nX: y"}), Refused, "gave no bearer token that can be used"),
        ((200, {"access_token": "x" * 20_000}), Refused, "gave no bearer token that can be used"),
        ((200, {"access_token": "a", "token_type": "mac"}), Refused, "gave no bearer token that can be used"),
        (b"[" * 50_000, Refused, "gave no bearer token that can be used"),
        (b"x" * 100_000, Refused, "says more than it may"),
        (b"", Refused, "gave no bearer token that can be used"),
    ],
)
async def test_where_no_token_is_to_be_had_the_look_fails_with_words_and_the_server_is_not_asked(
    answer: Any, kind: type, words: str
) -> None:
    async with world(Issuer(answers=[answer])) as made:
        outcome = await made.look()

        assert isinstance(outcome, kind)
        assert outcome.code == "sign-in"
        assert words in outcome.detail
        assert made.server.connections == 0


@pytest.mark.parametrize(
    ("metadata", "words"),
    [
        (lambda origin: {"issuer": "https://other.example", "token_endpoint": f"{origin}/token"}, "another issuer"),
        (lambda origin: {"issuer": origin, "token_endpoint": "https://127.0.0.2:9/token"}, "if it is elsewhere"),
        (lambda origin: {"issuer": origin, "token_endpoint": "http://169.254.169.254/"}, "if it is elsewhere"),
        (lambda origin: {"issuer": origin, "token_endpoint": 7}, "if it is elsewhere"),
        (lambda _: ["no", "metadata"], "no metadata that can be read"),
    ],
)
async def test_metadata_do_not_lead_the_credentials_elsewhere(metadata: Any, words: str) -> None:
    async with world(Issuer(metadata=metadata)) as made:
        outcome = await made.look()

        assert isinstance(outcome, Refused)
        assert (outcome.code, words in outcome.detail) == ("sign-in", True)
        assert made.issuer.asked == []


async def test_an_authorization_server_is_under_the_same_rules_for_addresses() -> None:
    async def resolve(_: str, __: int) -> list[str]:
        return ["127.0.0.1"]

    async with world() as made:
        away = made.entry(issuer="", token_url=f"https://login.example:{made.login.port}/token")

        outcome = await McpFetcher(replace(kit_with(made.clock), book=Book(resolve))).fetch(away, era=None)

        assert (made.login.connections, made.server.connections) == (0, 0)
    assert isinstance(outcome, Refused)
    assert outcome.code == "address-refused"


async def test_an_authorization_server_that_is_away_is_named_as_such() -> None:
    async with world() as made:
        gone = made.login.origin
        await made.login.__aexit__()

        outcome = await made.look(issuer="", token_url=f"{gone}/token")

    assert outcome == Unreachable(
        "sign-in", "no token from the authorization server: no connection: Connection refused"
    )


async def test_an_authorization_server_that_never_answers_has_the_time_of_one_request() -> None:
    async with HttpServer(fault="hangs") as login, HttpServer() as server:
        oauth = OauthConfig(client_id="x", client_secret=Secret(SECRET), token_url=f"{login.origin}/t")

        outcome = await McpFetcher(KIT).fetch(remote(server.url, oauth=oauth, times={"request": 0.3}), era=None)

        assert server.connections == 0
    assert isinstance(outcome, Unreachable)
    assert outcome.code == "sign-in"


async def test_whoever_looks_with_a_credential_of_its_own_gets_no_token_of_ours() -> None:
    async with world() as made:
        other = IdentityConfig(name="other", bearer=Secret("another-token"))

        await made.fetcher.fetch(made.entry(), era=None, identity=other)

        assert made.issuer.asked == []
        assert {one.headers["authorization"] for one in made.server.requests if one.message} == {"Bearer another-token"}
