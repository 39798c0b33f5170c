"""The rule list-emptied."""

from __future__ import annotations

from rule_kit import example, found, tool

RULE = "list-emptied"


def test_a_list_that_lost_everything_is_one_finding_at_medium() -> None:
    findings = found(RULE, *example(RULE))

    assert [(one.severity, one.items) for one in findings] == [("medium", ("get_ticket", "list_tickets"))]


def test_a_list_that_was_not_looked_at_is_not_empty() -> None:
    assert found(RULE, {"tools": [tool()], "prompts": []}, {"prompts": []}) == []


def many(count: int) -> dict[str, object]:
    return {"tools": [tool(f"tool_{number}", description=f"Does thing {number}.") for number in range(count)]}


def test_a_list_that_lost_most_of_itself_is_one_finding_and_names_all_that_went() -> None:
    (finding,) = found(RULE, many(8), many(1))

    assert (finding.severity, finding.axis, len(finding.items)) == ("medium", "contract", 7)
    assert found("item-removed", many(8), many(1)) == []


def test_a_list_that_lost_half_is_told_item_by_item() -> None:
    assert found(RULE, many(8), many(4)) == []


def test_a_list_with_others_in_place_of_those_that_went_did_not_shrink() -> None:
    others = {"tools": [tool(f"new_{n}", inputSchema={"type": "object", "required": [f"a{n}"]}) for n in range(8)]}

    assert found(RULE, many(8), others) == []
