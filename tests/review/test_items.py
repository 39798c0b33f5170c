"""Decisions on single items: the baseline takes just those, and what was refused is known."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from driftwatch.errors import StaleReviewError, UnknownItemError, UsageError
from driftwatch.judge.snapshot import take
from driftwatch.model import (
    Action,
    Alert,
    AlertKind,
    AlertState,
    BaselineState,
    Decision,
    EventKind,
    Kind,
    Place,
    Severity,
    Snapshot,
)
from driftwatch.review.approve import approve, places_between, reject
from driftwatch.review.choice import Choice
from driftwatch.review.replay import replay
from tests.desk import GOOD, LOOSENED, Desk
from tests.fakes import listed, person, tool

WIDER = {"readOnlyHint": False, "destructiveHint": True}
BUMP = listed(tool(annotations=WIDER), tool("get_note", description="Gets a note by its name."), tool("add_note"))
LOOSER: Place = (Kind.TOOL, "list_notes", 0)
REWORDED: Place = (Kind.TOOL, "get_note", 0)
ADDED: Place = (Kind.TOOL, "add_note", 0)


async def bumped(desk: Desk) -> None:
    await desk.look(GOOD)
    desk.approve()
    await desk.look(BUMP)


def decide(desk: Desk, *items: Place, seen: Choice | None = None, digest: str | None = None) -> str:
    desk.clock.forward(1)
    return approve(
        desk.store,
        desk.settings,
        "notes",
        digest=digest,
        by=person(),
        note="these",
        now=desk.clock(),
        choice=replace(seen or Choice(), items=items),
    ).digest


def refuse(desk: Desk, *items: Place, by: str = "ann") -> None:
    reject(desk.store, "notes", digest=None, by=person(by), note="no", now=desk.clock(), choice=Choice(items))


def alert(desk: Desk) -> Alert:
    found = desk.store.open_alert("notes", AlertKind.DRIFT)
    assert found is not None
    return found


def kept(desk: Desk) -> Snapshot:
    baseline = desk.store.baseline("notes")
    assert baseline is not None
    assert baseline.state is BaselineState.APPROVED
    snapshot = desk.store.snapshot(baseline.digest)
    assert snapshot is not None
    return snapshot


async def test_the_baseline_takes_just_what_was_approved(desk: Desk) -> None:
    await bumped(desk)

    decide(desk, REWORDED, ADDED)

    composite = take({**GOOD.document, "tools": [GOOD.document["tools"][0], *BUMP.document["tools"][1:]]})
    assert kept(desk) == composite
    assert desk.store.baselines("notes")[-1].by == "ann"


async def test_two_approved_and_one_rejected_leave_an_alert_with_the_rest_until_the_server_goes_back(
    desk: Desk,
) -> None:
    await bumped(desk)

    decide(desk, REWORDED, ADDED)
    refuse(desk, LOOSER)
    rest = alert(desk)
    again = await desk.look(BUMP)
    back = await desk.look(listed(GOOD.document["tools"][0], *BUMP.document["tools"][1:]))

    heavy = tuple(finding for finding in rest.findings if finding.severity > Severity.INFO)
    assert {finding.item for finding in heavy} == {"list_notes"}
    assert set(heavy) <= set(rest.rejected)
    assert rest.reviewed == ""
    assert again.event is None
    assert (back.event, desk.store.alerts()[0].reason) == (EventKind.RESOLVED, "back-to-baseline")


async def test_the_decisions_say_on_what_and_what_became_the_baseline(desk: Desk) -> None:
    await bumped(desk)
    shown = desk.store.state("notes").last_digest

    composite = decide(desk, ADDED)
    refuse(desk, LOOSER)

    taken, refused = desk.store.reviews("notes")[-2:]
    assert (taken.digest, taken.items, taken.approves) == (shown, (ADDED,), composite)
    assert (refused.decision, refused.items, refused.approves) == (Decision.REJECTED, (LOOSER,), "")
    assert taken.origin == person().origin
    last = desk.store.audit(limit=2)
    assert [one.action for one in last] == [Action.REJECTED.value, Action.APPROVED.value]
    assert last[1].details == {
        "baseline": composite,
        "items": [["tool", "add_note", 0]],
        "looked": {"looks": 1, "again": False},
    }


async def test_all_items_approved_one_after_the_other_are_the_list_that_was_shown(desk: Desk) -> None:
    await bumped(desk)

    digests = [decide(desk, place) for place in places_between(desk.store, "notes", None)]

    assert digests[-1] == desk.store.state("notes").last_digest
    assert not desk.is_open()
    assert desk.store.reviews("notes")[-1].baseline == ""


async def test_what_was_removed_is_approved_by_its_place_and_a_rename_by_two(desk: Desk) -> None:
    await desk.look(GOOD)
    desk.approve()
    await desk.look(listed(tool("list_all_notes"), tool("get_note")))

    decide(desk, LOOSER)
    half = {item.key for item in kept(desk).of(Kind.TOOL)}
    decide(desk, (Kind.TOOL, "list_all_notes", 0))

    assert half == {"get_note"}
    assert {item.key for item in kept(desk).of(Kind.TOOL)} == {"get_note", "list_all_notes"}
    assert not desk.is_open()


async def test_what_is_approved_already_is_given_back_and_nothing_is_written(desk: Desk) -> None:
    await bumped(desk)
    first = decide(desk, ADDED)
    before = (desk.store.reviews("notes"), desk.store.audit(), desk.store.alerts())

    again = decide(desk, ADDED)
    desk.approve(first)

    assert again == first
    assert (desk.store.reviews("notes"), desk.store.audit(), desk.store.alerts()) == before


async def test_the_same_refusal_twice_is_written_once(desk: Desk) -> None:
    await bumped(desk)

    refuse(desk, LOOSER)
    refuse(desk, LOOSER)
    refuse(desk, LOOSER, by="bob")

    assert [one.by for one in desk.store.reviews("notes")] == ["ann", "ann", "bob"]


async def test_until_something_is_approved_single_items_are_refused(desk: Desk) -> None:
    await desk.look(GOOD)
    await desk.look(BUMP)

    for act in (decide, refuse):
        with pytest.raises(UsageError, match="Nothing is approved yet") as error:
            act(desk, ADDED)
        assert "as a whole" in error.value.hint


async def test_items_that_neither_side_has_and_no_items_at_all_are_refused(desk: Desk) -> None:
    await bumped(desk)
    before = desk.store.audit()

    with pytest.raises(UnknownItemError, match="no tool 'purge'"):
        decide(desk, ADDED, (Kind.TOOL, "purge", 0))
    with pytest.raises(UsageError, match="No item is named"):
        decide(desk)
    with pytest.raises(UnknownItemError):
        refuse(desk, (Kind.PROMPT, "", 0))

    assert desk.store.audit() == before


async def test_a_decision_on_what_is_no_longer_shown_is_refused_where_that_was_asked_for(desk: Desk) -> None:
    await bumped(desk)
    shown = desk.store.state("notes").last_digest
    await desk.look(LOOSENED)

    with pytest.raises(StaleReviewError, match="another list by now"):
        decide(desk, ADDED, digest=shown, seen=Choice(shown=shown))
    with pytest.raises(StaleReviewError, match="another list by now"):
        reject(desk.store, "notes", digest=shown, by=person(), note="", now=desk.clock(), choice=Choice(shown=shown))

    decide(desk, ADDED, digest=shown)
    assert "add_note" in {item.key for item in kept(desk).of(Kind.TOOL)}


async def test_a_decision_over_another_baseline_than_the_one_seen_is_refused(desk: Desk) -> None:
    await bumped(desk)
    first = kept(desk).digest
    decide(desk, ADDED)

    with pytest.raises(StaleReviewError, match="was approved since"):
        decide(desk, REWORDED, seen=Choice(baseline=first))
    again = decide(desk, ADDED, seen=Choice(baseline=first))

    assert again == kept(desk).digest


async def test_what_is_approved_cannot_be_rejected(desk: Desk) -> None:
    await desk.look(GOOD)
    desk.approve()

    with pytest.raises(UsageError, match="is what is approved"):
        reject(desk.store, "notes", digest=None, by=person(), note="", now=desk.clock())


async def test_a_refusal_of_an_item_holds_as_long_as_the_item_is_the_same(desk: Desk) -> None:
    await bumped(desk)
    refuse(desk, LOOSER)

    await desk.look(listed(tool(annotations=WIDER), tool("get_note"), tool("add_note")))
    same = alert(desk)
    await desk.look(
        listed(tool(annotations={**WIDER, "idempotentHint": False}, description="Other."), tool("get_note"))
    )
    other = alert(desk)

    assert {finding.item for finding in same.rejected} == {"list_notes"}
    assert set(other.rejected) < set(other.findings)


async def test_a_refusal_marks_the_members_of_a_wave_that_it_is_about(desk: Desk) -> None:
    tools = [tool(f"get_{number}") for number in range(6)]
    await desk.look(listed(*tools))
    desk.approve()
    await desk.look(listed(*(replace_hints(one) for one in tools)))
    wave = next(finding for finding in alert(desk).findings if finding.parts)

    refuse(desk, (Kind.TOOL, "get_3", 0))

    refused = alert(desk).refused
    assert len(refused & set(wave.parts)) == 1
    assert alert(desk).rejected == tuple(one for one in alert(desk).findings if refused & set(one.identities))


def replace_hints(one: dict[str, object]) -> dict[str, object]:
    return {**one, "annotations": WIDER}


async def test_a_composite_baseline_can_be_named_later_by_its_digest(desk: Desk) -> None:
    await bumped(desk)
    composite = decide(desk, ADDED)
    desk.approve(desk.store.state("notes").last_digest)

    desk.approve(composite[7:19])

    assert kept(desk).digest == composite
    assert alert(desk).state is AlertState.OPEN


async def test_a_history_with_decisions_on_items_is_replayed_as_it_was(desk: Desk) -> None:
    await bumped(desk)
    decide(desk, ADDED, REWORDED)
    refuse(desk, LOOSER)
    await desk.look(BUMP, after=timedelta(hours=1).total_seconds())
    await desk.look(listed(GOOD.document["tools"][0], *BUMP.document["tools"][1:]))

    found = replay(desk.store, desk.settings, "notes")

    then = [replace(one, id="", told_at=None) for one in reversed(desk.store.alerts())]
    assert [replace(pair.now, id="") for pair in found.alerts if pair.now] == then
