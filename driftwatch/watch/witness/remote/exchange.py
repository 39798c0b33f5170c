"""One request and its answer, passed on as they come: neither is ever held whole, neither waits for the other."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Final

import h11

from driftwatch.watch.witness.remote.copying import Told
from driftwatch.watch.witness.remote.heads import back, onward, value_of
from driftwatch.watch.witness.remote.leading import led_away, led_here
from driftwatch.watch.witness.remote.peer import Heard, Peer
from driftwatch.watch.witness.remote.upstream import Upstream

_LINGERING: Final = 2.0
"""Seconds in which an agent that is still sending may read an answer that came early."""

_REPEATABLE: Final = frozenset({b"GET", b"HEAD", b"OPTIONS"})
"""Requests that may be sent again on another connection, where the one that was used before turns out to be closed."""


class CutOffError(Exception):
    """The server is gone, or what it says is no HTTP.

    `began` says whether some of its answer has been passed on; `garbled` that it said something else than HTTP.
    """

    def __init__(self, *, began: bool, garbled: bool = False) -> None:
        """Take both."""
        super().__init__()
        self.began = began
        self.garbled = garbled


class Exchange:
    """One request of an agent."""

    def __init__(self, agent: Peer, request: h11.Request, upstream: Upstream, told: Told) -> None:
        """Take the agent's connection, the head of its request, where that goes, and to whom it is told."""
        self._agent = agent
        self._request = request
        self._upstream = upstream
        self._told = told
        self._whole = False
        """Whether the request has come to its end."""
        self._bare = True
        """Whether it has no body, as far as it came."""
        self._trailers: h11.EndOfMessage | None = None
        self._answer: h11.Response | None = None

    async def run(self) -> bool:
        """Pass it on, and say whether the agent's connection can carry another request.

        Where it cannot, the connection is closed already: cut off when the server's was.
        """
        try:
            return await self._run()
        finally:
            self._told.over()

    async def _run(self) -> bool:
        used = self._upstream.waiting()
        while True:
            try:
                server = used or await self._upstream.connected()
            except OSError as error:
                await refuse(self._agent, 502, f"the server cannot be reached ({type(error).__name__})")
                return False
            try:
                return await self._over(server)
            except CutOffError as cut:
                if used and not cut.began and not cut.garbled and self._bare and self._request.method in _REPEATABLE:
                    used = None
                    continue
                if cut.garbled and not cut.began:
                    await refuse(self._agent, 502, "what the server answers is not HTTP")
                else:
                    self._agent.close()
                return False

    async def _over(self, server: Peer) -> bool:
        """Pass the request on over this connection, and the answer back."""
        up: asyncio.Task[None] | None = None
        if self._agent.reader.ended:
            server.drop()
            raise CutOffError(began=True)
        # Whoever reads the answer notices it when the agent is gone.
        self._agent.reader.on_end = server.drop
        try:
            heard = self._put_to(server, self._head())
            if self._trailers is not None:
                heard = self._put_to(server, self._trailers)
            elif not self._pass_up(server, heard=heard):
                up = asyncio.create_task(self._pass_up_slowly(server, heard=heard))
            server.flush()
            answer = await self._downwards(server)
        except BaseException:
            server.drop()
            raise
        finally:
            self._agent.reader.on_end = None
            if up is not None:
                up.cancel()
                await asyncio.wait([up])
        if not self._whole:
            server.drop()
            await self._agent.part(_LINGERING)
            return False
        self._upstream.keep(server, answer)
        try:
            self._agent.http.start_next_cycle()
        except h11.LocalProtocolError:
            self._agent.close()
            return False
        return True

    # ------------------------------------------------------------------ to the server

    def _pass_up(self, server: Peer, *, heard: bool) -> bool:
        """Pass on what is there of the request; say whether that was all."""
        while not self._whole:
            try:
                event = self._going(self._agent.heard())
            except h11.RemoteProtocolError as error:
                raise CutOffError(began=True) from error
            if event is None:
                return False
            heard = heard and self._put_to(server, event)
        return True

    async def _pass_up_slowly(self, server: Peer, *, heard: bool) -> None:
        """Pass on the rest as it comes, even to a server that does not listen any more: it may still answer."""
        while not self._whole:
            try:
                event = self._going(await self._agent.hear())
            except (h11.RemoteProtocolError, OSError):
                server.drop()
                return
            heard = heard and event is not None and self._put_to(server, event)
            if heard:
                with contextlib.suppress(OSError):
                    await server.drain()

    def _going(self, event: Heard) -> h11.Data | h11.EndOfMessage | None:
        """Give what goes on of what the agent says, None for what does not."""
        if isinstance(event, h11.Data):
            self._bare = False
            self._told.request(event.data)
            return h11.Data(data=event.data)
        if isinstance(event, h11.EndOfMessage):
            self._trailers = h11.EndOfMessage(headers=back(event.headers.raw_items()))
            self._whole = True
            self._told.requested()
            return self._trailers
        return None

    def _head(self) -> h11.Request:
        authority = self._upstream.origin.authority.encode("ascii")
        headers = onward(self._request.headers.raw_items(), authority)
        return h11.Request(method=self._request.method, target=self._request.target, headers=headers)

    @staticmethod
    def _put_to(server: Peer, event: h11.Event) -> bool:
        try:
            server.put(event)
        except h11.LocalProtocolError:
            return False
        return True

    # ------------------------------------------------------------------- to the agent

    async def _downwards(self, server: Peer) -> h11.Response:
        """Pass the answer on to its end.

        Raises:
            CutOffError: it has none.

        """
        while True:
            try:
                event = server.heard()
                if event is h11.NEED_DATA:
                    await self._agent.drain()
                    await server.listen()
                    continue
            except (h11.RemoteProtocolError, OSError) as error:
                garbled = isinstance(error, h11.RemoteProtocolError) and not server.reader.ended
                raise CutOffError(began=self._answer is not None, garbled=garbled) from error
            try:
                if (answer := self._answered(event)) is not None:
                    await self._agent.drain()
                    return answer
            except (h11.LocalProtocolError, OSError) as error:
                # The agent is gone, or the server said more than it had announced.
                raise CutOffError(began=True) from error

    def _answered(self, event: Heard) -> h11.Response | None:
        """Pass on something of the answer; give its head when that was its end."""
        if isinstance(event, h11.Data):
            self._agent.put(h11.Data(data=event.data))
            self._told.answer(event.data)
        elif isinstance(event, h11.Response):
            self._answer = event
            self._agent.put(self._head_back(event))
            self._told.answers(event, self._away(event))
        elif isinstance(event, h11.InformationalResponse):
            self._inform(event)
        elif isinstance(event, h11.EndOfMessage) and self._answer is not None:
            self._agent.put(h11.EndOfMessage(headers=self._trailing(event)))
            self._told.answered()
            return self._answer
        else:
            raise CutOffError(began=self._answer is not None)
        return None

    def _head_back(self, answer: h11.Response) -> h11.Response:
        host = value_of(self._request.headers.raw_items(), b"host")
        headers = led_here(back(answer.headers.raw_items()), str(self._upstream.origin).encode("ascii"), host)
        if not self._whole:
            # What is left of the request would stand before the next one.
            headers.append((b"Connection", b"close"))
        return h11.Response(status_code=answer.status_code, reason=answer.reason, headers=headers)

    def _away(self, answer: h11.Response) -> str:
        """Say to where the agent is led that is not the server; empty for nowhere."""
        redirects = 300 <= answer.status_code < 400
        return led_away(answer.headers.raw_items(), str(self._upstream.origin).encode("ascii")) if redirects else ""

    def _inform(self, event: h11.InformationalResponse) -> None:
        if self._agent.http.their_http_version == b"1.1":
            headers = back(event.headers.raw_items())
            informed = h11.InformationalResponse(status_code=event.status_code, reason=event.reason, headers=headers)
            self._agent.put(informed)

    def _trailing(self, event: h11.EndOfMessage) -> list[tuple[bytes, bytes]]:
        """Give the trailers; an agent of HTTP/1.0 knows none."""
        trailers = back(event.headers.raw_items())
        return trailers if self._agent.http.their_http_version == b"1.1" else []


async def refuse(agent: Peer, status: int, why: str) -> None:
    """Answer in the server's place, and close the connection."""
    said = f"driftwatch witness: {why}\n".encode()
    headers = [
        (b"Content-Type", b"text/plain; charset=utf-8"),
        (b"Content-Length", b"%d" % len(said)),
        (b"Connection", b"close"),
    ]
    try:
        for event in (h11.Response(status_code=status, headers=headers), h11.Data(data=said), h11.EndOfMessage()):
            agent.put(event)
    except h11.LocalProtocolError:
        agent.drop()
        return
    await agent.part(_LINGERING)
