"""The document of a launch, made while the connection stands. What cannot be found out fails no look: it is absent."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import anyio
import anyio.to_thread

from driftwatch.config.schema import ServerConfig
from driftwatch.config.secret import MASK, hidden
from driftwatch.config.urls import mask_url
from driftwatch.model import Json, Oddity
from driftwatch.watch.fetch.answers import FailedLookError
from driftwatch.watch.fetch.dialling import plain_client
from driftwatch.watch.fetch.family import kin
from driftwatch.watch.fetch.kit import Kit
from driftwatch.watch.fetch.start import minimal_environment
from driftwatch.watch.fetch.wire import Wire
from driftwatch.watch.supply.images import image_digest
from driftwatch.watch.supply.launch import configured
from driftwatch.watch.supply.programs import running

if TYPE_CHECKING:
    from driftwatch.watch.fetch.talk import Talk

_PATIENCE = 10.0
"""Seconds that reading files may take; what was read by then is remembered, so that the next look gets further."""

_FOUND_OUT = ("executable", "script", "package")
"""The keys of a local launch that its running processes tell."""

_SHORTEST, _SHORTEST_SECRET = 4, 8
"""What was filled in, and secrets, from how many characters on they are masked in what was found out."""


@dataclass(frozen=True, slots=True)
class Launched:
    """The document, the keys of it that could not be had this time, and what was odd."""

    document: dict[str, Json]
    unsettled: tuple[str, ...] = ()
    oddities: tuple[Oddity, ...] = ()


async def launch_of(talk: Talk) -> Launched:
    """Say how the other side of a conversation was reached.

    Raises:
        FailedLookError: the other side showed another key than it must.

    """
    server, wire, kit = talk.server, talk.wire, talk.kit
    if server.transport == "stdio":
        return await _local(server, wire, kit)
    return await _remote(server, wire, kit)


async def _local(server: ServerConfig, wire: Wire, kit: Kit) -> Launched:
    stated = configured(server)
    if wire.reached.leader is None:
        return Launched(stated)
    if wire.reached.is_hidden:
        return Launched(stated, _FOUND_OUT)
    act = partial(_resolved, server, stated, wire.reached.leader, kit)
    left = anyio.current_effective_deadline() - anyio.current_time()
    with anyio.move_on_after(min(_PATIENCE, left / 2)):
        found, unsettled = await anyio.to_thread.run_sync(act, abandon_on_cancel=True)
        return Launched({**stated, **_masked(found, _hiding(server))}, unsettled)
    return Launched(stated, _FOUND_OUT)


def _resolved(
    server: ServerConfig, stated: dict[str, Json], leader: int, kit: Kit
) -> tuple[dict[str, Json], tuple[str, ...]]:
    """Look at the processes and at what they were started from; runs in a thread because it reads files."""
    environment = minimal_environment(kit.environ, server)
    path = environment.get("PATH", os.defpath)
    asked = stated.get("package", {})
    if asked.get("ecosystem") == "oci":
        found = kit.resolver.resolve({}, (), command=server.command, path=path, cwd=server.cwd)
        digest = image_digest(server.command, server.args, environment)
        known = {**asked, "digest": digest} if digest else asked
        return {**found, "package": known}, () if digest else ("package",)
    processes = [one for one in (running(pid, depth) for pid, depth in kin(leader)) if one is not None]
    return kit.resolver.resolve(stated, processes, command=server.command, path=path, cwd=server.cwd), ()


async def _remote(server: ServerConfig, wire: Wire, kit: Kit) -> Launched:
    document, found = configured(server), dict[str, Json]()
    if wire.reached.redirect:
        found["redirect"] = mask_url(wire.reached.redirect)
    if not kit.metadata.is_wanted(server):
        return Launched({**document, **_masked(found, _hiding(server, wire.secrets))})
    async with plain_client(server, wire, kit) as http:
        told = await kit.metadata.of(server, http, kit.clock())
    if wire.trouble is not None:
        raise FailedLookError(wire.trouble)
    if told.found is not None:
        found["oauth"] = told.found
    unsettled = () if told.settled else ("oauth",)
    # A server can repeat in its metadata what it was sent, a token of ours too.
    return Launched({**document, **_masked(found, _hiding(server, wire.secrets))}, unsettled, told.oddities)


def _hiding(server: ServerConfig, more: Iterable[str] = ()) -> Callable[[str], str]:
    """Give what takes out of a text whatever of the configuration must not be shown."""
    texts = (server.url, server.command, *server.args, server.cwd or "")
    pieces = {piece for text in texts for piece in hidden(text) if len(piece) >= _SHORTEST}
    values = [secret.reveal() for secret in (*server.headers.values(), *server.env.values())]
    secret = [part for value in values for part in (value, value.partition(" ")[2])]
    pieces |= {part for part in (*secret, *more) if len(part) >= _SHORTEST_SECRET}
    ordered = sorted(pieces, key=len, reverse=True)

    def hide(text: str) -> str:
        for piece in ordered:
            text = text.replace(piece, MASK)
        return text

    return hide


def _masked(value: Json, hide: Callable[[str], str]) -> Json:
    """Give a value with every text in it masked."""
    if isinstance(value, dict):
        return {key: _masked(one, hide) for key, one in value.items()}
    if isinstance(value, list):
        return [_masked(one, hide) for one in value]
    return hide(value) if isinstance(value, str) else value
