"""What an examination says: lines with what was seen, how sure that is, and what to do; and how one check is kept.

No check hides another: one that fails, or gives no answer in its time, is a line too.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeVar

from driftwatch.errors import DriftwatchError

T = TypeVar("T")

_WINDING_UP: Final = 5.0
"""Seconds that a check has to let go of what it holds, once its time is over."""


class Area(StrEnum):
    """What a line is about, in the order in which people read it."""

    CONFIGURATION = "configuration"
    PERMISSIONS = "permissions"
    LIMITS = "limits"
    DATABASE = "database"
    DAEMON = "daemon"
    CLOCK = "clock"
    WEB = "web"
    WITNESS = "witness"
    SANDBOX = "sandbox"
    SERVERS = "servers"
    CHANNELS = "channels"
    PLACES = "other places"


class State(StrEnum):
    """How a thing is."""

    OK = "ok"
    WARNING = "warning"
    PROBLEM = "problem"
    UNKNOWN = "unknown"


class Sure(StrEnum):
    """How sure that is: seen by itself, what it most likely means, or not known."""

    CERTAIN = "certain"
    LIKELY = "likely"
    NOT_KNOWN = "not known"


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that was checked. `check` is a stable word for it, `subject` whom it is about; `do` is empty for ok."""

    area: Area
    check: str
    subject: str
    state: State
    what: str
    do: str = ""
    sure: Sure = Sure.CERTAIN


@dataclass(frozen=True, slots=True)
class Check:
    """Something to look into, and the seconds that it may take; None: it keeps a time of its own."""

    area: Area
    check: str
    subject: str
    work: Callable[[], Awaitable[Iterable[Line]]]
    seconds: float | None

    @property
    def name(self) -> str:
        """What it is called."""
        return " ".join(filter(None, [self.area.value, self.subject or self.check]))

    def line(self, state: State, what: str, do: str = "", sure: Sure = Sure.CERTAIN) -> Line:
        """Give a line about the same."""
        return Line(self.area, self.check, self.subject, state, what, do, sure)


async def kept(check: Check) -> list[Line]:
    """Give what a check says, whatever becomes of it, within its time."""
    task = asyncio.ensure_future(_lines(check))
    try:
        await asyncio.wait([task], timeout=check.seconds)
    finally:
        if not task.done():
            task.cancel()
            await asyncio.wait([task], timeout=_WINDING_UP)
    if task.done() and not task.cancelled():
        return task.result()
    what = f"it gave no answer within {check.seconds or 0:g} s, so nothing is known of it"
    return [check.line(State.UNKNOWN, what, "Look again with more time: driftwatch doctor --timeout", Sure.NOT_KNOWN)]


async def _lines(check: Check) -> list[Line]:
    try:
        return list(await check.work())
    except DriftwatchError as error:
        return [check.line(State.PROBLEM, error.message, error.hint)]
    except OSError as error:
        what = f"it could not be looked into: {error.strerror or type(error).__name__}"
        return [check.line(State.UNKNOWN, what, "Look as the user that the daemon runs as.", Sure.NOT_KNOWN)]
    except Exception as error:  # noqa: BLE001 - what nobody foresaw in one check must not hide the others
        what = f"the check itself failed ({type(error).__name__}), so nothing is known of it"
        return [check.line(State.UNKNOWN, what, "Please report this.", Sure.NOT_KNOWN)]


def aside(work: Callable[[], T]) -> Callable[[], Awaitable[T]]:
    """Let something that blocks run in a thread of its own, which nobody waits for once its time is over.

    A pool would be waited for at the end: a disk that hangs would then hold up everything.
    """

    async def run() -> T:
        loop = asyncio.get_running_loop()
        ended: asyncio.Future[T] = loop.create_future()

        def settle(settle_it: Callable[[], None]) -> None:
            with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
                loop.call_soon_threadsafe(lambda: None if ended.done() else settle_it())

        def body() -> None:
            try:
                result = work()
            except BaseException as error:  # noqa: BLE001 - handed on to who awaits
                failed = error
                settle(lambda: ended.set_exception(failed))
            else:
                settle(lambda: ended.set_result(result))

        threading.Thread(target=body, name="doctor", daemon=True).start()
        return await ended

    return run
