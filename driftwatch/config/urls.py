"""URLs in a configuration: what is wrong with one, whose it is, and how it may be shown."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import SplitResult, parse_qsl, urlsplit

from driftwatch.config.outbound import odd_host
from driftwatch.config.secret import MASK, shown

_PORTS = {"http": 80, "https": 443}
_OTHER_SCHEMES = {"ftp", "file", "ws", "wss", "unix", "pipe", "tcp", "ssh", "stdio"}
_USERINFO = re.compile(r"(?<=://)[^/?#]*@")
_PASSWORD = re.compile(r"(://[^/?#:@]*):.*@", re.DOTALL)
_HOST = re.compile(r"[A-Za-z0-9_.-]+|[0-9A-Fa-f:.]+", re.ASCII)


class Wrong(NamedTuple):
    """What is wrong with a value, and what to do about it."""

    message: str
    hint: str


def wrong_with(url: str) -> Wrong | None:
    """Say what keeps `url` from being an HTTP address that driftwatch can speak to, or None. Never repeats the URL."""
    if not url.isprintable() or " " in url:
        return Wrong("the URL holds a space or a character that does not print", "percent-encode it or take it out")
    try:
        parts = urlsplit(url)
        return next(_complaints(parts, parts.port), None)
    except ValueError:
        return Wrong("this is not a URL that can be read", "check brackets and port; e.g. https://example.com/mcp")


def _complaints(parts: SplitResult, port: int | None) -> Iterator[Wrong]:
    if parts.scheme not in _PORTS:
        # Only a scheme that is known is named: what stands before the first colon may as well be a pasted secret.
        named = f'the scheme "{parts.scheme}"' if parts.scheme in _OTHER_SCHEMES else "this scheme"
        yield Wrong(
            f"{named if parts.scheme else 'a URL without a scheme'} is not one that driftwatch speaks",
            "write https://… (or http://… on your own network)",
        )
    if "@" in parts.netloc:
        yield Wrong("the URL carries a user name or password", "use bearer or headers, which never print")
    if not parts.hostname or not _HOST.fullmatch(parts.hostname):
        yield Wrong(
            "the URL names no host that can be looked up", "e.g. https://example.com/mcp (xn--… for other scripts)"
        )
    elif odd := odd_host(parts.hostname):
        yield Wrong(odd, "write the name of the machine, or its address in full, e.g. 127.0.0.1")
    if port == 0:
        yield Wrong("port 0 cannot be connected to", "name the port that the server listens on")
    if parts.fragment:
        yield Wrong("the URL has a #fragment, which is never sent", "take it out")


def origin_host(url: str) -> str:
    """Give host and port of an HTTP URL that is fit for use: `example.com:443`, `[::1]:8080`."""
    parts = urlsplit(url)
    host = (parts.hostname or "").rstrip(".")
    name = f"[{host}]" if ":" in host else host
    return f"{name}:{parts.port or _PORTS.get(parts.scheme, 0)}"


def is_clear_text_to_others(url: str) -> bool:
    """Say whether what is sent to `url` crosses a network unencrypted."""
    parts = urlsplit(url)
    return parts.scheme == "http" and not is_loopback(parts.hostname or "")


def mask_url(url: str) -> str:
    """Give a URL that may be shown: no password, and no values in the query."""
    return _hide(_USERINFO.sub(f"{MASK}@", shown(url)))


def query_values(url: str) -> tuple[str, ...]:
    """Give the values in the query that `mask_url` hides, as they are written and as they are read."""
    query = urlsplit(url).query
    written = [part.partition("=")[2] or part for part in query.split("&") if part]
    read = [value for _, value in parse_qsl(query, errors="replace")]
    return tuple(dict.fromkeys([*written, *read]))


def mask_database_url(url: str) -> str:
    """Give a database URL that may be shown: the user name stays, the password and the query's values do not."""
    return _hide(_PASSWORD.sub(rf"\1:{MASK}@", shown(url)))


def _hide(url: str) -> str:
    address, mark, query = url.partition("?")
    pairs = (part.partition("=") for part in query.split("&") if part)
    return address + mark + "&".join(f"{name}={MASK}" if equals else MASK for name, equals, _ in pairs)


def is_loopback(host: str) -> bool:
    """Say whether a machine is this one, by its name or address."""
    host = host.rstrip(".").lower()
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host.partition("%")[0]).is_loopback
    except ValueError:
        return False
