"""Whether the database is still there while the daemon runs: one that was taken away would be written to in vain."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Final

import structlog

from driftwatch.store.place import path_of
from driftwatch.store.presence import Presence

log = structlog.get_logger()

_MINDING: Final = 1.0
"""Seconds between two looks for the file."""


@asynccontextmanager
async def minding(url: str, stop: asyncio.Event, *, clock: Callable[[], datetime]) -> AsyncIterator[None]:
    """Set `stop` once the file of the database is not at its place; what was recorded is saved at the end.

    Raises:
        StoreError: it was taken away; the hint says where all that was recorded is.

    """
    with Presence(path_of(url)) as presence:
        minder = asyncio.create_task(_mind(presence, stop), name="mind the database")
        try:
            yield
        finally:
            minder.cancel()
            await asyncio.wait([minder])
            # Whatever else went wrong meanwhile came of it.
            if presence.is_lost():
                raise await asyncio.to_thread(presence.gone, clock())


async def _mind(presence: Presence, stop: asyncio.Event) -> None:
    while not presence.is_lost():  # noqa: ASYNC110 - nobody tells us
        await asyncio.sleep(_MINDING)
    log.error("the database was taken away: ending, to save what was recorded", action="database-gone")
    stop.set()
