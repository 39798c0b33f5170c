"""The page about a hostile network names tests that exist, and every attack that there is a server for has one."""

from __future__ import annotations

import re
from pathlib import Path

TESTS = Path(__file__).parents[1]
PAGE = TESTS.parent / "docs" / "security.md"


def test_every_test_that_the_page_names_exists() -> None:
    there = {
        name for file in TESTS.rglob("test_*.py") for name in re.findall(r"def (test_\w+)", file.read_text("utf-8"))
    }

    named = set(re.findall(r"`(test_\w+)`", PAGE.read_text("utf-8")))

    assert named
    assert named - there == set()


def test_the_page_names_every_test_of_an_attack() -> None:
    there = {
        name
        for file in (TESTS / "fetch").glob("test_attacks_*.py")
        for name in re.findall(r"def (test_\w+)", file.read_text("utf-8"))
    }

    assert there - set(re.findall(r"`(test_\w+)`", PAGE.read_text("utf-8"))) == set()
