"""What every test of this room needs: a server's entry with short times, and a look at it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from servers.over_stdio import command

from driftwatch.config.schema import Limits, ServerConfig, Timeouts
from driftwatch.model import Era, Listed, Outcome
from driftwatch.watch.fetch.client import McpFetcher
from driftwatch.watch.fetch.kit import Kit

KIT = Kit(environ={"PATH": os.environ["PATH"], "HOME": "/nowhere", "SECRET_OF_OURS": "no"}, grace=0.5)
LIMITS = {"message_bytes": 2**20, "look_bytes": 4 * 2**20, "pages": 5, "items": 100, "noise_lines": 500}
TIMES = {"connect": 5.0, "request": 5.0, "start": 10.0, "look": 20.0}


def local(script: str = "honest", fault: str = "none", **fields: Any) -> ServerConfig:
    """Give the entry of a scripted server over stdio."""
    program, args = command(script, fault)
    return entry(command=program, args=args, **fields)


def remote(url: str, **fields: Any) -> ServerConfig:
    """Give the entry of a server with a URL."""
    return entry(url=url, **fields)


def entry(
    *, times: dict[str, float] | None = None, limits: dict[str, int] | None = None, **fields: Any
) -> ServerConfig:
    """Give an entry with limits and times that suit a test."""
    return ServerConfig(
        name="watched", timeout=Timeouts(**TIMES | (times or {})), limits=Limits(**LIMITS | (limits or {})), **fields
    )


async def look(server: ServerConfig, era: Era | None = None) -> Outcome:
    """Look once."""
    return await McpFetcher(KIT).fetch(server, era=era)


async def listed(server: ServerConfig, era: Era | None = None) -> Listed:
    """Look once at a server that must be readable."""
    outcome = await look(server, era)
    assert isinstance(outcome, Listed), outcome
    return outcome


def names(outcome: Outcome) -> list[Any]:
    """Name the tools of a listing."""
    assert isinstance(outcome, Listed), outcome
    return [item["name"] if isinstance(item, dict) else item for item in outcome.document["tools"]]


def codes(outcome: Outcome) -> dict[str, str]:
    """Give the oddities of a listing: where each sort was seen last."""
    assert isinstance(outcome, Listed), outcome
    return {oddity.code: oddity.pointer for oddity in outcome.oddities}


def open_files() -> set[str]:
    """Name this process's open sockets and pipes."""
    found = set()
    for link in Path("/proc/self/fd").iterdir():
        try:
            found.add(str(link.readlink()))
        except OSError:
            continue
    return {name for name in found if name.startswith(("socket:", "pipe:"))}


def is_alive(pid: int) -> bool:
    """Say whether a process runs; a zombie does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def children() -> set[int]:
    """Give the processes that this one started and that still exist."""
    found = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            if int(stat.read_text().rpartition(")")[2].split()[1]) == os.getpid():
                found.add(int(stat.parent.name))
        except OSError:
            continue
    return found
