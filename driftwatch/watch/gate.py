"""How many looks run at once: in all, and at one host; and which hosts asked for a pause.

A host here is an origin's `host:port`; local servers share the empty host, which has no limit of its own.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import datetime, timedelta
from http import HTTPStatus
from types import TracebackType

from driftwatch.config.schema import ServerConfig
from driftwatch.model import Outcome, Refused
from driftwatch.watch.schedule import pause_of_host


class Places:
    """So many at once; who comes later waits, first come first served. How many may change at any time."""

    def __init__(self, most: int) -> None:
        """Take how many."""
        self._most, self._taken = most, 0
        self._waiting: deque[asyncio.Future[None]] = deque()

    def resize(self, most: int) -> None:
        """Let so many in at once from now on; who is in stays in."""
        self._most = most
        self._let_in()

    async def __aenter__(self) -> None:
        """Wait for a place."""
        if self._taken < self._most and not self._waiting:
            self._taken += 1
            return
        turn = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._leave()
            raise

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Give the place back."""
        self._leave()

    def _leave(self) -> None:
        self._taken -= 1
        self._let_in()

    def _let_in(self) -> None:
        while self._waiting and self._taken < self._most:
            turn = self._waiting.popleft()
            if not turn.done():
                self._taken += 1
                turn.set_result(None)


class HostGate:
    """Limits looks in all and per host, and remembers pauses. One per daemon."""

    def __init__(self, *, total: int, per_host: int, clock: Callable[[], datetime]) -> None:
        """Take the limits (looks at once) and the clock."""
        self._total = Places(total)
        self._per_host = per_host
        self._hosts: dict[str, Places] = {}
        self._paused: dict[str, datetime] = {}
        self._clock = clock

    def adopt(self, *, total: int, per_host: int) -> None:
        """Take other limits from now on; looks that run go on."""
        self._per_host = per_host
        for places in self._hosts.values():
            places.resize(per_host)
        self._total.resize(total)

    @asynccontextmanager
    async def enter(self, host: str) -> AsyncIterator[None]:
        """Wait for a place at the host, then for a place in all; hold both while the look runs.

        The host comes first, so that looks queueing for one slow host do not hold places that others could use.
        """
        async with AsyncExitStack() as stack:
            if host:
                await stack.enter_async_context(self._hosts.setdefault(host, Places(self._per_host)))
            await stack.enter_async_context(self._total)
            yield

    def heed(self, server: ServerConfig, outcome: Outcome | None) -> None:
        """Leave a server's host alone for a while if it answered "too many requests"."""
        if isinstance(outcome, Refused) and outcome.status == HTTPStatus.TOO_MANY_REQUESTS:
            self.pause(server.host, pause_of_host(retry_after=outcome.retry_after, interval=server.interval))

    def pause(self, host: str, seconds: float) -> None:
        """Leave a host alone for so many seconds; a longer pause that already runs stays."""
        if not host:
            return
        until = self._clock() + timedelta(seconds=seconds)
        self._paused[host] = max(until, self._paused.get(host, until))

    def bring_nearer(self, seconds: float) -> None:
        """Let every pause end so many seconds sooner: the clock was set back by that much."""
        self._paused = {host: until - timedelta(seconds=seconds) for host, until in self._paused.items()}

    def paused_until(self, host: str) -> datetime | None:
        """Say until when a host asked to be left alone, None when it did not."""
        until = self._paused.get(host)
        if until is None:
            return None
        if until <= self._clock():
            del self._paused[host]
            return None
        return until
