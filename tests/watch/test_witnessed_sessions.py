"""Sessions of agents as they are handed in: partial, late, twice, by several hosts; and what prompts read as."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from witness_desk import GOOD, MORE, POISON, POISONED, REWORDED, RULE, WitnessDesk, later

from driftwatch.model import EventKind, Listed, TestimonyState, worst_of
from tests.fakes import listed, tool

S = TestimonyState


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[WitnessDesk]:
    made = WitnessDesk(tmp_path)
    yield made
    made.store.close()


async def test_two_hosts_that_saw_the_same_are_one_finding(desk: WitnessDesk) -> None:
    await desk.approved()

    await desk.session(GOOD, POISONED)
    await desk.session(GOOD, POISONED, session="b2", witness="cursor")

    assert "In “claude-desktop”, “cursor”, after 3 tool calls" in desk.finding().message
    assert "It was seen in 2 sessions." in desk.finding().message
    assert desk.told() == [EventKind.OPENED]


async def test_a_look_that_is_handed_in_twice_is_known(desk: WitnessDesk) -> None:
    await desk.approved()
    desk.hand_in(GOOD)
    first = desk.hand_in(POISONED, 2, calls=3)
    await desk.look()
    told = desk.told()

    again = desk.hand_in(POISONED, 2, calls=3)
    await desk.look()

    assert (first.is_news, again.is_news) == (True, False)
    assert again.testimonies[0].times == 2
    assert desk.told() == told


async def test_what_a_witness_could_not_read_is_counted_though_it_shows_nothing_new(desk: WitnessDesk) -> None:
    await desk.approved()
    desk.hand_in(GOOD, 1)
    desk.hand_in(GOOD, 2, gaps=3)
    again = desk.hand_in(GOOD, 2, gaps=2)
    desk.hand_in(GOOD, 1, session="b2", gaps=1)

    assert again.testimonies[0].gaps == 3
    assert desk.store.gaps() == desk.store.gaps("notes") == {("notes", "claude-desktop"): 4}
    assert desk.store.gaps("other") == {}


async def test_a_later_look_of_a_session_that_asked_for_more_has_not_flipped_whichever_arrives_first(
    desk: WitnessDesk,
) -> None:
    await desk.approved()
    theirs = listed(tool(), tool("mine"), prompts=[{"name": "mine"}])
    desk.hand_in(theirs, 2, kinds="tools prompts")
    await desk.look()
    alone = desk.rules()

    desk.hand_in(theirs, 1, kinds="tools")
    await desk.look()

    assert alone == desk.rules() == {}
    assert desk.states() == [S.LEARNED, S.LEARNED]


async def test_a_look_of_which_no_earlier_one_is_known_has_not_flipped(desk: WitnessDesk) -> None:
    await desk.approved()
    desk.hand_in(REWORDED, 2, calls=3)
    await desk.look()
    harmless = desk.rules()

    desk.hand_in(POISONED, 2, session="b2", calls=3, tool="list_notes")
    await desk.look()

    assert harmless == {}
    assert desk.states() == [S.LEARNED, S.APART]
    assert desk.finding().category == "from-the-start"
    said = (
        "after 3 tool calls (the last: “list_notes”) of a session, the agent being “claude-ai 0.1.0”, of which nothing"
    )
    assert f"{said} before that was handed in, the server showed the agent another list" in desk.finding().message


async def test_an_older_look_that_arrives_after_a_newer_one_shows_that_the_newer_one_flipped(desk: WitnessDesk) -> None:
    await desk.approved()
    desk.hand_in(listed(tool("mine")), 1)
    await desk.look()
    desk.hand_in(MORE, 3, session="b2")
    desk.hand_in(MORE, 1, session="c3")
    await desk.look()
    before = desk.states("c3")

    desk.hand_in(REWORDED, 2, session="b2")
    await desk.look()

    assert before == [S.APART]
    assert desk.states("b2") == [S.FLIPPED, S.LEFT]


@pytest.mark.parametrize("at", [datetime(1970, 1, 2, tzinfo=UTC), datetime(2199, 1, 1, tzinfo=UTC)], ids=str)
async def test_a_wrong_clock_of_the_sender_changes_nothing_of_what_is_told(desk: WitnessDesk, at: datetime) -> None:
    await desk.approved()

    await desk.session(GOOD, POISONED, at=at, started_at=later(at, seconds=-90))

    assert desk.rules() == {RULE: "critical"}


async def test_a_list_that_the_agent_did_not_ask_for_is_not_missing(desk: WitnessDesk) -> None:
    desk.show = listed(tool(), prompts=[{"name": "review"}], instructions="Be brief.")
    await desk.approved()

    await desk.session(desk.show, desk.show, kinds="tools prompts")
    await desk.session(desk.show, session="b2", kinds="tools")
    taken = desk.witnesses.take_in(replace(desk.seen(desk.show, session=""), document={"tools": [tool()]}))

    assert desk.rules() == {}
    assert not taken.waits


async def test_a_session_that_asks_for_more_as_it_goes_on_has_not_flipped(desk: WitnessDesk) -> None:
    desk.show = listed(tool(), prompts=[{"name": "review"}])
    await desk.approved()
    theirs = listed(tool(), tool("mine"), prompts=[{"name": "review"}, {"name": "mine"}])

    desk.hand_in(theirs, 1, kinds="tools")
    await desk.look()
    desk.hand_in(theirs, 2, kinds="tools prompts")
    await desk.look()

    assert desk.states() == [S.LEARNED, S.LEARNED]
    assert desk.rules() == {}


async def test_a_look_that_came_in_while_driftwatch_looked_waits_for_the_next_one(desk: WitnessDesk) -> None:
    await desk.approved()
    desk.hand_in(GOOD)

    class Late:
        async def fetch(self, *_: object, **__: object) -> Listed:
            desk.hand_in(POISONED, 2, calls=3)
            return GOOD

    checker = type(desk.checker)(
        store=desk.store, fetcher=Late(), settings=desk.settings, clock=desk.clock, jitter=lambda: 0.0
    )
    await checker.check(desk.server)
    waiting = desk.states()
    desk.show = POISONED
    await desk.look()

    assert waiting == [S.SAME, S.PENDING]
    assert RULE not in desk.rules()


async def test_a_server_that_shows_each_agent_another_list_is_told_within_bounds(desk: WitnessDesk) -> None:
    await desk.approved()

    for number in range(21):
        changed = listed(tool(description=f"Lists {number} things."), tool("get_note"))
        await desk.session(GOOD, changed, session=f"s{number}")
    full = [state for state in desk.states() if state.stands]
    await desk.session(GOOD, POISONED, session="worse")
    again = [state for state in desk.states() if state.stands]

    assert len(full) == 20
    assert len(again) == 21
    assert worst_of(desk.store.findings("notes")) == "critical"


async def test_of_one_session_the_first_difference_stands_and_each_that_is_worse(desk: WitnessDesk) -> None:
    await desk.approved()

    others = [listed(tool(description=f"Lists {number} things."), tool("get_note")) for number in range(4)]
    await desk.session(GOOD, *others, POISONED)

    standing = [one.severity for one in desk.store.testimonies("notes") if one.state.stands]
    assert standing == ["high", "critical"]


async def test_a_value_that_is_another_one_at_every_look_is_no_difference(desk: WitnessDesk) -> None:
    desk.show = _dated(0)
    await desk.approved()
    for day in (1, 2, 3):
        desk.show = _dated(day)
        await desk.look()

    await desk.session(_dated(7), _dated(8))

    assert desk.states() == [S.SAME, S.SAME]
    assert RULE not in desk.rules()


def _dated(day: int) -> Listed:
    return listed(tool(description=f"Lists the notes as of 2026-03-0{day + 1}."), tool("get_note"))


# What prompts read as


def body(text: str, name: str = "review") -> Listed:
    messages = [{"role": "user", "content": {"type": "text", "text": text}}]
    return listed(tool(), tool("get_note"), promptBodies=[{"name": name, "messages": messages}])


async def test_a_prompt_that_reads_as_an_order_is_told_and_one_that_is_only_made_anew_is_not(desk: WitnessDesk) -> None:
    await desk.approved()

    await desk.session(body("Review {change} and list what you find."))
    await desk.session(body("Please look at {change} and write down what is wrong."), session="b2")
    quiet = desk.rules()
    await desk.session(body(f"Review {{change}}. {POISON}"), session="c3", calls=2, tool="get_note")

    assert quiet == {}
    assert set(desk.rules()) == {RULE}
    assert desk.rules()[RULE] >= "high"
    assert desk.finding().kind == "prompt_body"
    assert (desk.finding().item, desk.finding().category) == ("review", "prompt-body")
    assert "after 2 tool calls (the last: “get_note”)" in desk.finding().message
    assert "the prompt “review” read as no prompt may." in desk.finding().message


async def test_the_first_body_of_a_prompt_is_read_by_itself(desk: WitnessDesk) -> None:
    await desk.approved()

    await desk.session(body(f"Review {{change}}. {POISON}"))
    desk.approve()
    after = desk.rules()
    await desk.session(body(f"Review {{change}}. {POISON}"), session="b2")

    assert after == desk.rules() == {}
