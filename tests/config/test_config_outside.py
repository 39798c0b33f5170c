"""What a configuration names that stands outside of it: the folders of programs, and the files of secrets."""

import os
import signal
import socket
from pathlib import Path

import pytest

from driftwatch.config.load import parse
from driftwatch.config.secret import Secret
from driftwatch.errors import ConfigError


@pytest.mark.parametrize(
    ("folder", "said", "hint"),
    [
        ("none", "does not exist", "make it, or correct the path"),
        ("file", "is not a folder", "make it, or correct the path"),
        ("x" * 5000, "cannot be used: File name too long", "make it, or correct the path"),
        ("~/x", "does not exist", "write ${HOME} for ~"),
        (" ", "does not exist", "make it, or correct the path"),
    ],
)
@pytest.mark.parametrize("place", ["servers.a", "channels.a"])
def test_a_folder_that_is_not_there_is_a_warning_as_a_program_is(
    place: str, folder: str, said: str, hint: str, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    kind = 'kind = "command"\n' if place == "channels.a" else ""

    found = parse(f"[{place}]\n{kind}command = 'sh'\ncwd = '{folder}'", {"PATH": "/bin:/usr/bin"}, base=tmp_path)

    (line,) = [line for line in found.warnings if line.startswith(f"{place}.cwd: ")]
    assert line.endswith(f"{said} — {hint}")


def reading(path: str, base: Path) -> str:
    """Read a secret's file by a configuration in a folder."""
    text = f"[servers.a]\nurl = 'https://e.com/mcp'\nheaders = {{X = {{file = '{path}'}}}}"
    return parse(text, {}, base=base).server("a").headers["X"].reveal()


def test_a_secret_that_is_no_regular_file_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "to-pipe").symlink_to("pipe")
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(str(tmp_path / "socket"))

        for path, kind in (
            ("pipe", "is a pipe, and no regular file"),
            ("to-pipe", "is a pipe, and no regular file"),
            ("socket", "is a socket, and no regular file"),
            ("/dev/zero", "is a device, and no regular file"),
            (".", "is a folder"),
        ):
            with pytest.raises(ConfigError) as refused:
                reading(path, tmp_path)

            assert "servers.a.headers.X: " in refused.value.message
            assert kind in refused.value.message, path


def test_what_driftwatch_was_started_with_is_no_secret_file(tmp_path: Path) -> None:
    for path in ("/dev/stdin", "/dev/fd/0", "/proc/self/fd/0", "/dev/../dev/stdin"):
        with pytest.raises(ConfigError, match="is whatever driftwatch was started with, and no file"):
            reading(path, tmp_path)


def test_secrets_are_read_as_systemd_docker_and_kubernetes_hand_them_out(tmp_path: Path) -> None:
    (tmp_path / "..2026_03").mkdir()
    (tmp_path / "..2026_03" / "token").write_text("of-kubernetes\n", encoding="utf-8")
    (tmp_path / "..data").symlink_to("..2026_03")
    (tmp_path / "token").symlink_to("..data/token")
    (tmp_path / "credential").write_text("of-systemd", encoding="utf-8")
    (tmp_path / "credential").chmod(0o400)

    assert (reading("token", tmp_path), reading("credential", tmp_path)) == ("of-kubernetes", "of-systemd")


def from_program(table: str, base: Path, *, secrets: bool = True, **environ: str) -> Secret:
    """Read a secret that the inside of a table names, by a configuration in a folder."""
    text = f"[servers.a]\nurl = 'https://e.com/mcp'\nheaders = {{X = {{{table}}}}}"
    around = {"PATH": "/bin:/usr/bin", **environ}
    return parse(text, around, base=base, secrets=secrets).server("a").headers["X"]


def test_a_secret_is_what_a_program_writes_without_a_shell_and_started_once(tmp_path: Path) -> None:
    script = tmp_path / "give"
    script.write_text('#!/bin/sh\necho x >> started\necho "complaint" >&2\necho "$1 of $USED; in $(pwd)"\n')
    script.chmod(0o700)
    line = "command = ['./give', '$(id) *', '${ARGUMENT}']"
    text = f"[servers.a]\nurl = 'https://e.com/mcp'\nheaders = {{X = {{{line}}}, Y = {{{line}, timeout = '20s'}}}}"

    found = parse(text, {"PATH": "/bin:/usr/bin", "USED": "here", "ARGUMENT": "z"}, base=tmp_path).server("a").headers

    assert found["X"].reveal() == f"$(id) * of here; in {tmp_path}"
    assert found["Y"] == found["X"]
    assert (tmp_path / "started").read_text() == "x\n"


@pytest.mark.parametrize(
    ("table", "said"),
    [
        (
            "command = ['sh', '-c', 'echo of-the-secret; echo of-the-error >&2; exit 3']",
            'program "sh" ended with exit code 3',
        ),
        ("command = ['sh', '-c', 'kill -9 $$']", 'the program "sh" ended by signal 9'),
        (
            "command = ['sh', '-c', 'echo of-the-secret; sleep 60'], timeout = '200ms'",
            "did not give the secret within 0.2s",
        ),
        ("command = ['sh', '-c', 'exec >&-; sleep 60'], timeout = '200ms'", "did not give the secret within 0.2s"),
        ("command = ['sh', '-c', 'head -c 70000 /dev/zero']", "gives more than 64 KiB"),
        ("command = ['sh', '-c', 'printf \"\\\\377\"']", "is not UTF-8 text"),
        ("command = ['true']", 'the program "true" gives nothing'),
        ("command = ['nosuch-program']", "cannot be started: No such file or directory"),
        ("command = 'pass show x'", "command does not hold a program with its arguments"),
        ("command = []", "command does not hold a program with its arguments"),
        ("command = ['sh', 1]", "command does not hold a program with its arguments"),
        ("command = ['true'], timeout = '2m'", "timeout is not a time of at most 60 seconds"),
        ("command = ['true'], env = 'A'", "needs exactly one of env, file, credential, command"),
        ("env = 'A', timeout = '1s'", "needs exactly one of env, file, credential, command"),
    ],
)
def test_what_goes_wrong_with_a_program_is_said_without_anything_that_it_wrote(
    table: str, said: str, tmp_path: Path
) -> None:
    with pytest.raises(ConfigError) as refused:
        from_program(table, tmp_path)

    words = str(refused.value)
    assert "servers.a.headers.X: " in words
    assert said in words
    assert "of-the" not in words


def test_what_a_program_leaves_running_holds_up_nobody_and_lives_on(tmp_path: Path) -> None:
    secret = from_program("command = ['sh', '-c', 'sleep 600 & echo $!'], timeout = '20s'", tmp_path)

    # It would not be there any more had it been ended, and had it been waited for there were no secret.
    os.kill(int(secret.reveal()), signal.SIGTERM)


def test_no_program_is_started_where_the_secret_is_not_used(tmp_path: Path) -> None:
    secret = from_program("command = ['touch', 'started']", tmp_path, secrets=False)

    assert list(tmp_path.iterdir()) == []
    with pytest.raises(ConfigError, match='The program "touch" is only started by commands that need the secret'):
        secret.reveal()
