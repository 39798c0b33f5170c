"""The rule gate-loosened."""

from __future__ import annotations

import pytest
from rule_kit import example, found, places, tool

from driftwatch.judge.gates import GATES, effects

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
        ({"_meta": {"openai/widgetAccessible": False}}, {"_meta": {"openai/widgetAccessible": True}}, "medium"),
        ({"_meta": {"openai/visibility": "private"}}, {"_meta": {"openai/visibility": "public"}}, "medium"),
        ({"_meta": {"openai/fileParams": ["a"]}}, {"_meta": {"openai/fileParams": ["a", "b"]}}, "medium"),
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


REACH = {"connectDomains": ["https://api.example.org"]}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"ui": {"csp": REACH}}, {"ui": {"csp": {"connectDomains": [*REACH["connectDomains"], "https://x.example"]}}}),
        ({"ui": {"csp": REACH}}, {"ui": {"csp": {**REACH, "frameDomains": ["https://x.example"]}}}),
        ({"ui": {}}, {"ui": {"permissions": {"microphone": {}}}}),
        ({"openai/widgetCSP": {}}, {"openai/widgetCSP": {"connect_domains": ["https://x.example"]}}),
    ],
)
def test_a_page_that_may_reach_or_use_more_is_medium(before: dict, after: dict) -> None:
    pages = [{"resources": [{"uri": "ui://shop/cart", "name": "cart", "_meta": meta}]} for meta in (before, after)]

    assert [(one.severity, one.kind) for one in found(RULE, *pages)] == [("medium", "resource")]
    assert found(RULE, *reversed(pages)) == []
    assert found("meta-changed", *pages) == []


def test_a_gate_says_what_the_host_that_honours_it_did_and_does_now() -> None:
    finding = found(RULE, *example(RULE))[0]

    assert [(one.host, one.was, one.now) for one in finding.hosts] == [
        ("Claude Code", "asks at every call, whatever your settings say", "asks as your settings say")
    ]
    assert "Claude Code: asks at every call" in finding.message


def test_every_gate_says_where_it_is_written_and_what_its_values_are() -> None:
    assert all(gate.source and gate.values and gate.honoured_by for gate in GATES)
    assert len({(gate.kind, gate.pointer) for gate in GATES}) == len(GATES)


@pytest.mark.parametrize("value", [None, 0, "x", [], [[]], {}, {"a": None}, [{"type": []}], float("nan")])
def test_no_value_makes_a_gate_raise(value: object) -> None:
    for gate in GATES:
        raw: object = value
        for key in reversed(gate.path):
            raw = {key: raw}

        assert isinstance(effects(gate, None, raw), tuple)
        assert isinstance(effects(gate, raw, {"_meta": value}), tuple)
