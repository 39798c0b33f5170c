"""A forwarder in this process, with the copyist that it has as a command."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from witness.plain_http import standing
from witness.wrapping import HOMES

from driftwatch.config.wrapped import Wrapped
from driftwatch.watch.witness.entry import copyist
from driftwatch.watch.witness.remote.upstream import Origin


def copyist_of(server: str) -> tuple[str, ...]:
    """Give the command line of what reads the copy, for the host `desk`."""
    return copyist(Wrapped(server, (), "desk"), "driftwatch.watch.witness.remote.copyist")


COPYIST = copyist_of("notes")


@contextlib.asynccontextmanager
async def forwarded(url: str, *, copy: tuple[str, ...] = COPYIST, patience: float = 20) -> AsyncIterator[str]:
    """Run a forwarder before a server; give the address for agents."""
    origin = Origin.read(url)
    async with standing(origin, copy, patience=patience) as forwarder:
        yield f"http://127.0.0.1:{forwarder.port}{origin.path}"


def at_home_in(folder: Path, patch: pytest.MonkeyPatch, *, url: str, token: str) -> None:
    """Let witnesses that this process starts have a home of their own, and hand in there."""
    for name in HOMES:
        patch.setenv(name, str(folder / name.lower()))
    patch.setenv("DRIFTWATCH_WITNESS_URL", url)
    patch.setenv("DRIFTWATCH_WITNESS_TOKEN", token)
