"""Every mistake in the witness's settings is told with its place, and with the command that helps."""

from __future__ import annotations

from pathlib import Path

import pytest
from witness.test_witness_commands import settle

from driftwatch.cli import main

GOOD = 'url = "http://127.0.0.1:9"\n'
MISTAKES = {
    'url = "somewhere"': ("url", "without a scheme"),
    "url = 7": ("url", "expected a string"),
    'url = "http://[::1"': ("url", "not a URL"),
    'url = "ftp://there"': ("url", "ftp"),
    'url = "http://there:99999"': ("url", "not a URL"),
    GOOD + 'tokn = "x"': ("tokn", "did you mean token?"),
    GOOD + "token = 5": ("token", "not a value"),
    GOOD + 'token = ""': ("token", "one word"),
    GOOD + 'token = "two words"': ("token", "one word"),
    GOOD + 'token = { file = "nowhere" }': ("token", "there is no file"),
    GOOD + 'token = { env = "NOT_SET" }': ("token", "NOT_SET is not set"),
    GOOD + 'token = { env = "A", file = "b" }': ("token", "exactly one"),
    GOOD + 'token = "${NOT_SET}"': ("token", "NOT_SET is not set"),
    GOOD + "spool = 5": ("spool", "expected a string"),
    GOOD + "spool_looks = 0": ("spool_looks", "must be at least 1"),
    GOOD + 'spool_looks = "x"': ("spool_looks", "expected an integer"),
    GOOD + "spool_looks = 1.5": ("spool_looks", "expected an integer"),
    GOOD + "spool_bytes = -1": ("spool_bytes", "must be more than zero"),
    GOOD + 'spool_bytes = "12 parsecs"': ("spool_bytes", "not a size"),
    GOOD + 'timeout = "soon"': ("timeout", "not a duration"),
    GOOD + "timeout = 0": ("timeout", "must be more than zero"),
    GOOD + "timeout = nan": ("timeout", "not a duration"),
    'url = "http://there': ("end of document", "not TOML"),
    GOOD + GOOD: ("", "stand only once"),
    "[witness]\n" + GOOD: ("witness", "known here: url"),
    "x = " + "[" * 5000: ("the file", "nests too deeply"),
}


@pytest.mark.parametrize(("text", "where", "what"), [(text, *told) for text, told in MISTAKES.items()])
def test_a_mistake_is_told_with_its_place_and_the_command_that_looks_again(
    text: str, where: str, what: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settle(home, text)

    codes = main(["witness", "deliver"]), main(["witness", "status"])

    said = capsys.readouterr()
    assert codes == (3, 1)
    for told in (said.err, said.out):
        flat = " ".join(told.split())
        assert "witness.toml cannot be used: 1 problem." in flat
        assert f"{where}: " in flat
        assert what in flat
        assert "run `driftwatch witness status`" in flat
        assert "config check" not in flat
        assert "\\n" not in flat
        assert ".." not in flat
        assert "Traceback" not in flat


def test_settings_that_are_no_text_are_told_so(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settle(home, "").write_bytes(b"\xff\xfe")

    code = main(["witness", "deliver"])

    said = capsys.readouterr().err
    assert code == 3
    assert "the file: is not UTF-8 text — save it as UTF-8" in said


def test_several_mistakes_stand_on_a_line_each(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settle(home, 'url = "somewhere"\ntimeout = 0\n')

    main(["witness", "status"])

    lines = capsys.readouterr().out.splitlines()
    assert "Wrong: witness.toml cannot be used: 2 problems." in lines
    assert [line.split(":")[0].strip() for line in lines if line.startswith("  ") and ": " in line][:2] == [
        "url", "timeout",
    ]  # fmt: skip
