"""The canonical form: equal values, equal bytes; different values, different bytes; nothing raises."""

from __future__ import annotations

import json
import math

import pytest
import rfc8785
from hypothesis import example, given
from hypothesis import strategies as st
from judge_values import JSON

from driftwatch.judge.canonical import _step_by_step, canonical

PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.floats(-1e15, 1e15)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner),
    max_leaves=10,
)


@given(PLAIN)
def test_what_rfc_8785_can_spell_is_spelled_as_it_says(value: object) -> None:
    assert canonical(value) == rfc8785.dumps(value)


@given(JSON)
def test_canonical_bytes_read_back_as_themselves(value: object) -> None:
    once = canonical(value)

    assert canonical(json.loads(once)) == once


@given(JSON)
@example([1.0, -0.0, 1e16, math.nan, -math.inf, "\ud800", "0.5, 1.5e3"])
@example([[1.0], [1 << 9999], [1 << 10_001], [-(1 << 10_001)]])
@example([1 << 20_000])
@example({"\ufb33": 1, "\U0001f600": [2, "\x7f\x1f\u2028"]})
def test_the_quick_way_spells_as_step_by_step(value: object) -> None:
    assert canonical(value) == _step_by_step(value)


@pytest.mark.parametrize(
    ("one", "two"),
    [(1, 1.0), (0, -0.0), (2**60, float(2**60)), ({"a": 1, "b": 2}, {"b": 2, "a": 1}), (math.nan, -math.nan)],
)
def test_one_value_in_two_spellings_has_one_form(one: object, two: object) -> None:
    assert canonical(one) == canonical(two)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (1, True),
        (0, False),
        (None, "null"),
        (2**53, 2**53 + 1),
        (math.nan, "NaN"),
        (math.nan, None),
        (math.inf, -math.inf),
        ("\ud800", "\\ud800"),
        ("\ud800", "\ud801"),
        (10**400, 10**400 + 1),
        ([1, 2], [2, 1]),
        ([1, 1, 2], [1, 2]),
        ({"__a": 1}, {}),
    ],
)
def test_different_values_keep_different_forms(one: object, two: object) -> None:
    assert canonical(one) != canonical(two)


def test_nesting_of_any_depth_has_a_form() -> None:
    deep: object = 1
    for _ in range(20_000):
        deep = [deep]

    assert canonical(deep) == b"[" * 20_000 + b"1" + b"]" * 20_000


def test_keys_are_ordered_by_utf_16_code_units() -> None:
    assert canonical({"\ufb33": 1, "\U0001f600": 2}) == '{"\U0001f600":2,"\ufb33":1}'.encode()
