"""The short way in: a wrapped session begins before the rest of driftwatch is loaded, for which it would wait.

The standard library only, and as little of it as will do: see `pump`.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from driftwatch.config.wrapped import Wrapped

_COPYIST = """import _signal, os, sys, time
for one in (_signal.SIGHUP, _signal.SIGINT, _signal.SIGQUIT, _signal.SIGTERM):
    _signal.signal(one, _signal.SIG_IGN)
os.nice(10)
time.sleep(0.2)
sys.path[:] = {path!r}
from {module} import main
main(sys.argv[1:])
"""
"""What the copyist runs. It ends by the end of its input, as what carries the bytes does. The server has the first
moments to itself; what is said meanwhile waits in the pipe."""


def session(arguments: Sequence[str]) -> int | None:
    """Run a wrapped session, when these arguments say so; None when they are for the whole command line.

    Returns only when the server cannot be started: the exit code.
    """
    from driftwatch.config.wrapped import parsed  # noqa: PLC0415 - most commands need none of this

    wrapped = parsed(arguments)
    return None if wrapped is None or os.name != "posix" else run(wrapped)


def run(wrapped: Wrapped) -> int:
    """Become the server, with a witness beside it. Returns only when it cannot be started: the exit code."""
    from driftwatch.watch.witness.pump import become  # noqa: PLC0415

    return become(wrapped.command, copyist(wrapped), (wrapped.server, wrapped.host))


def copyist(wrapped: Wrapped, module: str = "driftwatch.watch.witness.copyist") -> tuple[str, ...]:
    """Give the command line of the copyist, which must find in any folder what is loaded here in this one.

    `module` is where its `main` is.

    It is isolated from the variables that a host sets for the server's own Python.
    """
    settings = os.path.abspath(wrapped.settings) if wrapped.settings else ""  # noqa: PTH100 - pathlib is slow to load
    program = _COPYIST.format(module=module, path=[os.path.abspath(place) for place in sys.path])  # noqa: PTH100
    return (sys.executable, "-I", "-c", program, wrapped.server, wrapped.host, settings)
