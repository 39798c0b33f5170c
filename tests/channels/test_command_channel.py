"""What a program as a channel does beyond the contract of every channel: how it is started, and how it ends."""

from __future__ import annotations

import asyncio
import os
import select
import signal
import sys
from pathlib import Path
from typing import Any

import pytest
from contracts.channel import PATIENCE
from contracts.programs import ARGUMENT, Installed, build_command, installed
from contracts.told import batched, delivery

from driftwatch.config.channels import CommandConfig
from driftwatch.config.secret import Secret
from driftwatch.model import SendResult, SendVerdict
from driftwatch.tell.channels.command import Command

# A child that outlives its parent, and says who it is once it runs.
CHILD = 'sh -c \'echo $$ > "$0/child.new"; mv "$0/child.new" "$0/child"; : > "$0/hangs"; exec sleep 60\' "$here"'


def config(command: str, **more: Any) -> CommandConfig:
    given = {"name": "ops", "kind": "command", "command": command, "timeout": PATIENCE, "max_attempts": 5}
    return CommandConfig(**(given | more))


async def send(command: CommandConfig, **more: Any) -> SendResult:
    async with asyncio.timeout(2 * PATIENCE):
        return await Command(command, **more).send(delivery())


class Child:
    """A process that a program started, and its end."""

    def __init__(self, there: Installed) -> None:
        self.pid = int((there.folder / "child").read_text())
        self._handle = os.pidfd_open(self.pid)

    def runs(self) -> bool:
        return not select.select([self._handle], [], [], 0)[0]

    async def ended(self) -> None:
        loop, over = asyncio.get_running_loop(), asyncio.Event()
        loop.add_reader(self._handle, over.set)
        async with asyncio.timeout(PATIENCE):
            await over.wait()
        loop.remove_reader(self._handle)
        os.close(self._handle)


@pytest.mark.parametrize("stubborn", ["", "trap '' TERM HUP INT; "], ids=["ends-when-asked", "has-to-be-killed"])
async def test_when_its_time_is_over_a_program_ends_with_all_that_it_started(stubborn: str) -> None:
    async with installed(f"{stubborn}{CHILD} & wait") as there:
        sending = asyncio.create_task(send(config(there.url, timeout=1.0)))
        await there.arrived()
        child = Child(there)
        assert child.runs()

        result = await sending

    assert (result.verdict, result.detail) == (SendVerdict.RETRY, "the program did not end in time")
    await child.ended()


async def test_when_a_send_is_cancelled_a_program_ends_with_all_that_it_started() -> None:
    async with installed(f"{CHILD} & wait") as there:
        sending = asyncio.create_task(send(config(there.url)))
        await there.arrived()
        child = Child(there)
        sending.cancel()

        with pytest.raises(asyncio.CancelledError):
            await sending

    await child.ended()


async def test_a_second_cancellation_does_not_spare_a_program_that_will_not_end() -> None:
    async with installed(f"trap '' TERM; {CHILD} & wait; wait; sleep 60") as there:
        sending = asyncio.create_task(send(config(there.url, timeout=60.0)))
        await there.arrived()
        child = Child(there)
        sending.cancel()
        await asyncio.sleep(0)
        sending.cancel()

        with pytest.raises(asyncio.CancelledError):
            await sending

    await child.ended()


async def test_what_a_program_leaves_running_holds_nothing_up_and_stays() -> None:
    # It holds the pipe that the message is in, and reads nothing of it.
    async with installed(f"exec 3<&0; {CHILD} & exit 0") as there:
        channel = build_command(there.url)
        sending = asyncio.create_task(channel.send(batched(500)))
        await there.arrived()
        async with asyncio.timeout(PATIENCE):
            result = await sending
        child = Child(there)
        still = child.runs()
        os.kill(child.pid, signal.SIGKILL)
        await child.ended()

    assert (result.verdict, result.detail) == (SendVerdict.DONE, "exit 0")
    assert still


# A process that sends one message by a program, as a daemon does.
SENDER = """
import asyncio, sys
from driftwatch.tell.channels.program import run
asyncio.run(run([sys.argv[1]], given=b"", environment={"PATH": "/usr/bin:/bin"}, timeout=60))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="no other system ends a program with its parent")
@pytest.mark.parametrize("way", ["", "trap '' TERM HUP INT; "], ids=["plain", "stubborn"])
async def test_a_program_is_killed_when_driftwatch_is(way: str) -> None:
    itself = 'echo $$ > "$here/child"; : > "$here/hangs"; while :; do sleep 1; done'
    async with installed(f"{way}{itself}") as there:
        sender = await asyncio.create_subprocess_exec(sys.executable, "-c", SENDER, there.url)
        await there.arrived()
        child = Child(there)
        runs = child.runs()

        sender.kill()

        await child.ended()
        await sender.wait()
    assert runs


async def test_a_program_has_the_signals_that_programs_expect(tmp_path: Path) -> None:
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ngrep SigIgn /proc/self/status > {tmp_path}/ignored\n")
    program.chmod(0o755)

    await send(config(str(program)))

    ignored = int((tmp_path / "ignored").read_text().split()[1], 16)
    assert not ignored & (1 << signal.SIGPIPE - 1 | 1 << signal.SIGXFSZ - 1)


async def test_a_program_runs_where_it_is_told_to(tmp_path: Path) -> None:
    async with installed() as there:
        result = await send(config(there.url, cwd=str(tmp_path), args=(ARGUMENT,)))

    assert result.verdict is SendVerdict.DONE
    assert there.requests[0].folder == str(tmp_path)


async def test_a_program_is_looked_up_on_the_path_that_it_is_given() -> None:
    async with installed() as there:
        result = await send(config("program", env={"PATH": Secret(f"{there.folder}:/usr/bin:/bin")}))

    # Found there, and it does not know its own folder: it was called by its name alone.
    assert result.verdict is SendVerdict.DONE
    assert there.requests[0].argument == ""


async def test_of_our_own_environment_a_program_gets_what_it_needs_and_nothing_else() -> None:
    ours = {"PATH": os.environ["PATH"], "HOME": "/nowhere", "AWS_SECRET_ACCESS_KEY": "x", "LD_PRELOAD": "", "LANG": "C"}
    async with installed() as there:
        await send(config(there.url), environ=ours)

    got = there.requests[0].environment
    assert (got["HOME"], got["LANG"]) == ("/nowhere", "C.UTF-8")
    assert set(got) - {"PWD", "SHLVL", "_"} == {"PATH", "HOME", "LANG", "DRIFTWATCH_MESSAGE_ID", "DRIFTWATCH_EVENT"}


@pytest.mark.parametrize(
    ("content", "mode", "why"),
    [
        (None, 0o755, "it is not there, or what its first line names is not"),
        ("#!/nowhere/interpreter\n", 0o755, "it is not there, or what its first line names is not"),
        ("#!/bin/sh\n", 0o644, "it may not be executed"),
        ("neither a script nor a program", 0o755, "it is no program that this machine can run"),
    ],
    ids=["missing", "no-interpreter", "not-executable", "no-program"],
)
async def test_a_program_that_cannot_be_started_is_tried_again_with_the_reason(
    content: str | None, mode: int, why: str, tmp_path: Path
) -> None:
    program = tmp_path / "secret-in-the-path"
    if content is not None:
        program.write_text(content)
        program.chmod(mode)

    result = await send(config(str(program)))

    assert (result.verdict, result.detail) == (SendVerdict.RETRY, f"the program cannot be started: {why}")


async def test_a_folder_that_is_gone_is_said_to_be(tmp_path: Path) -> None:
    async with installed() as there:
        result = await send(config(there.url, cwd=str(tmp_path / "gone")))

    assert result.verdict is SendVerdict.RETRY
    assert result.detail == "the program cannot be started: its folder is not there, or may not be entered"


async def test_no_descriptor_is_left_open() -> None:
    before = len(os.listdir("/proc/self/fd"))
    async with installed("exit 0", "exit 1", "kill -KILL $$", "exec <&-; exit 2") as there:
        for _ in range(4):
            await send(config(there.url))
        await asyncio.sleep(0)
        after = len(os.listdir("/proc/self/fd"))

    # The loop itself may have opened some for its watch over processes.
    assert after <= before + 2
