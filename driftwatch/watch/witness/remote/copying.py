"""The forwarder's end of the copy: who reads it is a process of its own, and nobody waits for that."""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
import signal
import subprocess
import time
from collections.abc import Sequence
from typing import Final, Protocol

import h11

from driftwatch.watch.witness.frames import FROM_AGENT, FROM_SERVER, Copy
from driftwatch.watch.witness.marks import leave
from driftwatch.watch.witness.minding import Watch, lying, opened
from driftwatch.watch.witness.remote.copied import (
    BROKEN,
    DATA,
    END,
    AnswerHead,
    RequestHead,
    digest,
    head,
    record,
)
from driftwatch.watch.witness.remote.heads import Pairs, value_of
from driftwatch.watch.witness.remote.peer import CHUNK

_SOONEST, _LATEST = 1.0, 60.0
"""Seconds until a copyist that ended is started again, at first and at most."""

_LIVED: Final = 60.0
"""Seconds after which a copyist counts as one that works."""

_LOOKING: Final = 0.5
"""Seconds between two looks whether it still runs."""

_TELLING: Final = 5.0
"""Seconds that another one has at the end to tell that the last one did not come to its end."""

_SESSION: Final = b"mcp-session-id"


class Told(Protocol):
    """What is told of one exchange, as it passes. Nothing here waits, or raises."""

    def request(self, data: bytes | bytearray) -> None:
        """Tell of a part of the request's body."""

    def requested(self) -> None:
        """Tell that the request is whole."""

    def answers(self, answer: h11.Response, away: str) -> None:
        """Tell of the head of the answer, and to where else it leads the agent, empty for nowhere."""

    def answer(self, data: bytes | bytearray) -> None:
        """Tell of a part of the answer's body."""

    def answered(self) -> None:
        """Tell that the answer is whole."""

    def over(self) -> None:
        """Tell that there is no more of either, whole or not."""


class Copying:
    """Copies what passes to the copyist, and starts another one when it ends, is stopped or hangs.

    The first thing that another one is told is that something is missing.
    """

    def __init__(self, copyist: Sequence[str], whose: tuple[str, str] | None = None) -> None:
        """Take the command line of the process that reads the copy on its standard input.

        `whose` is server and host, for a mark where nobody can be started (see `marks`); None: leave none.
        """
        self._line = copyist
        self._whose = whose
        self._lives = 0
        self._began = time.time()
        self._copy: Copy | None = None
        self._flushing = False
        self._number = 0
        self._direction = FROM_AGENT
        self._records: list[bytes] = []
        """What passed in that direction at this moment."""
        self._size = 0
        self._running: asyncio.Task[None] | None = None
        self._child: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the copyist; nobody waits until it is there."""
        self._running = asyncio.create_task(self._keep_running())

    def of(self, request: h11.Request) -> Told:
        """Give what is to be told of a request: all of a message, the head of a stream, nothing of what is neither."""
        headers = request.headers.raw_items()
        json = b"json" in value_of(headers, b"content-type").lower()
        if not (json if request.method == b"POST" else request.method in {b"GET", b"DELETE"}):
            return Untold()
        self._number += 1
        return _Exchange(self, self._number, request, headers)

    def put(self, direction: bytes, told: bytes) -> None:
        """Copy a record, together with what else passes at this moment: each writing wakes the copyist."""
        if self._copy is None:
            return
        if direction != self._direction or self._size >= CHUNK:
            self._pass()
        if not self._records:
            asyncio.get_running_loop().call_soon(self._pass)
        self._direction = direction
        self._records.append(told)
        self._size += len(told)

    def _pass(self) -> None:
        """Copy what was gathered. Nothing that goes wrong here reaches the session."""
        frame, self._records, self._size = b"".join(self._records), [], 0
        copy = self._copy
        if copy is None or not frame:
            return
        try:
            copy.put(self._direction, frame)
            if copy.waits and not self._flushing:
                asyncio.get_running_loop().add_writer(copy.pipe, self._flush, copy)
                self._flushing = True
        except Exception:  # noqa: BLE001
            copy.close()
        if not copy.open:
            self._end(copy)

    async def close(self, patience: float) -> None:
        """Copy what is left, and wait at most so many seconds for the copyist to take and deliver it.

        Where it does not, another one has a moment to tell so.
        """
        if self._running is None:
            return
        self._running.cancel()
        if await self._ends_well(patience):
            return
        with contextlib.suppress(OSError):
            self._child = None
            self._child = self._begin()
            if await self._ends_well(min(patience, _TELLING)):
                return
        if self._copy is not None:
            self._end(self._copy)
        if self._whose is not None:
            leave(os.environ, self._whose, secrets.token_hex(16), self._began, 1)

    async def _ends_well(self, patience: float) -> bool:
        """Have the copy taken to its end; say whether it was, by somebody who ended as who has done the work."""
        child, copy = self._child, self._copy
        whole = False
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(patience):
                if copy is not None:
                    self._pass()
                    copy.end()
                    while (copy.waits or (copy.open and lying(copy.pipe))) and _runs(child):
                        await asyncio.sleep(_LOOKING / 10)
                        copy.flush()
                    whole = copy.open and not copy.waits and not lying(copy.pipe)
                    self._end(copy)
                while _runs(child):  # noqa: ASYNC110 - nobody else tells
                    await asyncio.sleep(_LOOKING / 10)
        if self._copy is not None:
            self._end(self._copy)
        if child is not None and child.poll() is None:
            child.kill()
            child.wait()
        return whole and child is not None and child.returncode == 0

    # ------------------------------------------------------------------ the process

    async def _keep_running(self) -> None:
        pause = _SOONEST
        loop = asyncio.get_running_loop()
        while True:
            started = loop.time()
            with contextlib.suppress(OSError):
                self._child = self._begin()
                await self._works(self._child, self._copy)
            if self._copy is not None:
                self._end(self._copy)
            pause = _SOONEST if loop.time() - started > _LIVED else pause
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LATEST)

    def _begin(self) -> subprocess.Popen[bytes]:
        """Start a copyist."""
        reading, writing = opened()
        self._copy = Copy(writing)
        if self._lives:
            self._copy.anew()
        self._lives += 1
        try:
            nowhere = subprocess.DEVNULL
            return subprocess.Popen(
                self._line, stdin=reading, stdout=nowhere, stderr=nowhere, start_new_session=True, cwd="/"
            )
        finally:
            os.close(reading)

    async def _works(self, child: subprocess.Popen[bytes], copy: Copy | None) -> None:
        """Wait until a copyist has ended, or does not do its work any more: then it is ended."""
        watch = Watch()
        while _runs(child):
            await asyncio.sleep(_LOOKING)
            if copy is not None and copy.open and watch.hangs(copy.written, lying(copy.pipe)):
                child.send_signal(signal.SIGKILL)

    def _flush(self, copy: Copy) -> None:
        try:
            copy.flush()
        except Exception:  # noqa: BLE001
            copy.close()
        if not copy.open:
            self._end(copy)
        elif not copy.waits:
            self._quiet(copy)

    def _quiet(self, copy: Copy) -> None:
        if self._flushing:
            asyncio.get_running_loop().remove_writer(copy.pipe)
            self._flushing = False

    def _end(self, copy: Copy) -> None:
        """Let go of a pipe; what passes until the next one is there is not copied."""
        if self._copy is not copy:
            return
        self._quiet(copy)
        self._copy = None
        copy.close()
        os.close(copy.pipe)


def _runs(child: subprocess.Popen[bytes] | None) -> bool:
    """Say whether a process runs; one that was stopped is ended, since somebody stopped it."""
    if child is None or child.poll() is not None:
        return False
    with contextlib.suppress(AttributeError, ChildProcessError):
        if os.waitid(os.P_PID, child.pid, os.WSTOPPED | os.WNOHANG) is not None:
            child.kill()
            child.wait()
            return False
    return True


class Untold:
    """Tells nothing."""

    def request(self, data: bytes | bytearray) -> None:
        """Tell nothing."""

    def requested(self) -> None:
        """Tell nothing."""

    def answers(self, answer: h11.Response, away: str) -> None:
        """Tell nothing."""

    def answer(self, data: bytes | bytearray) -> None:
        """Tell nothing."""

    def answered(self) -> None:
        """Tell nothing."""

    def over(self) -> None:
        """Tell nothing."""


class _Exchange:
    """Tells of one exchange."""

    def __init__(self, copying: Copying, number: int, request: h11.Request, headers: Pairs) -> None:
        self._copying = copying
        self._number = number
        self._any = request.method == b"POST"
        self._telling = True
        self._ended = False
        verb = request.method.decode("ascii")
        session = digest(value_of(headers, _SESSION))
        encoding = value_of(headers, b"content-encoding").decode("latin-1")
        told = RequestHead(verb, digest(request.target), session, encoding[:100])
        copying.put(FROM_AGENT, head(number, told))

    def request(self, data: bytes | bytearray) -> None:
        if self._any:
            self._copying.put(FROM_AGENT, record(self._number, DATA, data))

    def requested(self) -> None:
        self._copying.put(FROM_AGENT, record(self._number, END))

    def answers(self, answer: h11.Response, away: str) -> None:
        headers = answer.headers.raw_items()
        kind = value_of(headers, b"content-type").decode("latin-1").lower()
        # What is got without being asked for by a message is read only where it is a stream of them.
        self._telling = self._any or "text/event-stream" in kind
        encoding = value_of(headers, b"content-encoding").decode("latin-1")
        told = AnswerHead(answer.status_code, kind[:100], digest(value_of(headers, _SESSION)), encoding[:100], away)
        self._copying.put(FROM_SERVER, head(self._number, told))

    def answer(self, data: bytes | bytearray) -> None:
        if self._telling:
            self._copying.put(FROM_SERVER, record(self._number, DATA, data))

    def answered(self) -> None:
        self._ended = True
        self._copying.put(FROM_SERVER, record(self._number, END))

    def over(self) -> None:
        if not self._ended:
            self._copying.put(FROM_SERVER, record(self._number, BROKEN))
