"""The fetcher: one look at one server, in whichever era it speaks."""

from __future__ import annotations

import anyio

from driftwatch.config.identities import IdentityConfig
from driftwatch.config.schema import ServerConfig
from driftwatch.model import Era, Listed, Outcome, Unreachable
from driftwatch.watch.fetch.guise import Guise, guise_of, under
from driftwatch.watch.fetch.kit import Kit, quiet_the_sdk
from driftwatch.watch.fetch.talk import Mode, converse, secrets_of
from driftwatch.watch.fetch.walk import list_everything
from driftwatch.watch.fetch.wire import Wire

_OTHER_ERA = frozenset({"handshake-error", "protocol-version", "closed-early", "http-status", "no-answer", "not-found"})
"""Failures of a handshake that may only mean that the server has moved to the modern era since."""

_NOT_THE_ERA = frozenset({"start-failed", "own-limit", "too-large", "flood", "sandbox-limit"})
"""Failures of a local server that have nothing to do with how it was asked."""


class McpFetcher:
    """Fetches through the MCP SDK, over stdio, Streamable HTTP and HTTP+SSE."""

    def __init__(self, kit: Kit | None = None) -> None:
        """Take what connections are made with; by default this process's environment and clock."""
        self._kit = kit or Kit()
        quiet_the_sdk()

    async def fetch(self, server: ServerConfig, *, era: Era | None, identity: IdentityConfig | None = None) -> Outcome:
        """Give what the server shows, or why it could not be seen; see `Fetcher`."""
        deadline = anyio.current_time() + server.timeout.look
        guise = guise_of(identity)
        server = under(server, identity)
        mode = first_mode(server, (identity.era if identity is not None else None) or era)
        outcome, wire = await self._try(server, mode, deadline, guise)
        other = other_mode(server, mode, outcome, wire)
        if other is None or anyio.current_time() >= deadline:
            return outcome
        outcome, _ = await self._try(server, other, deadline, guise)
        return outcome

    async def _try(self, server: ServerConfig, mode: Mode, deadline: float, guise: Guise) -> tuple[Outcome, Wire]:
        wire = Wire(server.limits, secrets=secrets_of(server), guise=guise, counted=self._kit.came)
        seconds = max(0.0, deadline - anyio.current_time())
        outcome = await converse(server, mode=mode, wire=wire, kit=self._kit, seconds=seconds, act=list_everything)
        return outcome, wire


def first_mode(server: ServerConfig, era: Era | None) -> Mode:
    """Say how to open: the legacy transport and a server known to be old get the handshake, all others the probe."""
    return "legacy" if server.transport == "sse" or era is Era.HANDSHAKE else "auto"


def other_mode(server: ServerConfig, mode: Mode, outcome: Outcome, wire: Wire) -> Mode | None:
    """Say whether a conversation that did not even open is worth another try, and how.

    An old local server can hang or die on the probe, after which only a fresh process can answer the handshake. A
    server that was known to be old can have become a modern one.
    """
    if isinstance(outcome, Listed) or wire.opened or server.transport == "sse":
        return None
    if mode == "legacy":
        down = isinstance(outcome, Unreachable) and (outcome.status or 0) >= 500
        return "auto" if outcome.code in _OTHER_ERA and not down else None
    if server.transport == "stdio":
        return None if outcome.code in _NOT_THE_ERA else "legacy"
    return "legacy" if outcome.code == "closed-early" else None
