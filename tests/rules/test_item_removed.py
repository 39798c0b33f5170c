"""The rule item-removed."""

from __future__ import annotations

from rule_kit import example, found, places, tool

RULE = "item-removed"


def test_a_tool_that_is_gone_is_low() -> None:
    assert places(found(RULE, *example(RULE))) == [("low", "get_ticket", "")]


def test_a_whole_list_that_is_gone_is_told_by_another_rule() -> None:
    assert found(RULE, [tool("a"), tool("b")], []) == []


def test_several_that_went_at_once_are_one_finding_with_all_names() -> None:
    kept = [tool(f"keep_{number}", description=f"Keeps thing number {number}.", inputSchema={}) for number in range(9)]
    gone = [tool(name, description="Goes.") for name in ("a", "b", "c")]

    (finding,) = found(RULE, [*kept, *gone], kept)

    assert (finding.items, finding.message) == (
        ("a", "b", "c"),
        "3 tools are no longer listed. Callers that use them break.",
    )
