"""A local server's process: started with little, ended for certain, together with what it started itself.

The process leads its own session and process group, which nobody else is in.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Callable

import anyio
import anyio.to_thread

from driftwatch.model import Unreachable
from driftwatch.watch.fetch.answers import FailedLookError
from driftwatch.watch.fetch.failures import own_limit
from driftwatch.watch.fetch.family import Enclosed, Family
from driftwatch.watch.fetch.sandbox.enter import enter
from driftwatch.watch.fetch.start import Start

GRACE = 2.0
"""Seconds that a server has to end after its input closed, and again after it was asked to end."""

_POLL = 0.01
_LAST_WORDS = 0.5
_KERNEL = 0.5
_ENGINE = 10.0
"""Seconds that a container engine has to end what its client left behind."""

_TAIL = 4096


class LocalProcess:
    """A running server: three non-blocking pipes and a way to end it."""

    def __init__(self, popen: subprocess.Popen[bytes], start: Start) -> None:
        """Take a process that was started with three pipes and leads its own session, and how it was started."""
        if popen.stdin is None or popen.stdout is None or popen.stderr is None:
            message = "the process has no pipes"
            raise ValueError(message)
        self.start = start
        """How it was started."""
        self._popen = popen
        self._stdin, self._stdout, self._stderr = popen.stdin, popen.stdout, popen.stderr
        for pipe in (popen.stdin, popen.stdout, popen.stderr):
            os.set_blocking(pipe.fileno(), False)
        self._tail = b""
        self._asked_to_end = False
        self._fell_silent = False
        self.left_with: int | None = None
        """The exit code of a process that ended of its own will (negative: a signal), else None."""

    @classmethod
    def run(cls, start: Start) -> LocalProcess:
        """Start a process.

        Raises:
            FailedLookError: it cannot be started (`start-failed`, or `own-limit` where that is not its fault).

        """
        try:
            popen = enter(start)
        except (OSError, ValueError) as error:
            used_up = own_limit(error, starts=True)
            if used_up is not None:
                raise FailedLookError(used_up) from error
            reason = error.strerror if isinstance(error, OSError) and error.strerror else type(error).__name__
            where = (
                "its folder"
                if isinstance(error, OSError) and start.cwd and error.filename == start.cwd
                else "its command"
            )
            raise FailedLookError(
                Unreachable("start-failed", f"the server cannot be started, {where}: {reason}")
            ) from error
        return cls(popen, start)

    @property
    def pid(self) -> int:
        """The number of the process that was started, which leads its group."""
        return self._popen.pid

    @property
    def log(self) -> str:
        """The end of what it wrote on standard error, some thousand characters at most."""
        return self._tail.decode("utf-8", "replace")

    async def read(self, size: int = 65536) -> bytes:
        """Give some of the server's output, nothing at its end."""
        chunk = await _read(self._stdout.fileno(), size)
        self._fell_silent = not chunk
        return chunk

    async def write(self, data: bytes) -> None:
        """Give the server its input, however slowly it takes it.

        Raises:
            OSError: the server does not read any more.

        """
        view = memoryview(data)
        while view:
            try:
                view = view[os.write(self._stdin.fileno(), view) :]
            except BlockingIOError:
                await anyio.wait_writable(self._stdin)

    def close_input(self) -> None:
        """Give the process nothing more."""
        self._stdin.close()

    async def drain_log(self) -> None:
        """Read standard error to its end and keep the last of it."""
        while chunk := await _read(self._stderr.fileno(), 65536):
            self._keep(chunk)

    async def end(self, *, grace: float, patient: bool) -> None:
        """Close the input, wait, ask, wait, kill; then reap. `patient`: whether the first wait is worth it."""
        family = Family(self._popen.pid) if self.start.walls is None else Enclosed(self._popen.pid)
        try:
            if self._fell_silent:
                # It closed its output, so it is about to go: how it goes is worth knowing.
                await _wait(self._has_exited, min(grace, _LAST_WORDS))
            self._has_exited()
            self._asked_to_end = True
            self._stdin.close()
            if patient:
                await _wait(self._has_exited, grace)
            if not self._has_exited():
                family.ask_to_end()
                await _wait(self._has_exited, grace)
            family.end()
            await _wait(lambda: not family.is_alive(), grace)
            if self.start.ending:
                await anyio.to_thread.run_sync(self._end_outside)
        finally:
            # Reached also when a second cancellation cuts the waiting short: what follows waits for the kernel only.
            self._finish(family)

    def _end_outside(self) -> None:
        """End what an engine runs elsewhere for a process of ours that is gone by now."""
        with contextlib.suppress(OSError, subprocess.TimeoutExpired):
            subprocess.run(
                self.start.ending,
                env=dict(self.start.env),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=_ENGINE,
                check=False,
            )

    def _finish(self, family: Family | Enclosed) -> None:
        # Everyone is killed before the leader is reaped: until then no other group can have its number.
        family.end()
        until = time.monotonic() + _KERNEL
        while family.is_alive() and time.monotonic() < until:
            time.sleep(_POLL / 10)
        family.reap()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._popen.wait(timeout=_KERNEL)
        with contextlib.suppress(OSError):
            self._keep(os.read(self._stderr.fileno(), 65536))
        for pipe in (self._stdin, self._stdout, self._stderr):
            pipe.close()

    def _keep(self, chunk: bytes) -> None:
        self._tail = (self._tail + chunk)[-_TAIL:]

    def _has_exited(self) -> bool:
        """Ask without reaping: as long as the leader is a zombie, its group's number cannot be given away."""
        try:
            status = os.waitid(os.P_PID, self._popen.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:
            return True
        if status is None:
            return False
        if not self._asked_to_end:
            killed = status.si_code != os.CLD_EXITED
            self.left_with = -status.si_status if killed else self._code(status.si_status)
        return True

    def _code(self, status: int) -> int:
        """Give how the server ended: bubblewrap passes a signal on as a code, as shells do."""
        return 128 - status if self.start.walls is not None and 128 < status <= 128 + signal.NSIG else status


async def _read(descriptor: int, size: int) -> bytes:
    while True:
        try:
            return os.read(descriptor, size)
        except BlockingIOError:
            await anyio.wait_readable(descriptor)
        except OSError:
            return b""


async def _wait(until: Callable[[], bool], seconds: float) -> None:
    with anyio.move_on_after(seconds):
        while not until():  # noqa: ASYNC110  # there is no event for it on every platform
            await anyio.sleep(_POLL)
