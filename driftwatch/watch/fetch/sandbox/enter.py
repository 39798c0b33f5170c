"""Start a process, in its sandbox where it has one: nothing of it runs before its limits are set."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import select
import subprocess
import time
from collections.abc import Mapping
from contextlib import ExitStack

from driftwatch.watch.fetch.sandbox.bwrap import arguments
from driftwatch.watch.fetch.sandbox.limits import limit
from driftwatch.watch.fetch.start import Start, Walls

_PATIENCE = 5.0
"""Seconds that bubblewrap has to say who it started; it takes some milliseconds."""

_MOST = 65536
_LOADING = ("LD_", "GCONV_PATH", "GLIBC_TUNABLES", "LOCPATH", "MALLOC_", "NLSPATH")
"""How the names of variables begin that the loader and the C library of any program heed."""


def enter(start: Start) -> subprocess.Popen[bytes]:
    """Start a process with three pipes, as the leader of a session of its own.

    Raises:
        OSError: it cannot be started, or its limits cannot be set.
        ValueError: a word or a variable holds a NUL.

    """
    if start.walls is None:
        return _popen(start.words, start.env, start.cwd, ())
    with ExitStack() as stack:
        return _walled(start, start.walls, stack)


def _walled(start: Start, walls: Walls, stack: ExitStack) -> subprocess.Popen[bytes]:
    files = {place: _file(content, stack) for place, content in walls.view.files.items()}
    told, info = _pipe(stack)
    block, release = _pipe(stack)
    inside, outside = _apart(start.env)
    words = arguments(
        walls.view,
        start.words,
        cwd=start.cwd or "/",
        network=walls.network,
        size=walls.limits.file_size,
        features=walls.features,
        files=files,
        variables=inside,
        info=info,
        block=block,
    )
    popen = _popen((walls.program, *words), outside, "/", (*files.values(), info, block))
    os.close(info)
    try:
        child = _child(told)
        if child is not None:
            limit(child, walls.limits)
    except OSError:
        popen.kill()
        popen.communicate()
        raise
    # Where bubblewrap said nothing it failed, and says why on standard error.
    with contextlib.suppress(BrokenPipeError):
        os.write(release, b"\n")
    return popen


def _apart(environment: Mapping[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    """Divide an environment into what would load foreign code into bubblewrap, outside of the sandbox, and the rest."""
    loading = {name: value for name, value in environment.items() if name.startswith(_LOADING)}
    return loading, {name: value for name, value in environment.items() if name not in loading}


def _popen(
    words: tuple[str, ...], environment: Mapping[str, str], cwd: str | None, descriptors: tuple[int, ...]
) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        words,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=dict(environment),
        cwd=cwd,
        bufsize=0,
        start_new_session=True,
        pass_fds=descriptors,
    )


def _pipe(stack: ExitStack) -> tuple[int, int]:
    ends = os.pipe()
    for end in ends:
        stack.callback(_close, end)
    return ends


def _close(descriptor: int) -> None:
    with contextlib.suppress(OSError):
        os.close(descriptor)


def _file(content: bytes, stack: ExitStack) -> int:
    """Give a descriptor from which a text of our own can be read."""
    descriptor = os.memfd_create("driftwatch")
    stack.callback(_close, descriptor)
    os.write(descriptor, content)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor


def _child(told: int, *, patience: float = _PATIENCE) -> int | None:
    """Read who bubblewrap started; None where it ended without a word.

    Raises:
        TimeoutError: it takes too long; nothing may be let go whose limits are not set.

    """
    said, until = b"", time.monotonic() + patience
    while len(said) < _MOST:
        if not select.select([told], [], [], max(0.0, until - time.monotonic()))[0]:
            raise TimeoutError(errno.ETIMEDOUT, "bubblewrap does not say whom it started")
        chunk = os.read(told, _MOST)
        if not chunk:
            break
        said += chunk
    try:
        return int(json.loads(said)["child-pid"])
    except (ValueError, KeyError, TypeError):
        return None
