"""Looking once, from the command line, without a daemon."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from datetime import datetime

from driftwatch.model import Refused
from driftwatch.run.groups import plain_errors
from driftwatch.run.opinions import catch_up
from driftwatch.run.wiring import World
from driftwatch.tell.telling import end_unwatched, tell_newcomers
from driftwatch.tell.upkeep import EVER, Upkeep
from driftwatch.watch.check import CheckResult
from driftwatch.watch.gate import HostGate


async def check_servers(
    world: World,
    names: Sequence[str],
    *,
    deliver: bool,
    on_done: Callable[[CheckResult], None] | None = None,
) -> list[CheckResult]:
    """Look at the named servers (all enabled ones when none is named) and give the results in the order asked for.

    What a second opinion is owed on is asked again first, so that these looks know the answers.
    `deliver` sends what is due in the outbox afterwards, once; what fails then waits for the next run or the daemon.

    Raises:
        StoreError: the database could not be read or written; what had been recorded by then stays.

    """
    settings = world.settings
    wanted = dict.fromkeys(names)
    servers = [settings.server(name) for name in wanted] or [one for one in settings.watched if one.enabled]
    began = world.clock()
    gate = HostGate(total=settings.daemon.concurrency, per_host=settings.daemon.per_host, clock=world.clock)
    results: dict[str, CheckResult] = {}

    async def look(name: str) -> None:
        server = settings.server(name)
        async with gate.enter(server.host):
            until = gate.paused_until(server.host)
            listed = None if until is None else _asked_to_wait((until - world.clock()).total_seconds())
            results[name] = await world.checker.check(server, listed=listed)
            if listed is None:
                for outcome in (results[name].outcome, *results[name].others):
                    gate.heed(server, outcome)
        if on_done is not None:
            on_done(results[name])

    await catch_up(world)
    with plain_errors():
        async with asyncio.TaskGroup() as group:
            for server in servers:
                group.create_task(look(server.name))
    if deliver:
        await _tell(world, began)
    return [results[server.name] for server in servers]


async def _tell(world: World, began: datetime) -> None:
    """Take one turn of what time brings about, and send what is due; `began` is when this run did."""
    settings, now = world.settings, world.clock()
    watched = {server.name for server in settings.watched if server.enabled}
    end_unwatched(world.store, watched, settings, now=now)
    # These looks are the only ones there are, so what none of them saw nobody sees.
    upkeep = Upkeep(world.store, settings, started=EVER)
    # First what silences kept back: then nobody is new to it.
    upkeep.turn(now)
    tell_newcomers(world.store, settings, now=now)
    # What this run found is told together; nobody stays to wait for more.
    upkeep.seal(world.clock(), early_since=began)
    async with world.channels() as channels:
        await world.deliverer(channels).run_due()


def _asked_to_wait(seconds: float) -> Refused:
    return Refused("rate-limited", "its host has just asked for fewer requests, so it was not asked", 429, seconds)
