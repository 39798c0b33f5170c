"""Colour, pipes, interruptions, and what a command loads."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cli_world import Run, tool

from driftwatch import __version__

Write = Callable[[str, Any], str]
Process = Callable[..., subprocess.Popen[str]]

ROOT = Path(__file__).parents[2]


@pytest.fixture
def process(started: Process, tmp_path: Path) -> Process:
    """Give the function that starts a command as a person would, in a process of its own."""

    def command(*args: str, stdout: Any = subprocess.PIPE, env: dict[str, str] | None = None) -> subprocess.Popen[str]:
        environ = {**os.environ, "PYTHONPATH": str(ROOT), **(env or {})}
        return started(
            [sys.executable, "-m", "driftwatch", *args],
            cwd=tmp_path,
            env=environ,
            stdout=stdout,
            stderr=subprocess.PIPE,
        )

    return command


@pytest.fixture
def pair(write: Write) -> tuple[str, str]:
    """Two listings with a loosened hint between them."""
    loosened = tool(annotations={"readOnlyHint": False})
    return write("old.json", {"tools": [tool()]}), write("new.json", {"tools": [loosened]})


def test_the_version_is_the_packages(run: Run) -> None:
    assert run("--version").out == f"driftwatch {__version__}\n"


def test_no_command_shows_the_help(run: Run) -> None:
    ended = run()

    assert ended.code == 2
    assert "compare" in ended.out + ended.err


def test_a_pipe_gets_no_colour_unless_it_is_asked_for(
    run: Run, pair: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "\x1b[" not in run("compare", *pair).out
    assert "\x1b[" in run("--colour", "always", "compare", *pair).out
    assert "\x1b[" in run("--colour", "always", "rules").out
    assert "\x1b[" not in run("--colour", "never", "rules").out

    monkeypatch.setenv("NO_COLOR", "1")

    assert "\x1b[" in run("--colour", "always", "compare", *pair).out


@pytest.mark.parametrize(
    ("environ", "coloured"),
    [({}, True), ({"NO_COLOR": "1"}, False), ({"NO_COLOR": ""}, True), ({"TERM": "dumb"}, False)],
)
def test_a_terminal_gets_colour_unless_the_environment_says_no(
    process: Process, pair: tuple[str, str], environ: dict[str, str], coloured: bool
) -> None:
    ours, theirs = os.openpty()
    started = process("compare", *pair, stdout=theirs, env={"TERM": "xterm", "NO_COLOR": "", **environ})
    os.close(theirs)

    shown = b""
    with os.fdopen(ours, "rb", buffering=0) as terminal:
        try:
            while part := terminal.read(65536):
                shown += part
        except OSError:
            pass  # Linux says EIO, not end of file, when the other end of a terminal closes
    started.communicate(timeout=60)

    assert (b"\x1b[" in shown) is coloured


def test_a_closed_pipe_ends_quietly(process: Process, write: Write) -> None:
    file = write("big.json", {"tools": [tool(f"tool_{number}") for number in range(2000)]})
    started = process("compare", file, write("none.json", []), "--format", "json")

    assert started.stdout is not None
    started.stdout.close()
    _, said = started.communicate(timeout=60)

    assert (started.returncode, said) == (141, "")


def test_an_interruption_ends_quietly(process: Process, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    started = process("scan", "fifo")

    with (tmp_path / "fifo").open("wb"):  # opens when the command has opened its end, and waits for us
        started.send_signal(signal.SIGINT)
        out, said = started.communicate(timeout=60)

    assert (started.returncode, out, said) == (130, "", "")


def test_a_locale_without_the_characters_does_no_harm(process: Process, pair: tuple[str, str]) -> None:
    environ = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": "ascii"}
    started = process("compare", *pair, env=environ)

    out, said = started.communicate(timeout=60)

    assert (started.returncode, said) == (1, "")
    assert "true -> false" in out


@pytest.mark.parametrize("columns", ["40", "60", "80"])
def test_what_a_stream_cannot_show_is_an_escape_and_lines_still_fit(
    process: Process, write: Write, columns: str
) -> None:
    said = "Zeigt die Karte. 地図を表示します。駅までの道順も含まれます。\u200b" * 4
    files = write("old.json", [tool()]), write("new.json", [tool(description=said)])
    environ = {"PYTHONIOENCODING": "ascii", "COLUMNS": columns}
    started = process("compare", *files, "--explain", "--colour", "never", env=environ)

    out, _ = started.communicate(timeout=60)

    lines = [line for line in out.splitlines() if "sha256:" not in line]
    assert max(map(len, lines)) <= int(columns)
    assert r"\u{5730}" in out
    assert r"\u{200B}" in out
    assert not re.search(r"\\u(?!\{)", out)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is always full")
@pytest.mark.parametrize("args", [["compare"], ["compare", "--format", "json"], ["rules"], ["--version"], ["--help"]])
def test_output_that_cannot_be_written_is_no_error_of_ours(
    process: Process, pair: tuple[str, str], args: list[str]
) -> None:
    files = pair if args[0] == "compare" else ()
    with Path("/dev/full").open("w") as full:
        started = process(*args, *files, stdout=full)
        _, said = started.communicate(timeout=60)

    assert started.returncode == 2
    assert said.startswith("error: Cannot write the output: No space left on device.\n")
    assert "error in driftwatch" not in said


def test_a_very_narrow_terminal_is_kept_to(run: Run, pair: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "20")

    out = run("compare", *pair, "--explain").out

    assert max(len(line) for line in out.splitlines()) <= 20


def test_comparing_loads_neither_database_nor_network_and_asking_for_health_only_the_database(
    tmp_path: Path, pair: tuple[str, str]
) -> None:
    heavy = ["sqlalchemy", "alembic", "mcp", "httpx", "httpx2", "apscheduler", "uvicorn", "starlette"]
    program = (
        "import sys, json; from driftwatch.cli import main; main(sys.argv[1:]); "
        f"loaded = lambda: [name for name in {heavy} if name in sys.modules]; at_first = loaded(); "
        "import driftwatch.cli.health; print(json.dumps([at_first, loaded()]), file=sys.stderr)"
    )

    done = subprocess.run(
        [sys.executable, "-c", program, "compare", *pair],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )

    assert json.loads(done.stderr) == [[], ["sqlalchemy"]]


def test_an_error_shows_a_traceback_only_when_asked(run: Run) -> None:
    assert "Traceback" not in run("scan", "no.json").err
    assert "Traceback" not in run("scan", "--", "--debug").err
    assert "Traceback" in run("--debug", "scan", "no.json").err
    assert "Traceback" in run("scan", "no.json", "--debug").err


def test_global_options_may_stand_after_the_command(run: Run, configured: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "other.toml"
    configured.rename(elsewhere)

    assert run("servers").code == 3
    assert run("servers", "--config", "other.toml").code == 0
    assert run("config", "check", "-c", "other.toml").code == 0
    assert run("config", "-c", "other.toml", "check").code == 0
    assert run("-c", "none.toml", "servers", "-c", "other.toml").code == 0
    assert "\x1b[" in run("rules", "--colour", "always").out
    assert "\x1b[" in run("--colour", "always", "rules").out
    assert "\x1b[" not in run("--colour", "always", "rules", "--colour", "never").out
    assert run("rules", "--colour", "mauve").code == 2


@pytest.mark.parametrize(("typed", "meant"), [("aprove", "approve"), ("stauts", "status"), ("shwo", "show")])
def test_a_misspelt_command_is_met_with_the_right_one(run: Run, typed: str, meant: str) -> None:
    ended = run(typed, "files")

    assert (ended.code, ended.out) == (2, "")
    assert f"No such command '{typed}'. Did you mean '{meant}'" in ended.err


@pytest.mark.parametrize(("columns", "widest"), [("100", 100), ("60", 60), ("5000", 120), ("1", 20)])
def test_a_pipe_is_as_wide_as_columns_asks_for(
    run: Run, monkeypatch: pytest.MonkeyPatch, columns: str, widest: int
) -> None:
    monkeypatch.setenv("COLUMNS", columns)

    lines = run("rules", "text-injection").out.splitlines()

    assert widest - 25 < max(len(line) for line in lines) <= max(widest, 60)


@pytest.mark.parametrize("columns", ["", "0", "wide", "-5", "٣", "9" * 400])
def test_a_width_that_is_none_is_the_usual_one(run: Run, monkeypatch: pytest.MonkeyPatch, columns: str) -> None:
    usual = run("rules", "text-injection").out

    with monkeypatch.context() as during:  # pytest -vv lays out its own lines by it, and fails at such a width
        during.setenv("COLUMNS", columns)
        said = run("rules", "text-injection").out

    assert said == usual
