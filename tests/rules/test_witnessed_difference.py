"""The rule witnessed-difference."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from face_kit import ORDER, seen_by_agent
from rule_kit import example, found, tool

from driftwatch.judge.facts import Facts
from driftwatch.model import Lossy, TestimonyState

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


def test_what_could_not_be_read_is_one_small_finding_and_a_larger_one_when_it_goes_on() -> None:
    at = datetime(2026, 3, 1, tzinfo=UTC)
    sessions = [Lossy("desktop", f"s{number}", 2, at, recent=number < 3) for number in range(5)]

    (few,) = found(RULE, [], [], Facts(lossy=tuple(sessions[3:])))
    (more,) = found(RULE, [], [], Facts(lossy=tuple(sessions)))

    assert (few.severity, few.category, more.severity) == ("low", "unread", "medium")
    assert "in 2 sessions of agents, 4 answers or parts of them could not be read" in few.message
    assert "in 5 sessions of agents, the last 3 in a row, 10 answers" in more.message
    assert few.fingerprint == more.fingerprint


def test_an_older_list_that_is_held_is_told_with_when_driftwatch_was_shown_it() -> None:
    at = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)
    seen = seen_by_agent(
        [tool()], [tool(), tool("more")], TestimonyState.HELD, against="approved", shown_at=at, calls=0
    )

    (finding,) = found(RULE, [], [], seen)

    assert finding.category == "older-list"
    assert "from the start of a session, the agent being “some-agent 1.0”, the agent was shown a list, and still" in (
        finding.message
    )
    assert "that driftwatch was shown at 2026-03-01 09:30 UTC and nobody approved." in finding.message
