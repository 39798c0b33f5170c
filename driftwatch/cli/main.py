"""The entry point: run a command, turn every ending into an exit code."""

from __future__ import annotations

import errno
import os
import sys
import traceback
from collections.abc import Callable, Sequence
from datetime import datetime

from typer.completion import completion_init  # type: ignore[attr-defined]

from driftwatch.cli.app import ASKED_BY_A_SHELL, Call, command
from driftwatch.cli.ending import TerminatedError
from driftwatch.cli.exits import ExitCode
from driftwatch.cli.moments import wall_clock
from driftwatch.cli.terminal import PipeClosedError, unwritable, warn
from driftwatch.errors import DriftwatchError, UnwritableOutputError
from driftwatch.judge.text.visible import visible


def main(argv: Sequence[str] | None = None, *, clock: Callable[[], datetime] = wall_clock) -> int:
    """Run one command and give its exit code. `argv` is without the program's name; default: the process's own.

    `clock` gives the time, in UTC, to all that the command does.
    """
    args = list(sys.argv[1:] if argv is None else argv)
    _survive_any_text()
    try:
        code = int(_run(args, clock))
        sys.stdout.flush()
    except (PipeClosedError, BrokenPipeError):
        _silence_stdout()
        return int(ExitCode.PIPE)
    except OSError as error:
        return _failed(unwritable(error), debug=False)
    return code


def _run(args: list[str], clock: Callable[[], datetime]) -> int:
    """Run the command; only a closed pipe leaves as an exception."""
    call = Call(clock=clock)
    if ASKED_BY_A_SHELL in os.environ:
        completion_init()
    try:
        command().main(args, prog_name="driftwatch", obj=call)
    except SystemExit as ending:
        return ending.code if isinstance(ending.code, int) else ExitCode.OK
    except KeyboardInterrupt:
        return ExitCode.INTERRUPTED
    except TerminatedError:
        return ExitCode.TERMINATED
    except PipeClosedError:
        raise
    except Exception as error:  # noqa: BLE001 — the top-level handler: a bug must not read as "drift found" (1)
        return _failed(error, debug=call.debug)
    return ExitCode.OK


_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO})
"""What writing to a stream that takes no more ends with."""

_BUG_HINT = "This is an error in driftwatch. Run again with --debug for the details, and report them."


def _failed(error: Exception, *, debug: bool) -> int:
    """Say what went wrong, and give what to end with."""
    if isinstance(error, OSError) and error.filename is None and error.errno in _NO_ROOM:
        error = unwritable(error)  # a library printed past our terminal
    if isinstance(error, DriftwatchError):
        _complain(error.message, error.hint, debug=debug)
    else:
        _complain(f"driftwatch itself failed: {type(error).__name__}: {error}", _BUG_HINT, debug=debug)
    if isinstance(error, UnwritableOutputError):
        _silence_stdout()
    return error.exit_code if isinstance(error, DriftwatchError) else ExitCode.BUG


def _complain(message: str, hint: str, *, debug: bool) -> None:
    """Say what went wrong on stderr: message, hint, and the traceback only for `--debug`."""
    if debug:
        # Its words can be a server's.
        sys.stderr.write(visible(traceback.format_exc(), multiline=True))
    warn(f"error: {message}")
    if hint:
        warn(f"  {hint}")


def _survive_any_text() -> None:
    """Let no output fail for want of a character: a terminal in the C locale shows escapes instead."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def _silence_stdout() -> None:
    """Send what is still buffered nowhere, or the interpreter complains about the closed pipe when it ends."""
    devnull = os.open(os.devnull, os.O_WRONLY)
    os.dup2(devnull, sys.stdout.fileno())
    os.close(devnull)
