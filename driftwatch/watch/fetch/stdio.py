"""The stdio transport: one message a line, with limits that the SDK's own transport does not have."""

from __future__ import annotations

import contextlib
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import anyio
import anyio.lowlevel
import anyio.to_thread
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.client._transport import TransportStreams
from mcp.shared.message import SessionMessage
from mcp_types import jsonrpc_message_adapter

from driftwatch.config.schema import ServerConfig
from driftwatch.watch.fetch.kit import Kit
from driftwatch.watch.fetch.lastline import last_line
from driftwatch.watch.fetch.process import LocalProcess
from driftwatch.watch.fetch.sandbox.warden import tidy, watch_over
from driftwatch.watch.fetch.sandbox.words import OURS, why
from driftwatch.watch.fetch.start import Start, plain
from driftwatch.watch.fetch.wire import Wire


class Lines:
    """Cuts chunks into lines without looking at any byte twice."""

    def __init__(self) -> None:
        """Start with nothing."""
        self._rest = bytearray()

    @property
    def pending(self) -> int:
        """How many bytes wait for the end of their line."""
        return len(self._rest)

    def feed(self, chunk: bytes) -> Iterator[bytes]:
        """Give the lines that end in this chunk, without their ends."""
        *complete, rest = chunk.split(b"\n")
        for line in complete:
            whole = bytes(self._rest) + line if self._rest else line
            self._rest.clear()
            yield whole.removesuffix(b"\r")
        self._rest += rest


@asynccontextmanager
async def stdio_streams(server: ServerConfig, wire: Wire, kit: Kit) -> AsyncIterator[TransportStreams]:
    """Start the server and connect its pipes; on the way out no process of it is left.

    Raises:
        FailedLookError: it cannot be started.

    """
    start = await _start(server, wire, kit)
    wire.phase = "starting the command"
    process = LocalProcess.run(start)
    wire.reached.leader, wire.reached.is_hidden = process.pid, start.opaque
    try:
        to_us, read_stream = anyio.create_memory_object_stream[SessionMessage | Exception](0)
        write_stream, from_us = anyio.create_memory_object_stream[SessionMessage](0)
        async with to_us, read_stream, write_stream, from_us, anyio.create_task_group() as group:
            group.start_soon(_hear, process, wire, to_us)
            group.start_soon(_speak, process, wire, from_us, to_us)
            group.start_soon(process.drain_log)
            if start.walls is not None:
                group.start_soon(watch_over, process.pid, start.walls, wire)
            try:
                yield read_stream, write_stream
            finally:
                group.cancel_scope.cancel()
    finally:
        with anyio.CancelScope(shield=True):
            await process.end(grace=kit.grace, patient=wire.trouble is None)
            if start.walls is not None:
                await anyio.to_thread.run_sync(tidy, start.walls)
        name = "" if kit.is_trial else server.name
        wire.epilogue = "; ".join(filter(None, [_epilogue(process, wire), start.note, _about(name, process, wire)]))


async def _start(server: ServerConfig, wire: Wire, kit: Kit) -> Start:
    """Decide how to start the server; a package may be fetched for it first.

    Raises:
        FailedLookError: it cannot be started so.

    """
    if kit.sandboxes is None:
        return plain(server, kit.environ)

    async def run(start: Start) -> str:
        wire.phase = "fetching the package"
        return await _to_its_end(start, wire, kit.grace)

    return await kit.sandboxes.start_of(server, kit.environ, run)


async def _to_its_end(start: Start, wire: Wire, grace: float) -> str:
    """Run a process that is given nothing; give what it said where it failed, nothing where it did not."""
    process = LocalProcess.run(start)
    process.close_input()
    try:
        async with anyio.create_task_group() as group:
            group.start_soon(process.drain_log)
            if start.walls is not None:
                group.start_soon(watch_over, process.pid, start.walls, wire)
            while await process.read():
                pass
            group.cancel_scope.cancel()
    finally:
        with anyio.CancelScope(shield=True):
            await process.end(grace=grace, patient=True)
    return "" if process.left_with == 0 else _epilogue(process, wire) or "its runner did not end"


async def _hear(process: LocalProcess, wire: Wire, to_us: MemoryObjectSendStream[SessionMessage | Exception]) -> None:
    lines = Lines()
    # Broken or closed: the session is gone, and so will be this task.
    with contextlib.suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
        async with to_us:
            while wire.trouble is None and (chunk := await process.read()):
                wire.count(len(chunk))
                for line in lines.feed(chunk):
                    await _pass_on(line, wire, to_us)
                if lines.pending > wire.limits.message_bytes:
                    wire.too_large()
                # A server that never stops talking must not keep the loop from its other work.
                await anyio.lowlevel.checkpoint()
    wire.ended.set()


async def _pass_on(line: bytes, wire: Wire, to_us: MemoryObjectSendStream[SessionMessage | Exception]) -> None:
    if len(line) > wire.limits.message_bytes:
        wire.too_large()
    elif line.strip() and wire.trouble is None:
        stub = await wire.heard(line)
        if stub is not None:
            await to_us.send(SessionMessage(jsonrpc_message_adapter.validate_json(stub)))


async def _speak(
    process: LocalProcess,
    wire: Wire,
    from_us: MemoryObjectReceiveStream[SessionMessage],
    to_us: MemoryObjectSendStream[SessionMessage | Exception],
) -> None:
    async with from_us:
        async for item in from_us:
            message = item.message.model_dump(by_alias=True, mode="json", exclude_unset=True)
            wire.guise.dress(message)
            wire.sent(message)
            try:
                await process.write(json.dumps(message).encode() + b"\n")
            except OSError:
                # The server does not read any more: the session learns it from the end of what it reads.
                await to_us.aclose()
                return


def _about(name: str, process: LocalProcess, wire: Wire) -> str:
    """Say what the sandbox may have to do with how it ended, where that is not said already; see `why` for `name`."""
    if wire.trouble is not None and wire.trouble.code == "sandbox-limit":
        return ""
    return why(process.start, log=process.log, code=process.left_with, name=name, quote=wire.quote)


def _epilogue(process: LocalProcess, wire: Wire) -> str:
    words = []
    if process.left_with is not None:
        code = process.left_with
        ended = f"it was killed by signal {-code}" if code < 0 else f"it exited with code {code}"
        words.append(ended if code or wire.answered else f"{ended} without answering, as what is no MCP server does")
    line, is_last = last_line(process.log)
    # What bubblewrap itself says is told in our words, by `why`.
    if line and not (process.start.walls is not None and line.startswith(OURS)):
        words.append(f"{'the last line of its log' if is_last else 'its log says'}: {_quoted(line, process, wire)}")
    if wire.said and not wire.answered:
        words.append(f"what it wrote is no message of MCP: {_quoted(wire.said, process, wire)}")
    return "; ".join(words)


def _quoted(line: str, process: LocalProcess, wire: Wire) -> str:
    for secret in process.start.secrets:
        line = line.replace(secret, "***")
    return wire.quote(line)
