"""What agents were shown, held against what driftwatch is shown: what is told, what is learned, what is quiet."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from witness_desk import AWAY, GOOD, MORE, POISON, POISONED, REWORDED, RULE, WitnessDesk

from driftwatch.model import EventKind, Listed, TestimonyState, Verdict
from driftwatch.review.approve import mark_of
from tests.fakes import listed, tool

S = TestimonyState


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[WitnessDesk]:
    made = WitnessDesk(tmp_path)
    yield made
    made.store.close()


async def test_an_agent_that_is_shown_what_driftwatch_is_shown_makes_no_look_and_no_noise(desk: WitnessDesk) -> None:
    await desk.approved()
    looks = desk.looks

    taken = desk.hand_in(GOOD)

    assert (taken.is_news, taken.waits, desk.looks) == (True, False, looks)
    assert desk.face().verdict is Verdict.SAME
    assert desk.rules() == {}


@pytest.mark.parametrize(
    ("shown", "severity"),
    [(POISONED, "critical"), (REWORDED, "high"), (MORE, "medium"), (listed(tool()), "medium")],
    ids=["poison", "another text", "an item more", "an item less"],
)
async def test_a_list_that_flips_in_a_session_is_told_by_what_it_became(
    desk: WitnessDesk, shown: Listed, severity: str
) -> None:
    await desk.approved()

    await desk.session(GOOD, shown)

    assert desk.rules() == {RULE: severity}
    assert desk.told() == [EventKind.OPENED]
    assert desk.states() == [S.SAME, S.FLIPPED]


async def test_the_alert_names_the_host_the_calls_the_agent_and_both_sides(desk: WitnessDesk) -> None:
    await desk.approved()

    await desk.session(GOOD, POISONED)
    found = desk.finding()

    assert found.message.startswith(
        "In “claude-desktop”, after 3 tool calls (the last: “list_notes”) of a session, the agent being "
        "“claude-ai 0.1.0”, the server showed the agent another list than it shows driftwatch. "
        "It gave no change notice."
    )
    assert desk.alert is not None
    assert desk.alert.summary == (
        "notes showed an agent something else than it shows driftwatch: 1 critical; the worst is witnessed-difference "
        "in the tool “list_notes”. Review it with: driftwatch diff notes"
    )
    assert (found.item, found.pointer, found.after) == ("list_notes", "/description", POISON)
    assert found.before == tool()["description"]
    for side in (desk.face().suspect, desk.face().beside):
        assert side[7:19] in found.message
        assert desk.store.snapshot(side) is not None


async def test_a_poison_that_is_gone_from_every_later_look_and_session_stands_until_a_person_approves(
    desk: WitnessDesk,
) -> None:
    await desk.approved()
    await desk.session(GOOD, POISONED, GOOD)

    await desk.session(GOOD, session="b2")
    await desk.look()
    before = desk.rules()
    desk.approve()
    approved = desk.rules()
    await desk.look()
    await desk.session(GOOD, POISONED, session="c3")

    assert before == {RULE: "critical"}
    assert approved == desk.rules() == {}
    assert desk.told() == [EventKind.OPENED, EventKind.RESOLVED]


async def test_what_an_approval_settles_of_a_witness_stands_in_the_audit_log(desk: WitnessDesk) -> None:
    await desk.approved()
    await desk.session(GOOD, POISONED)
    suspect = desk.face().suspect

    desk.approve()
    (entry,) = desk.store.audit(limit=1)

    assert entry.details["identities"]["witness of claude-desktop"]["lists"] == [suspect]
    assert desk.store.verify_audit().good


async def test_a_notice_makes_no_list_an_approved_one(desk: WitnessDesk) -> None:
    await desk.approved()

    await desk.session(GOOD, POISONED, noticed=("tools",))

    assert desk.rules() == {RULE: "critical"}
    assert "It had given a change notice; that makes no list an approved one." in desk.finding().message


async def test_a_first_session_that_flips_before_driftwatch_ever_looked_is_held_against_its_own_first_list(
    desk: WitnessDesk,
) -> None:
    desk.show = AWAY

    await desk.session(GOOD, POISONED, noticed=("tools",))

    assert desk.alert is not None
    assert [one.rule for one in desk.alert.findings] == [RULE]
    assert "another list than it had shown in that session" in desk.finding().message
    assert "driftwatch could not look itself at that time." in desk.finding().message


async def test_a_list_that_is_another_one_from_the_start_is_learned_where_nothing_in_it_is_bad(
    desk: WitnessDesk,
) -> None:
    await desk.approved()

    await desk.session(MORE)
    await desk.session(MORE, session="b2")

    assert desk.rules() == {}
    assert desk.face().verdict is Verdict.LEARNED
    assert desk.states() == [S.LEARNED, S.LEARNED]
    assert mark_of(desk.store.faces("notes")) == ""


async def test_what_is_bad_in_a_list_from_the_start_is_told(desk: WitnessDesk) -> None:
    await desk.approved()

    await desk.session(POISONED)

    assert set(desk.rules()) == {RULE}
    assert "from the start of a session" in desk.finding().message


async def test_another_list_than_the_one_that_was_learned_is_told(desk: WitnessDesk) -> None:
    await desk.approved()
    await desk.session(MORE)

    await desk.session(listed(tool(), tool("get_note"), tool("draft_note", description="Drafts.")), session="b2")

    assert set(desk.rules()) == {RULE}
    assert "than the one that was known of this host" in desk.finding().message


async def test_an_agent_that_holds_the_approved_list_while_the_server_moved_on_is_no_alarm(desk: WitnessDesk) -> None:
    await desk.approved()
    desk.show = MORE
    await desk.look()
    drift = desk.rules()

    await desk.session(GOOD)

    assert desk.face().verdict is Verdict.OLDER
    assert desk.rules() == drift
    assert RULE not in drift


async def test_an_agent_that_holds_a_list_that_was_shown_since_its_session_began_is_no_alarm(
    desk: WitnessDesk,
) -> None:
    await desk.approved()
    desk.show = MORE
    await desk.look()
    began = desk.clock()
    desk.show = REWORDED
    await desk.look()

    await desk.session(GOOD, MORE, started_at=began)

    assert desk.states() == [S.OLDER, S.OLDER]
    assert RULE not in desk.rules()


async def test_a_roll_out_that_reaches_the_agent_first_is_an_ordinary_difference(desk: WitnessDesk) -> None:
    await desk.approved()

    desk.show = POISONED
    await desk.session(GOOD, POISONED)

    assert RULE not in desk.rules()
    assert "text-injection" in desk.rules()
    assert desk.face().verdict is Verdict.SAME


async def test_a_slow_roll_out_is_told_as_one_once_driftwatch_is_shown_the_list_too_and_as_no_less(
    desk: WitnessDesk,
) -> None:
    await desk.approved()
    await desk.session(GOOD, MORE)
    before = desk.rules()

    desk.show = MORE
    await desk.look()

    assert before == {RULE: "medium"}
    assert desk.rules() == {RULE: "medium", "item-added": "low"}
    assert "By now it shows driftwatch that as well." in desk.finding().message


async def test_a_poison_is_not_explained_by_being_shown_to_driftwatch_for_a_while(desk: WitnessDesk) -> None:
    await desk.approved()
    await desk.session(GOOD, POISONED)

    desk.show = POISONED
    await desk.look()
    desk.show = GOOD
    await desk.look()

    assert desk.rules()[RULE] == "critical"


async def test_a_poison_is_told_although_driftwatch_cannot_look(desk: WitnessDesk) -> None:
    await desk.approved()
    desk.show = AWAY

    await desk.session(GOOD, POISONED)

    assert desk.rules() == {RULE: "critical"}
    assert desk.told() == [EventKind.OPENED]
    assert "driftwatch could not look itself at that time." in desk.finding().message


async def test_a_harmless_difference_waits_for_a_look_that_works(desk: WitnessDesk) -> None:
    await desk.approved()
    desk.show = AWAY
    await desk.session(GOOD, MORE)
    waiting = (desk.states(), desk.rules())

    desk.show = MORE
    await desk.look()

    assert waiting == ([S.SAME, S.PENDING], {})
    assert desk.states() == [S.SAME, S.SAME]


async def test_a_harmless_difference_does_not_wait_for_ever(desk: WitnessDesk) -> None:
    await desk.approved()
    desk.show = AWAY
    await desk.session(GOOD, MORE)

    await desk.look()
    await desk.look()

    assert desk.rules() == {RULE: "medium"}
