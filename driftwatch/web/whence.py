"""From where a request comes: the address of the peer, or the one that a proxy of ours names; and by which way."""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence
from typing import Final, TypeAlias
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection

from driftwatch.config.schema import Settings
from driftwatch.config.urls import is_loopback
from driftwatch.config.web import WebConfig

SECURE: Final = "__Host-"
"""How the names of cookies begin that browsers take over TLS only, and from that very host."""

_FORWARDED: Final = ("x-forwarded-for", "forwarded", "via", "x-real-ip")
"""Headers by which a proxy can be told."""

_Address: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address


def is_proxy(request: HTTPConnection, web: WebConfig) -> bool:
    """Say whether the request comes straight from a proxy that the configuration names."""
    peer = _read(request.client.host if request.client else "")
    return peer is not None and _within(peer, web.proxy_from)


def address_of(request: HTTPConnection, web: WebConfig) -> str:
    """Give the address of who asks: of the peer, or behind our proxies the last one that is none of them."""
    peer = _read(request.client.host if request.client else "")
    if peer is None:
        return "unknown"
    if not _within(peer, web.proxy_from):
        return str(peer)
    last = peer
    named = ",".join(request.headers.getlist("x-forwarded-for"))
    # From the right: what stands further left was written by whoever asked.
    for text in reversed(named.split(",")):
        hop = _read(text.strip())
        if hop is None:
            break
        last = hop
        if not _within(hop, web.proxy_from):
            break
    return str(last)


def is_near(request: HTTPConnection, settings: Settings) -> bool:
    """Say whether it comes from where the metrics are told without asking who it is (`web.metrics_from`).

    A proxy on this machine speaks for the whole world. So this machine counts by itself only where nothing says that
    there may be one, and what comes through a proxy counts by the address that one of ours names.
    """
    web = settings.web
    host = urlsplit(settings.daemon.public_url or "").hostname
    if "metrics_from" not in web.model_fields_set and host is not None and not is_loopback(host):
        return False
    named = any(name in request.headers for name in _FORWARDED)
    if named != is_proxy(request, web):
        return False
    address = _read(address_of(request, web))
    return address is not None and _within(address, web.metrics_from)


def is_public(request: HTTPConnection, settings: Settings) -> bool:
    """Say whether it was asked for at the public address, and that is one of TLS."""
    public = urlsplit(settings.daemon.public_url or "")
    return public.scheme == "https" and (request.url.hostname or "").rstrip(".") == public.hostname


def is_tls(request: HTTPConnection, settings: Settings) -> bool:
    """Say whether a browser asks over TLS, which ends before us: at a proxy.

    At a name of `web.hosts` nobody wrote down which it is. The browser knows: it says the origin of the page whose form
    it sends (the guard held that to be our own), and has cookies that it sends over TLS only.
    """
    origin = request.headers.get("origin", "").lower()
    by_cookie = any(name.startswith(SECURE) for name in request.cookies)
    return is_public(request, settings) or origin.startswith("https://") or by_cookie


def base_of(request: HTTPConnection, settings: Settings) -> str:
    """Give what links to our pages begin with: the public address, or without one the address that was asked for."""
    if settings.daemon.public_url:
        return settings.daemon.public_url
    return f"{'https' if is_tls(request, settings) else request.url.scheme}://{request.url.netloc}"


def _within(address: _Address, networks: Sequence[str]) -> bool:
    return any(address in ipaddress.ip_network(network) for network in networks)


def _read(text: str) -> _Address | None:
    """Read an address, without the name of an interface, and IPv4 as IPv4 also where it comes wrapped."""
    try:
        found = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return (found.ipv4_mapped or found) if isinstance(found, ipaddress.IPv6Address) else found
