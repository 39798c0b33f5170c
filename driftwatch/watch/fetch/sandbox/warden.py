"""Who watches that a sandbox as a whole uses no more than it may.

The kernel holds most limits for each process by itself, and the number of processes not at all for the user root. So
all of a sandbox is counted while it runs, and ended where it is too much. What it does between two counts is not seen.
"""

from __future__ import annotations

import resource
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import anyio

from driftwatch.config.isolation import SandboxConfig
from driftwatch.config.units import say_size
from driftwatch.model import Unreachable
from driftwatch.watch.fetch.wire import Wire

PERIOD = 0.2
"""Seconds between two counts."""

_PAGE = resource.getpagesize()


class Usage(NamedTuple):
    """Processes and threads, and bytes of memory that they hold. Shared memory counts for each that holds it."""

    processes: int
    memory: int


async def watch_over(leader: int, sandbox: SandboxConfig, wire: Wire) -> None:
    """Count what a sandbox uses until this is cancelled; stop the look where it is too much."""
    while True:
        used = usage(leader, most=sandbox.processes)
        if used.processes > sandbox.processes:
            said = f"more than {sandbox.processes} processes and threads at once (sandbox.processes)"
        elif used.memory > sandbox.memory:
            said = f"more than {say_size(sandbox.memory)} of memory in all (sandbox.memory)"
        else:
            await anyio.sleep(PERIOD)
            continue
        wire.stop(Unreachable("sandbox-limit", f"the sandbox ended it: it used {said}"))
        return


def usage(leader: int, *, most: int) -> Usage:
    """Add up what a process and all that go back to it use; counting ends once there are more than `most`."""
    processes = memory = 0
    for pid in _descendants(leader):
        try:
            # After the name, which may hold anything: threads and resident pages are fields 20 and 24 (proc(5)).
            fields = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()
            processes += int(fields[17])
            memory += int(fields[21]) * _PAGE
        except (OSError, ValueError, IndexError):
            continue
        if processes > most:
            break
    return Usage(processes, memory)


def _descendants(leader: int) -> Iterator[int]:
    waiting, seen = [leader], {leader}
    while waiting:
        pid = waiting.pop()
        yield pid
        for child in _children(pid):
            if child not in seen:
                seen.add(child)
                waiting.append(child)


def _children(pid: int) -> list[int]:
    found: list[int] = []
    try:
        for thread in Path(f"/proc/{pid}/task").iterdir():
            found += map(int, (thread / "children").read_text().split())
    except (OSError, ValueError):
        pass
    return found
