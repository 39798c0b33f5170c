"""The manual page, and what a shell is told when somebody presses Tab."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from driftwatch.cli.app import COMMANDS, command
from driftwatch.cli.manual import ENVIRONMENT, manual
from driftwatch.cli.reference import walk
from tests import zygote

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "driftwatch.1"

OTHERS = {
    *("HOME", "PATH", "TERM"),  # what every program reads
    *("NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"),  # set by systemd for itself
    *("DRIFTWATCH_MESSAGE_ID", "DRIFTWATCH_EVENT"),  # set for the programs of channels: docs/channels.md
}
"""What the code reads or sets and nobody sets for driftwatch. What begins with OTEL_ has docs/tracing.md."""


def plain(line: str) -> str:
    return line.replace("\\-", "-").replace("\\(dq", '"').replace("\\&", "").replace("\\e", "\\")


def test_the_manual_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == manual(), "run: python -m driftwatch.cli.manual > docs/driftwatch.1"


def test_the_manual_page_has_every_command_and_option() -> None:
    lines = [plain(line) for line in PAGE.read_text(encoding="utf-8").splitlines()]
    options = {
        param.opts[0]
        for _, one in walk(command(), "driftwatch")
        for param in one.params
        if param.opts[0].startswith("-") and not getattr(param, "hidden", False)
    }

    named = set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", "\n".join(lines)))

    assert {line[4:] for line in lines if line.startswith(".SS ")} == {
        name for name, _ in walk(command(), "driftwatch")
    }
    assert options <= named


def test_every_variable_that_the_code_reads_is_in_the_manual_page() -> None:
    read = re.compile(r'environb?(?:\.get\(|\[)b?"([A-Z_]+)"|"((?:DRIFTWATCH|XDG)_[A-Z_]+)"')
    found = {
        first or second
        for file in (ROOT / "driftwatch").rglob("*.py")
        if file.name != "manual.py"
        for first, second in read.findall(file.read_text(encoding="utf-8"))
    }
    found = {name for name in found if not name.startswith(("OTEL_", "LC_")) and name != "DRIFTWATCH_"}

    assert found - OTHERS == set(ENVIRONMENT)


@pytest.mark.skipif(shutil.which("man") is None, reason="man is not installed")
def test_man_has_nothing_to_say_against_the_page() -> None:
    done = subprocess.run(
        ["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", str(PAGE)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout


@pytest.mark.skipif(shutil.which("mandoc") is None, reason="mandoc is not installed")
def test_mandoc_misses_nothing_but_a_date() -> None:
    done = subprocess.run(["mandoc", "-T", "lint", str(PAGE)], capture_output=True, text=True, timeout=60, check=False)

    assert [line for line in done.stdout.splitlines() if "missing date" not in line] == []


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_script_names_its_shell_and_the_program(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    from driftwatch.cli import main

    code = main(["completion", shell])

    script = capsys.readouterr().out
    assert code == 0
    assert f"complete_{shell}" in script
    assert "_DRIFTWATCH_COMPLETE=" in script


def installed(folder: Path) -> str:
    """Put the command into a folder, and give a PATH with it."""
    program = folder / "driftwatch"
    program.write_text(f'#!/bin/sh\nexec {shlex.join(zygote.standing_for_driftwatch())} -m driftwatch "$@"\n')
    program.chmod(0o755)
    return f"{folder}:/usr/bin:/bin"


def asked(shell: str, script: str, path: str) -> list[str]:
    done = subprocess.run(
        [shell, "-c", script],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        cwd=ROOT,
        env={"PATH": path, "HOME": "/nonexistent", "LANG": "C.UTF-8"},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split("\n")[:-1]


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_bash_completes_commands_and_options_of_inner_ones(tmp_path: Path) -> None:
    script = """
        eval "$(driftwatch completion bash)"
        ask() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _driftwatch_completion driftwatch; echo "${COMPREPLY[*]}"; }
        ask driftwatch ""
        ask driftwatch lock verify --fail
    """

    first, second = asked("bash", script, installed(tmp_path))

    assert first.split() == list(COMMANDS)
    assert second == "--fail-on"


@pytest.mark.skipif(shutil.which("fish") is None, reason="fish is not installed")
def test_fish_completes_an_option_with_what_it_does(tmp_path: Path) -> None:
    script = 'driftwatch completion fish | source; complete -C "driftwatch check --fail"'

    (line,) = asked("fish", script, installed(tmp_path))

    assert line.startswith("--fail-on\tEnd with exit code 1")
