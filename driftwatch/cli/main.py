"""The entry point: run a command, turn every ending into an exit code."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Sequence

from driftwatch.cli.app import Call, command
from driftwatch.cli.ending import TerminatedError
from driftwatch.cli.exits import ExitCode
from driftwatch.cli.terminal import PipeClosedError, safe_lines
from driftwatch.errors import DriftwatchError


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and give its exit code. `argv` is without the program's name; default: the process's own."""
    args = list(sys.argv[1:] if argv is None else argv)
    _survive_any_text()
    try:
        return int(_run(args))
    except PipeClosedError:
        _silence_stdout()
        return int(ExitCode.PIPE)


def _run(args: list[str]) -> int:
    """Run the command; only a closed pipe leaves as an exception."""
    call = Call()
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
    except DriftwatchError as error:
        _complain(error.message, error.hint, debug=call.debug)
        return error.exit_code
    except Exception as error:  # noqa: BLE001 — the top-level handler: a bug must not read as "drift found" (1)
        _complain(f"driftwatch itself failed: {type(error).__name__}: {error}", _BUG_HINT, debug=call.debug)
        return ExitCode.BUG
    return ExitCode.OK


_BUG_HINT = "This is an error in driftwatch. Run again with --debug for the details, and report them."


def _complain(message: str, hint: str, *, debug: bool) -> None:
    """Say what went wrong on stderr: message, hint, and the traceback only for `--debug`."""
    if debug:
        traceback.print_exc(file=sys.stderr)
    print(f"error: {safe_lines(message)}", file=sys.stderr)
    if hint:
        print(f"  {safe_lines(hint)}", file=sys.stderr)


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
