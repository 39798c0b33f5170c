"""A command that is told to end leaves no child process behind."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from servers.over_stdio import command

ROOT = Path(__file__).parents[2]


@pytest.fixture
def hanging(tmp_path: Path) -> Path:
    """Configure a real local server that never answers and that writes its process id into a pipe; give the pipe."""
    fifo = tmp_path / "started"
    os.mkfifo(fifo)
    program, args = command("honest", "hangs")
    line = ["-c", f'echo $$ > {fifo}; exec "$@"', "sh", program, *args]
    (tmp_path / "driftwatch.toml").write_text(
        f'[servers.slow]\ncommand = "sh"\nargs = {json.dumps(line)}\n', encoding="utf-8"
    )
    return fifo


def said_in(fifo: Path) -> str:
    """Wait until something is written into the pipe and give it."""
    with os.fdopen(os.open(fifo, os.O_RDONLY | os.O_NONBLOCK), encoding="utf-8") as end:
        assert select.select([end], [], [], 60)[0], "the server was not started in a minute"
        return end.readline()


@pytest.mark.parametrize(("told", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_a_check_that_is_told_to_end_ends_its_servers(
    started: Callable[..., subprocess.Popen[str]], hanging: Path, told: signal.Signals, code: int
) -> None:
    check = started(
        [sys.executable, "-m", "driftwatch", "check"],
        cwd=hanging.parent,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    child = int(said_in(hanging))

    check.send_signal(told)
    out, said = check.communicate(timeout=60)

    assert (check.returncode, out, said) == (code, "", "")
    with pytest.raises(ProcessLookupError):
        os.kill(child, 0)
