"""How a zygote is asked for a program: a message with descriptors on a connection that lasts as long as the program.

The answer is the program's process id, and at its end its exit code (negative: the signal that ended it). Whoever lets
go of the connection before kills the program. Run by itself (`asking.py SOCKET -m driftwatch …`), this file stands for
the program where only a command line can be given; it loads little, so that standing costs little.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
from collections.abc import Mapping, Sequence


def ask(
    path: str, command: Sequence[str], *, environ: Mapping[str, str], cwd: str, streams: Sequence[int], leads: bool
) -> tuple[socket.socket, int]:
    """Ask for a program; gives the connection and the process id.

    `command` is the interpreter and what follows it, `streams` are its standard input, output and error, and with
    `leads` it leads a session of its own.
    """
    said = json.dumps([list(command), dict(environ), cwd, leads]).encode("ascii")
    connection = socket.socket(socket.AF_UNIX)
    try:
        connection.connect(path)
        socket.send_fds(connection, [len(said).to_bytes(8, "big")], list(streams))
        connection.sendall(said)
        return connection, number(connection)
    except BaseException:
        connection.close()
        raise


def number(connection: socket.socket) -> int:
    """Read one number of an answer.

    Raises:
        EOFError: the zygote is no more.

    """
    return int.from_bytes(exactly(connection, 8), "big", signed=True)


def exactly(connection: socket.socket, size: int) -> bytes:
    """Read so many bytes.

    Raises:
        EOFError: they do not come.

    """
    read = bytearray()
    while len(read) < size:
        part = connection.recv(size - len(read))
        if not part:
            raise EOFError("the other end of a zygote's connection is gone")
        read += part
    return bytes(read)


def _stand() -> int:
    path, *command = sys.argv[1:]
    connection, _ = ask(
        path, [sys.executable, *command], environ=os.environ, cwd=os.getcwd(), streams=(0, 1, 2), leads=False
    )
    code = number(connection)
    if code < 0:
        signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    return code


if __name__ == "__main__":
    sys.exit(_stand())
