"""Run work to its end, or end it in good order when the process is told to stop: no child process is left behind."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class TerminatedError(Exception):
    """The process was told to end (SIGTERM), and what was under way has been wound up."""


def run_to_end(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine. SIGTERM cancels it, as Ctrl-C does; what it opened is closed before this returns.

    Only the first SIGTERM counts: a second one must not tear down the winding-up, which is bounded in time.

    Raises:
        TerminatedError: it was cancelled by SIGTERM.

    """
    return asyncio.run(_until_told(work))


async def _until_told(work: Coroutine[Any, Any, T]) -> T:
    """Do the work in a task that the signal cancels."""
    task = asyncio.ensure_future(work)
    told = asyncio.Event()

    def stop() -> None:
        if not told.is_set():
            told.set()
            task.cancel()

    loop = asyncio.get_running_loop()
    with contextlib.suppress(NotImplementedError):  # an event loop without signals: Windows
        loop.add_signal_handler(signal.SIGTERM, stop)
    try:
        return await task
    except asyncio.CancelledError:
        if not told.is_set():
            raise
        raise TerminatedError from None
    finally:
        with contextlib.suppress(NotImplementedError):
            loop.remove_signal_handler(signal.SIGTERM)
