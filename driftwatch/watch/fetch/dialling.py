"""Makes the HTTP clients: what they trust, what they show, whom they go through, and the checked sockets below them."""

from __future__ import annotations

import ipaddress
import socket
import ssl
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import unquote, urlsplit

import httpcore2
import httpx2

from driftwatch.config.outbound import is_address
from driftwatch.config.reach import ENVIRONMENT, wrong_proxy
from driftwatch.config.schema import ServerConfig
from driftwatch.config.urls import origin_host
from driftwatch.model import Unreachable
from driftwatch.watch.fetch.answers import FailedLookError
from driftwatch.watch.fetch.guise import OURSELVES
from driftwatch.watch.fetch.http import MOST_REDIRECTS, WireTransport
from driftwatch.watch.fetch.kit import Kit
from driftwatch.watch.fetch.outbound import Dialler, head_is_over
from driftwatch.watch.fetch.pins import pinned, trust, trust_elsewhere
from driftwatch.watch.fetch.signin import MOST_BYTES, Signed
from driftwatch.watch.fetch.wire import Wire

_PROBING = {"TCP_KEEPIDLE": 60, "TCP_KEEPINTVL": 15, "TCP_KEEPCNT": 4}
"""Seconds of silence before the kernel probes, seconds between probes, and how many may go unanswered."""

_CONNECTIONS: dict[str, Any] = {"max_connections": 20, "max_keepalive_connections": 5, "keepalive_expiry": 5.0}


class CheckedTransport(httpx2.AsyncHTTPTransport):
    """The library's transport on sockets of ours: directly, or through a proxy."""

    def __init__(
        self,
        server: ServerConfig,
        kit: Kit,
        *,
        url: str,
        count: Callable[[int], bool],
        tls: ssl.SSLContext,
        options: list[tuple[int, int, int]] | None = None,
    ) -> None:
        """Take whose entry it is, what is to be reached, what counts bytes, and what to trust.

        Raises:
            FailedLookError: the environment names a proxy that cannot be used (`proxy`).

        """
        proxy = proxy_of(server, url, kit.environ)
        self.is_proxied = proxy is not None
        # The proxy is ours: it may stand anywhere but where nothing of ours can.
        dialler = Dialler(kit.book, "any" if proxy else server.addresses, count, to_proxy=proxy is not None)
        shared = {"ssl_context": tls, "network_backend": dialler, "socket_options": options, **_CONNECTIONS}
        super().__init__(verify=tls, trust_env=False)
        self._pool: httpcore2.AsyncConnectionPool = (
            httpcore2.AsyncConnectionPool(**shared)
            if proxy is None
            else httpcore2.AsyncHTTPProxy(
                proxy_url=proxy[0],
                proxy_auth=proxy[1],
                proxy_ssl_context=kit.tls if proxy[0].startswith("https:") else None,
                **shared,
            )
        )

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request; the head of the answer is over when it comes back."""
        response = await super().handle_async_request(request)
        head_is_over(response.extensions)
        return response


def proxy_of(server: ServerConfig, url: str, environ: Mapping[str, str]) -> tuple[str, tuple[str, str] | None] | None:
    """Give the proxy to reach a URL through, with name and password; None where there is none.

    Raises:
        FailedLookError: the environment names one that cannot be used (`proxy`).

    """
    given = server.proxy.reveal() if server.proxy is not None else ""
    if given == ENVIRONMENT:
        given = _from_environment(url, environ)
        if given and wrong_proxy(given):
            raise FailedLookError(Unreachable("proxy", f"the proxy of the environment {wrong_proxy(given)}"))
    if not given:
        return None
    parts = urlsplit(given)
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
    port = parts.port or (443 if parts.scheme == "https" else 80)
    signed = (unquote(parts.username), unquote(parts.password or "")) if parts.username else None
    return f"{parts.scheme}://{host}:{port}", signed


def _from_environment(url: str, environ: Mapping[str, str]) -> str:
    """Read the variables that other programs read too; small letters come first."""
    known = {
        name.lower(): value for name, value in sorted(environ.items()) if name.lower().endswith("_proxy") and value
    }
    scheme = urlsplit(url).scheme
    if any(_is_excepted(url, entry.strip().lower()) for entry in known.get("no_proxy", "").split(",")):
        return ""
    given = known.get(f"{scheme}_proxy", known.get("all_proxy", ""))
    return given if "://" in given or not given else f"http://{given}"


def _is_excepted(url: str, entry: str) -> bool:
    """Say whether an entry of NO_PROXY means a URL: `*`, a name and all below it, an address, a network; a port."""
    host, _, port = origin_host(url).rpartition(":")
    host = host.strip("[]").lower()
    name, colon, number = entry.rpartition(":")
    if colon and number.isdigit() and (":" not in name or name.endswith("]")):
        if number != port:
            return False
        entry = name
    if is_address(host):
        try:
            return ipaddress.ip_address(host) in ipaddress.ip_network(entry.strip("[]"), strict=False)
        except ValueError:
            return entry == "*"
    entry = entry.lstrip(".")
    return bool(entry) and (entry in {"*", host} or host.endswith(f".{entry}"))


def http_client(server: ServerConfig, wire: Wire, kit: Kit) -> httpx2.AsyncClient:
    """Make the HTTP client of one connection to one server. `.netrc` of the environment is not used."""
    # A redirect may lead from http to https on the same host, so certificates always matter.
    tls = trust(server, kit)
    sockets = CheckedTransport(server, kit, url=server.url, count=wire.came, tls=tls, options=_keepalive())
    inner = _signed(sockets, server, wire, kit) if server.oauth.is_used else sockets
    trace = pinned(server, wire.stop, behind_proxy=sockets.is_proxied) if server.tls_pin else None
    headers = httpx2.Headers({"User-Agent": wire.guise.user_agent or "", "Accept-Encoding": "identity"})
    headers.update({name: secret.reveal() for name, secret in server.headers.items()})
    wait = server.timeout
    client = httpx2.AsyncClient(
        transport=WireTransport(inner, server, wire, kit, trace),
        headers=headers,
        # Reading has no time limit here: each request and the whole look have theirs, a stream of notices has none.
        timeout=httpx2.Timeout(connect=wait.connect, read=None, write=wait.request, pool=wait.request),
        max_redirects=MOST_REDIRECTS,
        trust_env=False,
    )
    return _nameless(client)


def _signed(inner: httpx2.AsyncBaseTransport, server: ServerConfig, wire: Wire, kit: Kit) -> Signed:
    def client(url: str) -> httpx2.AsyncClient:
        """Make a client for the authorization server. It is not the watched server: no pin, no certificate of ours."""
        left = MOST_BYTES

        def count(size: int) -> bool:
            nonlocal left
            left -= size
            return left >= 0

        return httpx2.AsyncClient(
            transport=CheckedTransport(server, kit, url=url, count=count, tls=trust_elsewhere(server, kit)),
            headers={"User-Agent": OURSELVES.user_agent or "", "Accept-Encoding": "identity"},
            timeout=httpx2.Timeout(server.timeout.request, connect=server.timeout.connect),
            trust_env=False,
        )

    return Signed(
        inner,
        lambda: kit.tokens.of(server, client, kit.clock, wire),
        lambda token: kit.tokens.forget(server, token),
    )


def plain_client(server: ServerConfig, wire: Wire, kit: Kit) -> httpx2.AsyncClient:
    """Make a client for what the same server says beside MCP: same trust, no credential, no redirect followed."""
    sockets = CheckedTransport(server, kit, url=server.url, count=wire.came, tls=trust(server, kit))
    trace = pinned(server, wire.stop, behind_proxy=sockets.is_proxied)

    async def pin(request: httpx2.Request) -> None:
        request.extensions = {**request.extensions, "trace": trace}

    client = httpx2.AsyncClient(
        transport=sockets,
        headers={"User-Agent": wire.guise.user_agent or "", "Accept-Encoding": "identity"},
        timeout=httpx2.Timeout(server.timeout.request, connect=server.timeout.connect),
        event_hooks={"request": [pin] if server.tls_pin else []},
        trust_env=False,
    )
    return _nameless(client)


def _nameless(client: httpx2.AsyncClient) -> httpx2.AsyncClient:
    """Take an empty user agent out: left out when the client is made, the library would put its own name there."""
    if not client.headers["User-Agent"]:
        del client.headers["User-Agent"]
    return client


def _keepalive() -> list[tuple[int, int, int]]:
    """Let the kernel find out that the other side is gone: on a stream of notices we would wait for it for ever."""
    options = [(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)]
    known = {name: getattr(socket, name) for name in _PROBING if hasattr(socket, name)}
    return options + [(socket.IPPROTO_TCP, option, _PROBING[name]) for name, option in known.items()]
