"""A program that a zygote forks is, for all that the tests ask of programs, one that was started plainly."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests import zygote

ROOT = Path(__file__).parents[1]
PIPE = subprocess.PIPE
PYTHON_M = (sys.executable, "-m")
WAYS = {"plain": subprocess.Popen, "forked": zygote.Forked}

SEEN = """
import json, os, signal, sys, threading
streams = (sys.stdin, sys.stdout, sys.stderr)
print(json.dumps({
    "argv": sys.argv, "name": __name__, "package": __package__, "cwd": os.getcwd(), "path": sys.path[0],
    "environ": dict(os.environ), "said": sys.stdin.read(),
    "streams": [(one.name, one.mode, one.encoding, one.errors, one.line_buffering) for one in streams],
    "open": sorted(os.listdir("/proc/self/fd")), "leads": os.getsid(0) == os.getpid(), "umask": os.umask(0),
    "handlers": {int(one): str(signal.getsignal(one)).split(" at ")[0] for one in signal.valid_signals()},
    "blocked": sorted(map(int, signal.pthread_sigmask(signal.SIG_BLOCK, []))), "threads": threading.active_count(),
}))
"""

ENDS = {
    "returns": "",
    "exits": "import sys; sys.exit(7)",
    "says why": "import sys; sys.exit('why')",
    "fails": "1 / 0",
    "aborts": "import os; os.abort()",
    "writes at its end": "import atexit; atexit.register(print, 'over')",
    "leaves a thread": "import threading; threading.Timer(0.1, print, ['late']).start()",
}


def module(folder: Path, text: str) -> str:
    """Write a module where `python -m` finds it."""
    (folder / "seen.py").write_text(text)
    return "seen"


@pytest.mark.parametrize("leads", [False, True])
def test_it_sees_the_same(tmp_path: Path, leads: bool) -> None:
    environ = {**os.environ, "SAID": "änders", "TZ": "Asia/Tokyo", "PYTHONPATH": str(ROOT)}
    environ.pop("HOME", None)
    seen: list[Any] = []
    for start in WAYS.values():
        command = [*PYTHON_M, module(tmp_path, SEEN), "--one", "two"]
        pipes: dict[str, Any] = {"stdin": PIPE, "stdout": PIPE, "stderr": PIPE}
        with start(command, cwd=tmp_path, env=environ, start_new_session=leads, text=True, **pipes) as program:
            seen.append(json.loads(program.communicate("hello\n", timeout=60)[0]))

    assert seen[0] == seen[1]
    assert seen[1]["leads"] is leads


@pytest.mark.parametrize("how", list(ENDS))
def test_it_ends_the_same(tmp_path: Path, how: str) -> None:
    ended: list[Any] = []
    for start in WAYS.values():
        with start([*PYTHON_M, module(tmp_path, ENDS[how])], cwd=tmp_path, stdout=PIPE, stderr=PIPE) as program:
            out, said = program.communicate(timeout=60)
            ended.append((program.returncode, program.poll(), out, said.splitlines()[-1:]))

    assert ended[0] == ended[1]


@pytest.mark.parametrize("told", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGUSR1])
def test_a_signal_ends_it_the_same(tmp_path: Path, told: signal.Signals) -> None:
    name = module(tmp_path, "import signal; print(flush=True)\nwhile True: signal.pause()")
    for start in WAYS.values():
        with start([*PYTHON_M, name], cwd=tmp_path, stdout=PIPE, stderr=subprocess.DEVNULL) as program:
            program.stdout.readline()
            with pytest.raises(subprocess.TimeoutExpired):
                program.wait(timeout=0.01)
            running = program.poll()
            program.send_signal(told)
            code = program.wait(timeout=60)

            assert (running, code, program.poll()) == (None, -told, -told)


def heard(terminal: int, last: bytes) -> bytes:
    """Read what comes until it ends so."""
    said = b""
    while not said.endswith(last):
        said += os.read(terminal, 4096)
    return said


def test_it_reads_from_a_terminal_and_writes_there_the_same(tmp_path: Path) -> None:
    name = module(tmp_path, "print(input('Who? '), end='', flush=True); import os; print(os.isatty(0), os.isatty(1))")
    for start in WAYS.values():
        ours, theirs = os.openpty()
        with start([*PYTHON_M, name], cwd=tmp_path, stdin=theirs, stdout=theirs, stderr=theirs) as program:
            said = heard(ours, b"Who? ")
            os.write(ours, b"ann\n")
            assert program.wait(timeout=60) == 0
        said += heard(ours, b"True True\r\n")
        os.close(ours)
        os.close(theirs)

        assert said == b"Who? ann\r\nannTrue True\r\n"


def test_a_command_says_the_same(tmp_path: Path) -> None:
    for words in (["--version"], ["rules", "--help"], ["scan", "nothing.json"], ["nonsense"]):
        said: list[Any] = []
        for start in WAYS.values():
            environ = {**os.environ, "PYTHONPATH": str(ROOT)}
            command = [*PYTHON_M, "driftwatch", *words]
            with start(command, cwd=tmp_path, env=environ, stdout=PIPE, stderr=PIPE, text=True) as program:
                said.append((*program.communicate(timeout=60), program.returncode))

        assert said[0] == said[1]


def test_what_stands_for_an_interpreter_is_the_program_and_takes_it_along(tmp_path: Path) -> None:
    name = module(tmp_path, "import sys; print(sys.stdin.readline()); sys.stdin.read(); sys.exit(9)")
    line = [*zygote.standing_for_driftwatch(), "-m", name]

    done = subprocess.run(line, cwd=tmp_path, input=b"a\nb", capture_output=True, timeout=60, check=False)
    with subprocess.Popen(line, cwd=tmp_path, stdin=PIPE, stdout=PIPE) as standing:
        standing.stdin.write(b"a\n")
        standing.stdin.flush()
        standing.kill()
        # It holds the pipe for as long as it is there.
        left = standing.stdout.read()

    assert (done.returncode, done.stdout) == (9, b"a\n\n")
    assert left in {b"", b"a\n\n"}


def test_what_is_read_before_a_program_runs_is_no_fork_s_matter() -> None:
    driftwatch = [*PYTHON_M, "driftwatch"]

    assert zygote.forks([*driftwatch, "run"], {"cwd": "/", "env": {**os.environ, "HOME": "/x"}})
    for command, options in (
        ([*driftwatch, "witness"], {}),
        ([sys.executable, "-I", *driftwatch[1:]], {}),
        (driftwatch, {"preexec_fn": print}),
        (driftwatch, {"pass_fds": [3]}),
        (driftwatch, {"env": {**os.environ, "PYTHONUTF8": "0"}}),
        (driftwatch, {"env": {**os.environ, "LC_ALL": "C.ASCII"}}),
        (driftwatch, {"env": {}} if os.environ.get("LANG") else {"umask": 0}),
    ):
        assert not zygote.forks(command, options)


@pytest.mark.parametrize("said", ["nothing", "half of it", "all of it"])
def test_who_is_killed_while_asking_takes_no_others_along(said: str) -> None:
    place = zygote.standing_for_driftwatch()[-1]
    whole = json.dumps([[sys.executable, "-m", "driftwatch", "--version"], dict(os.environ), str(ROOT), False]).encode()
    parts = {"nothing": b"", "half of it": whole[:20], "all of it": whole}
    for _ in range(20):
        with socket.socket(socket.AF_UNIX) as asker, open(os.devnull, "r+b") as nowhere:
            asker.connect(place)
            if said != "nothing":
                socket.send_fds(asker, [len(whole).to_bytes(8, "big")], [nowhere.fileno()] * 3)
                asker.sendall(parts[said])

    ended = zygote.run([*PYTHON_M, "driftwatch", "--version"], stdout=PIPE, text=True)

    assert ended.returncode == 0
