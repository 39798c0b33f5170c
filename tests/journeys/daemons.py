"""A real daemon in a process of its own: how it is started and killed, and how to wait for what it wrote."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from driftwatch.config.schema import Settings
from driftwatch.run.wiring import World


async def start(config: Path, environment: Mapping[str, str] | None = None) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "driftwatch",
        "--config",
        str(config),
        "run",
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
        env={**os.environ, "PYTHONWARNINGS": "default", "DRIFTWATCH_WEB_LISTEN": "127.0.0.1:0", **(environment or {})},
    )


async def kill(daemon: asyncio.subprocess.Process) -> None:
    daemon.send_signal(signal.SIGKILL)
    await daemon.wait()


async def end(daemon: asyncio.subprocess.Process) -> None:
    """Ask a daemon to end, and see it do so."""
    daemon.terminate()
    async with asyncio.timeout(30):
        assert await daemon.wait() == 0


async def until(settings: Settings, holds: Callable[[World], object], what: str, *, patience: float = 60) -> None:
    """Wait until something is so, of what the daemon wrote or of anything else."""
    with World.open(settings) as world:
        try:
            async with asyncio.timeout(patience):
                while not holds(world):  # noqa: ASYNC110 - another process tells only the database
                    await asyncio.sleep(0.05)
        except TimeoutError:
            pytest.fail(f"waited in vain for {what}")
