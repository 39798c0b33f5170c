"""Whether a place is there at all: a connection, and the handshake that secures it. Nothing is sent to it."""

from __future__ import annotations

import asyncio
import contextlib
import ssl
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final
from urllib.parse import urlsplit

import httpx

from driftwatch.tell.channels.http import failure_of

_PORTS: Final = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Reached:
    """What came of it: `trouble` in our own words, empty where a connection stands.

    `secure` names the version of TLS, empty without; `until` is when the certificate ends.
    """

    trouble: str = ""
    secure: str = ""
    until: datetime | None = None


async def reach(url: str, *, seconds: float, context: ssl.SSLContext | None = None) -> Reached:
    """Connect to where a URL leads, as whoever posts there does: without a proxy, by the system's certificates."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port or _PORTS[parts.scheme]
    except (ValueError, KeyError):
        return Reached("the configured URL cannot be used")
    trust = (context or ssl.create_default_context()) if parts.scheme == "https" else None
    try:
        async with asyncio.timeout(seconds):
            _, writer = await asyncio.open_connection(host, port, ssl=trust)
    except TimeoutError as error:
        return Reached(failure_of(error).detail)
    except (OSError, ValueError) as error:
        return Reached(_why(error))
    try:
        return _found(writer)
    finally:
        writer.close()
        with contextlib.suppress(OSError, TimeoutError):
            async with asyncio.timeout(1.0):
                await writer.wait_closed()


def _found(writer: asyncio.StreamWriter) -> Reached:
    secured = writer.get_extra_info("ssl_object")
    if not isinstance(secured, ssl.SSLObject):
        return Reached()
    ends = (secured.getpeercert() or {}).get("notAfter")
    until = datetime.fromtimestamp(ssl.cert_time_to_seconds(ends), UTC) if isinstance(ends, str) else None
    return Reached("", secured.version() or "TLS", until)


def _why(error: OSError | ValueError) -> str:
    """Say it as an attempt at a message would."""
    if isinstance(error, ValueError) and not isinstance(error, OSError):
        return failure_of(UnicodeError()).detail
    connect = httpx.ConnectError("")
    connect.__cause__ = error
    return failure_of(connect).detail
