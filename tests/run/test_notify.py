"""What the service manager is told, over a real socket of the kind that systemd listens at."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from driftwatch.config.schema import Settings
from driftwatch.config.web import WebConfig
from driftwatch.run.daemon import run
from driftwatch.run.notify import Notify
from driftwatch.run.watchdog import keep_telling

OWN = str(os.getpid())

PATIENT = 0.5
"""Seconds between two signs of life, where a thread is waited for: it may take a while to start on a busy machine."""


class Manager:
    """The receiving end: every message, as its lines."""

    def __init__(self, place: str) -> None:
        self.place = place
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(place.replace("@", "\0", 1) if place.startswith("@") else place)
        self._socket.setblocking(False)

    def close(self) -> None:
        self._socket.close()

    async def message(self) -> list[str]:
        async with asyncio.timeout(20):
            said = await asyncio.get_running_loop().sock_recv(self._socket, 4096)
        return said.decode().split("\n")

    async def until(self, line: str) -> list[str]:
        while line not in (said := await self.message()):
            pass
        return said


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[Manager]:
    made = Manager(str(tmp_path / "notify"))
    yield made
    made.close()


def settings(folder: Path) -> Settings:
    return Settings(database_url=f"sqlite:///{folder / 'driftwatch.db'}", web=WebConfig(enabled=False))


async def turns() -> None:
    """Turn at once."""


async def hangs() -> None:
    await asyncio.Event().wait()


async def breaks() -> None:
    message = "the scheduler is gone"
    raise RuntimeError(message)


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({}, Notify()),
        ({"NOTIFY_SOCKET": "vsock:2:1234"}, Notify()),
        ({"NOTIFY_SOCKET": "/run/n"}, Notify("/run/n")),
        ({"NOTIFY_SOCKET": "/run/n", "WATCHDOG_USEC": "120000000"}, Notify("/run/n", 30.0)),
        ({"NOTIFY_SOCKET": "/run/n", "WATCHDOG_USEC": "8000000", "WATCHDOG_PID": OWN}, Notify("/run/n", 2.0)),
        ({"NOTIFY_SOCKET": "/run/n", "WATCHDOG_USEC": "8000000", "WATCHDOG_PID": "1"}, Notify("/run/n")),
        ({"NOTIFY_SOCKET": "/run/n", "WATCHDOG_USEC": "soon"}, Notify("/run/n")),
        ({"NOTIFY_SOCKET": "/run/n", "WATCHDOG_USEC": "0"}, Notify("/run/n")),
    ],
)  # fmt: skip
def test_whom_to_tell_and_how_often_is_read_from_the_environment(environ: dict[str, str], expected: Notify) -> None:
    assert Notify.of(environ) == expected


async def test_a_status_is_one_line_whatever_it_holds(manager: Manager) -> None:
    Notify(manager.place).say("all\nREADY=1\r\nis well")

    assert await manager.message() == ["STATUS=all READY=1 is well"]


async def test_a_name_in_the_abstract_name_space_is_told_too() -> None:
    manager = Manager(f"@driftwatch-test-{os.getpid()}")

    Notify(manager.place).ready("watching")

    assert await manager.message() == ["READY=1", "STATUS=watching"]
    manager.close()


async def test_a_reload_is_told_with_its_moment_and_ends_ready_however_it_went(manager: Manager) -> None:
    notify = Notify(manager.place, monotonic=lambda: 4711)

    with pytest.raises(ValueError, match="invalid literal"), notify.reloading(lambda: "kept as it was"):
        int("no number")

    assert (await manager.message())[:2] == ["RELOADING=1", "MONOTONIC_USEC=4711"]
    assert await manager.message() == ["READY=1", "STATUS=kept as it was"]


def test_a_service_manager_that_is_gone_ends_nothing(tmp_path: Path) -> None:
    Notify(str(tmp_path / "nobody")).ready("watching")


async def test_signs_of_life_are_given_while_everything_turns(manager: Manager) -> None:
    telling = asyncio.create_task(
        keep_telling(Notify(manager.place, PATIENT), {"scheduler": turns, "delivery": turns}, lambda: "all is well")
    )

    for _ in range(2):
        assert await manager.message() == ["WATCHDOG=1", "STATUS=all is well"]

    telling.cancel()


@pytest.mark.parametrize("broken", [hangs, breaks])
async def test_no_sign_of_life_is_given_while_a_part_hangs_and_the_part_is_named(
    manager: Manager, broken: object
) -> None:
    telling = asyncio.create_task(
        keep_telling(Notify(manager.place, 0.01), {"scheduler": turns, "delivery": broken}, lambda: "all is well")  # type: ignore[dict-item]
    )

    for _ in range(2):
        assert await manager.message() == ["STATUS=hanging: delivery"]

    telling.cancel()


async def test_a_line_that_cannot_be_had_keeps_no_sign_of_life_back(manager: Manager) -> None:
    def fails() -> str:
        raise OSError(5, "disk")

    telling = asyncio.create_task(keep_telling(Notify(manager.place, PATIENT), {}, fails))

    assert await manager.message() == ["WATCHDOG=1", "STATUS=watching; how it goes cannot be told: OSError"]
    telling.cancel()


async def test_a_daemon_says_when_it_watches_lives_is_told_to_reload_and_ends(tmp_path: Path, manager: Manager) -> None:
    daemon = asyncio.create_task(run(settings(tmp_path), notify=Notify(manager.place, PATIENT)))

    assert await manager.message() == ["READY=1", "STATUS=watching 0 servers"]
    assert await manager.message() == ["WATCHDOG=1", "STATUS=watching 0 servers: every server is looked at on time"]
    os.kill(os.getpid(), signal.SIGHUP)
    await manager.until("RELOADING=1")
    await manager.until("READY=1")
    await manager.until("WATCHDOG=1")
    os.kill(os.getpid(), signal.SIGTERM)
    await manager.until("STOPPING=1")
    assert await daemon == 0
