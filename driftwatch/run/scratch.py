"""A world without a past: what is looked at in CI, and what leaves nothing behind."""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from driftwatch.config.isolation import sqlite_file
from driftwatch.config.schema import ServerConfig, Settings
from driftwatch.model import Failure, Snapshot
from driftwatch.review.lockfile import portable
from driftwatch.run.groups import plain_errors
from driftwatch.run.wiring import World
from driftwatch.watch.fetch.sandbox.choose import Sandboxes
from driftwatch.watch.inventory import FilesToo
from driftwatch.watch.seen import Seen, see

_AT_A_TIME = 4
"""Servers that are looked at together."""


@contextmanager
def scratch(settings: Settings, *, clock: Callable[[], datetime]) -> Iterator[World]:
    """Open a world for a configuration on a database that goes away with it; the one that it names is not touched.

    Raises:
        StoreError: no database can be made here.

    """
    with tempfile.TemporaryDirectory(prefix="driftwatch-", ignore_cleanup_errors=True) as folder:
        away = settings.model_copy(update={"database_url": f"sqlite:///{Path(folder, 'scratch.db')}"})
        with World.open(away, clock=clock) as world:
            own = [file for file in (sqlite_file(settings.database_url), settings.path) if file is not None]
            # What no server may see is the database that there is, not the one that goes away.
            sandboxes = replace(Sandboxes.of(away, os.environ), private=own)
            yield replace(world, sandboxes=sandboxes)


async def look_once(
    world: World,
    servers: Sequence[ServerConfig],
    known: Mapping[str, Snapshot],
    *,
    base: Path | None = None,
    on_done: Callable[[str], None] = lambda _: None,
) -> dict[str, Snapshot | Failure]:
    """Look at each server once, a few at a time; give what it showed, as it is on any machine, or why it did not.

    `known` has what was seen of a server before: part of a launch may not be had this time for no fault of its own.
    """
    found: dict[str, Snapshot | Failure] = {}
    turn = asyncio.Semaphore(_AT_A_TIME)
    with world.trial(as_configured=True) as trial:
        fetcher = FilesToo(trial)

        async def look(server: ServerConfig) -> None:
            async with turn:
                outcome = await fetcher.fetch(server, era=None)
            seen = await asyncio.to_thread(see, outcome, lambda: known.get(server.name))
            found[server.name] = portable(seen.snapshot, base) if isinstance(seen, Seen) else seen
            on_done(server.name)

        with plain_errors():
            async with asyncio.TaskGroup() as group:
                for server in servers:
                    group.create_task(look(server))
    return {server.name: found[server.name] for server in servers}
