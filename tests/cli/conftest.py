"""Run commands in this process, on real files and a real database."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from cli_telling import MARCH
from cli_world import CONFIG, HOOK, SECRET, Ended, Run

from driftwatch.cli import main
from driftwatch.cli.moments import wall_clock
from driftwatch.store import Store
from tests.blank import blank


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Give the function that runs a command in an empty folder; `stdin` is what it reads there, `clock` the time."""
    monkeypatch.chdir(tmp_path)
    for name in ("DRIFTWATCH_CONFIG", "DRIFTWATCH_DATABASE_URL", "NO_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)

    def command(*args: str, stdin: str | bytes = b"", clock: Callable[[], datetime] = wall_clock) -> Ended:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        code = main(list(args), clock=clock)
        said = capsys.readouterr()
        assert SECRET not in said.out + said.err
        return Ended(code, said.out, said.err)

    return command


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, Any], str]:
    """Give the function that writes a value as a JSON file and gives its name."""

    def file(name: str, value: Any) -> str:
        (tmp_path / name).write_text(json.dumps(value), encoding="utf-8")
        return name

    return file


@pytest.fixture
def configured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write the configuration that all these tests use, where the commands look for it."""
    monkeypatch.setenv("KEY", SECRET)
    monkeypatch.setenv("HOOK", HOOK)
    path = tmp_path / "driftwatch.toml"
    path.write_text(CONFIG, encoding="utf-8")
    return path


@pytest.fixture
def store(configured: Path) -> Iterator[Store]:
    """Open the database that the commands use."""
    with Store.open(blank(configured.parent / "driftwatch.db"), clock=lambda: datetime.now(UTC)) as opened:
        yield opened


@pytest.fixture
def say(run: Run) -> Callable[..., Ended]:
    """Give the function that runs a command at noon on the first of March."""
    return lambda *args: run(*args, clock=lambda: MARCH)
