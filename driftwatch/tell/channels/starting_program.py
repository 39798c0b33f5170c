"""The program that other programs are started by, where the system can see to it that they do not outlive driftwatch.

Its arguments: the number of the process that started it, a descriptor to report on, and a command line. It asks the
kernel to be killed when whoever started it ends (`PR_SET_PDEATHSIG` of prctl(2), which an `exec` keeps unless the
program gains privileges), and becomes that program. Where it cannot, it writes the error's number on the descriptor;
otherwise nothing is written. That it is killed when the *thread* that started it ends changes nothing: that is the
thread of the event loop.

It is a program of its own because nothing may be done between fork and exec in a process that has threads. It imports
nothing of driftwatch.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from typing import Final

_PR_SET_PDEATHSIG: Final = 1

_IGNORED_BY_PYTHON: Final = (signal.SIGPIPE, signal.SIGXFSZ)
"""What an `exec` would hand on as ignored."""


def main() -> None:
    """Become what the arguments name."""
    parent, report, *command = sys.argv[1:]
    os.set_inheritable(int(report), False)  # noqa: FBT003 - it takes no name
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, *map(ctypes.c_ulong, (signal.SIGKILL, 0, 0, 0)))
    if os.getppid() != int(parent):
        # It ended before the kernel knew of the wish.
        return
    for number in _IGNORED_BY_PYTHON:
        signal.signal(number, signal.SIG_DFL)
    try:
        os.execvp(command[0], command)  # noqa: S606 - no shell is meant to take part
    except OSError as error:
        os.write(int(report), str(error.errno).encode())


if __name__ == "__main__":
    main()
