"""The listener: a held connection on which a server tells that its lists changed."""

from __future__ import annotations

from collections.abc import Callable

import anyio
from mcp.client.subscriptions import SubscriptionLost
from mcp.shared.exceptions import MCPError

from driftwatch.config.schema import ServerConfig
from driftwatch.model import Era, Failure, Listed, Outcome, Unreachable
from driftwatch.watch.fetch.base import HeldSession, ListenEnd
from driftwatch.watch.fetch.client import first_mode, other_mode
from driftwatch.watch.fetch.kit import Kit, quiet_the_sdk
from driftwatch.watch.fetch.talk import Mode, Talk, converse, guarded, secrets_of
from driftwatch.watch.fetch.walk import list_everything, switches
from driftwatch.watch.fetch.wire import Wire

_NO_SUCH_THING = frozenset({404, 405, 501})
"""HTTP statuses with which a server that does list says that it has no streams."""


class McpListener:
    """Listens through the MCP SDK: a `subscriptions/listen` stream, or the notices of a handshake session."""

    def __init__(self, kit: Kit | None = None) -> None:
        """Take what connections are made with; by default this process's environment and clock."""
        self._kit = kit or Kit()
        quiet_the_sdk()

    async def listen(
        self,
        server: ServerConfig,
        *,
        era: Era | None,
        on_ready: Callable[[HeldSession], None],
        on_notice: Callable[[], None],
    ) -> ListenEnd:
        """Listen until the stream ends, and say why it did; see `Listener`."""
        mode = first_mode(server, era)
        hold = _Hold(server, self._kit, on_ready, on_notice)
        end = await hold.run(mode)
        other = other_mode(server, mode, end.failure, hold.wire) if end.failure is not None else None
        if other is None:
            return end
        return await _Hold(server, self._kit, on_ready, on_notice).run(other)


class _Hold:
    """One held connection."""

    def __init__(
        self,
        server: ServerConfig,
        kit: Kit,
        on_ready: Callable[[HeldSession], None],
        on_notice: Callable[[], None],
    ) -> None:
        self.wire = Wire(server.limits, secrets=secrets_of(server), on_notice=self._notice, counted=kit.came)
        self._server = server
        self._kit = kit
        self._on_ready = on_ready
        self._on_notice = on_notice
        self._ready = self._early = False

    async def run(self, mode: Mode) -> ListenEnd:
        """Hold the connection until it ends."""
        end = await converse(self._server, mode=mode, wire=self.wire, kit=self._kit, seconds=None, act=self._listen)
        if isinstance(end, ListenEnd):
            return end
        if self.wire.phase == "subscriptions/listen" and getattr(end, "status", None) in _NO_SUCH_THING:
            return ListenEnd("unsupported", end.detail)
        return ListenEnd("flood" if end.code in {"flood", "too-large"} else "failed", end.detail, self._ready, end)

    def _notice(self) -> None:
        if self._ready:
            self._on_notice()
        self._early = not self._ready

    async def _listen(self, talk: Talk) -> ListenEnd:
        opening = talk.opening()
        wanted = switches(opening.result.get("capabilities") if isinstance(opening.result, dict) else None)
        if not wanted:
            return ListenEnd("unsupported", "it declares listChanged for no list")
        if talk.era is Era.MODERN:
            return await self._subscribe(talk, wanted)
        if self._server.transport == "http" and not await self._has_stream(talk):
            return ListenEnd("unsupported", "it offers no event stream to listen on")
        self._stand(talk)
        talk.wire.phase = "listening"
        await talk.wire.ended.wait()
        return ListenEnd("lost", "the connection ended", was_ready=True)

    async def _subscribe(self, talk: Talk, wanted: tuple[str, ...]) -> ListenEnd:
        talk.wire.phase = "subscriptions/listen"
        try:
            stream = talk.client.listen(
                tools_list_changed="tools" in wanted,
                prompts_list_changed="prompts" in wanted,
                resources_list_changed="resources" in wanted,
            )
            async with stream as subscription:
                honoured = subscription.honored
                if not (
                    honoured.tools_list_changed or honoured.prompts_list_changed or honoured.resources_list_changed
                ):
                    return ListenEnd("unsupported", "it honours none of the notices that it declares")
                self._stand(talk)
                talk.wire.phase = "listening"
                async for _ in subscription:
                    pass
        except SubscriptionLost:
            return ListenEnd("lost", "the stream ended without a word", self._ready)
        except MCPError as error:
            return ListenEnd("unsupported", f"it refused to be listened to (error {error.code})", self._ready)
        return ListenEnd("closed", "the server ended the stream", self._ready)

    async def _has_stream(self, talk: Talk) -> bool:
        """Wait until it is clear whether the server holds a standing stream for this session."""
        talk.wire.phase = "opening the event stream"
        if not talk.wire.has_session:
            return False
        with anyio.move_on_after(self._server.timeout.request):
            await talk.wire.stream.wait()
        return talk.wire.streams

    def _stand(self, talk: Talk) -> None:
        self._ready = True
        self._on_ready(_Held(talk))
        if self._early:
            self._on_notice()


class _Held:
    """What a caller can do with a held connection."""

    def __init__(self, talk: Talk) -> None:
        self._talk = talk
        self._one_at_a_time = anyio.Lock()

    async def fetch(self) -> Outcome:
        """List everything again on this connection."""
        wire = self._talk.wire
        kept: list[Listed] = []

        async def run() -> None:
            await self._talk.refresh()
            kept.append(await list_everything(self._talk))

        async with self._one_at_a_time:
            wire.renew()
            failure: Failure | None = await guarded(wire, self._talk.server.timeout.look, run)
            wire.phase = "listening"
        if kept:
            return kept[0]
        return failure or Unreachable("closed-early", "the held connection is gone")
