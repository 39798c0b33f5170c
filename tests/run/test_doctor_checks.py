"""Single checks of the doctor whose faults are not made real here: a full disk, a clock that is set while it looks."""

from __future__ import annotations

import os
import threading
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from driftwatch.config.policy import UNCHECKED
from driftwatch.config.schema import Settings
from driftwatch.run import doctor_clock, doctor_database, doctor_servers
from driftwatch.run.doctor_files import read_within
from driftwatch.run.doctor_lines import Area, Check, Line, State, Sure, aside, kept
from driftwatch.run.doctor_web import web
from tests.fakes import FrozenClock


async def test_what_hangs_or_fails_is_a_line_and_hides_nothing_else() -> None:
    never, release = threading.Event(), threading.Event()

    def hang() -> list[Line]:
        never.wait()
        return []

    def fail() -> list[Line]:
        raise ZeroDivisionError

    def refuse() -> list[Line]:
        raise PermissionError(13, "Permission denied")

    def well() -> list[Line]:
        release.set()
        return [Line(Area.CLOCK, "x", "", State.OK, "fine")]

    checks: list[Callable[[], Awaitable[list[Line]]]] = [aside(hang), aside(fail), aside(refuse), aside(well)]
    came = [await kept(Check(Area.DATABASE, "pages", "", work, 0.05)) for work in checks[:1]]
    came += [await kept(Check(Area.DATABASE, "pages", "", work, 20.0)) for work in checks[1:]]
    never.set()

    assert [lines[0].state for lines in came] == [State.UNKNOWN, State.UNKNOWN, State.UNKNOWN, State.OK]
    assert "no answer within 0.05 s" in came[0][0].what
    assert "ZeroDivisionError" in came[1][0].what
    assert "Permission denied" in came[2][0].what
    assert all(lines[0].sure is Sure.NOT_KNOWN for lines in came[:3])


@pytest.mark.parametrize(
    ("free", "size", "state"),
    [
        (2**20, 2**20, State.PROBLEM),
        (2**30, 2**30, State.WARNING),
        (2**40, 2**20, State.OK),
    ],
)
def test_free_room_is_held_against_the_size_of_the_database(free: int, size: int, state: State) -> None:
    line = doctor_database.room(free, size)

    assert line.state is state
    assert bool(line.do) is (state is not State.OK)


def test_a_disk_of_another_machine_is_named() -> None:
    mounts = "/dev/sda1 / ext4 rw 0 0\nserver:/data /srv/data nfs4 rw 0 0\n"

    here = list(doctor_database.remote(Path("/var/lib/driftwatch.db"), mounts))
    (there,) = doctor_database.remote(Path("/srv/data/driftwatch.db"), mounts)

    assert here == []
    assert (there.state, "nfs4" in there.what) == (State.PROBLEM, True)


def test_a_clock_that_is_set_while_it_is_looked_at_is_seen() -> None:
    clock, passed = FrozenClock(), [100.0]
    watch = doctor_clock.Watch(clock, lambda: passed[0])
    clock.forward(3603.0)
    passed[0] += 3.0

    (line,) = watch.jump()

    assert (line.state, line.what) == (State.PROBLEM, "the clock was set forward by 1 h within 3 s")


@pytest.mark.parametrize(
    ("offsets", "state", "sure", "what"),
    [
        ({}, State.UNKNOWN, Sure.NOT_KNOWN, "not known"),
        ({"a": 0.4, "b": -1.0}, State.OK, Sure.LIKELY, "agrees with what 2 of 2 hosts said"),
        ({"a": 0.4, "b": 0.0, "evil": 1e9}, State.OK, Sure.LIKELY, "evil says something else"),
        ({"a": 3600.0, "b": 3601.0}, State.PROBLEM, Sure.LIKELY, "behind by 1 h"),
        ({"a": -3600.0}, State.WARNING, Sure.NOT_KNOWN, "ahead by 1 h"),
    ],
)
def test_what_servers_say_of_the_time_is_believed_when_they_agree(
    offsets: dict[str, float], state: State, sure: Sure, what: str
) -> None:
    (line,) = doctor_clock.against(offsets)

    assert (line.state, line.sure) == (state, sure)
    assert what in line.what


@pytest.mark.parametrize("header", ["", "now", "Sun, 99 Foo 2026", "x" * 10_000, "Sun, 01 Mar 99999 03:00:00 GMT"])
def test_a_date_that_is_none_says_nothing(header: str) -> None:
    watch = doctor_clock.Watch(FrozenClock())

    watch.dated("mcp.example.com:443", "notes", header)

    assert watch.offsets == {}


def test_files_that_are_dated_otherwise_are_seen(tmp_path: Path) -> None:
    settings = Settings(database_url=f"sqlite:///{tmp_path / 'driftwatch.db'}")

    (right,) = doctor_clock.file_system(settings, clock=lambda: datetime.now(UTC))
    (wrong,) = doctor_clock.file_system(settings, clock=lambda: datetime.now(UTC) - timedelta(hours=3))

    assert right.state is State.OK
    assert (wrong.state, "3 h later" in wrong.what) == (State.WARNING, True)


def test_many_servers_in_the_same_sandbox_are_one_line() -> None:
    one = Line(Area.SANDBOX, "sandbox", "s0", State.OK, "it runs in bubblewrap")

    (line,) = doctor_servers.grouped(replace(one, subject=f"s{number}") for number in range(500))

    assert line.subject == "s0, s1, s2, s3, … (500 servers)"


def test_pages_that_nobody_serves_are_not_looked_at() -> None:
    assert list(web(Settings(), 5.0, now=datetime.now(UTC))) == []


async def test_a_configuration_that_cannot_be_read_in_time_is_a_line(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "driftwatch.toml")

    found = await read_within(0.2, tmp_path / "driftwatch.toml", {}, UNCHECKED, now=datetime.now(UTC))
    (tmp_path / "driftwatch.toml").open("w", encoding="utf-8").close()  # who waits for it goes on

    assert found.settings is None
    assert "could not be read within 0.2 s" in found.lines[0].what


async def test_hosts_that_say_the_time_are_named_as_the_configuration_names_their_servers() -> None:
    watch = doctor_clock.Watch(FrozenClock())
    watch.dated("a.example:443", "notes", "Sun, 01 Mar 2026 03:00:00 GMT")
    watch.dated("a.example:443", "files", "Sun, 01 Mar 2026 03:00:01 GMT")
    watch.dated("b.example:443", "mail", "Sun, 01 Mar 2026 07:00:00 GMT")

    assert watch.offsets == {"notes": 1.0, "mail": 14_400.0}
