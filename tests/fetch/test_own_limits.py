"""What is used up on our own side fails a look by a code of its own: no server is blamed, and the next look works."""

from __future__ import annotations

import errno
import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest
from fetch_world import listed, local, look, names, remote
from servers.over_http import HttpServer

from driftwatch.model import Unreachable
from driftwatch.watch.fetch.failures import of_connection, of_exception

FILES = Unreachable("own-limit", "driftwatch may open no more files at once: the server was not asked")
PROCESSES = "this machine, or the user that driftwatch runs as, may start no more processes: the server was not asked"

NO_FORK = """
import asyncio, os, resource, sys
from fetch_world import local, look
assert asyncio.run(look(local())).document["tools"]  # Everything is loaded before it becomes nobody's process.
if os.getuid() == 0:
    os.setgroups([])
    os.setresuid(65534, 65534, 65534)  # Nothing limits the processes of root.
soft, hard = resource.getrlimit(resource.RLIMIT_NPROC)
resource.setrlimit(resource.RLIMIT_NPROC, (0, hard))
failed = asyncio.run(look(local()))
print(failed.code, failed.detail, sep="|")
"""


@contextmanager
def no_more_files() -> Iterator[None]:
    """Let this process open no further file."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    free = os.open(os.devnull, os.O_RDONLY)
    os.close(free)
    resource.setrlimit(resource.RLIMIT_NOFILE, (free, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


async def test_a_server_is_not_blamed_where_we_may_open_no_more_files_and_the_next_look_works() -> None:
    async with HttpServer("honest", "none") as server:
        far, near = remote(server.url), local()
        with no_more_files():
            failed = [await look(far), await look(near)]

        assert failed == [FILES, FILES]
        assert names(await listed(far)) == names(await listed(near)) == ["read", "write"]


def test_a_server_is_not_blamed_where_no_process_can_be_started() -> None:
    here = Path(__file__).parent
    path = os.pathsep.join(map(str, (here, here.parent, here.parents[1])))

    done = subprocess.run(
        [sys.executable, "-c", NO_FORK],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )

    assert (done.stdout.strip(), done.stderr) == (f"own-limit|{PROCESSES}", "")


@pytest.mark.parametrize("number", [errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOBUFS])
def test_wherever_it_comes_from_what_is_used_up_has_its_own_code(number: int) -> None:
    error = OSError(number, os.strerror(number))
    wrapped = httpx2.ConnectError("no connection")
    wrapped.__cause__ = error

    found = {of_exception(error, phase="x").code, of_connection(wrapped, phase="x").code}

    assert found == {"own-limit"}


def test_a_thread_that_cannot_be_started_is_a_limit_of_ours_and_another_error_is_not() -> None:
    assert of_exception(RuntimeError("can't start new thread"), phase="x") == Unreachable("own-limit", PROCESSES)
    assert of_exception(BlockingIOError(errno.EAGAIN, "again"), phase="x").code == "internal"
