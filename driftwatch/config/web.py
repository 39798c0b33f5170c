"""The table of the pages and the API: where they are served, under which names, and whom a proxy may speak for."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final

from pydantic import Field

from driftwatch.config.secret import problem, shown
from driftwatch.config.table import Conflict, Table
from driftwatch.config.units import seconds
from driftwatch.config.urls import is_loopback
from driftwatch.config.values import OWN_HEADERS, Host, Seconds, Shape, Switch, filled
from driftwatch.config.words import quoted
from driftwatch.model import Role

_ADDRESS: Final = re.compile(
    r"(?:\[(?P<six>[0-9A-Fa-f:.]{2,45})\]|(?P<four>[A-Za-z0-9._-]{1,255})):(?P<port>[0-9]{1,5})"
)
_HEADER: Final = re.compile(r"[A-Za-z0-9-]{1,64}", re.ASCII)
_NOT_A_NAME: Final = frozenset({"authorization", "cookie", "origin", "forwarded", "x-forwarded-for"}) | OWN_HEADERS
"""Headers that say something else, so that no proxy can name a person in them."""

_SAY_WHERE: Final = 'write an address and a port: "127.0.0.1:8642", or "[::1]:8642"'


@dataclass(frozen=True, slots=True)
class Address:
    """A place to listen at. Port 0 takes any that is free."""

    host: str
    port: int

    @property
    def is_loopback(self) -> bool:
        """Say whether only programs on this machine can reach it."""
        return is_loopback(self.host)

    def __str__(self) -> str:
        """Give it as it is written in a URL."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def read_address(text: str) -> Address | None:
    """Read `127.0.0.1:8642`, `name:8642` or `[::1]:8642`; None when it is none of these."""
    match = _ADDRESS.fullmatch(text)
    if match is None or int(match["port"]) > 65535:
        return None
    if match["six"] is not None:
        try:
            ipaddress.IPv6Address(match["six"])
        except ValueError:
            return None
    return Address(match["six"] or match["four"], int(match["port"]))


def _listen(value: str) -> str:
    if read_address(value) is None:
        raise problem(f"{quoted(shown(value))} is not a place to listen at", _SAY_WHERE)
    return value


def _network(value: str) -> str:
    try:
        ipaddress.ip_network(value)
    except ValueError:
        hint = 'write "192.0.2.7" or "192.0.2.0/24"; no bits may be set beyond the mask'
        raise problem(f"{quoted(shown(value))} is neither an address nor a network", hint) from None
    return value


def _header(value: str) -> str:
    if not _HEADER.fullmatch(value):
        raise problem(
            f"{quoted(shown(value))} cannot be the name of a header", "letters, digits and -, as in Remote-User"
        )
    if value.casefold() in _NOT_A_NAME:
        raise problem(f"the header {shown(value)} says something else than who a person is", 'such as "Remote-User"')
    return value


Listen = Annotated[str, *filled(_listen, words="address")]
Network = Annotated[str, *filled(_network, words="network")]
HeaderName = Annotated[str, *filled(_header, words="header")]


class WebConfig(Table):
    """The pages and the API that the daemon serves. docs/web.md says how to reach them and what protects them."""

    enabled: Switch = Field(default=True, description="Whether the daemon serves pages and API.")
    listen: Listen = Field(
        default="127.0.0.1:8642",
        description="Where it listens. Beyond this machine only once there is a user, a token or a proxy.",
    )
    hosts: tuple[Host, ...] = Field(
        default=(),
        description="More names that people type to reach it; loopback and the name in `daemon.public_url` are known.",
    )
    proxy_from: tuple[Network, ...] = Field(
        default=(),
        description="Addresses of your proxies: their word on who asks (`X-Forwarded-For`, `proxy_header`) counts.",
    )
    proxy_header: HeaderName | None = Field(
        default=None,
        description="The header in which those proxies name the person whom they signed in, e.g. `Remote-User`.",
    )
    proxy_role: Annotated[Role | None, Shape('"viewer" or "reviewer" or "admin"')] = Field(
        default=None,
        description="What people may do whom only the proxy knows; without it they must be users as well.",
    )
    metrics_from: tuple[Network, ...] = Field(
        default=("127.0.0.0/8", "::1/128"),
        description="From where `/metrics` is told without a token. Left out, and with a `daemon.public_url`: nowhere.",
    )
    session_idle: Seconds = Field(default=28_800.0, description="How long a browser stays signed in that asks nothing.")
    session_longest: Seconds = Field(default=604_800.0, description="How long a browser stays signed in at most.")

    @property
    def address(self) -> Address:
        """Where it listens."""
        return read_address(self.listen) or Address("127.0.0.1", 8642)

    @property
    def proxied(self) -> bool:
        """Whether a proxy signs people in, so that they need neither a password nor a link."""
        return self.proxy_header is not None and bool(self.proxy_from)

    @property
    def is_default_place(self) -> bool:
        """Say whether nobody wrote where to listen."""
        return "listen" not in self.model_fields_set

    @classmethod
    def conflicts(cls, given: Mapping[str, Any]) -> Iterator[Conflict]:
        """Hold that nobody may name people but proxies that are named themselves, and the two lengths in order."""
        if given.get("proxy_header") and not given.get("proxy_from"):
            hint = 'add proxy_from = ["192.0.2.7"]: else anybody could send that header'
            yield Conflict("proxy_header", "it is not said which proxy may send it", hint)
        if given.get("proxy_role") and not given.get("proxy_header"):
            yield Conflict("proxy_role", "no proxy_header names people", "add proxy_header, or take it out")
        for network in given["proxy_from"] if isinstance(given.get("proxy_from"), list | tuple) else ():
            if isinstance(network, str) and network.endswith("/0"):
                hint = "name the address of your proxy: else anybody could say who they are"
                yield Conflict("proxy_from", "everybody is in this network", hint)
        idle, longest = (seconds(given.get(key, cls.model_fields[key].default)) for key in _LENGTHS)
        if idle is not None and longest is not None and idle > longest:
            key = "session_idle" if "session_idle" in given else "session_longest"
            yield Conflict(key, "session_idle is longer than session_longest", "keep session_idle <= session_longest")


_LENGTHS: Final = ("session_idle", "session_longest")
