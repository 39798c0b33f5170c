"""What the tests of the sandbox need: a look through it, and a server that tells what came of its deed."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from fetch_world import KIT, entry
from servers import hostile

from driftwatch.config.isolation import SandboxConfig
from driftwatch.config.schema import ServerConfig
from driftwatch.config.secret import Secret
from driftwatch.model import Era, Outcome
from driftwatch.watch.fetch.client import McpFetcher
from driftwatch.watch.fetch.kit import Kit
from driftwatch.watch.fetch.sandbox.able import able
from driftwatch.watch.fetch.sandbox.choose import Sandboxes

HOSTILE = Path(hostile.__file__)
SERVER = str(HOSTILE.with_name("over_stdio.py"))
SERVERS = str(HOSTILE.parents[1])
"""Where the stand-ins of packages have their server from."""


@cache
def reason() -> str:
    """Say why bubblewrap is of no use here, nothing where it works."""
    return able(os.environ).reason


needs_bwrap = pytest.mark.skipif(bool(reason()), reason=reason() or "it works")


def kit_of(folder: Path, *private: Path, **environ: str) -> Kit:
    """Give what makes connections through a sandbox that keeps its things in a folder."""
    return replace(KIT, environ={**KIT.environ, **environ}, sandboxes=Sandboxes(folder, private))


def doing(deed: Callable[..., Any], *given: str, sandbox: dict[str, Any] | None = None, **fields: Any) -> ServerConfig:
    """Give the entry of the server that does something."""
    args = (str(HOSTILE), deed.__name__, *given)
    return entry(command=sys.executable, args=args, sandbox=SandboxConfig(**sandbox or {}), **fields)


async def look(server: ServerConfig, kit: Kit) -> Outcome:
    """Look once. The server speaks one era, so that it is started once."""
    return await McpFetcher(kit).fetch(server, era=Era.HANDSHAKE)


def told(outcome: Outcome) -> Any:
    """Give what the server told of its deed."""
    return json.loads(getattr(outcome, "document")["tools"][0]["description"])  # noqa: B009 - it must be a listing


def on_path(folder: Path) -> dict[str, Secret]:
    """Give the variable that lets programs be found in a folder first."""
    return {"PATH": Secret(f"{folder}:{os.environ['PATH']}")}
