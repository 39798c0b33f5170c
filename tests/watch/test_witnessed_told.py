"""What is told of a difference that agents saw: once for all who saw it, and never as less while it stands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from witness_desk import AWAY, GOOD, MORE, POISON, POISONED, REWORDED, RULE, WitnessDesk

from driftwatch.model import AlertState, EventKind, Listed, TestimonyState
from driftwatch.review.attend import acknowledge
from driftwatch.review.witnessed import reject_shown, standing_shown
from tests.fakes import listed, person, tool

S = TestimonyState
BOTH = listed(tool(), tool("get_note"), prompts=[{"name": "review"}])
BOTH_POISONED = listed(tool(description=POISON), tool("get_note", description="Another."), prompts=[{"name": "review"}])


def body(text: str) -> Listed:
    messages = [{"role": "user", "content": {"type": "text", "text": text}}]
    return listed(tool(), tool("get_note"), promptBodies=[{"name": "review", "messages": messages}])


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[WitnessDesk]:
    made = WitnessDesk(tmp_path)
    yield made
    made.store.close()


# Several hosts


async def test_a_flip_that_another_host_saw_too_is_the_same_alert_which_names_both(desk: WitnessDesk) -> None:
    desk.show = BOTH
    await desk.approved()
    await desk.session(BOTH, BOTH_POISONED, kinds="tools prompts")
    assert desk.alert is not None
    acknowledge(desk.store, desk.settings, desk.alert.id, by=person("ann"), note="", now=desk.clock())
    opened, fingerprint = desk.alert, desk.finding().fingerprint

    await desk.session(BOTH, BOTH_POISONED, session="b2", witness="cursor", kinds="tools")
    await desk.session(BOTH_POISONED, session="c3", witness="zed", kinds="tools")

    assert (desk.alert.id, desk.alert.state) == (opened.id, AlertState.ACKNOWLEDGED)
    assert desk.told().count(EventKind.UPDATED) == 0
    assert desk.finding().fingerprint == fingerprint
    message = desk.finding().message
    assert "In “claude-desktop”, “cursor”, “zed”, after 3 tool calls" in message
    assert "It was seen in 3 sessions." in message
    assert "In “zed” it was from the start of a session" in message
    assert {one.witness for one in desk.store.testimonies("notes") if one.state.stands} == {
        "claude-desktop",
        "cursor",
        "zed",
    }


async def test_a_host_that_saw_something_worse_raises_the_alert(desk: WitnessDesk) -> None:
    await desk.approved()
    await desk.session(POISONED)
    before = desk.finding()

    await desk.session(GOOD, POISONED, session="b2", witness="cursor")

    assert desk.told() == [EventKind.OPENED, EventKind.UPDATED]
    assert before.severity < desk.finding().severity == "critical"
    assert "In “cursor”, “claude-desktop”, after 3 tool calls" in desk.finding().message


async def test_a_host_that_saw_something_else_besides_is_told(desk: WitnessDesk) -> None:
    await desk.approved()
    await desk.session(GOOD, MORE)

    await desk.session(GOOD, listed(tool(), tool("get_note"), tool("send_note")), session="b2", witness="cursor")

    assert desk.told() == [EventKind.OPENED, EventKind.UPDATED]
    assert len([one for one in desk.store.findings("notes") if one.rule == RULE]) == 2


async def test_a_bad_body_of_a_prompt_that_another_host_saw_too_is_the_same_alert_which_names_both(
    desk: WitnessDesk,
) -> None:
    await desk.approved()
    await desk.session(body(f"Review {{change}}. {POISON}"))

    await desk.session(body(f"Review {{change}}. {POISON}"), session="b2", witness="cursor")
    await desk.session(body(f"Review {{change}}. {POISON}"), session="c3", witness="cursor")
    message = desk.finding().message
    desk.approve()
    await desk.session(body(f"Review {{change}}. {POISON}"), session="d4", witness="zed")

    assert "In “claude-desktop”, “cursor”, before any tool call" in message
    assert desk.told() == [EventKind.OPENED, EventKind.RESOLVED]
    assert desk.rules() == {}


# The same list, shown to driftwatch meanwhile


async def test_an_alert_does_not_fall_and_rise_again_for_one_list(desk: WitnessDesk) -> None:
    await desk.approved()
    await desk.session(GOOD, POISONED)
    told = []

    for shown in (POISONED, GOOD, POISONED, GOOD):
        desk.show = shown
        await desk.look()
        assert desk.alert is not None
        told.append((desk.alert.severity, desk.rules()[RULE]))
        assert ("By now it shows driftwatch that as well." in desk.finding().message) is (shown is POISONED)

    assert set(told) == {("critical", "critical")}


async def test_what_driftwatch_is_shown_too_ends_with_its_approval(desk: WitnessDesk) -> None:
    await desk.approved()
    await desk.session(GOOD, POISONED)
    desk.show = POISONED
    await desk.look()

    desk.approve()

    assert RULE not in desk.rules()
    assert desk.alert is None


# A list that was learned


async def test_a_list_that_was_learned_is_quiet_from_the_start_and_told_where_a_session_becomes_it(
    desk: WitnessDesk,
) -> None:
    await desk.approved()
    await desk.session(MORE)
    await desk.session(MORE, session="b2")
    quiet = desk.rules()

    await desk.session(GOOD, MORE, session="c3")

    assert (quiet, desk.rules()) == ({}, {RULE: "medium"})
    assert desk.states() == [S.LEARNED, S.LEARNED, S.SAME, S.FLIPPED]
    assert "after 3 tool calls" in desk.finding().message


async def test_a_list_that_a_session_became_is_quiet_once_a_person_approved_it_however_often_it_is_shown(
    desk: WitnessDesk,
) -> None:
    await desk.approved()
    await desk.session(GOOD, MORE)
    desk.approve()

    await desk.session(MORE, session="b2")
    await desk.session(GOOD, MORE, session="c3")

    assert desk.rules() == {}
    assert desk.states() == [S.SAME, S.SETTLED, S.SETTLED, S.SAME, S.SETTLED]


async def test_a_session_that_goes_back_to_its_own_learned_list_has_not_flipped_to_that(desk: WitnessDesk) -> None:
    await desk.approved()

    await desk.session(MORE, REWORDED, MORE)

    assert desk.states() == [S.LEARNED, S.FLIPPED]
    assert len([one for one in desk.store.findings("notes") if one.rule == RULE]) == 1


async def test_a_first_look_that_comes_late_shows_that_a_session_became_a_learned_list(desk: WitnessDesk) -> None:
    await desk.approved()
    await desk.session(MORE)
    desk.hand_in(MORE, 2, session="b2", calls=3)
    before = desk.rules()

    desk.hand_in(GOOD, 1, session="b2")
    await desk.look()

    assert (before, desk.rules()) == ({}, {RULE: "medium"})


# A prompt's body before any list


def asks_for_a_prompt(desk: WitnessDesk) -> None:
    seen = desk.seen(body("Review {change}."))
    desk.witnesses.take_in(replace(seen, document={"promptBodies": seen.document["promptBodies"]}))


async def test_lists_that_come_after_a_prompts_body_are_the_first_of_their_session(desk: WitnessDesk) -> None:
    await desk.approved()
    asks_for_a_prompt(desk)
    await desk.look()

    desk.hand_in(MORE, 2, calls=1)
    await desk.look()

    assert desk.states() == [S.SAME, S.LEARNED, S.LEARNED]
    assert desk.rules() == {}


async def test_a_flip_of_a_session_that_began_with_a_prompts_body_is_one_with_its_calls(desk: WitnessDesk) -> None:
    await desk.approved()
    asks_for_a_prompt(desk)
    for number in (2, 3, 4):
        desk.hand_in(GOOD, number, kinds=("tools", "tools prompts", "tools prompts resources")[number - 2])

    desk.hand_in(MORE, 5, calls=3, tool="list_notes")
    await desk.look()

    assert desk.rules() == {RULE: "medium"}
    assert desk.finding().category == "flipped"
    assert "after 3 tool calls (the last: “list_notes”) of a session" in desk.finding().message


async def test_a_server_that_was_never_looked_at_is_held_against_the_first_lists_after_a_prompts_body(
    desk: WitnessDesk,
) -> None:
    desk.show = AWAY
    asks_for_a_prompt(desk)
    desk.hand_in(GOOD, 2)
    for _ in range(3):
        await desk.look()
    before = desk.rules()

    desk.hand_in(POISONED, 3, calls=3)
    await desk.look()

    assert RULE not in before
    assert desk.finding().category == "flipped"


async def test_a_session_in_which_one_list_was_asked_for_after_the_other_flips_as_any_other(desk: WitnessDesk) -> None:
    await desk.approved()
    for number, kinds in enumerate(("", "prompts", "prompts tools", "prompts tools resources"), 1):
        desk.hand_in(GOOD, number, kinds=kinds)

    desk.hand_in(MORE, 5, calls=3)
    await desk.look()

    assert desk.finding().category == "flipped"


# Rejected


async def test_what_agents_were_shown_is_marked_as_rejected_on_its_alert_until_something_worse_is_seen(
    desk: WitnessDesk,
) -> None:
    await desk.approved()
    await desk.session(GOOD, MORE)
    (digest,) = standing_shown(desk.store, "notes")

    reject_shown(desk.store, "notes", [digest], by=person("ann"), note="no", now=desk.clock())
    await desk.look()
    assert desk.alert is not None
    rejected, refused = desk.alert.rejected, desk.store.refused_last()
    await desk.session(GOOD, POISONED, session="b2")

    assert [one.fingerprint for one in rejected] == [one.fingerprint for one in rejected if one.rule == RULE] != []
    assert refused == {"notes"}
    assert desk.alert.rejected == tuple(one for one in desk.alert.findings if one.severity == "medium")
    assert desk.store.refused_last() == frozenset()


async def test_a_host_that_saw_what_was_rejected_changes_nothing_of_that(desk: WitnessDesk) -> None:
    await desk.approved()
    await desk.session(GOOD, POISONED)
    reject_shown(desk.store, "notes", standing_shown(desk.store, "notes"), by=person("ann"), note="", now=desk.clock())

    await desk.session(GOOD, POISONED, session="b2", witness="cursor")

    assert desk.alert is not None
    assert len(desk.alert.rejected) == 1
    assert desk.store.refused_last() == {"notes"}
