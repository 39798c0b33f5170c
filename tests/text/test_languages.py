"""What is asked of a model is understood in every language of the lexicon, and honest guidance in them stays quiet."""

from __future__ import annotations

import pytest
from languages import INJECTIONS, TWINS

from driftwatch.judge.text import TextContext, examine
from driftwatch.judge.text.lexicon import LEXICONS
from driftwatch.model import Severity

BEFORE = "Adds two numbers and returns the total."
CONTEXT = TextContext(frozenset({"add_numbers"}), "add_numbers", purpose=f"add_numbers: {BEFORE}")


def worst(text: str, before: str = BEFORE) -> Severity:
    return max((signal.severity for signal in examine(text, before, CONTEXT)), default=Severity.INFO)


def pairs(table: dict[str, tuple[str, ...]]) -> list[object]:
    return [
        pytest.param(text, id=f"{language}-{at}") for language, texts in table.items() for at, text in enumerate(texts)
    ]


@pytest.mark.parametrize("text", pairs(INJECTIONS))
def test_an_injection_in_any_language_is_at_least_medium(text: str) -> None:
    assert worst(f"{BEFORE} {text}") >= Severity.MEDIUM


@pytest.mark.parametrize("text", pairs(TWINS))
def test_honest_guidance_in_any_language_is_at_most_low(text: str) -> None:
    assert worst(f"{BEFORE} {text}") <= Severity.LOW


@pytest.mark.parametrize("text", pairs(TWINS))
def test_honest_guidance_is_at_most_low_on_first_sight_too(text: str) -> None:
    assert worst(text, "") <= Severity.LOW


def test_every_language_has_examples_and_the_same_concepts_as_english() -> None:
    assert set(INJECTIONS) == set(TWINS) == set(LEXICONS)
    needed = {
        "NOT",
        "TELL",
        "USER",
        "SEND",
        "READ",
        "INCLUDE",
        "CALL",
        "IGNORE",
        "INSTRUCTION",
        "CONVERSATION",
        "CREDENTIAL",
    }
    assert [language for language, concepts in LEXICONS.items() if needed - set(concepts)] == []
