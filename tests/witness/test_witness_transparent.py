"""Every byte comes through, in both directions and at once, whatever becomes of the copy."""

from __future__ import annotations

import os
import resource
import subprocess
import threading
from pathlib import Path

import pytest
from witness.recording import recording
from witness.wrapping import DIES, GONE, HANGS, server, wrapped

from driftwatch.watch.witness.frames import FROM_AGENT, FROM_SERVER, LOST, Frames

WAIT = 60


def play(command: list[str], said: bytes, *, step: int = 77_777) -> tuple[bytes, int]:
    """Say something in pieces while everything is read; give what came back, and the exit code."""
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0) as host:
        assert host.stdin is not None
        assert host.stdout is not None
        say = host.stdin

        def speak() -> None:
            left = memoryview(said)
            size = 1
            while left:
                piece, left = left[:size], left[size:]
                while piece:
                    piece = piece[say.write(piece) :]
                size = (size * 5 + 3) % step + 1
            say.close()

        speaker = threading.Thread(target=speak)
        speaker.start()
        heard = b"".join(iter(lambda: host.stdout.read(1 << 20), b""))
        speaker.join(WAIT)
        return heard, host.wait(WAIT)


def copied(path: Path) -> dict[bytes, bytes]:
    """Give what a copyist was given of each direction."""
    parts: dict[bytes, list[bytes]] = {FROM_AGENT: [], FROM_SERVER: [], LOST: []}
    for kind, content in Frames().feed(path.read_bytes()):
        parts[kind].append(content)
    return {kind: b"".join(all_of) for kind, all_of in parts.items()}


def test_two_recordings_at_once_come_through_byte_for_byte(tmp_path: Path) -> None:
    up, down = recording(1), recording(2)
    (tmp_path / "down").write_bytes(down)
    line = server("plays", tmp_path / "down", tmp_path / "up")

    heard, code = play(wrapped(line, "exec cat > /dev/null"), up)

    assert code == 0
    assert heard == down
    assert (tmp_path / "up").read_bytes() == up


def test_the_copy_has_every_byte_of_both_directions(tmp_path: Path) -> None:
    # Less than what may wait in memory, so that a slow disk loses nothing.
    up, down = recording(5, largest=1 << 20), recording(6, largest=1 << 20)
    (tmp_path / "down").write_bytes(down)
    os.mkfifo(tmp_path / "done")
    line = server("plays", tmp_path / "down", tmp_path / "up")

    play(wrapped(line, f"cat > {tmp_path}/copy; echo > {tmp_path}/done"), up)

    assert (tmp_path / "done").read_text() == "\n"
    assert copied(tmp_path / "copy") == {FROM_AGENT: up, FROM_SERVER: down, LOST: b""}


@pytest.mark.parametrize(
    "copyist", [GONE, DIES, HANGS, f"head -c 1000000 > /dev/null; {DIES}"], ids=["never", "killed", "hangs", "later"]
)
def test_whatever_becomes_of_the_copyist_an_echo_is_complete(copyist: str) -> None:
    said = recording(3) + b"\n" + recording(4)

    heard, code = play(wrapped(server("echoes"), copyist), said)

    assert heard == said + b"<end of input>"
    assert code == 3


def test_a_server_that_floods_is_heard_to_its_end_while_nothing_takes_the_copy() -> None:
    size = 48 << 20

    heard, code = play(wrapped(server("floods", size), HANGS), b"nobody reads this")

    assert len(heard) == size
    assert heard == bytes(range(256)) * (size // 256)
    assert code == 0


def test_a_host_that_may_start_nothing_more_still_gets_its_server() -> None:
    def alone() -> None:
        # Root may start as many as it likes; no descriptors are left for pipes instead.
        resource.setrlimit(resource.RLIMIT_NOFILE, (4, 4))

    line = wrapped(server("echoes"), GONE)

    done = subprocess.run(line, input=b"hello", capture_output=True, preexec_fn=alone, timeout=WAIT, check=False)

    assert done.stdout == b"hello<end of input>"
    assert done.returncode == 3


@pytest.mark.parametrize(
    ("command", "code"), [("no-such-program", 127), ("/dev/null", 126), ("/", 126), ("", 126)], ids=repr
)
def test_what_cannot_be_started_is_said_in_one_line_with_the_code_of_a_shell(command: str, code: int) -> None:
    done = subprocess.run(wrapped([command], GONE), capture_output=True, input=b"x", timeout=WAIT, check=False)

    assert done.returncode == code
    assert done.stdout == b""
    assert done.stderr.startswith(f"driftwatch witness: {command} cannot be started: ".encode())
    assert done.stderr.count(b"\n") == 1


@pytest.mark.parametrize("by_path", [True, False], ids=["by path", "by name"])
def test_a_script_that_names_no_interpreter_is_run_by_the_shell_as_execvp_does(by_path: bool, tmp_path: Path) -> None:
    script = tmp_path / "a-server"
    script.write_text('echo "$1"; exit 6\n')
    script.chmod(0o755)
    environ = {"PATH": f"/nowhere:{tmp_path}:{os.environ['PATH']}"}
    line = wrapped([str(script) if by_path else "a-server", "hello"], GONE)

    done = subprocess.run(line, capture_output=True, timeout=WAIT, check=False, env=environ)

    assert (done.stdout, done.returncode) == (b"hello\n", 6)
