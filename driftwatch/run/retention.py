"""Once a day the daemon drops what was kept for long enough."""

from __future__ import annotations

import asyncio
import threading
import time
from dataclasses import asdict
from datetime import timedelta
from functools import partial
from typing import Final

import structlog

from driftwatch.config.retention import RetentionConfig
from driftwatch.errors import DriftwatchError
from driftwatch.run.wiring import DAEMON, World
from driftwatch.store.records import Retention

log = structlog.get_logger()

_FIRST: Final = 3_600.0
"""Seconds after the start until it is done first: a clock that is wrong at the start is right by then."""

_AGAIN: Final = 86_400.0
"""Seconds from one time to the next."""


def retention_of(config: RetentionConfig) -> Retention:
    """Give what the store is asked for by a configuration."""

    def age(seconds: float | None) -> timedelta | None:
        return None if seconds is None else timedelta(seconds=seconds)

    return Retention(
        looks=age(config.looks),
        looks_count=config.looks_count,
        alerts=age(config.alerts),
        alerts_count=config.alerts_count,
        deliveries=age(config.deliveries),
        deliveries_count=config.deliveries_count,
    )


class Pruning:
    """Drops what a configuration says, again and again.

    Ages are counted by the clock, but never by more than has passed since this was made: a clock that jumps ahead by
    years must not make all that there is old.
    """

    def __init__(self, world: World) -> None:
        """Begin to count."""
        self._world = world
        self._began, self._at = time.monotonic(), world.clock()
        self._ends = threading.Event()

    async def once(self) -> None:
        """Drop what is to go by now; what cannot be done is logged, and is done the next time."""
        passed = timedelta(seconds=time.monotonic() - self._began)
        now = min(self._world.clock(), self._at + passed)
        try:
            keep = retention_of(self._world.settings.retention)
            prune = partial(self._world.store.prune, keep, now=now, by=DAEMON, enough=self._ends.is_set)
            done = await asyncio.to_thread(prune)
        except asyncio.CancelledError:
            # The thread ends between two steps, so that nobody waits for it who wants to end.
            self._ends.set()
            raise
        except DriftwatchError as error:
            log.warning("what was kept for long enough could not be dropped", action="prune-failed", error=str(error))
        except Exception:
            log.exception("what was kept for long enough could not be dropped", action="prune-failed")
        else:
            if done.any:
                log.info("what was kept for long enough was dropped", action="pruned", **asdict(done))


async def keep_pruning(world: World) -> None:
    """Drop what the configuration says, an hour after the start and then every day, until cancelled."""
    pruning = Pruning(world)
    wait = _FIRST
    while True:
        await asyncio.sleep(wait)
        await pruning.once()
        wait = _AGAIN
