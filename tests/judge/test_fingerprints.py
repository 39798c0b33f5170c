"""What makes two findings the same: total, told by the values, the same in every release."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from driftwatch.model import Finding, Kind, Severity

FINDING = Finding("schema-changed", Severity.LOW, Kind.TOOL, "a", "/inputSchema", "It changed.", before=1, after=[2])


def nested(depth: int, leaf: Any) -> Any:
    value = leaf
    for at in range(depth):
        value = {"k": value} if at % 2 else [value]
    return value


def test_a_fingerprint_keeps_its_value_between_releases() -> None:
    assert FINDING.fingerprint == "07bfcd44255585a41ae531e3dfe8bad0"


@pytest.mark.parametrize("depth", [190, 220, 999, 5_000, 100_000])
def test_a_value_of_any_depth_has_a_fingerprint_and_its_leaf_tells(depth: int) -> None:
    one, same, other = (replace(FINDING, after=nested(depth, leaf)).fingerprint for leaf in ("a", "a", "b"))

    assert one == same != other


def test_the_order_of_keys_does_not_move_a_fingerprint_at_any_depth() -> None:
    for depth in (1, 1_000):
        one, two = (nested(depth, json.loads(text)) for text in ('{"a": 1, "b": [2]}', '{"b": [2], "a": 1}'))

        assert replace(FINDING, after=one).fingerprint == replace(FINDING, after=two).fingerprint


def test_what_is_nested_otherwise_has_another_fingerprint() -> None:
    values = [nested(1_000, leaf) for leaf in ([[], [1]], [[1], []], [1, []], {"a": [], "b": [1]}, {"a": [1], "b": []})]

    assert len({replace(FINDING, after=value).fingerprint for value in values}) == len(values)
