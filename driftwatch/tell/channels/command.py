"""A program on this machine: the message as JSON on its standard input, its exit code as the answer. No shell.

- 0: done.
- 65 (`EX_DATAERR` of sysexits.h): stop; the program says that it will never take this message.
- Any other code, a signal, or a program that cannot be started: again. It may be being installed.

Its output is thrown away. It gets `PATH`, `HOME`, `LANG=C.UTF-8`, `DRIFTWATCH_MESSAGE_ID` and `DRIFTWATCH_EVENT`, and
what the configuration names.
"""

from __future__ import annotations

import errno
import os
import signal
from collections.abc import Mapping
from typing import Final

from driftwatch.config.channels import CommandConfig
from driftwatch.model import Delivery, SendResult, SendVerdict
from driftwatch.tell.channels.base import UNREADABLE, UNWRITABLE
from driftwatch.tell.channels.program import run, small_environment
from driftwatch.tell.payload import encode
from driftwatch.tell.words import event_of

_NEVER: Final = os.EX_DATAERR


class Command:
    """A channel that runs one program for each message."""

    def __init__(self, config: CommandConfig, *, environ: Mapping[str, str] = os.environ) -> None:
        """Take the channel's configuration, and the environment that a program may inherit from."""
        self.name = config.name
        self.max_attempts = config.max_attempts
        self._config = config
        self._environ = environ

    def __repr__(self) -> str:
        """Name the channel and nothing that could be a secret."""
        return f"<Command {self.name}>"

    async def send(self, delivery: Delivery) -> SendResult:
        """Run the program with one delivery."""
        try:
            content = encode(delivery.payload)
            event = event_of(delivery.payload)
        except UNREADABLE:
            return UNWRITABLE
        config = self._config
        try:
            code, _ = await run(
                [config.command, *config.args],
                given=content,
                environment=self._environment(delivery.id, event),
                timeout=config.timeout,
                cwd=config.cwd,
            )
        except TimeoutError:
            return SendResult(SendVerdict.RETRY, "the program did not end in time")
        except (OSError, ValueError) as error:
            return SendResult(SendVerdict.RETRY, _why_not(error, config.cwd))
        return _result(code)

    async def aclose(self) -> None:
        """Hold nothing: a program lives no longer than an attempt."""

    def _environment(self, message_id: str, event: str) -> dict[str, str]:
        configured = {name: value.reveal() for name, value in self._config.env.items()}
        ours = {"DRIFTWATCH_MESSAGE_ID": message_id, "DRIFTWATCH_EVENT": event}
        return small_environment(self._environ, {**configured, **ours})


def _result(code: int) -> SendResult:
    if code == 0:
        return SendResult(SendVerdict.DONE, "exit 0")
    if code == _NEVER:
        return SendResult(SendVerdict.STOP, f"exit {code}: the program will never take this message")
    if code < 0:
        return SendResult(SendVerdict.RETRY, f"the program was ended by {_named(-code)}")
    return SendResult(SendVerdict.RETRY, f"exit {code}")


def _named(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _why_not(error: OSError | ValueError, cwd: str | None) -> str:
    """Say why a program could not be started; the error's own words can hold its path, and a secret in that."""
    if isinstance(error, ValueError):
        return "the program cannot be started: its command line cannot be passed on"
    if cwd is not None and error.filename == cwd:
        return "the program cannot be started: its folder is not there, or may not be entered"
    return "the program cannot be started: " + {
        errno.ENOENT: "it is not there, or what its first line names is not",
        errno.EACCES: "it may not be executed",
        errno.ENOEXEC: "it is no program that this machine can run",
        errno.E2BIG: "its arguments are too long",
    }.get(error.errno or 0, "the system refuses")
