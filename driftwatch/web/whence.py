"""From where a request comes: the address of the peer, or the one that a proxy of ours names."""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence
from typing import TypeAlias

from starlette.requests import HTTPConnection

from driftwatch.config.web import WebConfig

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


def _within(address: _Address, networks: Sequence[str]) -> bool:
    return any(address in ipaddress.ip_network(network) for network in networks)


def _read(text: str) -> _Address | None:
    """Read an address, without the name of an interface, and IPv4 as IPv4 also where it comes wrapped."""
    try:
        found = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return (found.ipv4_mapped or found) if isinstance(found, ipaddress.IPv6Address) else found
