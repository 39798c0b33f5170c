"""Files that people name: what cannot be read is said with its place, and ends with 2."""

import json
from pathlib import Path
from typing import Any

import pytest
from cli_world import Run, tool

GOOD = json.dumps({"tools": [tool()]})


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "error: x.json: line 1, column 1: not valid JSON: Expecting value.\n  The file is empty.\n"),
        (b'{"tools": [\n  {"name": }\n]}', "x.json: line 2, column 12: not valid JSON: Expecting value."),
        (b'{"tools": [],\n "x": "\xff"}', "x.json: line 2, byte 8: not valid UTF-8 (0xff)."),
        (b"<html></html>", "This looks like HTML or XML."),
        (b"[" * 100_000, "x.json: nested too deep, or a number with too many digits."),
        (b"[" + b"9" * 5000 + b"]", "x.json: nested too deep, or a number with too many digits."),
    ],
)
def test_a_file_that_cannot_be_read_is_a_clear_error(run: Run, tmp_path: Path, content: bytes, said: str) -> None:
    (tmp_path / "x.json").write_bytes(content)

    ended = run("scan", "x.json")

    assert (ended.code, ended.out) == (2, "")
    assert said in ended.err
    assert "Traceback" not in ended.err


def test_a_file_that_is_not_there_is_a_clear_error(run: Run) -> None:
    ended = run("scan", "no.json")

    assert (ended.code, ended.err) == (
        2,
        "error: Cannot read no.json: No such file or directory.\n  Check the path and its permissions.\n",
    )


def test_json_that_is_no_listing_names_its_file(run: Run, tmp_path: Path) -> None:
    (tmp_path / "good.json").write_text(GOOD, encoding="utf-8")
    (tmp_path / "bad.json").write_text('"text"', encoding="utf-8")

    ended = run("compare", "good.json", "bad.json")

    assert ended.code == 2
    assert ended.err.startswith("error: bad.json: ")


def test_a_byte_order_mark_does_no_harm(run: Run, tmp_path: Path) -> None:
    (tmp_path / "x.json").write_bytes(b"\xef\xbb\xbf" + GOOD.encode())

    assert run("scan", "x.json").code == 0


def test_a_dash_is_stdin(run: Run, tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text(GOOD, encoding="utf-8")

    assert run("compare", "x.json", "-", stdin=GOOD).code == 0
    assert "error: stdin: line 1" in run("scan", "-", stdin="{").err


def test_stdin_cannot_be_both_sides(run: Run) -> None:
    ended = run("compare", "-", "-", stdin=GOOD)

    assert ended.code == 2
    assert ended.err == "error: Only one of the files can be stdin.\n  Give the other one by its path.\n"


def test_a_name_that_stands_twice_is_told(run: Run, tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text('{"tools": [], "tools": []}', encoding="utf-8")

    ended = run("scan", "x.json")

    assert ended.code == 0
    assert ended.err == "warning: x.json: 'tools' stands twice in one object; only the last one was judged.\n"


def test_a_file_name_cannot_speak_to_the_terminal(run: Run) -> None:
    ended = run("scan", "a\x1b[2Jb.json")

    assert "\x1b" not in ended.err
    assert "\\u{001B}" in ended.err


@pytest.mark.parametrize(
    "args",
    [
        ["nothing"],
        ["compare"],
        ["compare", "x.json"],
        ["scan", "x.json", "--fail-on", "severe"],
        ["scan", "x.json", "--format", "xml"],
        ["--colour", "mauve", "rules"],
        ["check", "--no-such-option"],
        ["approve"],
    ],
)
def test_a_wrong_call_ends_with_2(run: Run, args: list[str]) -> None:
    ended = run(*args)

    assert (ended.code, ended.out) == (2, "")
    assert "Usage: driftwatch" in ended.err


def test_a_file_too_large_is_refused(run: Run, tmp_path: Path) -> None:
    with (tmp_path / "x.json").open("wb") as file:
        file.truncate(64 * 1024 * 1024 + 1)

    ended = run("scan", "x.json")

    assert (ended.code, ended.err) == (2, "error: x.json is larger than 64 MiB.\n")


def test_a_folder_is_no_file(run: Run, tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()

    ended: Any = run("scan", "x")

    assert ended.code == 2
    assert "Cannot read x: Is a directory." in ended.err
