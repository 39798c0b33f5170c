"""Honest turns of phrase take the edge off the words in them, in every language; orders beside them keep theirs."""

from __future__ import annotations

import pytest
from harmless_values import HONEST, ORDERS
from text_values import examine

from driftwatch.judge.text import TextContext
from driftwatch.judge.text.suspect import LEARNED
from driftwatch.model import Severity

BEFORE = "Gives the stock of an article. Rows are sorted by shelf."
CONTEXT = TextContext(frozenset({"get_stock"}), "get_stock", purpose=f"get_stock: {BEFORE}")


@pytest.mark.parametrize(
    "text",
    [pytest.param(text, id=f"{kind}-{language}") for kind, said in HONEST.items() for language, text in said.items()],
)
def test_no_rule_takes_an_honest_turn_of_phrase_for_an_order(text: str) -> None:
    signals = examine(f"{BEFORE} {text}", BEFORE, CONTEXT)

    told = [signal.id for signal in signals if signal.severity >= Severity.MEDIUM]
    assert [name for name in told if not name.startswith(LEARNED)] == []


@pytest.mark.parametrize(
    ("category", "text"), [(category, text) for category, texts in ORDERS.items() for text in texts]
)
def test_an_order_stays_one_whatever_turn_of_phrase_is_in_it(category: str, text: str) -> None:
    signals = examine(f"{BEFORE} {text}", BEFORE, CONTEXT)

    assert any(signal.category == category and not signal.id.startswith(LEARNED) for signal in signals)
