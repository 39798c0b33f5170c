"""Whoever ends or stops the one who reads the copy of a session brings about a gap, and not silence."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from witness.forwarding import at_home_in, copyist_of, forwarded
from witness.plain_http import FINE, always, between
from witness.receiver import Receiver
from witness.wrapping import ROOT, witnessed

from driftwatch.watch.witness.frames import ANEW, FROM_AGENT, Copy, Frames
from driftwatch.watch.witness.marks import FOLDER
from driftwatch.watch.witness.minding import STANDS, Watch, lying, opened

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc")

TOKEN = "dw_a-token-of-ours"


def listing(words: str, number: int) -> bytes:
    """Give what an agent asks, and what it is shown: whoever echoes is the server."""
    asked = {"jsonrpc": "2.0", "id": number, "method": "tools/list"}
    tools = [{"name": "search", "description": words, "inputSchema": {"type": "object"}}]
    return b"".join(json.dumps(one).encode() + b"\n" for one in (asked, {**asked, "result": {"tools": tools}}))


def readers(folder: Path, name: str) -> list[int]:
    """Give the processes that read the copy of the sessions with a server, in this home."""
    found = []
    for place in Path("/proc").iterdir():
        try:
            if place.name.isdigit() and str(folder).encode() in (place / "environ").read_bytes():
                words = (place / "cmdline").read_bytes().split(b"\0")
                found += [int(place.name)] if b"-c" in words and name.encode() in words and b"--" not in words else []
        except OSError:
            continue
    return found


def reader(folder: Path, name: str) -> int:
    """Give the one that reads now, once it is there."""
    until = time.monotonic() + 20
    while not (found := readers(folder, name)):
        assert time.monotonic() < until
        time.sleep(0.02)  # whoever starts it needs the processor more
    return found[0]


def around(folder: Path, receiver: Receiver) -> dict[str, str]:
    home = {"PATH": os.environ["PATH"], "HOME": str(folder), "XDG_STATE_HOME": str(folder / "state")}
    return home | {"DRIFTWATCH_WITNESS_URL": receiver.url, "DRIFTWATCH_WITNESS_TOKEN": TOKEN}


class Agent:
    """One session, by hand."""

    def __init__(self, host: subprocess.Popen[bytes]) -> None:
        self.host = host

    def is_shown(self, words: str, number: int) -> None:
        said = listing(words, number)
        assert self.host.stdin is not None
        assert self.host.stdout is not None
        self.host.stdin.write(said)
        left = len(said)
        while left:
            left -= len(self.host.stdout.read(left))


@contextmanager
def session(name: str, environ: dict[str, str]) -> Iterator[Agent]:
    line = witnessed(["cat"], name=name)
    with subprocess.Popen(line, env=environ, bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as host:
        yield Agent(host)


def until(receiver: Receiver, enough: Any) -> list[dict[str, Any]]:
    count = 1
    while not enough(looks := receiver.wait_for(count)):
        count = len(looks) + 1
    return looks


@pytest.mark.processes
def test_who_kills_or_stops_the_reader_at_any_moment_brings_about_a_gap(tmp_path: Path, receiver: Receiver) -> None:
    environ = around(tmp_path, receiver)
    ways = {"kill": signal.SIGKILL, "stop": signal.SIGSTOP}
    early, late, last = ([f"{way}-{moment}" for way in ways] for moment in ("early", "late", "last"))

    def struck(name: str) -> None:
        os.kill(reader(tmp_path, name), ways[name.partition("-")[0]])

    with ExitStack() as stack:
        agents = {name: stack.enter_context(session(name, environ)) for name in [*early, *late, *last]}
        for name in early:
            struck(name)
            agents[name].is_shown("the poisoned list", 1)
        for name in [*late, *last]:
            agents[name].is_shown("the approved list", 1)
        until(receiver, lambda looks: {*late, *last} <= {look["server"] for look in looks})
        for name in late:
            struck(name)
            agents[name].is_shown("the poisoned list", 2)
        until(receiver, lambda looks: {*early, *late} <= {look["server"] for look in looks if look["gaps"]})
        for name in late:
            agents[name].is_shown("the poisoned list", 3)
        for name in last:
            struck(name)
            agents[name].is_shown("the poisoned list", 2)
    looks = until(receiver, lambda looks: set(agents) <= {look["server"] for look in looks if look["gaps"]})

    for name in [*late, *last]:
        mine = [look for look in looks if look["server"] == name]
        assert len({look["session"] for look in mine}) == 1
        # The first one comes twice where its reader was ended before it knew that the daemon has it.
        gaps = {look["number"]: bool(look["gaps"]) for look in mine}
        assert [gaps[number] for number in sorted(gaps)][:2] == [False, True]
    texts = {look["server"]: look["shown"]["tools"][0]["description"] for look in looks if "tools" in look["shown"]}
    assert {texts[name] for name in late} <= {"the poisoned list", "the approved list"}


@pytest.mark.processes
async def test_who_kills_or_stops_the_reader_of_a_forwarder_brings_about_a_gap(
    tmp_path: Path, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_home_in(tmp_path, monkeypatch, url=receiver.url, token=TOKEN)
    ways = {"kill-early": signal.SIGKILL, "stop-early": signal.SIGSTOP, "stop-last": signal.SIGSTOP}

    async with between(always(FINE)) as passing:
        url = f"http://127.0.0.1:{passing.server.port}/mcp"
        await asyncio.gather(*(_struck(tmp_path, url, name, how, receiver) for name, how in ways.items()))

    looks = await asyncio.to_thread(until, receiver, lambda looks: ways.keys() <= {look["server"] for look in looks})
    assert {look["server"]: (look["gaps"], look["shown"]) for look in looks} == dict.fromkeys(ways, (1, {}))


async def _struck(folder: Path, url: str, name: str, how: int, receiver: Receiver) -> None:
    """Run a forwarder, end or stop its copyist, and for `early` wait until that is told."""
    async with forwarded(url, copy=copyist_of(name)):
        os.kill(await asyncio.to_thread(reader, folder, name), how)
        if name.endswith("early"):
            await asyncio.to_thread(until, receiver, lambda looks: name in {look["server"] for look in looks})


def test_one_that_is_started_again_is_told_before_all_else_that_something_is_missing() -> None:
    reading, writing = opened()
    copy = Copy(writing)
    os.close(reading)
    copy.put(FROM_AGENT, b"to nobody")
    closed = copy.open
    reading, again = opened()
    os.dup2(again, writing)
    os.close(again)

    copy.anew()
    copy.put(FROM_AGENT, b"to somebody")

    assert not closed
    assert [*Frames().feed(os.read(reading, 1000))] == [(ANEW, b""), (FROM_AGENT, b"to somebody")]
    os.close(reading)
    os.close(writing)


def test_what_lies_in_a_pipe_is_known_at_the_end_that_writes() -> None:
    reading, writing = opened()

    os.write(writing, b"three")

    assert lying(writing) == 5
    os.close(reading)
    os.close(writing)


def test_a_reader_that_takes_nothing_for_long_hangs_and_one_that_takes_a_little_does_not() -> None:
    hung, slow, idle = Watch(), Watch(), Watch()

    looks = [(hung.hangs(500, 300), slow.hangs(500 + at, 300), idle.hangs(200, 0)) for at in range(3 * STANDS)]

    assert looks[STANDS - 1] == (False, False, False)
    assert looks[-1] == (True, False, False)


@pytest.mark.processes
def test_where_nobody_can_be_started_who_would_tell_a_mark_is_left(tmp_path: Path) -> None:
    environ = {"PATH": os.environ["PATH"], "XDG_STATE_HOME": str(tmp_path)}
    pump = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r}); from driftwatch.watch.witness.pump import become; "
        "become(['cat'], ['/nowhere/at/all'], ('mail', 'desk'))"
    )
    folder = tmp_path / "driftwatch" / "witness" / FOLDER

    done = subprocess.run(
        [sys.executable, "-IS", "-c", pump], input=b"said", env=environ, capture_output=True, check=True
    )

    assert done.stdout == b"said"
    end = time.monotonic() + 30
    while not (left := [*folder.glob("*.json")]):
        assert time.monotonic() < end
        time.sleep(0.02)
    told = json.loads(left[0].read_bytes())
    assert (told["server"], told["witness"], told["session"]) == ("mail", "desk", left[0].stem)
