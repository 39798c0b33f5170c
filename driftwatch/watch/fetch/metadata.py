"""Where a server sends people to sign in: OAuth metadata of its own origin, asked rarely, believed in nothing.

Read are the metadata of the protected resource (RFC 9728) and, where they are on the server's own origin, those of the
authorization server (RFC 8414, OpenID Connect Discovery). Another origin that the server names is noted and never
asked: a watched server must not choose whom we connect to. The URLs found are data; nothing here opens them.
No credential is sent, no redirect followed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

import anyio
import httpx2

from driftwatch.config.schema import ServerConfig
from driftwatch.model import Json, Oddity

LIFE = timedelta(days=1)
"""How long an answer counts before it is asked for again."""

_AGAIN = timedelta(minutes=10)
"""How long to wait where nothing could be had."""

_LONGEST_WAIT = 10.0
_MOST_BYTES = 256 * 1024
_MOST_SERVERS = 10
_LONGEST_URL = 2048
_RESOURCE = ".well-known/oauth-protected-resource"
_ENDPOINTS = ("issuer", "authorization_endpoint", "token_endpoint", "registration_endpoint")
_CHALLENGE = re.compile(r"""\bresource_metadata\s*=\s*(?:"([^"]*)"|([^\s,"]+))""", re.IGNORECASE)
_PAGES = frozenset({"text/html", "application/xhtml+xml"})


@dataclass(frozen=True, slots=True)
class Told:
    """What a server's metadata say.

    `found` has the shape of `oauth` in a launch, None where there is none. `settled` is False where it could not be
    had this time.
    """

    found: dict[str, Json] | None = None
    settled: bool = True
    oddities: tuple[Oddity, ...] = ()


class _UnhadError(Exception):
    """It could not be had right now."""


class Metadata:
    """Remembers what servers' metadata said, and until when that counts."""

    def __init__(self) -> None:
        """Start with nothing."""
        self._known: dict[tuple[str, str], tuple[datetime, Told]] = {}

    def is_wanted(self, server: ServerConfig) -> bool:
        """Say whether a server is to be asked."""
        if server.oauth_metadata != "auto":
            return server.oauth_metadata == "on"
        return server.oauth.is_used or any(name.casefold() == "authorization" for name in server.headers)

    async def of(self, server: ServerConfig, http: httpx2.AsyncClient, now: datetime) -> Told:
        """Give what a server's metadata say: asked over `http` when what is known is too old. Raises nothing."""
        key = (server.name, server.url)
        until, known = self._known.get(key, (now, None))
        if known is not None and now < until:
            return known
        told = Told(settled=False)
        budget = min(_LONGEST_WAIT, server.timeout.request, _left() / 2)
        with anyio.move_on_after(budget):
            told = await _ask(server, http)
        if not told.settled and known is not None and known.settled:
            told = known
            self._known[key] = (now + _AGAIN, known)
        else:
            self._known[key] = (now + (LIFE if told.settled else _AGAIN), told)
        return told


def _left() -> float:
    return anyio.current_effective_deadline() - anyio.current_time()


async def _ask(server: ServerConfig, http: httpx2.AsyncClient) -> Told:
    oddities: list[Oddity] = []
    try:
        resource = await _first(http, _resource_places(server.url, await _signpost(http, server.url)), oddities)
        named = _servers(resource, oddities) if resource is not None else []
        issuers = [place for one in named if (place := same_origin(server.url, one)) is not None]
        issuer = issuers[0] if issuers else (None if named else str(httpx2.URL(server.url).join("/")))
        served = await _first(http, issuer_places(issuer), oddities) if issuer is not None else None
    except _UnhadError:
        return Told(settled=False)
    found: dict[str, Json] = {"servers": named} if named else {}
    found |= _endpoints(served, oddities) if served is not None else {}
    return Told(found or None, oddities=tuple(oddities))


async def _signpost(http: httpx2.AsyncClient, url: str) -> str | None:
    """Give where a server sends whoever comes without a credential for its metadata (RFC 9728, 5.1), if it says so.

    Asked each time: what only a refused look had told would be lost with this process, and the metadata with it.
    """
    bare = httpx2.URL(url).copy_with(userinfo=b"", query=None, fragment=None)
    try:
        async with http.stream("GET", bare, headers={"Accept": "text/event-stream"}) as response:
            said = response.headers.get("www-authenticate", "") if response.status_code == 401 else ""
    except httpx2.HTTPError as error:
        raise _UnhadError from error
    found = _CHALLENGE.search(said)
    return same_origin(url, found[1] or found[2] or "") if found is not None else None


def _resource_places(url: str, signpost: str | None) -> Iterator[str]:
    if signpost is not None:
        yield signpost
        return
    path = httpx2.URL(url).path.strip("/")
    if path:
        yield str(httpx2.URL(url).join(f"/{_RESOURCE}/{path}"))
    yield str(httpx2.URL(url).join(f"/{_RESOURCE}"))


def issuer_places(issuer: str) -> Iterator[str]:
    """Give where an issuer's metadata may be, in the order in which MCP clients look."""
    base = httpx2.URL(issuer)
    path = base.path.strip("/")
    for name in ("oauth-authorization-server", "openid-configuration"):
        yield str(base.join(f"/.well-known/{name}/{path}" if path else f"/.well-known/{name}"))
    if path:
        yield str(base.join(f"/{path}/.well-known/openid-configuration"))


async def _first(http: httpx2.AsyncClient, places: Iterator[str], oddities: list[Oddity]) -> dict[str, Json] | None:
    """Give the first metadata that are there; None where there are none, or none that can be read."""
    for place in places:
        body = await _get(http, place)
        if body is None:
            continue
        try:
            value = json.loads(body)
        except (ValueError, RecursionError):
            value = None
        if isinstance(value, dict):
            return value
        oddities.append(Oddity("unreadable-metadata", "/launch/oauth", "sign-in metadata that are no JSON object"))
        return None
    return None


async def _get(http: httpx2.AsyncClient, url: str) -> bytes | None:
    """Fetch one small document; None where there is none.

    Raises:
        _UnhadError: it cannot be had right now.

    """
    try:
        async with http.stream("GET", url, headers={"Accept": "application/json"}) as response:
            status = response.status_code
            if status >= 500 or status == 429:
                raise _UnhadError
            kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
            if status != 200 or kind in _PAGES or response.headers.get("content-encoding", "identity") != "identity":
                return None
            body = bytearray()
            async for piece in response.aiter_raw():
                body += piece
                if len(body) > _MOST_BYTES:
                    return b""
            return bytes(body)
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        raise _UnhadError from error


def _servers(resource: Mapping[str, Json], oddities: list[Oddity]) -> list[str]:
    said = resource.get("authorization_servers", [])
    if not isinstance(said, list) or not all(isinstance(one, str) for one in said):
        oddities.append(Oddity("unreadable-metadata", "/launch/oauth/servers", "authorization_servers is no list"))
        return []
    return sorted({one[:_LONGEST_URL] for one in said})[:_MOST_SERVERS]


def _endpoints(served: Mapping[str, Json], oddities: list[Oddity]) -> dict[str, Json]:
    found: dict[str, Json] = {}
    for name in _ENDPOINTS:
        value = served.get(name)
        if isinstance(value, str):
            found[name] = value[:_LONGEST_URL]
        elif value is not None:
            oddities.append(Oddity("unreadable-metadata", f"/launch/oauth/{name}", f"{name} is no text"))
    return found


def same_origin(url: str, other: str) -> str | None:
    """Give another URL where it is on the origin of a URL, None where it is elsewhere or no URL."""
    try:
        here, there = httpx2.URL(url), httpx2.URL(url).join(other)
    except (httpx2.InvalidURL, ValueError):
        return None
    same = (here.scheme, here.host, here.port) == (there.scheme, there.host, there.port)
    return str(there.copy_with(userinfo=b"", fragment=None)) if same and other else None
