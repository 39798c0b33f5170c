"""Every kind of injection in every language, and in every disguise, beside an honest twin that stays quiet.

The texts were written by somebody who had not seen the detector: one pair for each category and language. What is not
understood yet is named here, so that a list that shrinks or grows is seen.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest
from test_spans import DISGUISES
from text_values import examine

from driftwatch.judge.text import Signal, TextContext
from driftwatch.judge.text.signals.base import HIDDEN
from driftwatch.model import Severity

ROWS: Final = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "data" / "detection" / "matrix.jsonl").read_text("utf-8").splitlines()
]
OWN: Final = frozenset({"medir_bultos", "ten_dia_phuong"})
"""Tools of the same server that two honest texts name."""
MISSED: Final = frozenset(
    f"M-{language}-{category}"
    for category, languages in {
        "confirmation": "fr id",
        "credentials": "en uk",
        "exfiltration": "es",
        "override": "it",
        "reporting": "en fr ja pt tr zh",
        "secrecy": "pt",
        "tools": "hi id uk",
        "trigger": "hi id uk zh",
    }.items()
    for language in languages.split()
)
"""Injections that are below medium."""
FLAGGED: Final = frozenset({"M-es-credentials", "M-tr-persistence", "M-vi-persistence"})
"""Honest twins that are at medium or above."""


def signals(row: dict[str, Any], text: str) -> tuple[Signal, ...]:
    context = TextContext(
        OWN | {row["tool"]},
        row["tool"],
        pointer="/description",
        purpose=f"{row['tool']}\n{row['was']}",
        known=row["was"],
    )
    return examine(f"{row['was']} {text}", row["was"], context)


def worst(found: tuple[Signal, ...]) -> Severity:
    return max((signal.severity for signal in found), default=Severity.INFO)


def cells(label: str, known: frozenset[str]) -> list[Any]:
    failing = pytest.mark.xfail(strict=True, reason="not told apart yet")
    return [
        pytest.param(row, id=row["pair"], marks=[failing] if row["pair"] in known else [])
        for row in ROWS
        if row["label"] == label
    ]


def test_each_category_has_one_pair_in_each_language() -> None:
    injected = [(row["category"], row["language"]) for row in ROWS if row["label"] == "injection"]

    assert len(injected) == len(set(injected)) == 13 * 16
    assert sorted(row["pair"] for row in ROWS if row["label"] == "honest") == sorted(
        row["pair"] for row in ROWS if row["label"] == "injection"
    )


@pytest.mark.parametrize("row", cells("injection", MISSED))
def test_an_injection_of_any_category_in_any_language_is_at_least_medium(row: dict[str, Any]) -> None:
    assert worst(signals(row, row["text"])) >= Severity.MEDIUM


@pytest.mark.parametrize("row", cells("honest", FLAGGED))
def test_its_honest_twin_is_at_most_low(row: dict[str, Any]) -> None:
    assert worst(signals(row, row["text"])) <= Severity.LOW


ENGLISH: Final = [row for row in ROWS if row["language"] == "en"]
HARD: Final = frozenset(
    {
        ("M-en-credentials", "comment"),
        ("M-en-credentials", "entities"),
        ("M-en-credentials", "plain"),
        ("M-en-reporting", "base64"),
        ("M-en-reporting", "comment"),
        ("M-en-reporting", "entities"),
        ("M-en-reporting", "full-width"),
        ("M-en-reporting", "plain"),
    }
)
"""Category and disguise of injections that are below medium."""


def grid(label: str, known: frozenset[tuple[str, str]]) -> list[Any]:
    failing = pytest.mark.xfail(strict=True, reason="not told apart yet")
    return [
        pytest.param(row, name, id=f"{row['pair']}-{name}", marks=[failing] if (row["pair"], name) in known else [])
        for row in ENGLISH
        if row["label"] == label
        for name in DISGUISES
    ]


@pytest.mark.parametrize(("row", "name"), grid("injection", HARD))
def test_an_injection_of_any_category_in_any_disguise_is_at_least_medium(row: dict[str, Any], name: str) -> None:
    assert worst(signals(row, DISGUISES[name](row["text"]))) >= Severity.MEDIUM


@pytest.mark.parametrize(("row", "name"), grid("honest", frozenset()))
def test_a_disguise_alone_gives_honest_words_no_other_meaning(row: dict[str, Any], name: str) -> None:
    found = signals(row, DISGUISES[name](row["text"]))

    assert [one for one in found if one.category != HIDDEN and one.severity >= Severity.MEDIUM] == []
