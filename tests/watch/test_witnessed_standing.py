"""What was found of what agents were shown ends by a person's decision, whatever the server and whoever hands in do."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from witness_desk import AWAY, GOOD, MORE, POISONED, REWORDED, RULE, SINK, WitnessDesk

from driftwatch.model import Outcome, TestimonyState, worst_of
from driftwatch.review.approve import mark_of
from tests.fakes import listed, tool

S = TestimonyState
LISTS = {"poison": POISONED, "other words": REWORDED, "more": MORE, "sink": SINK}
SHOWN: dict[str, Outcome] = {"the same": MORE, "the clean one": GOOD, "a third": SINK, "nothing": AWAY}


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[WitnessDesk]:
    made = WitnessDesk(tmp_path)
    yield made
    made.store.close()


async def shows(desk: WitnessDesk, *shown: Outcome) -> None:
    for one in shown:
        desk.show = one
        await desk.look()


# The server


@pytest.mark.parametrize("flip", LISTS)
async def test_a_finding_stands_as_it_is_while_driftwatch_is_shown_the_list_of_the_agent_for_a_while(
    desk: WitnessDesk, flip: str
) -> None:
    await desk.approved()
    await desk.session(GOOD, LISTS[flip])
    before = desk.rules()

    await shows(desk, LISTS[flip])
    meanwhile = desk.rules()
    await shows(desk, GOOD)

    assert set(before) == {RULE}
    assert meanwhile[RULE] == before[RULE]
    assert set(meanwhile) > {RULE}
    assert desk.rules() == before
    assert desk.alert is not None


@pytest.mark.parametrize("shown", [*product(SHOWN, repeat=2)], ids=" then ".join)
async def test_whatever_is_shown_to_driftwatch_meanwhile_a_finding_stands_once_the_clean_list_is_back(
    desk: WitnessDesk, shown: tuple[str, ...]
) -> None:
    await desk.approved()
    await desk.session(GOOD, MORE)

    await shows(desk, *(SHOWN[one] for one in shown), GOOD)

    assert desk.rules()[RULE] == "medium"
    assert desk.face().suspect


async def test_a_finding_that_driftwatch_is_shown_too_is_approved_with_the_list(desk: WitnessDesk) -> None:
    await desk.approved()
    await desk.session(GOOD, MORE)
    await shows(desk, MORE)

    desk.approve()
    await shows(desk, GOOD)

    assert RULE not in desk.rules()
    assert desk.states() == [S.SAME, S.SETTLED]


async def test_a_list_that_driftwatch_was_shown_for_a_moment_before_agents_is_told(desk: WitnessDesk) -> None:
    await desk.approved()
    began = desk.clock()
    await shows(desk, SINK, GOOD)

    await desk.session(GOOD, SINK, started_at=began)

    assert desk.states() == [S.SAME, S.HELD]
    assert desk.rules() == {RULE: "medium"}
    assert desk.finding().category == "older-list"
    assert "and still holds it, that driftwatch was shown at 2026-" in desk.finding().message
    assert "Beside what is approved, it reads so:" in desk.finding().message


async def test_a_list_that_driftwatch_was_shown_together_with_agents_is_told_once_driftwatch_is_not_any_more(
    desk: WitnessDesk,
) -> None:
    await desk.approved()
    await shows(desk, SINK)
    await desk.session(SINK)
    meanwhile = desk.rules()

    await shows(desk, GOOD)

    assert RULE not in meanwhile
    assert desk.states() == [S.HELD]
    assert desk.rules() == {RULE: "medium"}


async def test_a_roll_out_of_which_the_agent_was_first_and_that_was_taken_back_is_told(desk: WitnessDesk) -> None:
    await desk.approved()
    desk.show = SINK
    await desk.session(GOOD, SINK)

    await shows(desk, GOOD)

    assert desk.states() == [S.SAME, S.HELD]
    assert desk.rules() == {RULE: "medium"}


async def test_an_older_list_in_which_nothing_matters_is_quiet(desk: WitnessDesk) -> None:
    await desk.approved()
    await shows(desk, MORE)
    await desk.session(MORE)

    await shows(desk, GOOD)

    assert desk.states() == [S.OLDER]
    assert desk.rules() == {}


async def test_an_older_list_that_was_approved_at_some_time_is_quiet(desk: WitnessDesk) -> None:
    desk.show = SINK
    began = desk.clock()
    await desk.approved()
    await desk.session(SINK)
    await shows(desk, GOOD)
    desk.approve()

    await shows(desk, MORE)
    await desk.session(SINK, session="b2", started_at=began)

    assert desk.states() == [S.OLDER, S.OLDER]
    assert RULE not in desk.rules()


async def test_an_older_list_is_held_against_the_first_one_where_nobody_approved_any(desk: WitnessDesk) -> None:
    await desk.look()
    await shows(desk, SINK)
    await desk.session(SINK)

    await shows(desk, GOOD)

    assert desk.rules()[RULE] == "medium"
    assert "Beside the first list that driftwatch was shown, it reads so:" in desk.finding().message


async def test_sessions_of_servers_that_are_as_approved_are_not_looked_through_again(desk: WitnessDesk) -> None:
    await desk.approved()
    await desk.session(GOOD)
    await desk.session(GOOD, session="b2")

    await desk.look()

    assert desk.states() == [S.SAME, S.SAME]


# Whoever hands in


@pytest.mark.parametrize("number", [1, 2, 3, 2**31])
@pytest.mark.parametrize("flip", LISTS)
async def test_to_hand_in_what_stands_once_more_takes_no_finding_away(
    desk: WitnessDesk, flip: str, number: int
) -> None:
    await desk.approved()
    await desk.session(GOOD, LISTS[flip])
    before, mark = desk.rules(), mark_of(desk.store.faces("notes"))

    desk.hand_in(LISTS[flip], number, calls=0, noticed=("tools",))
    await desk.look()

    assert desk.rules() == before
    assert mark_of(desk.store.faces("notes")) == mark


async def test_to_hand_in_what_waits_once_more_makes_no_list_the_first_of_its_session(desk: WitnessDesk) -> None:
    await desk.approved()
    desk.hand_in(GOOD, 1)
    desk.hand_in(REWORDED, 2, calls=3)

    desk.hand_in(REWORDED, 1)
    await desk.look()

    assert desk.rules() == {RULE: "high"}


async def test_to_hand_in_other_looks_of_a_session_pushes_out_none_that_waits(desk: WitnessDesk) -> None:
    await desk.approved()
    desk.hand_in(GOOD, 1)
    desk.hand_in(POISONED, 5, calls=3)

    for number in (2, 3, 9, 2**30, 2**31):
        desk.hand_in(listed(tool(description=f"Lists {number} things.")), number)
    await desk.look()

    assert worst_of(desk.store.findings("notes")) == "critical"


async def test_what_joins_what_stands_moves_the_mark_of_an_approval_also_where_the_first_is_seen_again(
    desk: WitnessDesk,
) -> None:
    await desk.approved()
    await desk.session(GOOD, POISONED)
    read = mark_of(desk.store.faces("notes"))

    await desk.session(GOOD, SINK, session="b2")
    await desk.session(GOOD, POISONED, session="c3")

    assert mark_of(desk.store.faces("notes")) != read
