"""Who watches that a sandbox as a whole uses no more than it may.

The kernel holds most limits for each process by itself, and the number of processes not at all for the user root. So
all of a sandbox is counted while it runs, and ended where it is too much. What it does between two counts is not seen.
"""

from __future__ import annotations

import itertools
import os
import re
from pathlib import Path
from typing import NamedTuple

import anyio
import anyio.to_thread
import structlog

from driftwatch.config.units import say_size
from driftwatch.model import Unreachable
from driftwatch.watch.fetch.family import descendants
from driftwatch.watch.fetch.sandbox.clearing import cleared
from driftwatch.watch.fetch.start import Walls
from driftwatch.watch.fetch.wire import Wire

log = structlog.get_logger()

PERIOD = 0.2
"""Seconds between two counts."""

_CLOSELY = 100
_LATER = 2.0
"""After how many counts, and how seldom then: a session that is held for notices stands for hours."""

_SELDOM = 5
"""Of how many counts one looks at the home folder too."""

_MOST_ENTRIES = 20_000
_BLOCK = 512
_KIB = 1024
_SLACK = 16 * 2**20
"""Bytes of memory that may be the sandbox's own."""

_FIELD = re.compile(r"^(Threads|RssAnon|RssShmem):\s*(\d+)", re.MULTILINE)


class Usage(NamedTuple):
    """Processes and threads, and bytes of memory that they hold beside files. What is shared counts for each."""

    processes: int
    memory: int


async def watch_over(leader: int, walls: Walls, wire: Wire) -> None:
    """Count what a sandbox uses until this is cancelled; stop the look where it is too much."""
    limits = walls.limits
    for number in itertools.count():
        used = usage(leader, most=limits.processes)
        said = ""
        if used.processes > limits.processes:
            said = f"more than {limits.processes} processes and threads at once (sandbox.processes)"
        elif used.memory > limits.memory + _SLACK:
            said = f"more than {say_size(limits.memory)} of memory in all (sandbox.memory)"
        elif number % _SELDOM == 0 and bool(await anyio.to_thread.run_sync(_overfull, walls)):
            said = f"more than {say_size(limits.file_size)} in its home folder (sandbox.file_size)"
        if said:
            wire.stop(Unreachable("sandbox-limit", f"the sandbox ended it: it used {said}"))
            return
        await anyio.sleep(PERIOD if number < _CLOSELY else _LATER)


def tidy(walls: Walls) -> None:
    """Empty a kept home folder that holds too much, once nobody is in it any more."""
    for folder in _overfull(walls):
        log.warning("the home folder of a sandbox was emptied: it held too much", action="emptied", folder=str(folder))
        cleared(folder)
        folder.mkdir(mode=0o700, exist_ok=True)


def _overfull(walls: Walls) -> list[Path]:
    return [one for one in map(Path, walls.view.kept.values()) if _is_overfull(one, walls.limits.file_size)]


def _is_overfull(folder: Path, most: int) -> bool:
    """Say whether a folder holds more bytes, or more entries, than it may. Links are not followed.

    What may not be looked into, or lies too deep for that, may hold anything: that is too much as well.
    """
    waiting, size, count = [folder], 0, 0
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    count += 1
                    size += entry.stat(follow_symlinks=False).st_blocks * _BLOCK
                    if size > most or count > _MOST_ENTRIES:
                        return True
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(Path(entry.path))
        except (FileNotFoundError, NotADirectoryError):
            # It went meanwhile.
            continue
        except OSError:
            return True
    return False


def usage(leader: int, *, most: int) -> Usage:
    """Add up what all that go back to a process use, without itself; counting ends once there are more than `most`."""
    processes = memory = 0
    for pid in itertools.islice(descendants(leader), 1, None):
        try:
            said = Path(f"/proc/{pid}/status").read_text("utf-8", "replace")
        except OSError:
            continue
        found = {name: int(number) for name, number in _FIELD.findall(said)}
        processes += found.get("Threads", 1)
        memory += (found.get("RssAnon", 0) + found.get("RssShmem", 0)) * _KIB
        if processes > most:
            break
    return Usage(processes, memory)
