"""Scheduled looks: one dated job per server, planned anew after each look.

The configuration is the truth about which servers there are, and the store about when each is due, so the jobs live
in memory only. This file is all that knows APScheduler.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta

import structlog
from apscheduler.schedulers.asyncio import AsyncIOScheduler
from apscheduler.triggers.date import DateTrigger

from driftwatch.config.schema import ServerConfig
from driftwatch.errors import StoreError
from driftwatch.model import Listed, Outcome, Refused
from driftwatch.run.wiring import World, jitter
from driftwatch.watch.check import CheckResult
from driftwatch.watch.gate import HostGate
from driftwatch.watch.schedule import after_failure, first_look, pause_of_host

log = structlog.get_logger()


class Looks:
    """Runs the looks of one daemon: on time, one at a time per server, within the limits."""

    def __init__(self, world: World, *, queued: Callable[[], None], listens: Callable[[ServerConfig], None]) -> None:
        """Take the world, what to call when alerts were queued, and when a server says that it sends notices."""
        self._world = world
        self._queued = queued
        self._listens = listens
        daemon = world.settings.daemon
        self._gate = HostGate(total=daemon.concurrency, per_host=daemon.per_host, clock=world.clock)
        self._locks = {server.name: asyncio.Lock() for server in world.settings.servers}
        self._errors: dict[str, int] = {}
        self._held: dict[str, Callable[[], Awaitable[Outcome]] | None] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._scheduler = AsyncIOScheduler(timezone="UTC")
        self._stopping = False

    def start(self) -> None:
        """Plan the first look at every enabled server and start the scheduler."""
        states = self._world.store.states()
        now = self._world.clock()
        for server in self._world.settings.servers:
            if not server.enabled:
                continue
            state = states.get(server.name)
            due = state.next_look_at if state else None
            self._plan(server, first_look(now=now, due=due, interval=server.interval, jitter=jitter()))
        self._scheduler.start()

    async def stop(self, grace: float) -> None:
        """Start no more looks, let those that run end within `grace` seconds, cancel the rest."""
        self._stopping = True
        self._scheduler.shutdown(wait=False)
        if not self._tasks:
            return
        _, late = await asyncio.wait(self._tasks, timeout=grace)
        for task in late:
            task.cancel()
        await asyncio.gather(*late, return_exceptions=True)

    def hold(self, server: ServerConfig, held: Callable[[], Awaitable[Outcome]] | None) -> None:
        """Remember how to ask the session that is held for a server's notices; None when none is held any more."""
        self._held[server.name] = held

    async def look(self, server: ServerConfig, *, noticed: bool = False) -> None:
        """Look at a server now. After a notice (`noticed`) the held session is asked instead of a new one."""
        async with self._locks[server.name]:
            paused = self._gate.paused_until(server.host)
            if paused is not None:
                self._put_off(server, paused)
                return
            try:
                async with self._gate.enter(server.host):
                    held = self._held.get(server.name)
                    listed = await held() if noticed and held is not None else None
                    result = await self._world.checker.check(server, listed=listed, held=held)
            except StoreError as error:
                self._after_error(server, error)
                return
            self._errors.pop(server.name, None)
            self._after(server, result)

    def _after(self, server: ServerConfig, result: CheckResult) -> None:
        outcome = result.outcome
        if isinstance(outcome, Refused) and outcome.status == 429:
            self._gate.pause(server.host, pause_of_host(retry_after=outcome.retry_after, interval=server.interval))
        if result.next_at is not None:
            self._plan(server, result.next_at)
        if result.queued:
            self._queued()
        if isinstance(outcome, Listed) and outcome.listens and server.notices:
            self._listens(server)

    def _after_error(self, server: ServerConfig, error: Exception) -> None:
        """Go on after a look that could not be recorded: say so, back off, try again."""
        failures = self._errors[server.name] = self._errors.get(server.name, 0) + 1
        plan = after_failure(
            now=self._world.clock(), failures=failures, retry_after=None, interval=server.interval, jitter=jitter()
        )
        log.error("a look could not be recorded", action="look-lost", server=server.name, error=str(error))
        self._plan(server, plan.at)

    def _put_off(self, server: ServerConfig, until: datetime) -> None:
        at = until + timedelta(seconds=jitter() * server.interval.floor)
        log.info("host asked for a pause", action="host-paused", server=server.name, until=at.isoformat())
        self._world.store.plan(server.name, at)
        self._plan(server, at)

    def _plan(self, server: ServerConfig, at: datetime) -> None:
        if self._stopping:
            return
        self._scheduler.add_job(
            self._fire,
            DateTrigger(at),
            args=[server],
            id=server.name,
            replace_existing=True,
            misfire_grace_time=None,
            coalesce=True,
        )

    async def _fire(self, server: ServerConfig) -> None:
        """Hand the look to a task of its own, so that the job is over before the next one is planned."""
        task = asyncio.get_running_loop().create_task(self._guarded(server), name=f"look {server.name}")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _guarded(self, server: ServerConfig) -> None:
        try:
            await self.look(server)
        except Exception as error:  # noqa: BLE001 - one server's surprise must not end the others' looks
            self._after_error(server, error)
