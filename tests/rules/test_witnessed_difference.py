"""The rule witnessed-difference."""

from __future__ import annotations

import pytest
from face_kit import ORDER, seen_by_agent
from rule_kit import example, found, tool

from driftwatch.model import TestimonyState

RULE = "witnessed-difference"
BIDI = "add\u202e\x1b[31m"


def test_an_order_that_comes_up_in_a_session_is_critical_and_says_after_how_many_calls() -> None:
    (finding,) = found(RULE, *example(RULE))

    assert (finding.severity, finding.category) == ("critical", "flipped")
    assert "after 3 tool calls (the last: “search”)" in finding.message


@pytest.mark.parametrize(
    ("after", "severity"),
    [([tool(), tool("more")], "medium"), ([tool(description="Something else.")], "high")],
    ids=["an item more", "another text"],
)
def test_what_has_no_poison_in_it_weighs_by_whether_what_was_there_says_something_else(
    after: list[dict[str, object]], severity: str
) -> None:
    (finding,) = found(RULE, [], [], seen_by_agent([tool()], after))

    assert finding.severity == severity


def test_from_the_start_only_what_no_list_may_have_is_told() -> None:
    harmless = seen_by_agent([tool()], [tool(), tool("more")], TestimonyState.APART)
    bad = seen_by_agent([tool()], [tool(description=ORDER)], TestimonyState.APART)

    assert found(RULE, [], [], harmless) == []
    assert found(RULE, [], [], bad)[0].category == "from-the-start"


def test_a_list_that_is_no_longer_the_learned_one_is_told_whatever_changed() -> None:
    moved = seen_by_agent([tool()], [tool(), tool("more")], TestimonyState.APART, against="learned")

    (finding,) = found(RULE, [], [], moved)

    assert "than the one that was known of this host" in finding.message


def test_names_from_outside_cannot_hide_in_the_message() -> None:
    (finding,) = found(RULE, [], [], seen_by_agent([tool()], [tool(description=ORDER)], tool=BIDI, client=BIDI))

    assert "\u202e" not in finding.message
    assert "\x1b" not in finding.message
