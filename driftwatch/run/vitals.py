"""What programs ask of a daemon again and again: whether it is well, and its numbers.

Both are answered however the rest does: worked out in a thread of their own, once for all who ask at the same time, and
where that takes too long it is said so. What was worked out a moment ago is told again, so that asking costs little.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, Generic, TypeVar

from driftwatch.model import Health
from driftwatch.run.health import NO_ANSWER, PATIENCE, health_of, lost
from driftwatch.run.metrics import Metrics
from driftwatch.run.wiring import World

FRESH: Final = 1.0
"""Seconds for which an answer is told again."""

DEADLINE: Final = PATIENCE + 2.0
"""Seconds after which there is an answer at the latest: after others were waited for, and a moment."""

_Worked = TypeVar("_Worked")


class Vitals:
    """Answers for one world; `close` it after."""

    def __init__(self, world: World, *, deadline: float = DEADLINE) -> None:
        """Take the world, whose configuration may become another one."""
        self._metrics = Metrics(world.tally, world.store, settings=lambda: world.settings, clock=world.clock)
        self._deadline = deadline
        self._health = _Latest(lambda: health_of(world.store, world.settings, now=world.clock()))
        self._text = _Latest(self._metrics.text)

    async def ready(self) -> Health:
        """Say whether the daemon does its work."""
        found = await self._health.get(self._deadline)
        return found or lost(NO_ANSWER, f"the database {NO_ANSWER}")

    async def metrics(self) -> bytes:
        """Give the numbers, without those of the database where it gives no answer."""
        found = await self._text.get(self._deadline)
        return found or self._metrics.in_process(lost(NO_ANSWER, ""))

    def close(self) -> None:
        """Let go of the threads; what is being worked out is nobody's any more."""
        self._health.close()
        self._text.close()


class _Latest(Generic[_Worked]):
    """Something that is worked out in a thread of its own when it is asked for, once at a time."""

    def __init__(self, work: Callable[[], _Worked]) -> None:
        self._work = work
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="vitals")
        self._running: asyncio.Future[_Worked] | None = None
        self._known: _Worked | None = None
        self._at = -FRESH

    async def get(self, deadline: float) -> _Worked | None:
        """Give it, None where it is not there within so many seconds.

        Raises:
            Exception: what the work raises.

        """
        if self._known is not None and time.monotonic() - self._at < FRESH:
            return self._known
        if self._running is None:
            self._running = asyncio.get_running_loop().run_in_executor(self._thread, self._work)
            self._running.add_done_callback(self._worked)
        running = self._running
        done, _ = await asyncio.wait({running}, timeout=deadline)
        return running.result() if done else None

    def _worked(self, running: asyncio.Future[_Worked]) -> None:
        self._running = None
        self._known = None
        with contextlib.suppress(asyncio.CancelledError):
            if running.exception() is None:
                self._known, self._at = running.result(), time.monotonic()

    def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)
