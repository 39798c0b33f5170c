"""What the monitor itself used while something went on: memory and descriptors, never time."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import sys
import tracemalloc
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

MIB = 2**20
_EVERY, _BLOCK = 0.005, 64


@dataclass
class Used:
    """What was used beyond what was in use before: at most, and in the end. The other side's share is in it too."""

    memory: int = 0
    """Bytes that Python held at most."""
    kept: int = 0
    """Bytes that Python still held in the end."""
    resident: int = 0
    """Bytes of the process in memory at most."""
    files: int = 0
    """Descriptors at most."""
    left: int = 0
    """Descriptors in the end."""

    def __str__(self) -> str:
        """Say it for a table."""
        held = f"{self.memory / MIB:.1f} MiB" if self.memory else f"{self.resident / MIB:.0f} MiB resident"
        return f"{held}, {self.files} descriptors; kept {self.kept // 1024} KiB, {self.left} descriptors"


@contextlib.asynccontextmanager
async def bounded(
    *,
    memory: int = 6 * MIB,
    kept: int = MIB,
    files: int = 12,
    traced: bool = True,
) -> AsyncIterator[Used]:
    """Measure what the block uses, print it, and hold it to bounds; `resident` is held to `memory` and as much again.

    Descriptors and resident memory are read every few milliseconds: what stands for a moment only may be missed. What
    makes millions of values is not `traced`, which would take its time for each: then memory is `resident` memory, and
    what is kept is the number of Python's blocks, 64 bytes each.
    """
    gc.collect()
    if traced:
        tracemalloc.start(1)
    before, resident, open_files = tracemalloc.get_traced_memory()[0], _resident(), _files()
    blocks = sys.getallocatedblocks()
    used = Used()
    loop = asyncio.get_running_loop()

    def look() -> None:
        nonlocal timer
        used.files = max(used.files, _files() - open_files)
        used.resident = max(used.resident, _resident() - resident)
        timer = loop.call_later(_EVERY, look)

    timer = loop.call_later(0, look)
    try:
        yield used
        timer.cancel()
        used.memory = tracemalloc.get_traced_memory()[1] - before
        await _settled()
        more = sys.getallocatedblocks() - blocks
        used.kept = tracemalloc.get_traced_memory()[0] - before if traced else more * _BLOCK
        used.left = _files() - open_files
    finally:
        timer.cancel()
        tracemalloc.stop()
    sys.stdout.write(f"used: {used}\n")
    assert used.memory <= memory, used
    assert used.kept <= kept, used
    assert used.resident <= 2 * memory + 32 * MIB, used
    assert used.files <= files, used
    assert used.left <= 0, used


async def _settled() -> None:
    """Let go of what only waits to be let go: what other threads and closed connections still hold for a moment."""
    for _ in range(3):
        await asyncio.get_running_loop().run_in_executor(None, gc.collect)


def _files() -> int:
    return len(os.listdir("/proc/self/fd"))


def _resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
