"""How the tests of this room start a server, with and without a witness."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HOMES = ("HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME")
"""The variables that say where a witness keeps what is its own."""
PROGRAMS = Path(__file__).with_name("programs.py")

_PUMP = (
    f"import sys; sys.path.insert(0, {str(ROOT)!r}); from driftwatch.watch.witness.pump import become; "
    "copy = sys.argv[1]; sys.exit(become(sys.argv[2:], ['/bin/sh', '-c', copy]))"
)

GONE = "exec /nowhere/at/all"
"""One that cannot be started."""
DIES = "exec <&-; kill -9 $$"
HANGS = "exec sleep 5"
"""One that takes nothing, for longer than any test."""

DRIFTWATCH = (
    sys.executable,
    "-c",
    f"import sys; sys.path.insert(0, {str(ROOT)!r}); from driftwatch.__main__ import main; sys.exit(main())",
)


def server(habit: str, *arguments: object) -> list[str]:
    """Give the command line of one of the programs."""
    return [sys.executable, "-IS", str(PROGRAMS), habit, *map(str, arguments)]


def wrapped(command: list[str], copyist: str) -> list[str]:
    """Give a command line with the pass-through before it; `copyist` is a line for the shell."""
    return [sys.executable, "-IS", "-c", _PUMP, copyist, *command]


def witnessed(command: list[str], *, name: str = "notes", host: str = "desk") -> list[str]:
    """Give a command line as a host has it."""
    return [*DRIFTWATCH, "witness", name, "--host", host, "--", *command]
