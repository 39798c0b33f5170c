"""What is measured of a daemon from outside: its process, its database, its own numbers."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import httpx

_NUMBERS: Final = {
    "driftwatch_next_look_lag_seconds": "lag",
    "driftwatch_notice_streams": "streams",
    "driftwatch_ready": "ready",
}
_TICKS: Final = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Sample:
    """The daemon at one moment. `life` counts its starts; -1 stands for what could not be had."""

    at: float
    life: int
    memory: float
    """MiB that are resident."""
    processor: float
    """Seconds of a processor since it was started, its children apart."""
    descriptors: int
    threads: int
    database: float
    """MiB of the file and its log."""
    lag: float
    streams: int
    ready: int
    outbox: int


def sampled(pid: int, life: int, database: Path, numbers: dict[str, float]) -> Sample | None:
    """Take a sample; None when the process is gone."""
    proc = Path(f"/proc/{pid}")
    try:
        status = dict(line.split(":", 1) for line in (proc / "status").read_text().splitlines())
        fields = (proc / "stat").read_text().rpartition(")")[2].split()
        descriptors = len(list((proc / "fd").iterdir()))
        memory = int(status["VmRSS"].split()[0]) / 1024
    except (OSError, KeyError):
        return None
    sizes = [Path(f"{database}{end}").stat().st_size for end in ("", "-wal") if Path(f"{database}{end}").exists()]
    return Sample(
        at=time.time(),
        life=life,
        memory=round(memory, 1),
        processor=(int(fields[11]) + int(fields[12])) / _TICKS,
        descriptors=descriptors,
        threads=int(status["Threads"]),
        database=round(sum(sizes) / 2**20, 2),
        lag=numbers.get("lag", -1),
        streams=int(numbers.get("streams", -1)),
        ready=int(numbers.get("ready", -1)),
        outbox=int(numbers.get("outbox", -1)),
    )


async def numbers(client: httpx.AsyncClient, url: str) -> dict[str, float]:
    """Ask a daemon for its numbers; none where it does not answer."""
    try:
        answer = await client.get(url)
    except httpx.HTTPError:
        return {}
    found: dict[str, float] = {}
    for line in answer.text.splitlines():
        name, _, value = line.rpartition(" ")
        if name in _NUMBERS:
            found[_NUMBERS[name]] = float(value)
        elif name.startswith("driftwatch_outbox_messages{"):
            found["outbox"] = found.get("outbox", 0) + float(value)
    return found


async def keep_sampling(
    pid: Callable[[], tuple[int, int]], database: Path, url: str, kept: list[Sample], *, every: float
) -> None:
    """Take samples until cancelled; `pid` gives the daemon's number, and how often it was started."""
    turn, last = 0, dict[str, float]()
    async with httpx.AsyncClient(timeout=10) as client:
        while True:
            if turn % 5 == 0:
                last = await numbers(client, url)
            turn += 1
            sample = sampled(*pid(), database, last)
            if sample is not None:
                kept.append(sample)
            await asyncio.sleep(every)


def rows(database: Path) -> dict[str, int]:
    """Count the rows of each table."""
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True, timeout=30)) as db:
        names = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {name: db.execute(f'SELECT COUNT(*) FROM "{name}"').fetchone()[0] for name in names}


def looks(database: Path) -> int:
    """Count the looks that were recorded, ever."""
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True, timeout=30)) as db:
        return int(db.execute("SELECT COALESCE(SUM(looks), 0) FROM servers").fetchone()[0])


def seen(database: Path) -> int:
    """Count the servers of which a list is known."""
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True, timeout=30)) as db:
        return int(db.execute("SELECT COUNT(*) FROM servers WHERE last_digest != ''").fetchone()[0])


def left_behind(word: str) -> list[int]:
    """Give the processes whose command line has a word in it."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal() and int(entry.name) != os.getpid():
            try:
                if word.encode() in (entry / "cmdline").read_bytes():
                    found.append(int(entry.name))
            except OSError:
                continue
    return found
