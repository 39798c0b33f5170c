"""A server that means harm, in the sandbox: what it tries, and what comes of it. docs/sandbox.md has the same list."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from fetch_world import TIMES
from sandbox_world import HOSTILE, doing, kit_of, look, needs_bwrap, told
from servers import hostile

from driftwatch.config.secret import Secret
from driftwatch.model import Listed, Unreachable

pytestmark = needs_bwrap

MIB = 2**20


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    """Give a service on this machine's loopback."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server


async def test_a_canary_in_a_persons_home_and_driftwatchs_own_files_are_not_there(tmp_path: Path) -> None:
    home, own = tmp_path / "home" / "ann", tmp_path / "driftwatch"
    for file in (home / ".ssh" / "id_canary", home / "notes.txt", own / "watch.db", own / "driftwatch.toml"):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("canary")
    kit = kit_of(own / "watch.db.sandbox", own / "watch.db", own / "driftwatch.toml", HOME=str(home))
    wanted = [f"+{file}" for file in (home / ".ssh" / "id_canary", home / "notes.txt", *own.glob("*.*"))]

    found = told(await look(doing(hostile.reads, *wanted, "+/etc/shadow", "+/etc/ssl/private"), kit))

    assert len(found) == 6
    assert set(found.values()) == {"ENOENT"}


async def test_nothing_of_the_machine_is_there_but_the_system_and_the_program(tmp_path: Path) -> None:
    folders = told(await look(doing(hostile.lists, "+/", "+/home", "+/run", "+/home/sandbox"), kit_of(tmp_path)))

    top = set(folders["/"]) - {HOSTILE.parts[1], tmp_path.parts[1]}
    assert top <= {
        "bin",
        "dev",
        "etc",
        "home",
        "lib",
        "lib32",
        "lib64",
        "proc",
        "root",
        "run",
        "sbin",
        "tmp",
        "usr",
        "var",
    }
    assert folders["/home"] == ["sandbox"]
    assert folders["/run"] == folders["/home/sandbox"] == []


async def test_no_variable_is_there_but_the_few_and_those_that_are_configured(tmp_path: Path) -> None:
    server = doing(hostile.tells, "no", "canary-of-ours", env={"TOKEN": Secret("given-to-it")})

    found = told(await look(server, kit_of(tmp_path, SECRET_OF_OURS="canary-of-ours")))

    few = {"HOME", "LANG", "LC_CTYPE", "LOGNAME", "PATH", "PWD", "SHELL", "TMPDIR", "TOKEN", "USER"}
    assert set(found["names"]) <= few
    assert "canary-of-ours" not in found["found"]


async def test_it_writes_nowhere_but_into_its_own_home_and_tmp(tmp_path: Path) -> None:
    inside = ("+/home/sandbox/x", "+/tmp/x", "+/dev/shm/x")
    outside = (f"+{HOSTILE.parent}/x", "+/usr/x", "+/etc/x", "+/x", "+/dev/x", "+/run/x", "+/var/x", "+/home/x")

    found = told(await look(doing(hostile.writes, *inside, *outside), kit_of(tmp_path / "kept")))

    assert [found[path[1:]] for path in inside] == ["done"] * 3
    assert {found[path[1:]] for path in outside} <= {"EROFS", "EACCES"}
    assert "x" not in os.listdir(HOSTILE.parent)


async def test_what_is_configured_can_be_read_and_written_and_stays(tmp_path: Path) -> None:
    data, notes = tmp_path / "data", tmp_path / "data" / "notes"
    notes.mkdir(parents=True)
    (data / "list").write_text("x")
    places = {"read": [str(data)], "write": [str(notes)]}
    kit = kit_of(tmp_path / "kept")

    seen = told(await look(doing(hostile.reads, f"+{data}/list", sandbox=places), kit))
    written = told(await look(doing(hostile.writes, f"+{notes}/new", f"+{data}/new", sandbox=places), kit))

    assert list(seen.values()) == ["done"]
    assert list(written.values()) == ["done", "EROFS"]
    assert (notes / "new").read_text() == "hostile"


async def test_a_fork_without_end_is_ended_and_costs_nobody_else(tmp_path: Path) -> None:
    outcome = await look(doing(hostile.forks, sandbox={"processes": 40}, times={"look": 15.0}), kit_of(tmp_path))

    if isinstance(outcome, Listed):
        # Where the kernel counts a sandbox's processes (not for the user root) it makes no more of them.
        assert told(outcome)["made"] <= 40
    else:
        assert (outcome.code, outcome.detail) == (
            "sandbox-limit",
            "the sandbox ended it: it used more than 40 processes and threads at once (sandbox.processes)",
        )
    assert await _gone(str(HOSTILE))


async def test_one_process_gets_no_more_memory_than_it_may_have(tmp_path: Path) -> None:
    found = told(await look(doing(hostile.hoards, sandbox={"memory": 100 * MIB}), kit_of(tmp_path)))

    assert 0 < found["taken"] <= 100 * MIB


async def test_many_processes_get_no_more_memory_together(tmp_path: Path) -> None:
    outcome = await look(doing(hostile.crowds, "6", sandbox={"memory": 200 * MIB}), kit_of(tmp_path))

    assert isinstance(outcome, Unreachable)
    assert outcome.code == "sandbox-limit"
    assert "200MiB of memory in all" in outcome.detail


async def test_what_it_writes_is_bounded_and_a_home_that_holds_too_much_is_emptied(tmp_path: Path) -> None:
    server = doing(hostile.fills, "+/tmp", "+/dev/shm", "+/home/sandbox", sandbox={"file_size": 4 * MIB})

    found = told(await look(server, kit_of(tmp_path)))

    assert found["/tmp"] == found["/dev/shm"] == [4 * MIB, 0, 0, 0]
    assert max(found["/home/sandbox"]) == 4 * MIB
    assert list((tmp_path / "watched" / "home").iterdir()) == []


async def test_a_process_that_only_spins_is_ended_and_the_reason_is_said(tmp_path: Path) -> None:
    outcome = await look(doing(hostile.spins, sandbox={"cpu": 1.0}, times={"start": 20.0}), kit_of(tmp_path))

    assert isinstance(outcome, Unreachable)
    assert "it was killed by signal 24; the sandbox ended it: it went over sandbox.cpu" in outcome.detail


@pytest.mark.parametrize(("network", "came"), [("off", "ECONNREFUSED"), ("fetch-only", "ECONNREFUSED"), ("on", "done")])
async def test_without_a_network_it_reaches_no_service_of_this_machine_and_with_it_it_does(
    network: str, came: str, listener: socket.socket, tmp_path: Path
) -> None:
    port = str(listener.getsockname()[1])

    found = told(await look(doing(hostile.calls, port, sandbox={"network": network}), kit_of(tmp_path)))

    assert found == {port: came}


@pytest.mark.parametrize(("network", "abstract"), [("off", "ECONNREFUSED"), ("on", "done")])
async def test_sockets_in_the_file_system_are_out_of_reach_and_abstract_ones_with_the_network(
    network: str, abstract: str, tmp_path: Path
) -> None:
    name = f"@driftwatch-{os.getpid()}-{network}"
    with socket.socket(socket.AF_UNIX) as by_name, socket.socket(socket.AF_UNIX) as by_path:
        by_name.bind(name.replace("@", "\0"))
        by_path.bind(str(tmp_path / "engine.sock"))
        by_name.listen()
        by_path.listen()

        server = doing(hostile.knocks, name, f"+{tmp_path}/engine.sock", sandbox={"network": network})
        found = told(await look(server, kit_of(tmp_path / "kept")))

    assert found == {name: abstract, f"{tmp_path}/engine.sock": "ENOENT"}


async def test_other_processes_can_neither_be_seen_nor_killed_nor_traced(tmp_path: Path) -> None:
    pid = os.getpid()

    found = told(await look(doing(hostile.meddles, str(pid)), kit_of(tmp_path)))

    assert found["seen"] <= 3
    assert (found[f"kill {pid}"], found[f"trace {pid}"]) == ("ESRCH", "ESRCH")


async def test_it_has_no_terminal_to_type_into(tmp_path: Path) -> None:
    assert told(await look(doing(hostile.types), kit_of(tmp_path))) == {"terminal": "ENXIO"}


async def test_it_cannot_become_more_than_it_is(tmp_path: Path) -> None:
    found = told(await look(doing(hostile.climbs), kit_of(tmp_path)))

    assert found["caps"] == {"CapPrm": "", "CapEff": "", "CapAmb": ""}
    assert found["no_new_privileges"] == "1"
    assert found["root"] in {"EINVAL", "EPERM"}
    assert found["space"] in {"ENOSPC", "EPERM"}
    assert found["devices"] == "EPERM"
    assert found["host"] == "sandbox"


async def test_a_child_that_hides_from_its_parents_ends_with_the_look(tmp_path: Path) -> None:
    mark = f"left-behind-by-{os.getpid()}"

    outcome = await look(doing(hostile.leaves, mark), kit_of(tmp_path))

    assert isinstance(outcome, Listed)
    assert await _gone(mark)


async def test_who_counts_the_starts_in_its_home_goes_on_counting_unless_the_home_is_new_each_time(
    tmp_path: Path,
) -> None:
    starts = [
        [told(await look(doing(hostile.counts, sandbox={"home": home}), kit_of(tmp_path)))["starts"] for _ in range(2)]
        for home in ("kept", "empty")
    ]

    assert starts == [[1, 2], [1, 1]]


async def test_no_server_sees_what_another_one_keeps(tmp_path: Path) -> None:
    kit = kit_of(tmp_path)

    first = told(await look(doing(hostile.counts), kit))
    other = told(await look(doing(hostile.counts).model_copy(update={"name": "other"}), kit))

    assert first == other == {"starts": 1}


async def test_a_look_that_is_given_up_leaves_nothing_of_the_sandbox(tmp_path: Path) -> None:
    kit, began = kit_of(tmp_path), time.monotonic()
    task = asyncio.create_task(look(doing(hostile.spins, times={**TIMES, "start": 60.0}), kit))
    while not _named(str(HOSTILE)) and time.monotonic() - began < 10:  # noqa: ASYNC110 - nothing tells of it
        await asyncio.sleep(0.01)

    task.cancel()
    await asyncio.wait([task])

    assert await _gone(str(HOSTILE))


async def test_a_sandbox_whose_first_process_is_killed_leaves_nothing_and_fails_the_look(tmp_path: Path) -> None:
    task = asyncio.create_task(look(doing(hostile.spins, times={**TIMES, "start": 20.0}), kit_of(tmp_path)))
    killed = 0
    while not task.done():  # One that dies before it has answered is started once more.
        for pid in _named(str(HOSTILE))[:1]:
            os.kill(pid, signal.SIGKILL)
            killed += 1
        await asyncio.sleep(0.01)
    outcome = task.result()

    assert killed
    assert not isinstance(outcome, Listed)
    assert outcome.code == "closed-early"
    assert await _gone(str(HOSTILE))


async def _gone(mark: str) -> bool:
    """Wait until no process is left that has a text in its command line: the kernel takes its time over many."""
    async with asyncio.timeout(20):
        while _named(mark):  # noqa: ASYNC110 - the kernel tells nobody
            await asyncio.sleep(0.02)
    return True


def _named(mark: str) -> list[int]:
    """Give the processes that still run and have a text in their command line."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            if mark.encode() in (place / "cmdline").read_bytes() and int(place.name) != os.getpid():
                found.append(int(place.name))
        except OSError:
            continue
    return found
