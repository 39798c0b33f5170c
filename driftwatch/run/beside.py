"""What runs beside looks and deliveries, and what of it begins anew with a configuration."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from driftwatch.run.destinations import Destinations
from driftwatch.run.opinions import keep_catching_up
from driftwatch.run.retention import keep_pruning
from driftwatch.run.supplying import keep_asking
from driftwatch.run.upkeep import keep_beating, keep_noticing, keep_saying, keep_up, keep_verifying
from driftwatch.run.wiring import World
from driftwatch.tell.channels.base import Channel, Forgetful
from driftwatch.tell.upkeep import Upkeep


class Beside:
    """Keeps it going; `stop` ends it all."""

    def __init__(
        self,
        group: asyncio.TaskGroup,
        world: World,
        upkeep: Upkeep,
        destinations: Destinations,
        *,
        queued: Callable[[], None],
    ) -> None:
        """Take the group that it runs in, the world, and what to call when there is something to send."""
        self._group, self._world, self._upkeep = group, world, upkeep
        self._destinations, self._queued = destinations, queued
        self._lasting: list[asyncio.Task[None]] = []
        self._anew: list[asyncio.Task[None]] = []
        self._saying: dict[Channel, asyncio.Task[None]] = {}

    def begin(self) -> None:
        """Begin all of it."""
        self.keep(keep_pruning(self._world), "drop what was kept for long enough")
        self.keep(keep_verifying(self._world, self._upkeep, queued=self._queued), "verify the audit log")
        self.keep(keep_noticing(self._world, queued=self._queued), "notice what others write")
        self.begin_anew()

    def keep(self, work: Coroutine[Any, Any, None], name: str) -> None:
        """Keep something going until the end, whatever the configuration becomes."""
        self._lasting.append(self._group.create_task(work, name=name))

    def begin_anew(self) -> None:
        """Begin again what goes by the configuration that it began with; nothing of that minds being cut short."""
        world = self._world
        for task in self._anew:
            task.cancel()
        self._anew = [
            self._group.create_task(keep_asking(world), name="ask about packages"),
            self._group.create_task(keep_catching_up(world), name="ask for second opinions"),
            self._group.create_task(keep_up(world, self._upkeep, queued=self._queued), name="upkeep"),
            self._group.create_task(keep_beating(world, self._upkeep), name="heartbeat"),
        ]
        channels = set(self._destinations.channels.values())
        for gone in self._saying.keys() - channels:
            self._saying.pop(gone).cancel()
        for one in channels - self._saying.keys():
            if isinstance(one, Forgetful):
                self._saying[one] = self._group.create_task(keep_saying(one, world), name=f"say again to {one.name}")

    def stop(self) -> None:
        """End all of it."""
        for task in (*self._lasting, *self._anew, *self._saying.values()):
            task.cancel()
