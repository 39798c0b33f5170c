"""What a server leaves is found and taken out, however it made it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from driftwatch.config.isolation import SandboxConfig
from driftwatch.watch.fetch.sandbox.clearing import cleared
from driftwatch.watch.fetch.sandbox.view import View
from driftwatch.watch.fetch.sandbox.warden import tidy
from driftwatch.watch.fetch.start import Walls


def _deep(folder: Path, steps: int = 1_200) -> None:
    """Make folders in folders, deeper than any path or any function that calls itself can go."""
    at = os.open(folder, os.O_RDONLY)
    for _ in range(steps):
        os.mkdir("d" * 40, dir_fd=at)  # by its descriptor: the path is too long
        inner = os.open("d" * 40, os.O_RDONLY, dir_fd=at)
        os.close(at)
        at = inner
    os.close(at)


def _walls(home: Path) -> Walls:
    return Walls("bwrap", frozenset(), View(kept={"/home/sandbox": str(home)}), SandboxConfig(), network=True)


@pytest.mark.parametrize("more", [False, True])
def test_a_home_that_goes_too_deep_to_be_looked_at_is_emptied(more: bool, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    _deep(home)
    if more:
        (home / "shut").mkdir(mode=0o000)
        (home / "link").symlink_to(tmp_path)

    tidy(_walls(home))

    assert (list(home.iterdir()), [one.name for one in tmp_path.iterdir()]) == ([], ["home"])


def test_a_home_that_holds_little_stays(tmp_path: Path) -> None:
    (tmp_path / "home" / "a" / "b").mkdir(parents=True)

    tidy(_walls(tmp_path / "home"))

    assert (tmp_path / "home" / "a" / "b").is_dir()


def test_what_a_clearing_left_half_done_goes_with_the_next_one(tmp_path: Path) -> None:
    (tmp_path / "x.gone" / "7" / "inner").mkdir(parents=True)

    cleared(tmp_path / "x")

    assert list(tmp_path.iterdir()) == []
