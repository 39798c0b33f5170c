"""Tokens for servers that want one: asked for with driftwatch's own client credentials, kept in memory only.

Whom to ask stands in the configuration, so that a watched server never chooses who gets the credentials: the SDK's own
flow would ask it where to sign in. Of an issuer the metadata are read on its own origin, no redirect is followed, and
what comes back is bounded like all else. A token is asked for anew before it ends, and once when it is refused.
"""

from __future__ import annotations

import base64
import json
import math
import re
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, NoReturn
from urllib.parse import quote

import anyio
import httpx2
from mcp.client.auth.extensions.client_credentials import SignedJWTParameters
from mcp.client.auth.utils import issuers_match

from driftwatch.config.oauth import OauthConfig
from driftwatch.config.schema import ServerConfig
from driftwatch.config.urls import is_clear_text_to_others
from driftwatch.model import Failure, Json, Refused, Unreachable
from driftwatch.watch.fetch import failures
from driftwatch.watch.fetch.answers import FailedLookError
from driftwatch.watch.fetch.metadata import issuer_places, same_origin

if TYPE_CHECKING:
    from driftwatch.watch.fetch.wire import Wire

MOST_BYTES = 256 * 1024
"""All that may come on the way to one token, heads included."""

_MOST_BODY, _MOST_KNOWN = 64 * 1024, 1000
_TOKEN = re.compile(r"[!-~]{1,16384}")
_UNSAID, _SHORTEST, _LONGEST = 600.0, 30.0, 86_400.0
"""Seconds that a token counts whose end is not told, at least, and at most."""

_AHEAD = 60.0
"""Seconds before its end from which on a token is asked for anew; of a short-lived one a quarter of its life."""

_JWT = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"

Client = Callable[[str], AbstractAsyncContextManager[httpx2.AsyncClient]]
"""Makes a client that can reach a URL under the server's outbound policy."""


@dataclass(frozen=True)
class Token:
    """An access token and until when it counts."""

    value: str = field(repr=False)
    until: datetime


class Tokens:
    """Remembers tokens between looks, and who is being asked for one."""

    def __init__(self) -> None:
        """Start with nothing."""
        self._known: dict[tuple[str, OauthConfig], Token] = {}
        self._asking: dict[tuple[str, OauthConfig], anyio.Lock] = {}

    async def of(self, server: ServerConfig, client: Client, clock: Callable[[], datetime], wire: Wire) -> Token:
        """Give a token that still counts.

        Raises:
            FailedLookError: none is to be had (`sign-in`).

        """
        key = (server.url, server.oauth)
        if len(self._asking) > _MOST_KNOWN:
            self._known.clear()
            self._asking.clear()
        async with self._asking.setdefault(key, anyio.Lock()):
            token = self._known.get(key)
            if token is None or clock() >= token.until:
                self._known[key] = token = await _asked(server, client, clock, wire)
            wire.hide(token.value)
            return token

    def forget(self, server: ServerConfig, token: Token) -> None:
        """Forget a token that was refused, unless there is another one by now."""
        key = (server.url, server.oauth)
        if self._known.get(key) is token:
            del self._known[key]


class Signed(httpx2.AsyncBaseTransport):
    """Puts a token on every request, and asks for another one, once, where it is refused."""

    def __init__(
        self,
        inner: httpx2.AsyncBaseTransport,
        token: Callable[[], Awaitable[Token]],
        forget: Callable[[Token], None],
    ) -> None:
        """Take the transport below, what gives a token, and what forgets one."""
        self._inner = inner
        self._token = token
        self._forget = forget

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request with a token."""
        known = await self._put(request)
        response = await self._inner.handle_async_request(request)
        if response.status_code != 401:
            return response
        self._forget(known)
        await response.aclose()
        await self._put(request)
        return await self._inner.handle_async_request(request)

    async def aclose(self) -> None:
        """Close the sockets."""
        await self._inner.aclose()

    async def _put(self, request: httpx2.Request) -> Token:
        try:
            token = await self._token()
        except FailedLookError as error:
            # What stands above knows errors of the library only, and finds the reason in this one's cause.
            raise httpx2.ConnectError("") from error
        request.headers["Authorization"] = f"Bearer {token.value}"
        return token


async def _asked(server: ServerConfig, client: Client, clock: Callable[[], datetime], wire: Wire) -> Token:
    wire.phase = "signing in"
    with anyio.move_on_after(server.timeout.request):
        try:
            endpoint = server.oauth.token_url or await _endpoint(server.oauth, client)
            fields, headers = await _request(server)
            async with client(endpoint) as http:
                status, said, wait = await _exchange(http, "POST", endpoint, headers=headers, data=fields, now=clock())
        except httpx2.HTTPError as error:
            failure = failures.of_connection(error, phase="signing in")
            raise FailedLookError(_relabelled(failure)) from error
        if status != 200:
            _refuse(status, said, wait, wire)
        return _token(said, clock())
    raise FailedLookError(Unreachable("sign-in", "no token: the authorization server did not answer in time"))


def _relabelled(failure: Failure) -> Failure:
    if failure.code == "address-refused":
        return failure
    return Unreachable("sign-in", f"no token from the authorization server: {failure.detail}")


async def _endpoint(oauth: OauthConfig, client: Client) -> str:
    """Read the issuer's metadata for its token endpoint."""
    for place in issuer_places(oauth.issuer):
        async with client(place) as http:
            status, said, _ = await _exchange(http, "GET", place)
        if status >= 500 or status == 429:
            raise FailedLookError(Unreachable("sign-in", f"the issuer answered with HTTP {status} for its metadata"))
        if status == 200 and said:
            return _endpoint_in(said, oauth.issuer)
    raise FailedLookError(Refused("sign-in", "the issuer has no metadata that can be read; write token_url"))


def _endpoint_in(said: dict[str, Json], issuer: str) -> str:
    named, endpoint = said.get("issuer"), said.get("token_endpoint")
    if not isinstance(named, str) or not issuers_match(named, issuer):
        raise FailedLookError(Refused("sign-in", "the metadata are those of another issuer than the configured one"))
    found = same_origin(issuer, endpoint) if isinstance(endpoint, str) else None
    if found is None or is_clear_text_to_others(found):
        where = "names no token endpoint on its own origin"
        raise FailedLookError(Refused("sign-in", f"the issuer {where}; if it is elsewhere, write token_url"))
    return found


async def _request(server: ServerConfig) -> tuple[dict[str, str], dict[str, str]]:
    """Give the fields and the headers with which a token is asked for."""
    oauth, name = server.oauth, server.oauth.client_id or ""
    fields, headers = {"grant_type": "client_credentials"}, {"Accept": "application/json"}
    resource = server.url.partition("?")[0] if oauth.resource is None else oauth.resource
    fields |= {"scope": oauth.scope} if oauth.scope else {}
    fields |= {"resource": resource} if resource else {}
    if oauth.private_key is not None:
        fields |= {"client_id": name, "client_assertion_type": _JWT, "client_assertion": await _assertion(oauth)}
    elif oauth.client_secret is not None and oauth.send == "post":
        fields |= {"client_id": name, "client_secret": oauth.client_secret.reveal()}
    elif oauth.client_secret is not None:
        pair = f"{quote(name, safe='')}:{quote(oauth.client_secret.reveal(), safe='')}"  # RFC 6749, 2.3.1
        headers["Authorization"] = f"Basic {base64.b64encode(pair.encode()).decode()}"
    return fields, headers


async def _assertion(oauth: OauthConfig) -> str:
    name, key = oauth.client_id or "", oauth.private_key
    made = SignedJWTParameters(
        issuer=name,
        subject=name,
        signing_key=key.reveal() if key is not None else "",
        signing_algorithm=oauth.algorithm,
    )
    try:
        return await made.create_assertion_provider()(oauth.issuer or oauth.token_url)
    except Exception as error:  # each way in which a key is bad has an error of its own
        why = f"the private_key cannot sign with {oauth.algorithm}"
        raise FailedLookError(Refused("sign-in", why)) from error


async def _exchange(
    http: httpx2.AsyncClient, verb: str, url: str, *, now: datetime | None = None, **fields: dict[str, str]
) -> tuple[int, dict[str, Json], float | None]:
    """Send one request; give the status, the JSON object that came (else an empty one), and how long to wait."""
    async with http.stream(verb, url, **fields) as response:  # type: ignore[arg-type]
        body = bytearray()
        if response.headers.get("content-encoding", "identity") == "identity":
            async for piece in response.aiter_raw():
                body += piece
                if len(body) > _MOST_BODY:
                    raise FailedLookError(Refused("sign-in", "the authorization server says more than it may"))
    try:
        said = json.loads(body)
    except (ValueError, RecursionError):
        said = None
    wait = failures.retry_after(response.headers.get("retry-after"), now=now) if now is not None else None
    return response.status_code, said if isinstance(said, dict) else {}, wait


def _refuse(status: int, said: dict[str, Json], wait: float | None, wire: Wire) -> NoReturn:
    code = said.get("error")
    named = f" ({wire.quote(code, limit=60)})" if isinstance(code, str) else ""
    answered = f"no token: the authorization server answered with HTTP {status}{named}"
    if status >= 500 or status == 429:
        raise FailedLookError(Unreachable("sign-in", answered, status, wait))
    raise FailedLookError(Refused("sign-in", answered, status, wait))


def _token(said: dict[str, Json], now: datetime) -> Token:
    value, kind = said.get("access_token"), said.get("token_type", "bearer")
    if not isinstance(value, str) or not _TOKEN.fullmatch(value) or str(kind).casefold() != "bearer":
        raise FailedLookError(Refused("sign-in", "the authorization server gave no bearer token that can be used"))
    seconds = _life(said.get("expires_in"))
    return Token(value, now + timedelta(seconds=seconds - min(_AHEAD, seconds / 4)))


def _life(said: Json) -> float:
    """Give the seconds that a token counts, within bounds."""
    if not isinstance(said, int | float) or isinstance(said, bool) or math.isnan(said):
        return _UNSAID
    return float(min(max(said, _SHORTEST), _LONGEST))
