"""All servers of a soak in one process: `python -m benchmarks.soak.servers RUN.json`, told what to do on its input.

It writes the addresses on its output, begins with its deeds at the line `go`, and keeps the truth: each deed with the
time at which it was done, and when each server was asked for its list.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
import time
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO, TypeAlias

from benchmarks.soak.answers import acknowledged, answer, notice
from benchmarks.soak.plan import BACK, DOWN, HANDSHAKE, LOCAL, MODERN, SSE, TURN, UP, Act, Member, Pace, members
from benchmarks.soak.shown import tools, version

_REASONS = {200: "OK", 202: "Accepted", 401: "Unauthorized", 404: "Not Found", 405: "No", 503: "Unavailable"}
_JSON, _EVENTS, _PAGE = "application/json", "text/event-stream", "text/html"
_HANGS = 30.0

Wire: TypeAlias = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@dataclass
class Stream:
    """A response that goes on; `subscription` is what its notices name, if anything."""

    writer: asyncio.StreamWriter
    subscription: object = None

    def event(self, data: bytes, name: str = "message") -> None:
        """Send an event, unless the other side is gone."""
        if not self.writer.is_closing():
            self.writer.write(b"event: %s\ndata: %s\n\n" % (name.encode(), data))


@dataclass
class Standing:
    """How one server stands."""

    member: Member
    turn: Act | None = None
    down: str = ""
    streams: set[asyncio.StreamWriter] = field(default_factory=set)
    listeners: list[Stream] = field(default_factory=list)
    sessions: dict[str, Stream] = field(default_factory=dict)
    listed: list[float] = field(default_factory=list)
    since_up: asyncio.Event = field(default_factory=asyncio.Event)

    def answer(self, message: dict[str, Any]) -> bytes | None:
        """Answer a message as it stands."""
        if message.get("method") == "tools/list":
            self.listed.append(time.time())
        one = self.member
        return answer(
            message,
            modern=one.speaks == MODERN,
            listens=one.listens,
            tools=tools(one.number, self.turn),
            ttl_ms=one.ttl_ms,
            version=version(self.turn),
            broken=self.down == "list-error",
        )

    def notify(self) -> None:
        """Tell all who listen."""
        for stream in self.listeners:
            stream.event(notice(stream.subscription))

    def hang_up(self) -> None:
        """End all that goes on."""
        for writer in list(self.streams):
            writer.close()


class Fleet:
    """All servers over HTTP, and the files of the local ones."""

    def __init__(self, every: tuple[Member, ...], truth: TextIO, folder: Path) -> None:
        """Take the members, where the truth is written, and the folder for the states of local servers."""
        self.standing = {one.name: Standing(one) for one in every}
        self._truth, self._folder = truth, folder
        for one in self.standing.values():
            self._write(one)

    async def open(self) -> dict[str, str]:
        """Listen; gives the address of each server that has one."""
        groups: defaultdict[int, list[Member]] = defaultdict(list)
        for one in self.standing.values():
            if one.member.speaks != LOCAL:
                groups[one.member.group].append(one.member)
        urls = {}
        for group in groups.values():
            server = await asyncio.start_server(self._connected, "127.0.0.1", 0, backlog=256)
            port = server.sockets[0].getsockname()[1]
            self._kept = [*getattr(self, "_kept", []), server]
            for one in group:
                urls[one.name] = f"http://127.0.0.1:{port}/{one.name}/{'sse' if one.speaks == SSE else 'mcp'}"
        return urls

    async def play(self, one: Standing) -> None:
        """Do what a server has to do, each at its time after now."""
        began = time.monotonic()
        for act in one.member.acts:
            await asyncio.sleep(max(0.0, began + act.at - time.monotonic()))
            self._do(one, act)

    async def chatter(self, one: Standing) -> None:
        """Send notices of nothing."""
        while one.member.chatter:
            await asyncio.sleep(one.member.chatter)
            one.notify()

    def _do(self, one: Standing, act: Act) -> None:
        if act.kind in {DOWN, UP}:
            one.down = act.how
            (one.since_up.clear if one.down else one.since_up.set)()
            if one.down not in {"", "list-error"}:
                one.hang_up()
        else:
            one.turn = act if act.kind == TURN else None
        self._write(one)
        said = {"at": time.time(), "server": one.member.name, "kind": act.kind, "how": act.how, "mark": act.mark}
        self._truth.write(json.dumps(said) + "\n")
        if act.kind in {TURN, BACK}:
            one.notify()

    def _write(self, one: Standing) -> None:
        """Write the state of a local server, whole or not at all."""
        if one.member.speaks != LOCAL:
            return
        state = {
            "tools": tools(one.member.number, one.turn),
            "down": bool(one.down),
            "ttl": one.member.ttl_ms,
            "version": version(one.turn),
            "modern": one.member.number % 2 == 0,
        }
        path = self._folder / one.member.name / "state.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_suffix(".new")
        beside.write_text(json.dumps(state), encoding="utf-8")
        beside.replace(path)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            while await self._one_request(reader, writer):
                await writer.drain()
        writer.close()

    async def _one_request(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Answer one request; False when the connection is over."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        verb, path, _ = head.split(" ", 2)
        length = next((line[15:] for line in head.lower().split("\r\n") if line.startswith("content-length:")), "0")
        body = await reader.readexactly(int(length))
        name, _, rest = path.lstrip("/").partition("/")
        one = self.standing.get(name)
        if one is None:
            return _whole(writer, 404)
        if one.down and one.down != "list-error":
            return await _away(one, writer)
        if one.member.speaks == SSE:
            return await _legacy(one, rest, body, (reader, writer))
        return await _streamable(one, verb, body, reader, writer)


def _head(writer: asyncio.StreamWriter, status: int, kind: str, *more: str) -> None:
    lines = [f"HTTP/1.1 {status} {_REASONS[status]}", f"content-type: {kind}", *more, "", ""]
    writer.write("\r\n".join(lines).encode())


def _whole(writer: asyncio.StreamWriter, status: int, body: bytes = b"", kind: str = _JSON, *more: str) -> bool:
    _head(writer, status, kind, f"content-length: {len(body)}", *more)
    writer.write(body)
    return True


async def _away(one: Standing, writer: asyncio.StreamWriter) -> bool:
    if one.down == "status":
        return _whole(writer, 503)
    if one.down == "refused":
        return _whole(writer, 401)
    if one.down == "html":
        return _whole(writer, 200, b"<!doctype html><title>Sign in</title>", _PAGE)
    if one.down == "hang":
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(one.since_up.wait(), _HANGS)
    return False


async def _held(one: Standing, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
    """Hold a stream until either side ends it."""
    one.streams.add(writer)
    try:
        with contextlib.suppress(ConnectionError):
            await reader.read()
    finally:
        one.streams.discard(writer)
        one.listeners = [stream for stream in one.listeners if stream.writer is not writer]
        one.sessions = {key: stream for key, stream in one.sessions.items() if stream.writer is not writer}
    return False


async def _streamable(
    one: Standing, verb: str, body: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> bool:
    if verb == "GET" and one.member.listens and one.member.speaks == HANDSHAKE:
        _head(writer, 200, _EVENTS)
        writer.write(b": open\n\n")
        one.listeners.append(Stream(writer))
        return await _held(one, reader, writer)
    if verb != "POST":
        return _whole(writer, 405)
    message = json.loads(body)
    if message.get("method") == "subscriptions/listen" and one.member.listens and one.member.speaks == MODERN:
        stream = Stream(writer, message["id"])
        _head(writer, 200, _EVENTS)
        stream.event(acknowledged(message["id"]))
        one.listeners.append(stream)
        return await _held(one, reader, writer)
    said = one.answer(message)
    if said is None:
        return _whole(writer, 202)
    if one.member.events:
        said = b"event: message\ndata: %s\n\n" % said
    session = ["mcp-session-id: s1"] if message.get("method") == "initialize" else []
    return _whole(writer, 200, said, _EVENTS if one.member.events else _JSON, *session)


async def _legacy(one: Standing, rest: str, body: bytes, wire: Wire) -> bool:
    reader, writer = wire
    if not body:
        key = str(time.monotonic_ns())
        stream = Stream(writer)
        _head(writer, 200, _EVENTS)
        stream.event(f"/{one.member.name}/messages?session={key}".encode(), "endpoint")
        one.sessions[key] = stream
        one.listeners.append(stream)
        return await _held(one, reader, writer)
    message = json.loads(body)
    said, to = one.answer(message), one.sessions.get(rest.partition("session=")[2])
    if to is None:
        return _whole(writer, 404)
    if said is not None:
        to.event(said)
    return _whole(writer, 202)


async def main(plan: dict[str, Any], folder: Path) -> None:
    """Serve until the input ends."""
    every = members(seed=plan["seed"], servers=plan["servers"], seconds=plan["seconds"], pace=Pace(plan["interval"]))
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    with (folder / "truth.jsonl").open("w", encoding="utf-8", buffering=1) as truth:
        fleet = Fleet(every, truth, folder / "local")
        print(json.dumps(await fleet.open()), flush=True)
        tasks: list[asyncio.Task[None]] = []
        while await reader.readline():
            tasks += [asyncio.create_task(fleet.play(one)) for one in fleet.standing.values()]
            tasks += [asyncio.create_task(fleet.chatter(one)) for one in fleet.standing.values()]
        for task in tasks:
            task.cancel()
        listed = {name: [round(at, 2) for at in one.listed] for name, one in fleet.standing.items()}
        (folder / "listed.json").write_text(json.dumps(listed), encoding="utf-8")


if __name__ == "__main__":
    run = Path(sys.argv[1])
    asyncio.run(main(json.loads(run.read_bytes()), run.parent))
