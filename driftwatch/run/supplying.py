"""The supply watch beside the looks: asks about what is due, for as long as the daemon runs."""

from __future__ import annotations

import asyncio

import structlog

from driftwatch.errors import DriftwatchError
from driftwatch.model import PackageNews
from driftwatch.run.wiring import World
from driftwatch.watch.supply.learn import SupplyWatch, sources_of

log = structlog.get_logger()

_STEP = 600.0
"""The longest time between two looks into what is due: so soon a package that came into use is asked about."""


async def ask_once(world: World) -> list[PackageNews]:
    """Ask about every package in use, due or not, and give what is known of them then.

    Raises:
        StoreError: the database could not be read or written.

    """
    async with sources_of(world.settings.supply) as sources:
        return await SupplyWatch(world.store, world.settings, sources, clock=world.clock).ask(everything=True)


async def keep_asking(world: World) -> None:
    """Ask until cancelled; does nothing while the supply watch is off. Trouble is logged and disturbs nothing."""
    config = world.settings.supply
    if not config.enabled:
        return
    log.info("asking about packages", action="supply-start", supply=config.words)
    async with sources_of(config) as sources:
        watch = SupplyWatch(world.store, world.settings, sources, clock=world.clock)
        while True:
            try:
                await watch.ask()
            except DriftwatchError as error:
                log.warning("what was learned of packages is lost", action="supply-failed", error=str(error))
            except Exception:
                log.exception("asking about packages failed", action="supply-failed")
            await asyncio.sleep(min(_STEP, config.interval / 10))
