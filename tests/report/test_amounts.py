"""One function knows of plurals, and nothing else in the product makes its own."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import driftwatch
from driftwatch.model.amounts import many

SOURCE = Path(driftwatch.__file__).parent
OWN = re.compile(
    r"""['"]s['"]\s*\*\s*\(|['"](?P<one>\w+)['"] if [^{}]{1,60} == 1 else ['"](?P=one)s['"]|"""
    r"""\{'y' if [^{}]+ else 'ies'\}|['"]1 (?P<noun>\w+)['"] if """
)
"""How a plural is made on the spot."""


@pytest.mark.parametrize(
    ("count", "words", "said"),
    [
        (0, ("item",), "0 items"),
        (1, ("item",), "1 item"),
        (2, ("item",), "2 items"),
        (1_234, ("more host",), "1,234 more hosts"),
        (1, ("entry", "entries"), "1 entry"),
        (2, ("entry", "entries"), "2 entries"),
        (3, ("silence is", "silences are"), "3 silences are"),
    ],
)
def test_how_many_there_are_is_said_in_words(count: int, words: tuple[str, ...], said: str) -> None:
    assert many(count, *words) == said


def test_no_plural_is_made_on_the_spot() -> None:
    files = [*SOURCE.rglob("*.py"), *SOURCE.rglob("*.html")]
    found = [
        f"{file.relative_to(SOURCE)}:{number}: {line.strip()}"
        for file in files
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1)
        if OWN.search(line)
    ]

    assert len(files) > 300
    assert found == []
