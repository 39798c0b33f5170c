"""A destination that is a program: a shell script that keeps what it reads and its environment, and ends as told."""

from __future__ import annotations

import asyncio
import json
import os
import stat
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from contracts.secrets import SECRETS
from contracts.seen import Seen
from contracts.speech import Speech

from driftwatch.config.channels import CommandConfig
from driftwatch.config.secret import Secret
from driftwatch.tell.channels.base import Channel
from driftwatch.tell.channels.command import Command

ARGUMENT = "$(touch pwned) `id` ; & | > * ~ 'quoted' \"twice\" \\"
"""An argument that a shell would make something of."""

_SCRIPT = """#!/bin/sh
here=${0%/*}
step=$(ls "$here/answers" | head -n 1)
if [ -n "$step" ]; then mv "$here/answers/$step" "$here/answer"; . "$here/answer"; fi
. "$here/take"
"""
_TAKE = """n=$(ls "$here/taken" | wc -l)
mkdir "$here/taken/$n"
cat > "$here/taken/$n/input"
tr '\\0' '\\n' < /proc/$$/environ > "$here/taken/$n/environment"
printf '%s' "$1" > "$here/taken/$n/argument"
pwd > "$here/taken/$n/folder"
"""


@dataclass
class Run:
    """One run of the program: what it read, its environment, its first argument, and where it ran."""

    input: bytes
    environment: dict[str, str]
    argument: str
    folder: str


@dataclass
class Installed:
    """The program in a folder of its own."""

    folder: Path
    hanging: asyncio.Event
    """Set when a run that hangs has said so."""
    kept: list[Run] | None = None
    """The runs, once the folder is gone."""

    @property
    def url(self) -> str:
        return str(self.folder / "program")

    @property
    def requests(self) -> list[Run]:
        if self.kept is not None:
            return self.kept
        return [_run(path) for path in sorted((self.folder / "taken").iterdir(), key=lambda path: int(path.name))]

    async def arrived(self) -> None:
        """Wait until a run that hangs says that it does."""
        await self.hanging.wait()


def _run(path: Path) -> Run:
    lines = (path / "environment").read_text(encoding="utf-8").splitlines()
    return Run(
        (path / "input").read_bytes(),
        dict(line.split("=", 1) for line in lines),
        (path / "argument").read_text(encoding="utf-8"),
        (path / "folder").read_text(encoding="utf-8").strip(),
    )


def ends(code: int) -> str:
    """End with a code, once everything is read."""
    return f'. "$here/take"; exit {code}'


def hangs(before: str = "") -> str:
    """Say so, and never end. Whoever waits in `arrived` is told."""
    return f'{before}\n: > "$here/hangs"\nsleep 60'


@asynccontextmanager
async def installed(*answers: str, greeting: bytes = b"") -> AsyncIterator[Installed]:
    """Install the program in a new folder. `greeting` is for destinations that are reached by a network."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "taken").mkdir()
        (folder / "answers").mkdir()
        os.mkfifo(folder / "hangs")
        for number, answer in enumerate(answers):
            (folder / "answers" / f"{number:04}").write_text(answer, encoding="utf-8")
        (folder / "take").write_text(_TAKE, encoding="utf-8")
        script = folder / "program"
        script.write_text(_SCRIPT, encoding="utf-8")
        script.chmod(script.stat().st_mode | stat.S_IXUSR)
        there = Installed(folder, asyncio.Event())
        # Readable as soon as somebody has opened its other end and closed it again.
        said = os.open(folder / "hangs", os.O_RDONLY | os.O_NONBLOCK)
        loop = asyncio.get_running_loop()

        def heard() -> None:
            there.hanging.set()
            # It stays readable from now on.
            loop.remove_reader(said)

        loop.add_reader(said, heard)
        try:
            yield there
        finally:
            loop.remove_reader(said)
            os.close(said)
        there.kept = there.requests


def nobody() -> str:
    """Give the path of a program that is not there."""
    return "/nowhere/path-token-4711"


PROGRAM = Speech(
    there=installed,
    nobody=nobody,
    nobody_says="the program cannot be started: it is not there, or what its first line names is not",
    done={"exit 0": ends(0)},
    again={
        **{f"exit {code}": ends(code) for code in (1, 2, 64, 66, 69, 75, 126, 127, 128, 255)},
        "SIGKILL": "kill -KILL $$",
        "SIGSEGV": "ulimit -c 0; kill -SEGV $$",
        "SIGTERM": "kill -TERM $$",
    },
    stop={"exit 65": ends(65)},
    late={
        "silence": hangs(),
        "never-asked-in-vain": hangs("trap '' TERM HUP INT"),
        "reads-all-and-stays": hangs("cat > /dev/null"),
        "talks-for-ever": hangs("yes & yes >&2 &"),
    },
    broken={
        "input-closed": ("exec <&-; exit 3", "exit 3"),
        "reads-a-little": ("head -c 5 > /dev/null; exit 4", "exit 4"),
    },
    echoes=(f"echo {' '.join(SECRETS)}; env; env >&2", f"echo {' '.join(SECRETS)} >&2; exit 1"),
    late_says="the program did not end in time",
)
"""All that a program can answer."""


def build_command(url: str, *, timeout: float = 5.0) -> Channel:
    config = CommandConfig(
        name="ops",
        kind="command",
        command=url,
        args=(ARGUMENT,),
        env={"TOKEN": Secret("header-token-1234"), "DRIFTWATCH_EVENT": Secret("forged")},
        timeout=timeout,
        max_attempts=5,
    )
    return Command(config)


def accept_run(run: Run) -> Seen:
    """Check everything that a program is promised."""
    decoded = json.loads(run.input)
    assert run.input.isascii()
    assert run.argument == ARGUMENT
    assert set(run.environment) - {"HOME", "PWD", "SHLVL", "_"} == {
        *("PATH", "LANG", "TOKEN", "DRIFTWATCH_MESSAGE_ID", "DRIFTWATCH_EVENT")
    }
    assert run.environment["LANG"] == "C.UTF-8"
    assert run.environment["TOKEN"] == "header-token-1234"
    assert run.environment["DRIFTWATCH_MESSAGE_ID"].startswith("msg_")
    assert decoded["type"].endswith(run.environment["DRIFTWATCH_EVENT"])
    data = decoded["data"]
    links = (data["link"],) if data["link"] else ()
    return Seen(title=data["title"] or "", text=data["summary"], links=links, exact=decoded)
