"""How this driftwatch is started, as a host must write it: by its whole path, since hosts have a bare PATH."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from driftwatch.cli.terminal import warn
from driftwatch.config.wrapped import PROGRAM
from driftwatch.errors import UsageError
from driftwatch.watch.witness.installing import Starts

_PATIENCE = 60
"""Seconds within which a program says its version, on a busy machine too."""


def starts() -> Starts:
    """Say how the program that runs now is started."""
    isolated = (sys.executable, "-I", "-m", PROGRAM)
    called = shutil.which(sys.argv[0])
    is_program = called is not None and Path(called).name == PROGRAM
    return Starts((os.path.abspath(called),) if called and is_program else isolated, isolated)  # noqa: PTH100 - links stay


def tried(program: Sequence[str]) -> None:
    """See that a host, which has hardly any environment, can start driftwatch so.

    Raises:
        UsageError: it cannot.

    """
    line = " ".join(program)
    try:
        done = subprocess.run(
            [*program, "--version"],
            env={"PATH": os.defpath},
            cwd="/",
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_PATIENCE,
            check=False,
        )
        works = done.returncode == 0 and done.stdout.startswith(PROGRAM.encode())
    except (OSError, subprocess.TimeoutExpired):
        works = False
    if not works:
        message = f"driftwatch cannot be started as a host would start it: {line}"
        raise UsageError(message, hint="Nothing was changed. Install driftwatch as a program (uv tool, pipx, a venv).")
    if {".cache", "Caches"} & set(Path(program[0]).parts):
        warn(f"warning: {program[0]} is in a cache, and may be gone some day. Install driftwatch for good.")
