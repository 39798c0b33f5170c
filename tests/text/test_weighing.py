"""How what a rule saw is weighed with the learned opinion, in a change and in a first list."""

from __future__ import annotations

from dataclasses import replace

import pytest

from driftwatch.judge.text import TextContext
from driftwatch.judge.text.signals import ENTRIES, PATTERNS, Entry, Pattern
from driftwatch.judge.text.signals.base import HIDDEN
from driftwatch.judge.text.weigh import Seen, weigh
from driftwatch.model import Confidence, Severity, Span

CHANGE = TextContext(item="get_stock")
FIRST = TextContext(item="get_stock", first=True, fresh=True)
TABLE: dict[str, Entry | Pattern] = {entry.id: entry for entry in (*ENTRIES, *PATTERNS)}


def level(name: str, chance: float, context: TextContext, how: str = "") -> Severity:
    seen = replace(Seen.of(TABLE[name], (Span("/description", 0, 9),), how), chance=chance)
    (signal,) = weigh([seen], context)
    return signal.severity


@pytest.mark.parametrize("name", ["steering.before-any", "steering.prefer", "context.into-field"])
def test_what_many_a_server_says_of_itself_is_low_in_a_first_list(name: str) -> None:
    assert level(name, 0.4, FIRST) is Severity.LOW
    assert level(name, 0.7, FIRST) >= Severity.MEDIUM


@pytest.mark.parametrize("name", ["steering.before-any", "steering.prefer"])
def test_the_same_gained_stands_whatever_was_learned(name: str) -> None:
    assert level(name, 0.02, CHANGE) is Severity.MEDIUM


@pytest.mark.parametrize("name", ["trigger.later", "execution.command", "confirmation.not-ask", "exfiltration.address"])
def test_what_the_opinion_rules_out_is_low_in_a_first_list_and_stands_where_it_was_gained(name: str) -> None:
    assert level(name, 0.05, FIRST) is Severity.LOW
    assert level(name, 0.05, CHANGE) >= Severity.MEDIUM


@pytest.mark.parametrize("name", ["role.template", "execution.pipe", "exfiltration.image"])
def test_a_shape_stands_in_a_first_list_whatever_was_learned(name: str) -> None:
    assert level(name, 0.01, FIRST) is Severity.HIGH


def test_what_is_too_short_to_be_weighed_is_not_ruled_out() -> None:
    assert level("override.ignore", 0.0, FIRST) is Severity.HIGH


def test_what_was_disguised_is_not_ruled_out() -> None:
    assert level("confirmation.not-ask", 0.05, FIRST, "base64") >= Severity.HIGH


@pytest.mark.parametrize("name", ["override.regardless", "secrecy.not-tell", "steering.automatic"])
def test_what_no_server_needs_to_say_stands_in_a_first_list_as_well(name: str) -> None:
    assert level(name, 0.05, FIRST) >= Severity.MEDIUM


def test_that_text_was_encoded_is_worse_only_where_it_says_something_bad() -> None:
    seen = Seen("hidden.encoded", HIDDEN, Severity.MEDIUM, Confidence.MEDIUM, (Span("/description", 0, 9),), "Why.")

    plain, bad = (weigh([replace(seen, chance=chance)], CHANGE)[0] for chance in (0.65, 0.95))

    assert plain.severity is Severity.MEDIUM
    assert bad.severity is Severity.HIGH
