"""Where driftwatch may connect to: what an address is, and which ones a configured host may lead to. Pure.

A name is looked up by whoever owns it, so what it leads to is checked after the look-up, in every way in which an
address can be written. The ranges are those of the IANA special-purpose registries for IPv4 and IPv6 (RFC 6890).
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator
from enum import StrEnum
from typing import Final, Literal

Addresses = Literal["auto", "public", "any"]

MEANS: Final = (
    "Which addresses its host may lead to: `public` only those on the internet; `any` all but those of a cloud's "
    "metadata; `auto` takes an address or a local name as it is written, and lets another name lead to the internet or "
    "to a private network, whichever it does first, never to this machine."
)

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
_Network = ipaddress.IPv4Network | ipaddress.IPv6Network


class Sort(StrEnum):
    """What an address is, in words for people."""

    PUBLIC = "an address on the internet"
    PRIVATE = "an address of a private network"
    LOOPBACK = "this machine itself"
    LINK_LOCAL = "an address that counts on its own link only"
    METADATA = "where a cloud hands out credentials"
    UNUSABLE = "no address of one machine"


ANY: Final = frozenset({Sort.PUBLIC, Sort.PRIVATE, Sort.LOOPBACK, Sort.LINK_LOCAL})
EITHER: Final = frozenset({Sort.PUBLIC, Sort.PRIVATE})
"""What a name that says nothing may lead to: to one of the two, whichever it led to first."""

_METADATA: Final = frozenset(
    ipaddress.ip_address(text)
    for text in (
        *("169.254.169.254", "169.254.169.253", "169.254.170.2", "169.254.170.23", "169.254.42.42", "169.254.0.23"),
        *("100.100.100.200", "192.0.0.192", "168.63.129.16"),
        *("fd00:ec2::254", "fd00:ec2::253", "fd00:ec2::23", "fd20:ce::254", "fd00:42::42", "fe80::a9fe:a9fe"),
    )
)
"""Addresses at which clouds (their names differ, the addresses are well known) give credentials to whoever asks."""

_LOCAL_ENDS: Final = (
    *(".local", ".localdomain", ".internal", ".intranet", ".private", ".corp", ".home", ".lan", ".home.arpa", ".test"),
    ".svc",
)
"""Ends of names that no registry of the internet gives to a stranger."""


def _networks(*texts: str) -> tuple[_Network, ...]:
    return tuple(map(ipaddress.ip_network, texts))


_RANGES: Final[tuple[tuple[Sort, tuple[_Network, ...]], ...]] = (
    (Sort.LOOPBACK, _networks("127.0.0.0/8", "::1/128")),
    (Sort.LINK_LOCAL, _networks("169.254.0.0/16", "fe80::/10")),
    (Sort.UNUSABLE, _networks("0.0.0.0/8", "224.0.0.0/4", "240.0.0.0/4", "::/128", "ff00::/8", "100::/64")),
    (
        Sort.PRIVATE,
        _networks(
            *("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "192.0.0.0/24", "198.18.0.0/15"),
            *("192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "192.88.99.0/24"),
            *("fc00::/7", "fec0::/10", "64:ff9b:1::/48", "2001:db8::/32", "2001:2::/48", "2001:10::/28", "5f00::/16"),
            "3fff::/20",
        ),
    ),
)
_WITHIN: Final = tuple(
    (network, shift)
    for shift, texts in (
        (0, ("::ffff:0:0/96", "::ffff:0:0:0/96", "::/96", "64:ff9b::/96")),  # mapped, translated, compatible, NAT64
        (80, ("2002::/16",)),  # 6to4
    )
    for network in _networks(*texts)
)
"""Networks of IPv6 whose addresses hold one of IPv4, and how many bits stand behind it."""

_TEREDO: Final = ipaddress.IPv6Network("2001::/32")
_ISATAP: Final = frozenset({0x00005EFE, 0x02005EFE})
_NUMBER: Final = re.compile(r"(?:0[xX][0-9A-Fa-f]*|[0-9]+)(?:\.(?:0[xX][0-9A-Fa-f]*|[0-9]+)){0,3}\.?", re.ASCII)


def sort_of(text: str) -> Sort:
    """Say what an address is: the worst that it is or holds. A zone (`%eth0`) does not count."""
    try:
        address = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return Sort.UNUSABLE
    found = {_plain_sort(one) for one in (address, *_held(address))}
    worst = (Sort.METADATA, Sort.UNUSABLE, Sort.LOOPBACK, Sort.LINK_LOCAL, Sort.PRIVATE, Sort.PUBLIC)
    return next(sort for sort in worst if sort in found)


def _plain_sort(address: Address) -> Sort:
    if address in _METADATA:
        return Sort.METADATA
    for sort, networks in _RANGES:
        if any(address in network for network in networks if network.version == address.version):
            return sort
    return Sort.PUBLIC


def _held(address: Address) -> Iterator[ipaddress.IPv4Address]:
    """Give the addresses of IPv4 that one of IPv6 stands for or passes through."""
    if isinstance(address, ipaddress.IPv4Address):
        return
    number = int(address)
    if number > 1:
        for network, shift in _WITHIN:
            if address in network:
                yield ipaddress.IPv4Address(number >> shift & 0xFFFFFFFF)
    if address in _TEREDO:
        yield ipaddress.IPv4Address(number >> 64 & 0xFFFFFFFF)
        yield ipaddress.IPv4Address(~number & 0xFFFFFFFF)
    if number >> 32 & 0xFFFFFFFF in _ISATAP:
        yield ipaddress.IPv4Address(number & 0xFFFFFFFF)


def may_lead_to(host: str, addresses: Addresses) -> frozenset[Sort]:
    """Give what a configured host may lead to; `EITHER` where it depends on what it led to first."""
    host = host.rstrip(".").lower().strip("[]")
    if addresses == "public":
        return frozenset({Sort.PUBLIC})
    if addresses == "any":
        return ANY
    if is_address(host):
        return ANY & {sort_of(host)}
    if host == "localhost" or host.endswith(".localhost"):
        return frozenset({Sort.LOOPBACK})
    if "." not in host or host.endswith(_LOCAL_ENDS):
        return ANY - {Sort.LINK_LOCAL}
    return EITHER


def is_address(host: str) -> bool:
    """Say whether a host is an address as the standards write them."""
    try:
        ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return False
    return True


def odd_host(host: str) -> str:
    """Say why no server can stand at a host, as the URL has it; empty where nothing speaks against it.

    Some programs read `2130706433`, `0x7f.1` and `0177.0.0.1` as addresses and others as names: neither is taken.
    """
    host = host.rstrip(".")
    if is_address(host):
        sort = sort_of(host)
        return f"this address is {sort}" if sort in {Sort.METADATA, Sort.UNUSABLE} else ""
    if _NUMBER.fullmatch(host):
        return "the host is a number, which some programs read as an address and others as a name"
    return ""
