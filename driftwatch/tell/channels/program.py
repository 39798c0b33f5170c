"""Run a program once: what it is given to read, how long it may take, and a certain end for all that it started.

On Linux the program is killed also when this process is (see `starting_program`); elsewhere it may run on then.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, TypeAlias, cast

_GRACE: Final = 1.0
"""Seconds that a program has between being asked to end and being killed, at most a tenth of its time."""

_KERNEL: Final = 1.0
"""Seconds that the system has to start what was begun, and to bury what was killed."""

_STARTER: Final = (sys.executable, "-I", "-S", str(Path(__file__).with_name("starting_program.py")))

INHERITED: Final = ("PATH", "HOME")
"""What a program gets of driftwatch's own environment; all else must be configured."""


def small_environment(environ: Mapping[str, str], more: Mapping[str, str]) -> dict[str, str]:
    """Give the environment of a program: the little that programs need, and `more`, which wins."""
    return {"LANG": "C.UTF-8", **{name: environ[name] for name in INHERITED if name in environ}, **more}


async def run(
    command: Sequence[str],
    *,
    given: bytes,
    environment: Mapping[str, str],
    timeout: float,  # noqa: ASYNC109 - the end of the program is part of the time
    cwd: str | None = None,
    reads: bool = False,
) -> tuple[int, bytes]:
    """Start a program without a shell, give it its input, and wait until it ends.

    Give its exit code (negative: the signal that ended it), and with `reads` what it wrote on standard output, else
    nothing. A program need not read its input. It leads a session of its own: when its time is over, or the caller is
    cancelled, everything in it is asked to end and then killed. What it leaves running when it ends by itself stays.

    Raises:
        OSError: it cannot be started.
        TimeoutError: it did not end within `timeout` seconds.

    """
    transport, running = await _start(
        command,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE if reads else asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
        env=dict(environment),
        cwd=cwd,
        start_new_session=True,
    )
    grace = min(_GRACE, timeout / 10)
    try:
        running.feed(transport, given)
        async with asyncio.timeout(timeout - grace):
            await running.exited.wait()
            running.check_start()
            if reads:
                await running.said_all.wait()
        return cast("int", transport.get_returncode()), bytes(running.said)
    finally:
        await _end(transport, running, grace)


class _Running(asyncio.SubprocessProtocol):
    """What is known of a program that runs. Its end is seen even while something that it started holds its pipes."""

    report: int | None = None
    """Where the program that starts it writes why it cannot."""

    def __init__(self) -> None:
        self.exited = asyncio.Event()
        self.said_all = asyncio.Event()
        self.said = bytearray()

    def feed(self, transport: asyncio.SubprocessTransport, given: bytes) -> None:
        pipe = cast("asyncio.WriteTransport", transport.get_pipe_transport(0))
        pipe.write(given)
        pipe.write_eof()

    def pipe_data_received(self, fd: int, data: bytes | str) -> None:  # noqa: ARG002 - the interface has it
        if isinstance(data, bytes) and len(self.said) < 65_536:
            self.said += data

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:  # noqa: ARG002
        if fd == 1:
            self.said_all.set()

    def process_exited(self) -> None:
        self.exited.set()

    def check_start(self) -> None:
        """See, once it has ended, whether it was started at all.

        Raises:
            OSError: it was not.

        """
        why = b"" if self.report is None else os.read(self.report, 16)
        if why:
            raise OSError(int(why), os.strerror(int(why)))

    def close(self) -> None:
        if self.report is not None:
            os.close(self.report)
            self.report = None


_Started: TypeAlias = tuple[asyncio.SubprocessTransport, _Running]


async def _start(command: Sequence[str], **how: Any) -> _Started:
    """Start a program, so that it ends with this process where the system can see to that."""
    if sys.platform != "linux":
        return await _spawn(command, **how)
    report, says = os.pipe()
    try:
        started = await _spawn([*_STARTER, str(os.getpid()), str(says), *command], pass_fds=(says,), **how)
    except BaseException:
        os.close(report)
        raise
    finally:
        os.close(says)
    started[1].report = report
    return started


async def _spawn(command: Sequence[str], **how: Any) -> _Started:
    """Start a program. One that runs by the time of a cancellation is killed with all that it started meanwhile.

    The loop itself would kill the program and nothing else.
    """
    starting = asyncio.ensure_future(asyncio.get_running_loop().subprocess_exec(_Running, *command, **how))
    try:
        return await asyncio.shield(starting)
    except asyncio.CancelledError:
        with suppress(asyncio.CancelledError):
            await _outlast(starting)
        if starting.done() and starting.exception() is None:
            transport, running = starting.result()
            _signal(transport.get_pid(), signal.SIGKILL)
            await _let_go(transport, running)
        raise


async def _end(transport: asyncio.SubprocessTransport, running: _Running, grace: float) -> None:
    """Ask the whole group to end, then kill it, unless the program has ended by itself; let go of its pipes."""
    group = transport.get_pid()
    try:
        if not running.exited.is_set():
            _signal(group, signal.SIGTERM)
            with suppress(TimeoutError):
                async with asyncio.timeout(grace):
                    await running.exited.wait()
            _signal(group, signal.SIGKILL)
    except asyncio.CancelledError:
        # A second one, which must not spare what did not end when it was asked.
        _signal(group, signal.SIGKILL)
        raise
    finally:
        await _let_go(transport, running)


async def _let_go(transport: asyncio.SubprocessTransport, running: _Running) -> None:
    """Close what leads to a program that has ended or was killed, once the system has buried it."""
    try:
        await _outlast(asyncio.ensure_future(running.exited.wait()))
    finally:
        pipe = cast("asyncio.WriteTransport", transport.get_pipe_transport(0))
        if pipe.get_write_buffer_size():
            # What nobody reads would keep the pipe open for as long as something holds its other end.
            pipe.abort()
        transport.close()
        running.close()


async def _outlast(waited: asyncio.Future[Any]) -> None:
    """Wait for what takes the system a moment, whatever is cancelled meanwhile; that passes afterwards."""
    loop = asyncio.get_running_loop()
    until = loop.time() + _KERNEL
    cut: asyncio.CancelledError | None = None
    while not waited.done() and (left := until - loop.time()) > 0:
        try:
            await asyncio.wait([waited], timeout=left)
        except asyncio.CancelledError as error:
            cut = error
    waited.cancel()
    if cut is not None:
        raise cut


def _signal(group: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)
