"""Where a `Location` leads an agent: to us, or past us. Pure.

It is read as agents read it, which is as the URL standard of the web does: spaces around it and tabs within count for
nothing, backslashes for slashes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from driftwatch.watch.witness.remote.heads import Pairs

_ABSOLUTE: Final = re.compile(
    rb"(?P<scheme>[a-z][a-z0-9+.-]*:)?(?P<slashes>[/\\]{2,})?(?P<host>[^/\\?#]*)(?P<rest>.*)", re.IGNORECASE | re.DOTALL
)
_AROUND: Final = bytes(range(0x21))
_WITHIN: Final = b"\t\r\n"
_USUAL: Final = {b"http:": b":80", b"https:": b":443"}
_LONGEST: Final = 200


def led_here(pairs: Pairs, origin: bytes, host: bytes) -> Pairs:
    """Give the headers of an answer with a `Location` at the server's origin leading to us, under the name given.

    Otherwise the agent would leave us, and, being led to another origin, leave its credentials behind.
    """
    return [(name, _led(value, origin, host) if name.lower() == b"location" else value) for name, value in pairs]


def led_away(pairs: Iterable[tuple[bytes, bytes]], origin: bytes) -> str:
    """Give to where a `Location` leads that leads past us: scheme and host, no name, path or query. Empty for nowhere.

    What stands before an `@` may be a secret, and is left out.
    """
    for name, value in pairs:
        if name.lower() == b"location" and (where := _read(value)) is not None:
            scheme, authority, _ = where
            if not _is_ours(scheme, authority, origin):
                host = authority.rpartition(b"@")[2] or b"?"
                return (scheme + b"//" + host).decode("latin-1")[:_LONGEST]
    return ""


def _led(location: bytes, origin: bytes, host: bytes) -> bytes:
    where = _read(location)
    if where is None or not _is_ours(*where[:2], origin):
        return location
    return b"http://" + host + where[2]


def _read(location: bytes) -> tuple[bytes, bytes, bytes] | None:
    """Give scheme, host and the rest of an address; None for a path, which leads to whoever is asked."""
    plain = location.strip(_AROUND).translate(None, _WITHIN)
    found = _ABSOLUTE.fullmatch(plain)
    if found is None or not (found["scheme"] or found["slashes"]):
        return None
    return (found["scheme"] or b"").lower(), found["host"], found["rest"]


def _is_ours(scheme: bytes, authority: bytes, origin: bytes) -> bool:
    """Say whether this is the server's own address; one without a scheme has that of whoever is asked."""
    own, _, server = origin.lower().partition(b"//")
    usual = _USUAL.get(own, b"")
    return scheme in {b"", own} and authority.lower().removesuffix(usual).removesuffix(b":") == server
