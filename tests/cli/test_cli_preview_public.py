"""A package that everybody can fetch: its bump is previewed, approved, rolled out, and followed by another one."""

from __future__ import annotations

import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest
from cli_world import Run

PACKAGE = "@modelcontextprotocol/server-memory"
FIRST, REVIEWED, ANOTHER = "2025.9.25", "2025.11.25", "2026.8.31"
"""Three releases whose lists differ: titles and schemas were added, then hints."""


@cache
def _missing() -> str:
    """Say why the package cannot be fetched here; empty where it can."""
    if shutil.which("npx") is None:
        return "npx is not on the PATH"
    asked = ["npm", "view", f"{PACKAGE}@{ANOTHER}", "version"]
    try:
        done = subprocess.run(asked, capture_output=True, text=True, timeout=60, check=False)
    except subprocess.TimeoutExpired:
        return "the registry of npm does not answer"
    return (
        "" if done.stdout.strip() == ANOTHER else "the registry of npm cannot be reached, or no longer has the package"
    )


def _pin(folder: Path, version: str) -> None:
    (folder / "driftwatch.toml").write_text(
        "[defaults]\nrehearse = false\n[defaults.timeout]\nstart = 120\nlook = 240\n"
        f'[servers.memory]\ncommand = "npx"\nargs = ["-y", "{PACKAGE}@{version}"]\n'
    )


def test_a_bump_of_a_public_package_that_was_reviewed_raises_nothing_and_the_next_one_does(
    run: Run, tmp_path: Path
) -> None:
    if reason := _missing():
        pytest.skip(reason)
    _pin(tmp_path, FIRST)
    first = run("check")
    assert run("approve", "memory", "--by", "ann", "--yes").code == 0

    ahead = run("preview", "memory", "--version", REVIEWED, "--once", "--approve", "--yes", "--by", "bob")
    _pin(tmp_path, REVIEWED)
    landed = run("check", "--fail-on", "info")
    _pin(tmp_path, ANOTHER)
    other = run("check", "--fail-on", "medium")

    assert (first.code, ahead.code, landed.code, other.code) == (0, 0, 0, 1), first.out + ahead.err + landed.out
    assert f"(version {REVIEWED})" in " ".join(ahead.out.split())
    assert "package-pin-changed" in ahead.out
    assert "as approved ahead by bob" in " ".join(landed.out.split())
    assert "annotations-first" in run("diff", "memory").out
