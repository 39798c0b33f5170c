"""Servers for a wrapped session, each with one habit: `python programs.py HABIT [ARGUMENT …]`."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

IN, OUT, ERR = 0, 1, 2


def write(data: bytes, to: int = OUT) -> None:
    while data:
        data = data[os.write(to, data) :]


def read_all() -> bytes:
    return b"".join(iter(lambda: os.read(IN, 1 << 16), b""))


def ends(code: str) -> None:
    write(b"before the end\n")
    write(b"a last word", ERR)
    os._exit(int(code))


def dies(name: str) -> None:
    write(b"half a mess")
    signal.signal(getattr(signal, name), signal.SIG_DFL) if name != "SIGKILL" else None
    os.kill(os.getpid(), getattr(signal, name))
    time.sleep(30)


def waits() -> None:
    """Say that it is ready, and wait for a signal as if it knew none."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    write(b"ready\n")
    time.sleep(30)


def winds_down() -> None:
    """End in good order on SIGTERM and SIGINT."""

    def end(number: int, _: object) -> None:
        write(f"asked to end by {number}\n".encode())
        os._exit(7)

    for one in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(one, end)
    write(b"ready\n")
    time.sleep(30)


def echoes() -> None:
    while chunk := os.read(IN, 1 << 16):
        write(chunk)
    write(b"<end of input>")
    os._exit(3)


def floods(size: str) -> None:
    """Write without being asked, and without reading."""
    block = bytes(range(256)) * 256
    for _ in range(int(size) // len(block)):
        write(block)


def plays(out: str, kept: str) -> None:
    """Write one recording while another one is read."""
    threading.Thread(target=lambda: Path(kept).write_bytes(read_all())).start()
    data = Path(out).read_bytes()
    at, step = 0, 1
    while at < len(data):
        write(data[at : at + step])
        at, step = at + step, (step * 7 + 13) % 200_003


def closes_output() -> None:
    """Close standard output and live on."""
    write(b"the last of it\n")
    os.close(OUT)
    write(f"{len(read_all())} bytes more were read".encode(), ERR)
    os._exit(5)


def closes_input() -> None:
    """Close standard input and live on."""
    os.close(IN)
    write(b"closed\n")
    time.sleep(0.3)
    write(b"still here\n")


def leaves_a_child() -> None:
    """End, and leave a child that holds standard output and writes to it later."""
    late = "import os, time; time.sleep(0.3); os.write(1, b'from the child')"
    subprocess.Popen([sys.executable, "-IS", "-c", late], stdin=subprocess.DEVNULL)
    write(b"from the parent, ")
    os._exit(0)


def writes_on() -> None:
    """Write until nobody reads any more, and die of that as programs do."""
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    while True:
        write(b"more\n")
        time.sleep(0.01)


def notes_the_end(path: str) -> None:
    """Read until the host is gone, and note it."""
    write(b"ready\n")
    size = len(read_all())
    try:
        signal.signal(signal.SIGPIPE, signal.SIG_IGN)
        time.sleep(0.1)
        write(b"is anybody there?")
        heard = "yes"
    except OSError as error:
        heard = errno.errorcode[error.errno or 0]
    place = Path(path)
    place.with_suffix(".part").write_text(f"{size} bytes, then the end; heard: {heard}")
    place.with_suffix(".part").rename(place)


def reports(*arguments: str) -> None:
    """Say what it was started with."""
    found = {
        "descriptors": sorted(int(name) for name in os.listdir("/proc/self/fd") if _is_open(int(name))),
        "environment": {name: value for name, value in os.environ.items() if name != "_"},
        "folder": os.getcwd(),
        "arguments": arguments,
        "group": os.getpgrp() == os.getppid() or os.getpgrp() == os.getpid(),
        "leads": os.getsid(0) == os.getpid(),
        "children": Path(f"/proc/self/task/{os.getpid()}/children").read_text(),
        "nice": os.nice(0),
    }
    write(json.dumps(found, sort_keys=True).encode())


def _is_open(descriptor: int) -> bool:
    with contextlib.suppress(OSError):
        os.fstat(descriptor)
        return True
    return False


HABITS: dict[str, Callable[..., None]] = {
    one.__name__: one
    for one in (
        closes_input,
        closes_output,
        dies,
        echoes,
        ends,
        floods,
        leaves_a_child,
        notes_the_end,
        plays,
        reports,
        waits,
        winds_down,
        writes_on,
    )
}

if __name__ == "__main__":
    HABITS[sys.argv[1]](*sys.argv[2:])
