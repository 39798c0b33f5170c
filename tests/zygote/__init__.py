"""Programs that tests start often, forked from a process that has loaded them, and otherwise as the system starts them.

To load driftwatch takes a second or more, and the tests start it hundreds of times. `start` and `run` take what
`subprocess` takes. They fork where the program cannot tell: `python -m driftwatch …` with nothing asked for that an
interpreter or the system does before it. Everything else is started plainly, and so is `witness`, which is light.
"""

from __future__ import annotations

import os
import select
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from driftwatch.cli.app import COMMANDS
from tests.zygote.asking import ask, number

_FOLDER = Path(__file__).parent

_DRIFTWATCH = (
    *sorted({f"driftwatch.cli.{module}" for module in COMMANDS.values()}),
    # Loaded only when they are needed, which is soon.
    *("driftwatch.config.sandbox", "jinja2.meta", "alembic.command", "alembic.config"),
    "tests.zygote.warmed",
)

_APPRISE = ("tests.zygote.apprised",)

_OPTIONS = {"cwd", "env", "stdin", "stdout", "stderr", "text", "encoding", "errors", "bufsize", "start_new_session"}
"""What a forked program can be given."""

_READ_AT_START = {"LANG", "LANGUAGE", "NO_COLOR", "FORCE_COLOR", "TYPER_USE_RICH"}
"""What the interpreter, or a module while it is loaded, takes from the environment, with all that begins so:"""
_BEGINNINGS = ("PYTHON", "LC_", "OTEL_", "PYDANTIC_")


class Forked(subprocess.Popen[Any]):
    """A program of a zygote. All but its start and how its end is heard of is `Popen`'s own."""

    def _execute_child(self, args: Any, *given: Any) -> None:
        """Ask for the program instead of starting it, which is all that `Popen` leaves to this method."""
        _, _, _, _, cwd, environ, _, _, _, *pipes = given[:15]
        leads = given[20]
        reads, _, _, writes, _, complains = pipes
        streams = [own if fd == -1 else fd for own, fd in enumerate((reads, writes, complains))]
        try:
            self.ended, self.pid = ask(
                _zygote(_DRIFTWATCH),
                args,
                environ=os.environ if environ is None else environ,
                cwd=os.getcwd() if cwd is None else os.path.abspath(cwd),
                streams=streams,
                leads=leads,
            )
            self._child_created = True
        finally:
            self._close_pipe_fds(*pipes)  # type: ignore[attr-defined]

    def _internal_poll(self, *_: Any, **__: Any) -> int | None:
        return self._hear(0)

    def _wait(self, timeout: float | None) -> int:
        code = self._hear(timeout)
        if code is None:
            raise subprocess.TimeoutExpired(self.args, timeout or 0)
        return code

    def _hear(self, seconds: float | None) -> int | None:
        """Hear of the end, once there is one; `ended` can be read from then on."""
        if self.returncode is None and select.select([self.ended], [], [], seconds)[0]:
            with self._waitpid_lock:  # type: ignore[attr-defined]
                if self.returncode is None:
                    self.returncode = number(self.ended)
                    self.ended.close()
        return self.returncode


def start(command: Sequence[str], **options: Any) -> subprocess.Popen[Any]:
    """Start a program, forked where it cannot tell."""
    kind = Forked if forks(command, options) else subprocess.Popen
    return kind(command, **options)


def run(command: Sequence[str], *, timeout: float = 60, **options: Any) -> subprocess.CompletedProcess[Any]:
    """Start a program, forked where it cannot tell, and wait for its end."""
    with start(command, **options) as program:
        try:
            out, said = program.communicate(timeout=timeout)
        except BaseException:
            program.kill()
            raise
    return subprocess.CompletedProcess(command, program.returncode, out, said)


def forks(command: Sequence[str], options: Mapping[str, Any]) -> bool:
    """Say whether a program is forked."""
    if list(command[:3]) != [sys.executable, "-m", "driftwatch"] or command[3:4] == ["witness"]:
        return False
    environ = options.get("env")
    same = environ is None or _read_at_start(environ) == _read_at_start(os.environ)
    return same and options.keys() <= _OPTIONS


def _read_at_start(environ: Mapping[str, str]) -> dict[str, str]:
    return {
        name: value
        for name, value in environ.items()
        # What is found by `PYTHONPATH` is loaded already.
        if value and name != "PYTHONPATH" and (name in _READ_AT_START or name.startswith(_BEGINNINGS))
    }


def standing_for_driftwatch() -> list[str]:
    """Give a command line that stands for `python`, and can be followed by `-m driftwatch …` only."""
    return _standing(_DRIFTWATCH)


def standing_for_apprise() -> list[str]:
    """Give a command line that stands for `python`, and can be followed by the program that speaks to Apprise only."""
    return _standing(_APPRISE)


def python_with_apprise() -> str:
    """Give a program that stands for `python`, and has Apprise loaded where the program that speaks to it is run.

    Anything else it has the interpreter do. To a forked driftwatch, the first word of its command is the interpreter.
    """
    asks = _standing(_APPRISE)
    program = Path(asks[-1]).with_name("python")
    if not program.exists():
        lines = ['case "$2" in', f'*/apprise_program.py) shift; exec {shlex.join(asks)} "$@";;', "esac"]
        program.write_text("\n".join(["#!/bin/sh", *lines, f'exec {shlex.quote(sys.executable)} "$@"', ""]))
        program.chmod(0o755)
    return str(program)


def _standing(modules: tuple[str, ...]) -> list[str]:
    return [sys.executable, "-I", "-S", str(_FOLDER / "asking.py"), _zygote(modules)]


_zygotes: dict[tuple[str, ...], tuple[str, subprocess.Popen[bytes]]] = {}


def _zygote(modules: tuple[str, ...]) -> str:
    """Start the zygote that has these modules, unless it runs; give its socket."""
    if modules not in _zygotes:
        path = f"{tempfile.mkdtemp()}/zygote"
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(path)
            listener.listen(64)
            command = [sys.executable, str(_FOLDER / "process.py"), str(listener.fileno()), *modules]
            started = subprocess.Popen(command, stdin=subprocess.PIPE, pass_fds=[listener.fileno()])
        _zygotes[modules] = path, started
    return _zygotes[modules][0]


def close() -> None:
    """End all zygotes, and with them what still runs of their programs."""
    while _zygotes:
        path, started = _zygotes.popitem()[1]
        started.communicate()
        shutil.rmtree(Path(path).parent)
