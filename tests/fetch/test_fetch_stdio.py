"""Local servers that misbehave, and what becomes of their processes."""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import itertools
import json
import os
import signal
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from fetch_world import children, codes, entry, is_alive, listed, local, look, names

from driftwatch.config.secret import Filled, Secret
from driftwatch.model import Era, Malformed, Unreachable

_NUMBERS = itertools.count(1)
_PR_SET_CHILD_SUBREAPER = 36
QUICK = {"request": 0.5, "start": 0.5, "look": 3.0}


async def test_an_old_server_that_hangs_on_the_probe_is_asked_again_in_a_fresh_process() -> None:
    outcome = await listed(local("handshake-only", "hangs-on-discover", times={"start": 1.0}))

    assert outcome.era is Era.HANDSHAKE
    assert names(outcome) == ["read", "write"]


async def test_an_old_server_that_dies_on_the_probe_is_asked_again_in_a_fresh_process() -> None:
    outcome = await listed(local("handshake-only", "dies-on-discover"))

    assert outcome.era is Era.HANDSHAKE


async def test_a_server_known_to_be_old_is_not_probed() -> None:
    outcome = await listed(local("handshake-only", "hangs-on-discover"), Era.HANDSHAKE)

    assert outcome.era is Era.HANDSHAKE


async def test_a_server_that_became_modern_since_is_found_out() -> None:
    outcome = await listed(local("modern-only"), Era.HANDSHAKE)

    assert outcome.era is Era.MODERN


async def test_a_server_that_became_an_old_one_since_is_found_out() -> None:
    outcome = await listed(local("handshake-only"), Era.MODERN)

    assert outcome.era is Era.HANDSHAKE


@pytest.mark.parametrize("fault", ["hangs", "hangs-on-initialize"])
async def test_a_server_that_never_answers_is_unreachable(fault: str) -> None:
    outcome = await look(local("handshake-only", fault, times=QUICK))

    assert isinstance(outcome, Unreachable)
    assert outcome.code == "timeout"
    assert "initialize" in outcome.detail


async def test_a_server_that_hangs_in_the_middle_says_where() -> None:
    outcome = await look(local("honest", "hangs-on-list", times={"request": 0.3}))

    assert outcome == Unreachable("timeout", "no answer in time: tools/list, page 1")


async def test_the_whole_look_has_a_deadline() -> None:
    outcome = await look(local("honest", "hangs-on-list", times={"look": 0.5, "start": 0.4}))

    assert isinstance(outcome, Unreachable)
    assert outcome.code == "timeout"


async def test_a_command_that_is_not_there_is_named_by_its_reason() -> None:
    outcome = await look(entry(command="/nowhere/at-all"))

    assert outcome == Unreachable(
        "start-failed", "the server cannot be started, its command: No such file or directory"
    )


async def test_a_folder_that_is_not_there_is_told_from_the_command(tmp_path: Path) -> None:
    outcome = await look(local(cwd=str(tmp_path / "gone")))

    assert outcome == Unreachable("start-failed", "the server cannot be started, its folder: No such file or directory")


async def test_a_server_that_dies_says_how_and_what_it_logged_last() -> None:
    outcome = await look(local("honest", "dies-on-list"))

    assert isinstance(outcome, Unreachable)
    assert outcome.code == "closed-early"
    assert 'tools/list, page 1; it exited with code 7; the last line of its log: "no database"' in outcome.detail


async def test_a_server_that_dies_at_once_says_how() -> None:
    outcome = await look(local("honest", "dies-at-once"))

    assert isinstance(outcome, Unreachable)
    assert (outcome.code, "exited with code 3" in outcome.detail) == ("closed-early", True)


async def test_a_server_that_is_killed_during_a_look_is_a_failed_look_that_says_by_what() -> None:
    task = asyncio.create_task(look(local("honest", "hangs-on-list")))
    killed = set[int]()
    while not task.done():  # One that dies before it has answered is started once more.
        for pid in _running("hangs-on-list"):
            os.kill(pid, signal.SIGKILL)
            killed.add(pid)
        await asyncio.sleep(0.01)

    outcome = task.result()

    assert isinstance(outcome, Unreachable)
    assert outcome.code == "closed-early"
    assert "it was killed by signal 9" in outcome.detail
    assert killed
    assert not any(map(is_alive, killed))


def _running(mark: str) -> list[int]:
    """Give our own processes that have a text in their command line."""
    found = []
    for pid in children():
        with contextlib.suppress(OSError):
            found += [pid] if mark.encode() in Path(f"/proc/{pid}/cmdline").read_bytes() else []
    return found


async def test_a_log_is_shown_without_our_secrets_and_without_control_characters() -> None:
    outcome = await look(local("honest", "loud-death", env={"TOKEN": Secret("topsecret")}))

    assert isinstance(outcome, Unreachable)
    assert 'the last line of its log: "token=***\\u{1b}[31m"' in outcome.detail


async def test_a_log_is_shown_without_what_was_filled_into_the_command() -> None:
    complain = "import sys; sys.exit(f'the key {sys.argv[1]} is not known')"
    key = Filled("topsecret", shown="${KEY}", hidden=["topsecret"])

    outcome = await look(entry(command=sys.executable, args=("-c", complain, key)))

    assert isinstance(outcome, Unreachable)
    assert 'the last line of its log: "the key *** is not known"' in outcome.detail


async def test_a_loud_log_stops_nothing() -> None:
    outcome = await listed(local("honest", "loud-log"))

    assert names(outcome) == ["read", "write"]


async def test_log_lines_on_standard_output_are_counted_and_passed_over() -> None:
    outcome = await listed(local("honest", "log-lines"))

    assert names(outcome) == ["read", "write"]
    assert outcome.noise_lines == 52


async def test_some_notices_during_a_look_stop_nothing() -> None:
    outcome = await listed(local("honest", "some-notices"))

    assert names(outcome) == ["read", "write"]


@pytest.mark.parametrize("script", ["handshake-only", "modern-only"])
@pytest.mark.parametrize(("fault", "code"), [("endless-line", "too-large"), ("endless-log", "flood")])
async def test_a_server_that_never_stops_talking_is_stopped(script: str, fault: str, code: str) -> None:
    outcome = await look(local(script, fault))

    assert isinstance(outcome, Malformed)
    assert outcome.code == code


@pytest.mark.parametrize("era", list(Era))
async def test_an_endless_stream_of_notices_is_stopped(era: Era) -> None:
    outcome = await look(local("prompts-not-implemented", "endless-notices"), era)

    assert isinstance(outcome, Malformed)
    assert outcome.code == "flood"
    assert outcome.detail.startswith("more than 500 log lines, notices and requests that are no answers, at ")


async def test_a_single_message_beyond_the_limit_is_too_large() -> None:
    outcome = await look(local("large", limits={"message_bytes": 200_000}))

    assert outcome == Malformed("too-large", "a message of more than 200000 bytes, at tools/list, page 1")


async def test_all_messages_together_have_a_limit_too() -> None:
    outcome = await look(local("large", limits={"look_bytes": 200_000}))

    assert isinstance(outcome, Malformed)
    assert outcome.code == "too-large"


@pytest.mark.parametrize("script", ["handshake-only", "modern-only"])
async def test_what_a_server_asks_of_us_is_declined_and_recorded(script: str) -> None:
    outcome = await listed(local(script, "asks"))

    assert names(outcome) == ["read", "write"]
    assert outcome.asked == ("elicitation/create", "roots/list", "sampling/createMessage")


async def test_a_local_server_gets_a_small_environment_and_its_own_group(tmp_path: Path) -> None:
    outcome = await listed(local("honest", "shows-environment", env={"TOKEN": Secret("t")}, cwd=str(tmp_path)))

    seen = json.loads(outcome.document["instructions"])
    assert set(seen["environ"]) - {"LC_CTYPE"} == {"PATH", "HOME", "TOKEN"}
    assert (seen["cwd"], seen["leader"]) == (str(tmp_path), True)


async def test_no_process_outlives_its_look_not_even_one_in_a_session_of_its_own() -> None:
    nap = unusual_nap()

    seen = await look(local("honest", "spawns", env={"NAP": Secret(nap)}))
    failed = await look(local("internal-error", "spawns", env={"NAP": Secret(nap)}))

    assert names(seen) == ["read", "write"]
    assert isinstance(failed, Malformed)
    assert not sleepers(nap)


@pytest.mark.usefixtures("orphans_fall_to_us")
async def test_the_first_process_of_a_container_keeps_no_dead_ones() -> None:
    before = children()

    await look(local("honest", "spawns", env={"NAP": Secret(unusual_nap())}))

    assert children() <= before


async def test_a_server_that_ignores_its_closed_input_and_a_polite_signal_is_killed() -> None:
    outcome = await listed(local("honest", "stubborn"))

    assert names(outcome) == ["read", "write"]


@pytest.mark.parametrize("times", [1, 2])
async def test_no_process_outlives_a_cancelled_look(times: int) -> None:
    nap = unusual_nap()
    async with told() as (port, spawned), asyncio.timeout(5):
        env = {"NAP": Secret(nap), "READY": Secret(str(port))}
        task = asyncio.ensure_future(look(local("honest", "spawns", env=env)))
        await spawned.wait()
    assert sleepers(nap)

    for _ in range(times):
        task.cancel()
        await asyncio.sleep(0)
    with pytest.raises(asyncio.CancelledError):
        await task

    assert not sleepers(nap)


async def test_a_broken_answer_is_told_from_silence() -> None:
    outcome = await look(local("invalid-json", times={"request": 0.3}))

    assert isinstance(outcome, Malformed)
    assert outcome.code == "invalid-json"
    assert codes(await look(local("honest"))) == {}


@contextlib.asynccontextmanager
async def told() -> AsyncIterator[tuple[int, asyncio.Event]]:
    """Give a port, and what is set once somebody connects to it."""
    connected = asyncio.Event()

    def on_connection(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.close()
        connected.set()

    async with await asyncio.start_server(on_connection, "127.0.0.1", 0) as server:
        yield server.sockets[0].getsockname()[1], connected


@pytest.fixture
def orphans_fall_to_us() -> Iterator[None]:
    """Make this process the parent of every orphan below it, as the first process of a container is (prctl(2))."""
    libc = ctypes.CDLL(None)
    assert libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0
    yield
    libc.prctl(_PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)


def unusual_nap() -> str:
    """Give seconds to sleep by which a test knows the sleepers of its own server, also beside other tests."""
    return f"600.{os.getpid()}{next(_NUMBERS)}"


def sleepers(nap: str) -> list[int]:
    """Give the processes that the server left behind, wherever their parents went."""
    found = []
    for cmdline in Path("/proc").glob("[0-9]*/cmdline"):
        pid = int(cmdline.parent.name)
        try:
            if cmdline.read_bytes() == f"sleep\0{nap}\0".encode() and is_alive(pid):
                found.append(pid)
        except OSError:
            continue
    return found
