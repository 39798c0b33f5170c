"""Patterns of schemas are compared as languages, and never run by a backtracking engine."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from driftwatch.judge.schema.patterns import all_match, automaton, between, includes, matches
from driftwatch.judge.schema.work import Spent, Work

ATOMS = st.sampled_from(["a", "b", ".", "[ab]", "[^a]", "\\d", "\\.", "^", "$", "(?:ab)", "x"])
PATTERNS = st.recursive(
    ATOMS,
    lambda inner: (
        st.tuples(inner, inner).map("".join)
        | st.tuples(inner, inner).map(lambda two: f"(?:{two[0]}|{two[1]})")
        | st.tuples(inner, st.sampled_from("*+?")).map(lambda two: f"(?:{two[0]}){two[1]}")
        | inner.map(lambda one: f"(?:{one}){{1,2}}")
    ),
    max_leaves=5,
)
TEXTS = st.text(st.sampled_from("abx.1"), max_size=5)


def work() -> Work:
    return Work(0, 100_000)


@given(PATTERNS, TEXTS)
def test_a_text_matches_as_the_standard_library_has_it(pattern: str, text: str) -> None:
    assert matches(pattern, text, work()) == bool(re.search(pattern, text))


@given(PATTERNS, PATTERNS, st.lists(TEXTS, max_size=5))
def test_what_one_pattern_includes_no_text_contradicts(smaller: str, larger: str, texts: list[str]) -> None:
    found, certain = between([smaller], larger, work())

    if found is None and certain:
        assert all(re.search(larger, text) for text in texts if re.search(smaller, text))
    if found is not None and found.isascii() and found.isprintable():
        assert re.search(smaller, found)
        assert not re.search(larger, found)


@pytest.mark.parametrize("pattern", ["(?=a)", "(?!a)", "(?<=a)b", "(a)\\1", "\\bword", "\\p{L}", "(?i)a", "a{1,9999}"])
def test_what_is_no_plain_expression_is_not_understood(pattern: str) -> None:
    assert automaton(pattern) is None
    assert matches(pattern, "a", work()) is None


@pytest.mark.parametrize("pattern", ["(", "[a", "a{2,1}", "*", "a\\", "[b-a]", "(?", "a**", "x" * 301])
def test_a_broken_pattern_is_not_understood(pattern: str) -> None:
    assert automaton(pattern) is None


@pytest.mark.parametrize("pattern", ["", ".*", "^", "$", "a*", "^.*"])
def test_a_pattern_that_every_text_matches_says_nothing(pattern: str) -> None:
    assert all_match(pattern, work())


def test_a_pattern_made_to_backtrack_for_ever_ends() -> None:
    assert matches("^(a+)+$", "a" * 200 + "b", work()) is False


def test_a_pattern_with_too_many_ways_ends_within_the_budget() -> None:
    small = Work(0, 2_000)

    with pytest.raises(Spent):
        includes(["^[a-z]{40}(x[a-y]{30}|y[b-z]{30})*$"], "^([a-f]{1,7}|[e-z]{2,9})*q.{20}$", small)


def test_a_text_on_which_readers_differ_is_not_judged() -> None:
    assert matches("^a$", "a\n", work()) is None
    assert matches("\\w", "é", work()) is None
