"""A host cannot tell a wrapped server from one that is not: each case runs with and without, and is compared."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from witness.wrapping import GONE, server, wrapped

Way: TypeAlias = Callable[[list[str]], list[str]]
"""From the command line of a server to the one that the host starts."""
Case: TypeAlias = Callable[[Way, Path], Any]

PIPE = subprocess.PIPE
WAIT = 20


def start(command: list[str], **options: Any) -> subprocess.Popen[bytes]:
    return subprocess.Popen(command, stdin=PIPE, stdout=PIPE, stderr=PIPE, bufsize=0, **options)


def outcome(host: subprocess.Popen[bytes], said: bytes | None = None) -> dict[str, Any]:
    """Say something, close standard input, and read all to the end of all."""
    out, err = host.communicate(said, timeout=WAIT)
    return {"out": out, "err": err, "code": host.returncode}


def ready(host: subprocess.Popen[bytes]) -> subprocess.Popen[bytes]:
    assert host.stdout is not None
    assert host.stdout.read(6) == b"ready\n"
    return host


def ends(code: int) -> Case:
    return lambda way, _: outcome(start(way(server("ends", code))))


def dies(name: str) -> Case:
    return lambda way, _: outcome(start(way(server("dies", name))))


def sent(habit: str, number: int, *, group: bool = False) -> Case:
    def case(way: Way, _: Path) -> Any:
        host = ready(start(way(server(habit)), start_new_session=group))
        (os.killpg if group else os.kill)(host.pid, number)
        return outcome(host)

    return case


def input_closed_at_once(way: Way, _: Path) -> Any:
    return outcome(start(way(server("echoes"))))


def half_a_line(way: Way, _: Path) -> Any:
    return outcome(start(way(server("echoes"))), b'{"jsonrpc": "2.0", \x00\xff')


def output_closed(way: Way, _: Path) -> Any:
    host = start(way(server("closes_output")))
    assert host.stdout is not None
    assert host.stderr is not None
    out = host.stdout.read()  # It ends while the server lives.
    alive = host.poll() is None
    return out, alive, outcome(host, b"x" * 100_000)


def input_closed_by_the_server(way: Way, _: Path) -> Any:
    host = start(way(server("closes_input")))
    assert host.stdout is not None
    assert host.stdin is not None
    out = host.stdout.read(7)
    # As long as a pump may take to let the host know: it must, before anything is written.
    refused = False
    for _ in range(100):
        try:
            host.stdin.write(b"x")
        except BrokenPipeError:
            refused = True
            break
        time.sleep(0.01)
    return out, refused, outcome(host)


def child_left(way: Way, _: Path) -> Any:
    host = start(way(server("leaves_a_child")))
    assert host.stdout is not None
    code = host.wait(WAIT)
    out = host.stdout.read()  # Not at its end before the child is.
    return code, out, outcome(host)["err"]


def host_stops_reading(way: Way, _: Path) -> Any:
    host = start(way(server("writes_on")))
    assert host.stdout is not None
    host.stdout.read(5)
    host.stdout.close()
    code = host.wait(WAIT)
    for one in (host.stdin, host.stderr):
        assert one is not None
        one.close()
    return code


def host_killed(way: Way, folder: Path) -> Any:
    note = folder / "note"
    line = way(server("notes_the_end", note))
    between = (
        "import subprocess, sys; host = subprocess.Popen(sys.argv[1:], stdin=-1, stdout=-1); "
        "host.stdout.read(6); host.stdin.write(b'abc'); host.stdin.flush(); print('up', flush=True); input()"
    )
    host = subprocess.Popen([sys.executable, "-IS", "-c", between, *line], stdin=PIPE, stdout=PIPE)
    assert host.stdout is not None
    assert host.stdout.readline() == b"up\n"
    host.kill()
    outcome(host)
    for _ in range(500):
        if note.exists():
            return note.read_text()
        time.sleep(0.02)
    return "the server never learnt of it"


def closed_before(*descriptors: int) -> Case:
    def case(way: Way, _: Path) -> Any:
        shut = "import os, sys; [os.close(int(one)) for one in sys.argv[1]]; os.execv(sys.argv[2], sys.argv[2:])"
        line = [sys.executable, "-IS", "-c", shut, "".join(map(str, descriptors)), *way(server("reports"))]
        seen = outcome(subprocess.Popen(line, stdin=subprocess.DEVNULL, stdout=PIPE, stderr=PIPE))
        return seen | {"out": json.loads(seen["out"])["descriptors"] if seen["out"] else ""}

    return case


def started_with(way: Way, folder: Path) -> Any:
    here, there = os.pipe()
    try:
        options = {"cwd": folder, "env": {"PATH": os.environ["PATH"], "KEY": "of the server"}, "pass_fds": [here]}
        seen = outcome(start(way(server("reports", "one", "", "ü *")), **options))
    finally:
        os.close(here)
        os.close(there)
    found = json.loads(seen.pop("out"))
    own = {"descriptors": len(found["descriptors"]), "folder": Path(found["folder"]) == folder}
    return seen, found | own


def over_sockets(way: Way, _: Path) -> Any:
    """As hosts that run on Node.js do it: a pair of sockets for each stream."""
    say, said = socket.socketpair()
    hear, heard = socket.socketpair()
    with say, hear:
        with said, heard:
            host = subprocess.Popen(way(server("echoes")), stdin=said, stdout=heard)
        say.sendall(b"hello " * 50_000)
        say.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: hear.recv(1 << 16), b"")), host.wait(WAIT)


def one_socket(way: Way, _: Path) -> Any:
    """As inetd does it: one socket for both directions."""
    ours, theirs = socket.socketpair()
    with ours:
        with theirs:
            host = subprocess.Popen(way(server("echoes")), stdin=theirs, stdout=theirs)
        ours.sendall(b"hello")
        ours.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: ours.recv(1 << 16), b"")), host.wait(WAIT)


def environment(way: Way, _: Path) -> Any:
    """As a desktop starts programs: without a language. Python gives itself one then, and a server must not see it."""
    bare = {"PATH": os.environ["PATH"], "KEY": "of the server"}
    return [outcome(start(way(["/usr/bin/env"]), env=bare | more)) for more in ({}, {"LC_CTYPE": "POSIX", "LANG": "C"})]


def signals(way: Way, _: Path) -> Any:
    return outcome(start(way(["/bin/grep", "^Sig[IB]", "/proc/self/status"])))


CASES: dict[str, Case] = {
    "ends with 0": ends(0),
    "no language in the environment": environment,
    "ends with 3": ends(3),
    "ends with 255": ends(255),
    "dies of a fault": dies("SIGSEGV"),
    "is killed": dies("SIGKILL"),
    "dies of a closed pipe": dies("SIGPIPE"),
    "SIGTERM to it": sent("waits", signal.SIGTERM),
    "SIGINT to it": sent("waits", signal.SIGINT),
    "SIGHUP to it": sent("waits", signal.SIGHUP),
    "SIGKILL to it": sent("waits", signal.SIGKILL),
    "SIGTERM to its group": sent("waits", signal.SIGTERM, group=True),
    "SIGINT to its group": sent("waits", signal.SIGINT, group=True),
    "SIGTERM, and it winds down": sent("winds_down", signal.SIGTERM),
    "SIGINT to its group, and it winds down": sent("winds_down", signal.SIGINT, group=True),
    "input closed at once": input_closed_at_once,
    "half a line": half_a_line,
    "output closed": output_closed,
    "input closed by the server": input_closed_by_the_server,
    "child left": child_left,
    "host stops reading": host_stops_reading,
    "host killed": host_killed,
    "input closed before": closed_before(0),
    "error closed before": closed_before(2),
    "both closed before": closed_before(0, 2),
    "over sockets": over_sockets,
    "over one socket": one_socket,
    "signals handed down": signals,
    "started with": started_with,
}


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("case", CASES)
def test_a_wrapped_server_is_to_its_host_as_one_without_a_wrapper(case: str, tmp_path: Path) -> None:
    plain, other = tmp_path / "plain", tmp_path / "wrapped"
    plain.mkdir()
    other.mkdir()

    without = CASES[case](lambda command: command, plain)
    within = CASES[case](lambda command: wrapped(command, GONE), other)

    assert within == without
