"""The scene of a soak: the servers in a process of their own, the real daemon in another, and the receiver here."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from benchmarks.soak.plan import LOCAL, REQUEST, SSE, Member, Pace
from driftwatch.config.load import load
from driftwatch.errors import DriftwatchError
from driftwatch.model import Actor
from driftwatch.review.approve import approve
from driftwatch.run.wiring import World, utc_now

_HERE: Final = Path(__file__).parent
_ROOT: Final = _HERE.parents[1]
_PATIENCE: Final = 60.0


def environment() -> dict[str, str]:
    """Give what the processes of a soak are started with."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("DRIFTWATCH_")}
    return {**kept, "PYTHONPATH": str(_ROOT)}


def free_port() -> int:
    """Find a port that nobody listens on."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def configuration(
    folder: Path, every: tuple[Member, ...], urls: dict[str, str], *, pace: Pace, hook: str, secret: str, port: int
) -> Path:
    """Write the daemon's configuration: one that a person could have written, at the pace of the soak."""
    lines = [
        *("[daemon]", 'log_format = "json"'),
        *("[web]", f'listen = "127.0.0.1:{port}"'),
        "[defaults.interval]",
        *(f'{key} = "{value:g}s"' for key, value in _times(pace)),
        "[defaults.timeout]",
        *(f'{key} = "{REQUEST:g}s"' for key in ("connect", "request")),
        *('start = "20s"', 'look = "20s"'),
        *("[channels.hook]", 'kind = "webhook"', f'url = "{hook}"', f'secret = "{secret}"', 'min_severity = "info"'),
    ]
    for one in every:
        lines.append(f"[servers.{one.name}]")
        if one.speaks == LOCAL:
            state = folder / "local" / one.name
            lines += [f"command = {json.dumps(sys.executable)}"]
            lines += [f"args = {json.dumps(['-SE', str(_HERE / 'local.py'), str(state / 'state.json')])}"]
            lines += ["notices = false", f"sandbox.read = {json.dumps([str(_HERE), str(state)])}"]
        else:
            lines += [f'url = "{urls[one.name]}"', *(['transport = "sse"'] if one.speaks == SSE else [])]
    path = folder / "driftwatch.toml"
    path.write_text("\n".join([*lines, ""]), encoding="utf-8")
    path.chmod(0o600)
    return path


def _times(pace: Pace) -> tuple[tuple[str, float], ...]:
    return ("default", pace.interval), ("floor", pace.floor), ("ceiling", pace.ceiling)


@dataclass
class Servers:
    """The process of all servers."""

    process: asyncio.subprocess.Process
    urls: dict[str, str]

    @classmethod
    async def start(cls, run: Path) -> Servers:
        """Start them, and wait until they listen."""
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "benchmarks.soak.servers", str(run)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env=environment(),
            limit=2**24,
        )
        if process.stdout is None:
            raise RuntimeError("the servers have no output")
        return cls(process, json.loads(await process.stdout.readline()))

    def go(self) -> None:
        """Let them begin with their deeds."""
        if self.process.stdin is not None:
            self.process.stdin.write(b"go\n")

    async def end(self) -> None:
        """Let them write down what they know, and end."""
        if self.process.stdin is not None:
            self.process.stdin.close()
        await self.process.wait()


@dataclass
class Daemon:
    """The real daemon, in a process of its own."""

    config: Path
    lives: int = 0
    process: asyncio.subprocess.Process | None = field(default=None)

    async def start(self) -> None:
        """Start it; its log goes on in the same file."""
        with (self.config.parent / "daemon.log").open("ab") as log:
            self.process = await asyncio.create_subprocess_exec(
                *command(self.config, "run"), stdout=log, stderr=log, env=environment()
            )
        self.lives += 1

    @property
    def pid(self) -> tuple[int, int]:
        """The number of the process, and how often it was started."""
        return (self.process.pid if self.process else 0), self.lives

    async def kill(self) -> None:
        """End it as if the machine had lost it."""
        if self.process is not None:
            self.process.kill()
            await self.process.wait()

    async def stop(self) -> tuple[float, int]:
        """Ask it to end; gives the seconds that it took, and its exit code."""
        if self.process is None:
            return 0.0, 0
        began = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        try:
            code = await asyncio.wait_for(self.process.wait(), _PATIENCE)
        except TimeoutError:
            await self.kill()
            code = -int(signal.SIGKILL)
        return time.monotonic() - began, code


def command(config: Path, *words: str) -> tuple[str, ...]:
    """Give the command line of driftwatch."""
    return (sys.executable, "-m", "driftwatch", "--config", str(config), *words)


async def asked(config: Path, *words: str) -> int:
    """Run a command; gives its exit code. What it printed stands beside the configuration."""
    with (config.parent / "commands.log").open("ab") as log:
        process = await asyncio.create_subprocess_exec(
            *command(config, *words), stdout=log, stderr=log, env=environment()
        )
        return await process.wait()


def approve_all(config: Path) -> int:
    """Approve what each server shows; gives of how many that failed."""
    settings = load(config, environment())
    failed = 0
    with World.open(settings) as world:
        by = Actor("soak", "benchmark")
        for server in settings.servers:
            try:
                approve(world.store, settings, server.name, digest=None, by=by, note="", now=utc_now())
            except DriftwatchError:
                failed += 1
    return failed
