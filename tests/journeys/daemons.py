"""A real daemon in a process of its own: how it is started and killed, and how to wait for what it wrote."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from driftwatch.config.schema import Settings
from driftwatch.run.wiring import World
from tests import zygote


class Daemon:
    """A daemon's process, waited for as asyncio does."""

    def __init__(self, process: zygote.Forked) -> None:
        self.pid, self.returncode = process.pid, None
        self.terminate, self.kill = process.terminate, process.kill
        self._process, self._ended = process, asyncio.Event()
        asyncio.get_running_loop().add_reader(process.ended, self._hear)

    async def wait(self) -> int:
        await self._ended.wait()
        return self._process.wait()

    def _hear(self) -> None:
        asyncio.get_running_loop().remove_reader(self._process.ended)
        self.returncode = self._process.wait()
        self._ended.set()


async def start(config: Path, environment: Mapping[str, str] | None = None, *, python: str = sys.executable) -> Daemon:
    process = zygote.Forked(
        [python, "-m", "driftwatch", "--config", str(config), "run"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "DRIFTWATCH_WEB_LISTEN": "127.0.0.1:0", **(environment or {})},
    )
    return Daemon(process)


async def kill(daemon: Daemon) -> None:
    daemon.kill()
    await daemon.wait()


async def end(daemon: Daemon) -> None:
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
