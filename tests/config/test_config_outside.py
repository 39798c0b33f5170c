"""What a configuration names that stands outside of it: the folders of programs, and the files of secrets."""

import os
import socket
from pathlib import Path

import pytest

from driftwatch.config.load import parse
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
