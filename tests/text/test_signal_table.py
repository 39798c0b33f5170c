"""Every entry of the signal table proves itself on its own examples."""

from __future__ import annotations

import re

import pytest
from text_values import examine

from driftwatch.judge.text import TextContext
from driftwatch.judge.text.signals import CATEGORIES, ENTRIES, PATTERNS, Entry, Pattern

CASES_FOR = [(entry, text) for entry in (*ENTRIES, *PATTERNS) for text in entry.positive]
CASES_AGAINST = [(entry, text) for entry in (*ENTRIES, *PATTERNS) for text in entry.negative]
CONTEXT = TextContext(
    frozenset({"add_numbers", "get_total", "send_totals"}), "add_numbers", purpose="add_numbers: Adds two numbers."
)


def name(value: object) -> str:
    return value.id if isinstance(value, Entry | Pattern) else ""


@pytest.mark.parametrize(("entry", "text"), CASES_FOR, ids=name)
def test_an_entry_is_met_by_its_positive_examples(entry: Entry | Pattern, text: str) -> None:
    met = {signal.id for signal in examine(f"Adds two numbers.\n\n{text}", "Adds two numbers.", CONTEXT)}

    assert entry.id in met


@pytest.mark.parametrize(("entry", "text"), CASES_AGAINST, ids=name)
def test_an_entry_is_not_met_by_its_negative_examples(entry: Entry | Pattern, text: str) -> None:
    met = {signal.id for signal in examine(f"Adds two numbers.\n\n{text}", "Adds two numbers.", CONTEXT)}

    assert entry.id not in met


@pytest.mark.parametrize("entry", [*ENTRIES, *PATTERNS], ids=name)
def test_an_entry_is_complete(entry: Entry | Pattern) -> None:
    assert entry.positive
    assert entry.negative
    assert entry.category in CATEGORIES
    assert entry.why.endswith(".")


def test_ids_of_entries_are_unique() -> None:
    ids = [entry.id for entry in (*ENTRIES, *PATTERNS)]

    assert len(ids) == len(set(ids))


def test_every_shape_compiles_without_nested_quantifiers() -> None:
    nested = re.compile(r"\((?:[^()]|\\.)*[+*](?:[^()]|\\.)*\)[+*]")

    assert [pattern.id for pattern in PATTERNS if nested.search(pattern.expression)] == []
