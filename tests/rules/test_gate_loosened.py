"""The rule gate-loosened."""

from __future__ import annotations

import pytest
from rule_kit import example, found, places, tool

RULE = "gate-loosened"


PROMPT = {"anthropic/requiresUserInteraction": True}


def test_a_gate_whose_value_is_no_longer_true_is_high() -> None:
    pointer = "/_meta/anthropic~1requiresUserInteraction"

    assert places(found(RULE, *example(RULE))) == [("high", "list_tickets", pointer)]


@pytest.mark.parametrize(
    ("before", "after", "severity"),
    [
        ({"_meta": PROMPT}, {}, "high"),
        ({"_meta": PROMPT}, {"_meta": {"anthropic/requiresUserInteraction": False}}, "high"),
        ({"_meta": {"cursor/requiresConfirmation": True}}, {"_meta": {}}, "high"),
        ({"annotations": {"cursor/requiresConfirmation": True}}, {"annotations": {}}, "high"),
        ({"securitySchemes": [{"type": "oauth2"}]}, {"securitySchemes": [{"type": "noauth"}]}, "high"),
        ({"securitySchemes": [{"type": "oauth2"}]}, {}, "high"),
        ({"_meta": {"ui": {"visibility": ["app"]}}}, {"_meta": {"ui": {"visibility": ["app", "model"]}}}, "medium"),
        ({"execution": {"taskSupport": "forbidden"}}, {"execution": {"taskSupport": "optional"}}, "low"),
    ],
)
def test_every_gate_of_the_table_is_watched(before: dict, after: dict, severity: str) -> None:
    assert [one.severity for one in found(RULE, [tool(**before)], [tool(**after)])] == [severity]
    assert found(RULE, [tool(**after)], [tool(**before)]) == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"_meta": {"ui": {"visibility": ["app"]}}}, {"_meta": {"ui": {"visibility": ["model"]}}}),
        ({"securitySchemes": [{"type": "oauth2"}]}, {"securitySchemes": ["oauth2"]}),
        ({"securitySchemes": [{"type": "oauth2"}]}, {"securitySchemes": [{"type": None}]}),
    ],
)
def test_a_gate_that_lets_somebody_else_through_is_looser_however_many_it_stops(before: dict, after: dict) -> None:
    assert len(found(RULE, [tool(**before)], [tool(**after)])) == 1
