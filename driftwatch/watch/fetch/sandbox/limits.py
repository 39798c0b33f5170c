"""How much a sandboxed process may use up: limits that the kernel holds for each process."""

from __future__ import annotations

import os
import re
import resource
from collections.abc import Iterator

from driftwatch.config.isolation import SandboxConfig

_COUNTED_APART = (5, 14)
"""The first Linux that counts the processes of a sandbox apart from the user's other ones."""


def limits_of(sandbox: SandboxConfig, release: str) -> Iterator[tuple[int, int]]:
    """Give each limit as the kernel's number of it and its value. `release` is the kernel's (`6.1.0-18-amd64`).

    Memory is limited as data: some interpreters (Node.js, the JVM) reserve far more addresses than they use.
    """
    yield resource.RLIMIT_CORE, 0
    yield resource.RLIMIT_CPU, max(1, round(sandbox.cpu))
    yield resource.RLIMIT_DATA, sandbox.memory
    yield resource.RLIMIT_FSIZE, sandbox.file_size
    yield resource.RLIMIT_NOFILE, sandbox.open_files
    version = tuple(map(int, re.findall(r"\d+", release)[:2]))
    # On an older kernel the user's other processes count too, and might leave the sandbox none.
    if version >= _COUNTED_APART:
        yield resource.RLIMIT_NPROC, sandbox.processes


def limit(pid: int, sandbox: SandboxConfig) -> None:
    """Set the limits of a process that waits to be let go; what it starts inherits them.

    Raises:
        OSError: the kernel refuses.

    """
    for kind, value in limits_of(sandbox, os.uname().release):
        _, most = resource.prlimit(pid, kind)
        # A process that is told that its time is up ends with a signal that says so; a second later it is killed.
        hard = value + 1 if kind == resource.RLIMIT_CPU else value
        hard = hard if most == resource.RLIM_INFINITY else min(hard, most)
        resource.prlimit(pid, kind, (min(value, hard), hard))
