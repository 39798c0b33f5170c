"""A wrapped command line is read as it was spelled, and a session waits for little."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from witness.wrapping import ROOT

from driftwatch.config.wrapped import Wrapped, parsed, read_back, spelled

PROGRAMS = (
    ("/opt/venv/bin/driftwatch",),
    ("/opt/venv/bin/python", "-I", "-m", "driftwatch"),
    ("uvx", "driftwatch"),
    ("uvx", "driftwatch@0.2"),
    ("C:\\tools\\driftwatch.exe",),
)
words = st.text(st.characters(exclude_characters="\0"), min_size=1, max_size=12)
names = words.filter(lambda word: not word.startswith("-"))


@given(names, st.lists(words, min_size=1, max_size=5), words, st.one_of(st.just(""), words), st.sampled_from(PROGRAMS))
def test_what_is_spelled_is_read_back_the_same(
    server: str, command: list[str], host: str, settings: str, program: tuple[str, ...]
) -> None:
    wrapped = Wrapped(server, command, host, settings)

    assert read_back(spelled(wrapped, program)) == wrapped


def test_a_wrapped_line_reads_as_people_would_write_it() -> None:
    line = spelled(Wrapped("notes", ["npx", "-y", "notes"], "desk"), ["/bin/driftwatch"])

    assert line == ("/bin/driftwatch", "witness", "notes", "--host", "desk", "--", "npx", "-y", "notes")


def test_the_commands_own_dashes_stay_its_own() -> None:
    found = parsed(["witness", "notes", "--", "run", "--", "--host", "other"])

    assert found == Wrapped("notes", ["run", "--", "--host", "other"])


@pytest.mark.parametrize(
    "line",
    [
        "npx -y notes",
        "driftwatch run",
        "driftwatch witness status",
        "driftwatch witness notes --",
        "driftwatch witness notes run",
        "driftwatch witness --help -- run",
        "driftwatch witness notes --hots desk -- run",
        "driftwatch witness notes other -- run",
        "driftwatch witness notes --host= -- run",
        "other witness notes -- run",
        "witness notes -- run",
        "",
    ],
)
def test_anything_else_is_not_taken_for_one(line: str) -> None:
    assert read_back(line.split(" ")) is None


def test_a_session_waits_for_nothing_that_takes_long_to_load() -> None:
    program = (
        "import sys; before = set(sys.modules)\n"
        "from driftwatch.watch.witness import entry\n"
        "from driftwatch.config.wrapped import parsed\n"
        "from driftwatch.watch.witness import pump\n"
        "print(*sorted(set(sys.modules) - before), sep='\\n')\n"
    )

    done = subprocess.run(
        [sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{program}"],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )

    loaded = {name for name in done.stdout.split() if not name.startswith("driftwatch")}
    assert loaded <= {"__future__", "errno", "fcntl", "select"}


def test_beside_a_session_little_is_loaded_until_there_is_something_to_deliver() -> None:
    program = "import sys\nimport driftwatch.watch.witness.remote.copyist\nprint(*sys.modules, sep='\\n')\n"

    done = subprocess.run(
        [sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{program}"],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )

    loaded = set(done.stdout.split())
    assert "driftwatch.watch.witness.session" in loaded
    assert not loaded & {"pydantic", "httpx", "http.client", "ssl", "driftwatch.config.load", "driftwatch.judge.text"}
