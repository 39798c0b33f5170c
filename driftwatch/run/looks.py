"""Scheduled looks: one dated job per server, planned anew after each look.

The configuration is the truth about which servers there are, and the store about when each is due, so the jobs live
in memory only. This file is all that knows APScheduler.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import structlog
from apscheduler.schedulers.asyncio import AsyncIOScheduler
from apscheduler.triggers.date import DateTrigger

from driftwatch.config.schema import ServerConfig, Settings
from driftwatch.errors import DriftwatchError, StoreError
from driftwatch.model import Listed, Outcome
from driftwatch.run.changes import Named, changed_unseen
from driftwatch.run.held import Held
from driftwatch.run.wiring import World, jitter
from driftwatch.watch.check import CheckResult
from driftwatch.watch.gate import HostGate
from driftwatch.watch.marks import apart
from driftwatch.watch.rehearsal import can_rehearse, is_due, may_be_due, rehearse
from driftwatch.watch.schedule import after_failure, first_look

log = structlog.get_logger()

_BREATH = timedelta(seconds=5)
"""So long after the start of a look the next one is begun at the soonest that somebody asks for."""

_TURN = "a turn of the scheduler"
"""The name of a job that is no server's: those have no spaces in theirs."""

_HANGS, _SLACK = 10, 300.0
"""Looks hang when none began or ended for so many times the longest look, and so many seconds: one may fetch more than
once, and wait for its host."""

_CLOCK_STEP = 30.0
"""Seconds that the clock must jump back by to count as set back; also how often that is looked into."""


class Looks:
    """Runs the looks of one daemon: on time, one at a time per server, within the limits."""

    def __init__(
        self,
        world: World,
        *,
        queued: Callable[[], None],
        listens: Callable[[ServerConfig], None],
        uptime: Callable[[], float] = time.monotonic,
    ) -> None:
        """Take the world, what to call when alerts were queued, and when a server says that it sends notices.

        `uptime` is a clock that nobody sets, in seconds.
        """
        self._world = world
        self._uptime = uptime
        self._queued = queued
        self._listens = listens
        daemon = world.settings.daemon
        self._gate = HostGate(total=daemon.concurrency, per_host=daemon.per_host, clock=world.clock)
        self._locks: dict[str, asyncio.Lock] = {}
        self._watched = _watched(world.settings)
        self._errors: dict[str, int] = {}
        self._unwritten: dict[str, int] = {}
        """Looks that were lost to what is wrong with the database, by that."""
        self._held: dict[str, Held | None] = {}
        self._due: dict[str, datetime] = {}
        self._began: dict[str, datetime] = {}
        self._planned: dict[str, datetime] = {}
        """When a look was due that is queued and has not begun."""
        self._asked: dict[str, datetime] = {}
        """When a look is due that was asked for and has not begun."""
        self._ahead = self._ahead_of_uptime()
        self._tasks: set[asyncio.Task[None]] = set()
        self._moved = self._uptime()
        """When a look began or ended last, by the clock of the process."""
        self._scheduler = AsyncIOScheduler(timezone="UTC")
        self._again: set[str] = set()
        self._stopping = False

    def start(self) -> None:
        """Plan the first look at every enabled server and start the scheduler.

        What is configured otherwise than at the last look is due at once: a new pin is to be seen, not in a day.
        """
        states = self._world.store.states()
        looked = {name: state.last_look_at for name, state in states.items() if state.last_look_at is not None}
        changed = changed_unseen(self._world.store, self._world.settings, looked)
        now = self._world.clock()
        for server in self._world.settings.watched:
            if not server.enabled:
                continue
            state = states.get(server.name)
            due = state.next_look_at if state and server.name not in changed else None
            self._plan(server, first_look(now=now, due=due, interval=server.interval, jitter=jitter()))
        self._scheduler.start()

    def adopt(self, change: Named) -> dict[asyncio.Task[None], str]:
        """Go by the configuration that the world has by now; `change` names what is watched otherwise than before.

        What came or is configured otherwise is looked at soon; all else keeps its plan. Gives the looks under way at
        what is gone, each with its name: they end by themselves.
        """
        daemon, now = self._world.settings.daemon, self._world.clock()
        self._watched = _watched(self._world.settings)
        self._gate.adopt(total=daemon.concurrency, per_host=daemon.per_host)
        for name in change.went:
            for known in (self._due, self._asked, self._planned, self._errors, self._began):
                known.pop(name, None)
            if self._scheduler.get_job(name) is not None:
                self._scheduler.remove_job(name)
        for name in (*change.came, *change.other):
            server = self._watched[name]
            self._asked[name] = first_look(now=now, due=None, interval=server.interval, jitter=jitter())
            self._plan(server, self._asked[name], keep_sooner=True)
        gone = {f"look {name}": name for name in change.went}
        return {task: gone[task.get_name()] for task in self._tasks if task.get_name() in gone}

    def _current(self, server: ServerConfig) -> ServerConfig | None:
        """Give a server as it is configured by now, None where it is watched no more."""
        return self._watched.get(server.name)

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

    async def turns(self) -> None:
        """Come back once the scheduler has done a job that was given to it now.

        Raises:
            TimeoutError: looks are under way, and none began or ended for longer than any of them may take.

        """
        longest = max((server.timeout.look for server in self._world.settings.watched), default=0.0)
        if self._tasks and self._uptime() - self._moved > _HANGS * longest + _SLACK:
            message = "looks hang"
            raise TimeoutError(message)
        turned = asyncio.Event()

        async def turn() -> None:
            turned.set()

        self._scheduler.add_job(turn, DateTrigger(), id=_TURN, replace_existing=True, misfire_grace_time=None)
        await turned.wait()

    def hold(self, server: ServerConfig, held: Held | None) -> None:
        """Remember the session that is held for a server's notices; None when none is held any more."""
        self._held[server.name] = held

    def heed(self, server: ServerConfig, outcome: Outcome | None) -> None:
        """Leave a server's host alone for a while if it answered "too many requests"."""
        self._gate.heed(server, outcome)

    def pause_left(self, server: ServerConfig) -> float:
        """Say for how many seconds a server's host is still to be left alone."""
        until = self._gate.paused_until(server.host)
        return 0.0 if until is None else (until - self._world.clock()).total_seconds()

    def due(self, server: ServerConfig) -> datetime | None:
        """Say when the next look is planned for, None while one is under way or none is planned."""
        return self._due.get(server.name)

    def soon(self, name: str) -> None:
        """Plan a look at a server for now: a person asks for it, or a witness handed in what is news.

        One that is not watched is left alone, and one that was looked at just now for some seconds: a server that shows
        its agents another list at every turn must not have itself looked at without end.
        """
        server = self._world.settings.find(name)
        if server is not None and server.enabled:
            now = self._world.clock()
            began = self._began.get(name)
            at = now if began is None else max(now, min(began, now) + _BREATH)
            self._asked[name] = at
            self._plan(server, at, keep_sooner=True)

    def again(self, name: str) -> None:
        """Look again at what a server showed last, as `driftwatch.watch.rehearsal` does: a person asks for it.

        One that is not watched, or that is just being looked at again, is left alone.
        """
        server = self._world.settings.find(name)
        if server is not None and server.enabled and can_rehearse(server):
            self._begin_again(server)

    def _begin_again(self, server: ServerConfig) -> None:
        if self._stopping or server.name in self._again:
            return
        self._again.add(server.name)
        self._begin(server, again=True)

    async def look(self, server: ServerConfig, *, noticed: bool = False, again: bool = False) -> None:
        """Look at a server now. After a notice (`noticed`) the held session is asked instead of a new one.

        With `again` it is looked at once more under another name, and how that went is written down.
        """
        async with self._locks.setdefault(server.name, asyncio.Lock()):
            current = self._current(server)
            if current is None:
                return
            server = current
            self._began[server.name] = self._world.clock()
            self._asked.pop(server.name, None)
            try:
                async with self._gate.enter(server.host):
                    # Asked in here: the look before this one in the queue may have been told to come later.
                    paused = self._gate.paused_until(server.host)
                    if paused is not None:
                        await self._put_off(server, paused)
                        return
                    began = self._begins(server)
                    held = self._held.get(server.name)
                    ask, heard = (held.ask, held.heard) if held is not None else (None, None)
                    notices = held.notices if held is not None else 0
                    listed = await ask() if noticed and ask is not None else None
                    if again:
                        result = await self._rehearsed(server, held=ask, heard=heard)
                    else:
                        result = await self._world.checker.check(server, listed=listed, held=ask, heard=heard)
                    if held is not None and isinstance(result.outcome, Listed):
                        held.account(notices)
                    if held is not None and held.is_stale(result.fresh_digest):
                        log.info("the held session is older than what starts now", action="renew", server=server.name)
                        held.renew()
                    for outcome in (result.outcome, *result.others):
                        self.heed(server, outcome)
            except StoreError as error:
                self._after_error(server, error)
                return
            self._world.tally.looked(result, self._uptime() - began)
            self._note_written(server)
            self._after(server, result, noticed=noticed)
            if await self._is_due_again(server, result):
                self._begin_again(server)

    def _begins(self, server: ServerConfig) -> float:
        """Note that a look begins now, and how late; give the time by the clock of the process."""
        planned = self._planned.pop(server.name, None)
        if planned is not None:
            self._world.tally.late.add((self._world.clock() - planned).total_seconds())
        return self._uptime()

    async def _rehearsed(self, server: ServerConfig, **how: Any) -> CheckResult:
        world = self._world
        return (await rehearse(world.store, world.settings, world.checker, server, now=world.clock, **how)).result

    async def _is_due_again(self, server: ServerConfig, result: CheckResult) -> bool:
        """Say whether what a look showed is to be looked at again; the store is asked only where that may be."""
        if not may_be_due(server, result):
            return False
        return await asyncio.to_thread(is_due, self._world.store, server, result, self._world.clock())

    def _after(self, server: ServerConfig, result: CheckResult, *, noticed: bool) -> None:
        if result.next_at is not None:
            # A look on notice asks the held session, so it does not stand for the fresh look that is planned: else a
            # server could talk its way out of ever being looked at afresh.
            asked = self._asked.get(server.name, result.next_at)
            self._plan(server, min(asked, result.next_at), keep_sooner=noticed)
        if result.queued:
            self._queued()
        now = self._current(server)
        if isinstance(result.outcome, Listed) and result.outcome.listens and now is not None and now.notices:
            self._listens(now)

    def _after_error(self, server: ServerConfig, error: BaseException) -> None:
        """Go on after a look that could not be recorded: say so, back off, try again."""
        failures = self._errors[server.name] = self._errors.get(server.name, 0) + 1
        self._world.tally.lost()
        plan = after_failure(
            now=self._world.clock(), failures=failures, retry_after=None, interval=server.interval, jitter=jitter()
        )
        known = isinstance(error, DriftwatchError)
        if self._is_new(error):
            log.error(
                "a look could not be recorded",
                action="look-lost",
                server=server.name,
                error=str(error) if known else type(error).__name__,
                exc_info=None if known else error,
            )
        self._plan(server, plan.at)

    def _is_new(self, error: BaseException) -> bool:
        """Say whether an error is to be told; what is wrong with the database itself is so for every server alike."""
        if type(error) is not StoreError:
            return True
        count = self._unwritten[error.message] = self._unwritten.get(error.message, 0) + 1
        return count == 1

    def _note_written(self, server: ServerConfig) -> None:
        """Count a look that was recorded; once all are again, say so."""
        self._errors.pop(server.name, None)
        if self._unwritten and not self._errors:
            lost = sum(self._unwritten.values())
            log.info("looks are recorded again", action="looks-recorded", lost=lost)
            self._unwritten.clear()

    async def _put_off(self, server: ServerConfig, until: datetime) -> None:
        at = until + timedelta(seconds=jitter() * server.interval.floor)
        log.info("host asked for a pause", action="host-paused", server=server.name, until=at.isoformat())
        await asyncio.to_thread(self._world.store.plan, server.name, at)
        self._plan(server, at)

    async def watch_clock(self) -> None:
        """Look after the plans while the clock may be set back, until cancelled."""
        while True:
            await asyncio.sleep(_CLOCK_STEP)
            self.mind_the_clock()

    def mind_the_clock(self) -> None:
        """Bring plans and pauses nearer by as much as the clock was set back since the last call.

        They name moments of the clock: after it was set back by a day, every look would be a day away. After it was set
        ahead, or the machine slept, to plan anew wakes the scheduler: its timer knows nothing of that time.
        """
        before, self._ahead = self._ahead, self._ahead_of_uptime()
        back = before - self._ahead
        if abs(back) < _CLOCK_STEP:
            return
        if back > 0:
            log.warning("the clock was set back", action="clock-set-back", seconds=round(back))
            self._gate.bring_nearer(back)
        for server in self._world.settings.watched:
            due = self._due.get(server.name)
            if due is not None:
                self._plan(server, due - timedelta(seconds=max(back, 0.0)))

    def _ahead_of_uptime(self) -> float:
        return self._world.clock().timestamp() - self._uptime()

    def _plan(self, server: ServerConfig, at: datetime, *, keep_sooner: bool = False) -> None:
        due, current = self._due.get(server.name), self._current(server)
        if self._stopping or current is None or (keep_sooner and due is not None and due <= at):
            return
        self._due[server.name] = at
        self._scheduler.add_job(
            self._fire,
            DateTrigger(at),
            args=[current],
            id=server.name,
            replace_existing=True,
            misfire_grace_time=None,
            coalesce=True,
        )

    async def _fire(self, server: ServerConfig) -> None:
        """Hand the look to a task of its own, so that the job is over before the next one is planned."""
        due = self._due.pop(server.name, None)
        if due is not None:
            self._planned[server.name] = due
        self._begin(server)

    async def on_notice(self, server: ServerConfig) -> None:
        """Look at a server that gave notice, and come back when that is over; who does not wait so long cuts it not."""
        if not self._stopping:
            await asyncio.wait([self._begin(server, noticed=True)])

    def _begin(self, server: ServerConfig, *, again: bool = False, noticed: bool = False) -> asyncio.Task[None]:
        look = self._guarded(server, again=again, noticed=noticed)
        task = asyncio.get_running_loop().create_task(look, name=f"look {server.name}", context=apart(server.name))
        self._tasks.add(task)
        self._moved = self._uptime()
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        self._moved = self._uptime()

    async def _guarded(self, server: ServerConfig, *, again: bool, noticed: bool) -> None:
        try:
            await self.look(server, again=again, noticed=noticed)
        except asyncio.CancelledError as error:
            # Only `stop` cancels a look. Any other cancellation has got out of a connection, and would end the looking.
            if self._stopping:
                raise
            self._after_error(server, error)
        except Exception as error:  # noqa: BLE001 - one server's surprise must not end the others' looks
            self._after_error(server, error)
        finally:
            if again:
                self._again.discard(server.name)


def _watched(settings: Settings) -> dict[str, ServerConfig]:
    return {server.name: server for server in settings.watched if server.enabled}
