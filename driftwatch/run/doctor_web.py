"""The doctor's look at the pages: whether they answer, or could, and who may come in."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import socket
from collections.abc import Iterator
from datetime import datetime
from functools import partial
from typing import Final, cast
from urllib.parse import urlsplit

from driftwatch.config.schema import Settings
from driftwatch.config.secret import shown
from driftwatch.config.urls import is_loopback
from driftwatch.config.web import Address
from driftwatch.errors import StoreError
from driftwatch.model.amounts import many
from driftwatch.run.doctor_lines import Area, Check, Line, State, Sure, aside
from driftwatch.store.holding import holder_of
from driftwatch.store.store import Store

_OF_ALL: Final = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - looked for, not listened at
_ANSWER: Final = 512
"""Bytes of an answer that are read."""


def web(settings: Settings, seconds: float, *, now: datetime) -> Iterator[Check]:
    """Give the checks of the pages: whether they answer, or could, and who may come in."""
    if not settings.web.enabled:
        return
    yield Check(Area.WEB, "listen", "", partial(_listening, settings, 0.8 * seconds), seconds)
    yield Check(Area.WEB, "people", "", aside(partial(_people, settings, now)), seconds)


async def _listening(settings: Settings, seconds: float) -> list[Line]:
    line = partial(Line, Area.WEB, "listen", "")
    address = settings.web.address
    if not address.port:
        return [line(State.OK, "it takes any port that is free")]
    try:
        holder = holder_of(settings.database_url)
    except StoreError:
        holder = None
    if holder is not None and holder.doing == "run":
        trouble = await _trouble(address, seconds)
        if not trouble:
            return [line(State.OK, f"the daemon answers at http://{address}/healthz")]
        what = f"the daemon runs, and at http://{address}/healthz {trouble}"
        do = (
            "Look at its log: it hangs, its pages failed, or they are elsewhere since a reload. Restart it if it hangs."
        )
        return [line(State.PROBLEM, what, do)]
    trouble = await aside(partial(_bind, address))()
    if trouble:
        do = "Name another address and port in [web] listen, or stop what listens there."
        return [line(State.PROBLEM, f"nothing can listen at {address}: {trouble}", do)]
    return [line(State.OK, f"a daemon could listen at {address}")]


async def _trouble(address: Address, seconds: float) -> str:
    """Ask whether the process is alive; say what is wrong, empty for nothing."""
    try:
        async with asyncio.timeout(seconds):
            return "" if await _alive(address) else "something else answers"
    except TimeoutError:
        return f"nothing is answered within {seconds:g} s"
    except OSError:
        return "nobody listens"


async def _alive(address: Address) -> bool:
    reader, writer = await asyncio.open_connection(_OF_ALL.get(address.host, address.host), address.port)
    try:
        writer.write(f"GET /healthz HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n".encode())
        return (await reader.read(_ANSWER)).startswith(b"HTTP/1.1 200")
    finally:
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()


def _bind(address: Address) -> str:
    """Say why nobody can listen there, empty where one can; lets go at once."""
    try:
        found = socket.getaddrinfo(address.host, address.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, number, _, place = found[0]
        with socket.socket(family, kind, number) as tried:
            tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            tried.bind(cast("tuple[str, int]", place))
            tried.listen()
    except socket.gaierror:
        return "there is no such address"
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            return "another program listens there"
        return error.strerror or "the system refuses"
    return ""


def _people(settings: Settings, now: datetime) -> list[Line]:
    line = partial(Line, Area.WEB, "people", "")
    web, lines = settings.web, []
    if (
        not web.address.is_loopback
        and not web.proxy_from
        and not (settings.daemon.public_url or "").startswith("https:")
    ):
        what = f"it listens at {web.address}, beyond this machine, and no proxy secures it: passwords go in clear text"
        do = "Listen at 127.0.0.1 behind a proxy with TLS (docs/web.md): proxy_from, daemon.public_url."
        lines.append(line(State.WARNING, what, do, Sure.LIKELY))
    if web.address.is_loopback and not web.proxy_from and _is_elsewhere(settings.daemon.public_url):
        what = f"people reach it at {shown(settings.daemon.public_url or '')}, so through a proxy, which is not named"
        do = 'Name it, else all people count as one: proxy_from = ["127.0.0.1"] in [web].'
        lines.append(line(State.WARNING, what, do, Sure.LIKELY))
    if not web.proxied:
        lines += _sign_in(settings, now)
    return lines or [line(State.OK, "a proxy signs people in")]


def _sign_in(settings: Settings, now: datetime) -> Iterator[Line]:
    """Say whether there is a user or a token; a database that cannot be read is told of elsewhere."""
    line = partial(Line, Area.WEB, "people", "")
    try:
        with Store.open(settings.database_url, clock=lambda: now, prepare=False, read_only=True) as store:
            users, tokens = len(store.users()), len(store.tokens(at=now))
    except StoreError:
        what = "who may sign in is not known while the database cannot be read"
        yield line(State.UNKNOWN, what, "See what is said of the database.", Sure.NOT_KNOWN)
        return
    if users or tokens:
        yield line(State.OK, f"{many(users, 'user')} and {many(tokens, 'token')} may come in")
    else:
        what = "nobody can sign in: there is neither a user nor a token"
        yield line(State.WARNING, what, "Let somebody in: driftwatch user add NAME")


def _is_elsewhere(url: str | None) -> bool:
    """Say whether people come by a name that is not this machine's own."""
    return bool(url) and not is_loopback(urlsplit(url or "").hostname or "")
