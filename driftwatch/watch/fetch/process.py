"""A local server's process: started with little, ended for certain, together with what it started itself.

The process leads its own session and process group, which nobody else is in.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import time
from collections.abc import Callable, Mapping

import anyio

from driftwatch.config.schema import ServerConfig
from driftwatch.model import Unreachable
from driftwatch.watch.fetch.failures import FailedLookError
from driftwatch.watch.fetch.family import Family

INHERITED = frozenset({"PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "TMPDIR"})
"""What a local server gets of driftwatch's own environment, besides `LC_*`; all else must be configured."""

GRACE = 2.0
"""Seconds that a server has to end after its input closed, and again after it was asked to end."""

_POLL = 0.01
_LAST_WORDS = 0.5
_KERNEL = 0.5
_TAIL = 4096


def minimal_environment(environ: Mapping[str, str], server: ServerConfig) -> dict[str, str]:
    """Give the environment of a local server: the little that programs need, and what is configured."""
    inherited = {name: value for name, value in environ.items() if name in INHERITED or name.startswith("LC_")}
    return inherited | {name: secret.reveal() for name, secret in server.env.items()}


class LocalProcess:
    """A running server: three non-blocking pipes and a way to end it."""

    def __init__(self, popen: subprocess.Popen[bytes]) -> None:
        """Take a process that was started with three pipes and leads its own session."""
        if popen.stdin is None or popen.stdout is None or popen.stderr is None:
            message = "the process has no pipes"
            raise ValueError(message)
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
    def start(cls, server: ServerConfig, environ: Mapping[str, str]) -> LocalProcess:
        """Start the server's command.

        Raises:
            FailedLookError: it cannot be started (`start-failed`).

        """
        try:
            popen = subprocess.Popen(
                [server.command, *server.args],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=minimal_environment(environ, server),
                cwd=server.cwd,
                bufsize=0,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else type(error).__name__
            where = (
                "its folder"
                if isinstance(error, OSError) and server.cwd and error.filename == server.cwd
                else "its command"
            )
            raise FailedLookError(
                Unreachable("start-failed", f"the server cannot be started, {where}: {reason}")
            ) from error
        return cls(popen)

    @property
    def pid(self) -> int:
        """The number of the process that was started, which leads its group."""
        return self._popen.pid

    @property
    def last_line(self) -> str:
        """The last line that the server wrote on standard error, empty when it wrote none."""
        lines = [line for line in self._tail.decode("utf-8", "replace").splitlines() if line.strip()]
        return lines[-1].strip() if lines else ""

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

    async def drain_log(self) -> None:
        """Read standard error to its end and keep the last of it."""
        while chunk := await _read(self._stderr.fileno(), 65536):
            self._keep(chunk)

    async def end(self, *, grace: float, patient: bool) -> None:
        """Close the input, wait, ask, wait, kill; then reap. `patient`: whether the first wait is worth it."""
        family = Family(self._popen.pid)
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
        finally:
            # Reached also when a second cancellation cuts the waiting short: what follows waits for the kernel only.
            self._finish(family)

    def _finish(self, family: Family) -> None:
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
            self.left_with = -status.si_status if killed else status.si_status
        return True


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
