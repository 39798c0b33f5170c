"""What an agent saw in part, and what nobody could read: what is compared of it, and what is told."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from witness_desk import AWAY, GOOD, MORE, POISON, RULE, WitnessDesk

from driftwatch.model import Document, Listed, TestimonyState
from tests.fakes import listed, tool

S = TestimonyState
FIRST = listed(tool())
REST = listed(tool("get_note"))


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[WitnessDesk]:
    made = WitnessDesk(tmp_path)
    yield made
    made.store.close()


async def begins(desk: WitnessDesk, *lists: Listed, session: str = "a1") -> None:
    """One session in which the agent asks for the first page only."""
    await desk.session(*lists, session=session, partial=("tools",))


# In part


@pytest.mark.parametrize("shown", [FIRST, REST, GOOD, listed()], ids=["one page", "another", "all", "nothing"])
async def test_the_beginning_of_what_driftwatch_is_shown_is_no_difference(desk: WitnessDesk, shown: Listed) -> None:
    await desk.approved()
    looks = desk.looks

    await begins(desk, shown)

    assert (desk.states(), desk.looks) == ([S.SAME], looks)


@pytest.mark.parametrize(
    ("shown", "severity"),
    [
        (listed(tool(description=POISON)), "critical"),
        (listed(tool(description="Lists all there is.")), "high"),
        (listed(tool("draft_note")), "medium"),
    ],
    ids=["poison", "another text", "an item more"],
)
async def test_what_was_shown_in_part_counts_as_what_is_shown_whole(
    desk: WitnessDesk, shown: Listed, severity: str
) -> None:
    await desk.approved()

    await begins(desk, FIRST, shown)

    assert desk.rules() == {RULE: severity}
    assert "removed" not in desk.finding().message


async def test_what_is_bad_on_the_only_page_that_an_agent_asks_for_is_told_from_the_start(desk: WitnessDesk) -> None:
    await desk.approved()

    await begins(desk, listed(tool(description=POISON)))

    assert set(desk.rules()) == {RULE}
    assert desk.finding().category == "from-the-start"
    assert desk.finding().item == "list_notes"


async def test_the_beginning_of_a_list_that_was_learned_is_known(desk: WitnessDesk) -> None:
    await desk.approved()
    await desk.session(MORE)

    await begins(desk, listed(tool("draft_note")), session="b2")

    assert desk.states() == [S.LEARNED, S.LEARNED]
    assert desk.rules() == {}


async def test_a_list_that_goes_on_after_its_beginning_has_not_flipped(desk: WitnessDesk) -> None:
    await desk.approved()
    desk.hand_in(listed(tool("draft_note")), 1, partial=("tools",))
    await desk.look()

    desk.hand_in(MORE, 2)
    await desk.look()

    assert desk.states() == [S.LEARNED, S.LEARNED]
    assert desk.rules() == {}


async def test_a_list_that_turns_out_to_be_no_longer_than_its_beginning_has_lost_the_rest(desk: WitnessDesk) -> None:
    await desk.approved()
    desk.hand_in(FIRST, 1, partial=("tools",))
    desk.hand_in(GOOD, 2)

    news = desk.hand_in(FIRST, 3, calls=2)
    await desk.look()

    assert news.is_news
    assert desk.rules() == {RULE: "medium"}


async def test_of_a_server_that_driftwatch_never_saw_what_flips_in_part_is_told(desk: WitnessDesk) -> None:
    desk.show = AWAY

    await begins(desk, FIRST, listed(tool(description=POISON)))

    assert desk.alert is not None
    assert [one.rule for one in desk.alert.findings] == [RULE]


async def test_what_was_shown_in_part_is_told_as_before_while_driftwatch_is_shown_the_same(desk: WitnessDesk) -> None:
    await desk.approved()
    await begins(desk, FIRST, listed(tool("draft_note")))

    desk.show = MORE
    await desk.look()
    meanwhile = desk.rules()
    assert "By now it shows driftwatch that as well." in desk.finding().message
    desk.show = GOOD
    await desk.look()

    assert meanwhile[RULE] == "medium"
    assert desk.rules() == {RULE: "medium"}


# Not read


async def test_a_session_of_which_something_could_not_be_read_is_a_small_finding(desk: WitnessDesk) -> None:
    await desk.approved()

    desk.hand_in(GOOD, gaps=2)
    desk.hand_in(GOOD, 2, gaps=3)
    await desk.look()

    assert desk.rules() == {RULE: "low"}
    assert desk.finding().category == "unread"
    assert "In “claude-desktop”, in 1 session of agents, 3 answers or parts of them could not be read" in (
        desk.finding().message
    )
    assert desk.alert is not None
    assert "showed an agent something that could not be read" in desk.alert.summary


async def test_more_of_a_session_and_one_more_session_are_told_no_more_often(desk: WitnessDesk) -> None:
    await desk.approved()
    desk.hand_in(GOOD, gaps=1)
    await desk.look()
    first = desk.alert

    desk.hand_in(GOOD, 2, gaps=9)
    desk.hand_in(GOOD, session="b2", gaps=1)
    await desk.look()

    assert first is not None
    assert desk.alert is not None
    assert (desk.alert.id, desk.alert.told) == (first.id, first.told)
    assert "in 2 sessions of agents, 10 answers" in desk.finding().message


async def test_several_sessions_in_a_row_weigh_more(desk: WitnessDesk) -> None:
    await desk.approved()
    for session in ("a1", "b2", "c3"):
        desk.hand_in(GOOD, session=session, witness=f"host {session}", gaps=1)
    await desk.look()

    assert desk.rules() == {RULE: "medium"}
    assert "the last 3 in a row" in desk.finding().message


async def test_sessions_with_whole_ones_between_them_are_not_in_a_row(desk: WitnessDesk) -> None:
    await desk.approved()
    for session in ("a1", "b2", "c3"):
        desk.hand_in(GOOD, session=session, gaps=1)
        desk.hand_in(GOOD, session=f"{session}+")
    await desk.look()

    assert desk.rules() == {RULE: "low"}


@pytest.mark.parametrize("document", [{"capabilities": {}}, {}])
async def test_where_nothing_at_all_could_be_read_that_is_told(desk: WitnessDesk, document: Document) -> None:
    await desk.approved()

    seen = replace(desk.seen(GOOD, gaps=1), document=document)
    taken = desk.witnesses.take_in(seen)
    await desk.look()

    assert (taken.is_news, taken.waits) == (True, False)
    assert desk.rules() == {RULE: "low"}


async def test_whole_sessions_afterwards_take_it_not_away_and_an_approval_does(desk: WitnessDesk) -> None:
    await desk.approved()
    desk.hand_in(GOOD, gaps=2)
    for number in range(110):
        desk.hand_in(GOOD, session=f"s{number}")
    await desk.look()
    before = desk.rules()

    desk.approve()
    approved = desk.rules()
    await desk.look()
    (entry,) = desk.store.audit(limit=1)

    assert before == {RULE: "low"}
    assert approved == desk.rules() == {}
    assert entry.details["identities"]["witness of claude-desktop"] == {"unread": 2}
    assert desk.store.verify_audit().good


async def test_what_is_not_read_after_an_approval_is_told_anew(desk: WitnessDesk) -> None:
    await desk.approved()
    desk.hand_in(GOOD, gaps=2)
    await desk.look()
    desk.approve()

    desk.hand_in(GOOD, 2, gaps=3)
    await desk.look()

    assert "1 answer or part of one could not be read" in desk.finding().message


async def test_a_prompt_that_was_read_is_no_gap_of_the_session_that_read_it_before(desk: WitnessDesk) -> None:
    await desk.approved()
    bodies = listed(tool(), tool("get_note"), promptBodies=[{"name": "review", "messages": []}])
    desk.hand_in(bodies)

    desk.hand_in(bodies, session="b2", gaps=1)

    assert [(one.session, one.gaps) for one in desk.store.lossy("notes")] == [("b2", 1)]


async def test_what_could_not_be_read_is_told_also_while_the_server_cannot_be_looked_at(desk: WitnessDesk) -> None:
    await desk.approved()
    desk.show = AWAY
    taken = desk.hand_in(GOOD, gaps=1)

    await desk.look()

    assert taken.wants_look
    assert (desk.finding().category, desk.finding().severity) == ("unread", "low")
