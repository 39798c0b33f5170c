"""What of a head goes on, and which requests are ours to pass on. Pure.

All headers go on as they came, in their spelling and order, but for those that belong to one connection only (RFC 9110,
7.6.1), `Host`, `Accept-Encoding`, which is narrowed to what the copy can read, and a `Location` at the server's own
address, which leads to ours (see `leading`). Nothing is added: no `Via`, no `X-Forwarded-For`.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Iterator
from typing import Final, TypeAlias

Pairs: TypeAlias = list[tuple[bytes, bytes]]

_OF_ONE_CONNECTION: Final = frozenset(
    {
        b"connection",
        b"keep-alive",
        b"proxy-authenticate",
        b"proxy-authorization",
        b"proxy-connection",
        b"te",
        b"upgrade",
    }
)
_FRAMING: Final = frozenset({b"content-length", b"transfer-encoding", b"host"})
"""What says where a message ends stays, even when a `Connection` header names it."""

_CODINGS: Final = frozenset({b"gzip", b"x-gzip", b"deflate", b"identity"})


def onward(pairs: Iterable[tuple[bytes, bytes]], authority: bytes) -> Pairs:
    """Give the headers with which a request goes on to the host of that name and port."""
    going: Pairs = []
    asked = False
    given = list(_end_to_end(pairs))
    chunked = any(name.lower() == b"transfer-encoding" for name, _ in given)
    for name, value in given:
        kind = name.lower()
        if kind == b"content-length" and chunked:
            continue  # Two words on where the body ends: a server that goes by this one would read another request.
        if kind == b"host":
            going.append((name, authority))
        elif kind == b"accept-encoding":
            narrowed = readable(value)
            if narrowed or not asked:
                going.append((name, narrowed or b"identity"))
            asked = True
        else:
            going.append((name, value))
    if not any(name.lower() == b"host" for name, _ in going):
        going.insert(0, (b"Host", authority))
    return going


def back(pairs: Iterable[tuple[bytes, bytes]]) -> Pairs:
    """Give the headers with which an answer goes back."""
    return list(_end_to_end(pairs))


def readable(value: bytes) -> bytes:
    """Give an `Accept-Encoding` without the codings that the copy cannot read; unchanged when there are none."""
    offered = value.split(b",")
    kept = [one for one in offered if one.partition(b";")[0].strip().lower() in _CODINGS]
    return value if len(kept) == len(offered) else b",".join(kept).strip()


def value_of(pairs: Iterable[tuple[bytes, bytes]], wanted: bytes) -> bytes:
    """Give the values of a header as one, empty for none. The name is given in lower case."""
    return b", ".join(value for name, value in pairs if name.lower() == wanted)


def is_path(target: bytes) -> bool:
    """Say whether a request's target is a path here: no other server's address, as a proxy is given."""
    return target.startswith(b"/") or target == b"*"


def is_ours(host: bytes, *, anywhere: bool, names: Iterable[str] = ()) -> bool:
    """Say whether a `Host` header names this machine.

    A page in a browser whose name was made to lead here (DNS rebinding) comes with its own name. An address leads
    nowhere else; `names` are further names that count.
    """
    name = _name_of(host)
    if name == "localhost" or name in {one.lower() for one in names}:
        return True
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return False
    return anywhere or address.is_loopback


def _name_of(host: bytes) -> str:
    """Give the host of a `Host` header without its port, empty for what is none."""
    text = host.decode("latin-1").strip().lower()
    if text.startswith("["):
        name, closed, port = text[1:].partition("]")
        return name if closed and (not port or _is_port(port)) else ""
    name, colon, port = text.partition(":")
    return name if not colon or _is_port(f":{port}") else ""


def _is_port(text: str) -> bool:
    return text[:1] == ":" and text[1:].isascii() and (text[1:].isdigit() or not text[1:])


def _end_to_end(pairs: Iterable[tuple[bytes, bytes]]) -> Iterator[tuple[bytes, bytes]]:
    given = list(pairs)
    named = {one.strip().lower() for one in value_of(given, b"connection").split(b",")}
    dropped = _OF_ONE_CONNECTION | (named - _FRAMING)
    return (pair for pair in given if pair[0].lower() not in dropped)
