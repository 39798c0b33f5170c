"""The rule parameter-removed."""

from __future__ import annotations

from rule_kit import example, found, places

RULE = "parameter-removed"


def test_a_parameter_that_is_gone_is_low() -> None:
    assert places(found(RULE, *example(RULE))) == [("low", "list_tickets", "/inputSchema/properties/page")]


def test_arguments_of_prompts_count() -> None:
    before = {"prompts": [{"name": "p", "arguments": [{"name": "a"}, {"name": "b"}]}]}

    findings = found(RULE, before, {"prompts": [{"name": "p", "arguments": [{"name": "b"}]}]})

    assert places(findings) == [("low", "p", "/arguments/0")]
