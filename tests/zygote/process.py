"""The zygote: a process that has loaded modules already, and forks a program for whoever asks.

Its arguments: the descriptor of a socket that listens, and the modules to load. It ends, and all its programs with it,
when its standard input does. It has one thread and never runs a program itself.
"""

from __future__ import annotations

import gc
import io
import json
import os
import runpy
import select
import signal
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    # A program finds what it would find without this file, and this file what is beside it.
    sys.path[0] = str(Path(__file__).parents[2])

from tests.zygote.asking import exactly


@dataclass(frozen=True, slots=True)
class Asked:
    """A program that is asked for, as `asking` says."""

    command: list[str]
    environ: dict[str, str]
    cwd: str
    leads: bool
    streams: list[int]


def main() -> None:
    """Load, serve, and in each child become what was asked for."""
    listening, *modules = sys.argv[1:]
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.disable()
    for module in modules:
        import_module(module)
    # What is loaded is never looked through again, so children go on sharing it.
    gc.collect()
    gc.freeze()
    asked = serve(socket.socket(fileno=int(listening)))
    if asked is not None:
        become(asked)


def serve(listener: socket.socket) -> Asked | None:
    """Fork for all who ask. Gives in each child what it is to become, and None at the end."""
    woken, wakes = os.pipe()
    os.set_blocking(wakes, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wakes)
    running: dict[int, socket.socket] = {}
    while True:
        ready = select.select([0, woken, listener, *running.values()], [], [])[0]
        if woken in ready:
            os.read(woken, 4096)
            for pid, code in _ended():
                if pid in running:
                    _tell(running.pop(pid), code)
        # Whoever asked for these is gone.
        for pid in [pid for pid, asker in running.items() if asker in ready or 0 in ready]:
            os.kill(pid, signal.SIGKILL)
            running.pop(pid).close()
        if 0 in ready:
            return None
        if listener in ready and (came := _next(listener)) is not None:
            asker, asked = came
            pid = os.fork()
            if pid == 0:
                signal.set_wakeup_fd(-1)
                for held in (listener, asker, *running.values()):
                    held.close()
                os.close(woken)
                os.close(wakes)
                return asked
            running[pid] = asker
            # Who is gone by now is found to be in the next round.
            with suppress(OSError):
                asker.sendall(pid.to_bytes(8, "big"))
            for stream in asked.streams:
                os.close(stream)


def _next(listener: socket.socket) -> tuple[socket.socket, Asked] | None:
    """Take what is asked for; None when whoever asked was killed before all was said."""
    asker, _ = listener.accept()
    streams: list[int] = []
    try:
        size, streams, _, _ = socket.recv_fds(asker, 8, 3)
        command, environ, cwd, leads = json.loads(exactly(asker, int.from_bytes(size, "big")))
    except (EOFError, OSError, ValueError):
        asker.close()
        for stream in streams:
            os.close(stream)
        return None
    return asker, Asked(command, environ, cwd, leads, streams)


def _ended() -> Iterator[tuple[int, int]]:
    with suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            yield ended[0], os.waitstatus_to_exitcode(ended[1])


def _tell(asker: socket.socket, code: int) -> None:
    with asker, suppress(OSError):
        asker.sendall(code.to_bytes(8, "big", signed=True))


def become(asked: Asked) -> None:
    """Be the program, as if the interpreter had just been started for it; it ends by leaving this function."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number, stream in enumerate(asked.streams):
        os.dup2(stream, number)
        os.close(stream)
    if asked.leads:
        os.setsid()
    os.chdir(asked.cwd)
    os.environ.clear()
    os.environ.update(asked.environ)
    time.tzset()
    _open_streams()
    gc.enable()
    sys.orig_argv = [*asked.command]
    sys.executable, first, *rest = asked.command
    if first == "-m":
        searched = [path for path in asked.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
        sys.path[:1] = [asked.cwd, *searched]
        sys.argv = rest
        runpy.run_module(rest[0], run_name="__main__", alter_sys=True)
    else:
        sys.path[:1] = [str(Path(first).parent)]
        sys.argv = [first, *rest]
        runpy.run_path(first, run_name="__main__")


def _open_streams() -> None:
    """Open the standard streams as the interpreter does: by lines at a terminal, errors always."""
    for number, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        was = getattr(sys, name)
        raw: Any = io.FileIO(number, mode, closefd=False)
        raw.name = was.name
        # Some run the interpreter unbuffered.
        buffered = not was.write_through
        held = io.BufferedReader(raw) if mode == "r" else io.BufferedWriter(raw) if buffered else raw
        by_lines = buffered and (name == "stderr" or raw.isatty())
        opened: Any = io.TextIOWrapper(held, was.encoding, was.errors, "\n", by_lines, not buffered)
        opened.mode = mode
        setattr(sys, name, opened)
        setattr(sys, f"__{name}__", opened)


if __name__ == "__main__":
    main()
