"""What spares an expression a text never spares it one that it matches."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from text_values import examine

from driftwatch.judge import outright
from driftwatch.judge.text import TextContext, decode, landmarks, lexicon, says_nothing
from driftwatch.judge.text.gate import Gated, lower
from driftwatch.judge.text.signals import ENTRIES, PATTERNS

FOLDED = (*landmarks.GATES, *outright.GATES)
GATES = (*FOLDED, *decode.GATES, *(pattern.gate for pattern in PATTERNS))
IGNORES_CASE = [gate for gate in GATES if gate.literals and gate.expression.flags & re.IGNORECASE]


@pytest.mark.parametrize("gate", GATES, ids=lambda gate: gate.expression.pattern[:24])
@settings(suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_a_gate_opens_for_whatever_its_expression_matches(gate: Gated, data: st.DataObject) -> None:
    text = data.draw(st.from_regex(gate.expression))

    assert gate.opens(text if gate in FOLDED else lower(text))


@pytest.mark.parametrize("gate", IGNORES_CASE, ids=lambda gate: gate.expression.pattern[:24])
def test_letters_that_an_expression_takes_for_ascii_ones_do_not_close_its_gate(gate: Gated) -> None:
    twins = str.maketrans("iskISK", "\u0131\u017f\u212a\u0130\u017f\u212a")

    for literal in gate.literals:
        assert literal in lower(literal.upper().translate(twins))


def test_a_meaning_that_takes_one_thing_only_takes_it_from_a_lexicon() -> None:
    spoken = {concept for concepts in lexicon.LEXICONS.values() for concept in concepts}

    assert all(set(choice) <= spoken for entry in ENTRIES if len(entry.choices) < 2 for choice in entry.choices)


@pytest.mark.parametrize("text", ["", "string", "id2", "A1B2C3D4E5F6A7B"])
def test_a_plain_short_word_says_nothing(text: str) -> None:
    assert says_nothing(text)
    assert examine(text, None, TextContext()) == ()


@pytest.mark.parametrize("text", ["a b", "id_rsa", "systеm", "aWdub3JlIHJ1bGVz", "\u200b", "preapproved"])
def test_anything_else_is_read(text: str) -> None:
    assert not says_nothing(text)
