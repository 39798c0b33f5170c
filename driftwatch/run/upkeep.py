"""What time brings about, beside the looks and the deliveries: for as long as the daemon runs."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from itertools import count, islice
from typing import Final

import structlog

from driftwatch.errors import DriftwatchError, StoreError
from driftwatch.model import SendVerdict
from driftwatch.run.wiring import World
from driftwatch.store.chain import AuditWalk
from driftwatch.tell.channels.base import Forgetful
from driftwatch.tell.channels.heartbeat import Heartbeat
from driftwatch.tell.upkeep import Upkeep

log = structlog.get_logger()

TURN: Final = 10.0
"""Seconds between two turns of the upkeep."""

SEALING: Final = 1.0
"""Seconds between two looks for messages that routes have gathered for long enough."""

NOTICING: Final = 1.0
"""Seconds between two questions whether anybody wrote to the database."""

VERIFYING: Final = 3_600.0
"""Seconds between the end of one look over the audit log and the next."""

WHOLE: Final = 24
"""Of so many looks one goes through all of it, the others through the entries since: those are cheap."""

RESTING: Final = 0.1
"""Seconds between two steps of it, which take a third of that: looks go before."""

_PAGE: Final = 50
"""Messages that are told again at once: each may be a quarter of a megabyte."""

_HEARTBEAT_TIMEOUT: Final = 10.0
"""Seconds that one call of the heartbeat's URL may take."""


async def keep_up(world: World, upkeep: Upkeep, *, queued: Callable[[], None]) -> None:
    """Take turns until cancelled; `queued` is called when there is something to send. Trouble is logged, and passes."""
    gathers = any(way.window for way in world.settings.ways)
    step = SEALING if gathers else TURN
    since = TURN
    said = ""
    while True:
        act = upkeep.turn if since >= TURN else upkeep.seal
        since = step if since >= TURN else since + step
        try:
            if await asyncio.to_thread(act, world.clock()):
                queued()
            said = ""
        except DriftwatchError as error:
            if error.message != said:
                log.warning("the upkeep failed; it is tried again", action="upkeep-failed", error=error.message)
            said = error.message
        except Exception:
            log.exception("the upkeep failed; trying again", action="upkeep-failed")
        await asyncio.sleep(step)


async def keep_verifying(world: World, upkeep: Upkeep, *, queued: Callable[[], None]) -> None:
    """Hold the database against its audit log, at once and then every hour, until cancelled: by steps, with rests.

    All of the log is gone through once a day. The time is counted by the clock of the process: nobody minds an hour
    that is longer or shorter.
    """
    walk = AuditWalk()
    for number in count():
        walk = walk if number % WHOLE else AuditWalk()
        try:
            steps = world.store.verify_audit_by_steps(walk=walk)
            while (found := await asyncio.to_thread(next, steps)) is None:  # noqa: ASYNC110 - a rest between steps
                await asyncio.sleep(RESTING)
            world.tally.verified_at = world.clock().timestamp()
            if not found.good:
                log.error("the database was changed by hand: driftwatch audit verify", action="audit-broken")
            if await asyncio.to_thread(upkeep.mind_audit, found, world.clock()):
                queued()
        except DriftwatchError as error:
            log.warning("the audit log could not be verified", action="audit-failed", error=error.message)
        except Exception:
            log.exception("the audit log could not be verified", action="audit-failed")
        await asyncio.sleep(VERIFYING)


async def keep_noticing(world: World, *, queued: Callable[[], None]) -> None:
    """Call `queued` soon after anybody wrote to the database, until cancelled: a command may have queued a message."""
    with world.store.changes() as changes:
        while True:
            await asyncio.sleep(NOTICING)
            # What cannot be asked cannot be read either, and the delivery loop says so.
            with suppress(StoreError):
                if await asyncio.to_thread(changes.any):
                    queued()


async def keep_saying(channel: Forgetful, world: World) -> None:
    """Tell a channel that forgets what stands, again and again, until cancelled."""
    while True:
        try:
            said = world.store.said(channel.name)
            while page := await asyncio.to_thread(lambda: list(islice(said, _PAGE))):  # noqa: B023 - used at once
                result = await channel.refresh([one.payload for one in page])
                if result.verdict is not SendVerdict.DONE:
                    log.warning(
                        "a channel was not told again of what stands",
                        action="refresh-failed",
                        channel=channel.name,
                        result=result.detail,
                    )
                    break
        except DriftwatchError as error:
            log.warning("a channel was not told again of what stands", action="refresh-failed", error=error.message)
        except Exception:
            log.exception("a channel was not told again of what stands", action="refresh-failed")
        await asyncio.sleep(channel.refresh_every)


async def keep_beating(world: World, upkeep: Upkeep) -> None:
    """Call the heartbeat's URL while all is well, until cancelled; does nothing where there is none."""
    config = world.settings.alerts
    if config.heartbeat_url is None:
        return
    heartbeat = Heartbeat(config.heartbeat_url, _HEARTBEAT_TIMEOUT)
    before = True
    try:
        while True:
            well = await _is_well(world, upkeep)
            if well:
                result = await heartbeat.beat()
                if result.verdict is not SendVerdict.DONE:
                    log.warning("the heartbeat did not arrive", action="heartbeat-failed", result=result.detail)
            if well != before:
                words = "the heartbeat goes on" if well else "all is not well: no heartbeat"
                log.log(logging.INFO if well else logging.ERROR, words, action="heartbeat", well=well)
            before = well
            await asyncio.sleep(config.heartbeat_every)
    finally:
        await heartbeat.aclose()


async def _is_well(world: World, upkeep: Upkeep) -> bool:
    """Say whether all is well; a database that cannot be used is not well."""
    try:
        return await asyncio.to_thread(upkeep.is_well, world.clock())
    except Exception as error:  # noqa: BLE001 - whatever it is, it is not well
        log.warning("the database cannot be read", action="heartbeat", error=type(error).__name__)
        return False
