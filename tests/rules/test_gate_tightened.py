"""The rule gate-tightened."""

from __future__ import annotations

from rule_kit import example, found, places, tool

RULE = "gate-tightened"


def test_a_gate_that_appears_is_info() -> None:
    pointer = "/_meta/anthropic~1requiresUserInteraction"

    assert places(found(RULE, *example(RULE))) == [("info", "list_tickets", pointer)]


def test_task_support_spelled_out_at_its_default_is_info() -> None:
    findings = found(RULE, [tool()], [tool(execution={"taskSupport": "forbidden"})])

    assert places(findings) == [("info", "list_tickets", "/execution/taskSupport")]
    assert findings[0].message == (
        "Another value of taskSupport; nothing changes for hosts that run tasks (absent → “forbidden”). "
        "That is no looser."
    )


def test_a_gate_that_holds_no_number_on_both_sides_did_not_move() -> None:
    gate = {"_meta": {"cursor/requiresConfirmation": float("nan")}}

    assert found(RULE, [tool(**gate)], [tool(title="Tickets", **gate)]) == []
