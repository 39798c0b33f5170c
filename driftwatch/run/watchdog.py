"""Signs of life for the service manager: given only while the parts of the daemon really turn.

A timer that says "alive" proves that the timer runs. So before each sign the scheduler is given a job and the delivery
loop a turn, and both have to come back in time; that this runs at all shows that the event loop does.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Final

import structlog

from driftwatch.run.notify import Notify

log = structlog.get_logger()

SAYING: Final = 60.0
"""Seconds between two lines about what is going on, where nobody waits for signs of life."""

_BRIEF: Final = 5.0
"""Seconds that finding the line may take: it is an extra, and must not delay the sign."""

Turn = Callable[[], Awaitable[object]]
"""Comes back once a part of the daemon has turned; one that hangs does not come back, or raises."""


async def keep_telling(notify: Notify, turns: Mapping[str, Turn], words: Callable[[], str]) -> None:
    """Give signs of life until cancelled, by what each part is called and how it is made to turn.

    `words` gives the line for `systemctl status`; it is asked in a thread.
    """
    if not notify.address:
        return
    every = notify.every or SAYING
    while True:
        # What begins says that it watches; whether it looks on time shows later.
        await asyncio.sleep(every)
        hanging = await _hanging(turns, every)
        if hanging:
            log.error("no sign of life: parts of the daemon hang", action="hanging", parts=hanging)
            notify.say(f"hanging: {', '.join(hanging)}")
        else:
            notify.alive(await _said(words, min(every, _BRIEF)))


async def _hanging(turns: Mapping[str, Turn], patience: float) -> list[str]:
    """Let all parts turn side by side; give the names of those that did not within so many seconds."""
    came = await asyncio.gather(*(_turned(turn, patience) for turn in turns.values()))
    return [name for name, turned in zip(turns, came, strict=True) if not turned]


async def _turned(turn: Turn, patience: float) -> bool:
    try:
        async with asyncio.timeout(patience):
            await turn()
    except Exception as error:  # noqa: BLE001 - whatever it is, it is no turn
        log.warning("a part of the daemon did not turn", action="hanging", error=type(error).__name__)
        return False
    return True


async def _said(words: Callable[[], str], patience: float) -> str:
    try:
        async with asyncio.timeout(patience):
            return await asyncio.to_thread(words)
    except Exception as error:  # noqa: BLE001 - a line that cannot be had is no reason to be ended
        return f"watching; how it goes cannot be told: {type(error).__name__}"
