"""A rejection is remembered for as long as what was rejected is shown, whatever else changes."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from driftwatch.judge.composite import differing
from driftwatch.model import Kind, Listed, Place
from driftwatch.report.asides import Rejected, rejected_json, rejected_words
from driftwatch.review.approve import approve, reject
from driftwatch.review.choice import Choice
from driftwatch.review.rejected import rejected_of
from tests.desk import GOOD, Desk
from tests.fakes import listed, person, tool

NOW = datetime(2026, 3, 1, 3, 0, tzinfo=UTC)

WIDER = {"readOnlyHint": False, "destructiveHint": True}
A: Place = (Kind.TOOL, "list_notes", 0)
B: Place = (Kind.TOOL, "get_note", 0)
C: Place = (Kind.TOOL, "add_note", 0)


def shows(a: str = "", b: str = "", *more: str) -> Listed:
    """A list whose two tools say this; empty: what was approved."""
    tools = [
        tool("list_notes", **({"description": a} if a else {})), tool("get_note", **({"description": b} if b else {})),
    ]  # fmt: skip
    return listed(*tools, *(tool(name) for name in more))


@pytest.fixture
async def desk(tmp_path: Path) -> Desk:
    made = Desk(tmp_path)
    await made.look(GOOD)
    made.approve()
    return made


def say_no(desk: Desk, *items: Place, by: str = "rita", note: str = "") -> None:
    desk.clock.forward(1)
    choice = Choice(items or None)
    reject(desk.store, "notes", digest=None, by=person(by), note=note, now=desk.clock(), choice=choice)


def say_yes(desk: Desk, *items: Place) -> None:
    desk.clock.forward(1)
    approve(
        desk.store,
        desk.settings,
        "notes",
        digest=None,
        by=person(),
        note="",
        now=desk.clock(),
        choice=Choice(items or None),
    )


def rejected(desk: Desk) -> tuple[Rejected, ...]:
    state = desk.store.state("notes")
    assert state.baseline is not None
    live, before = desk.store.snapshot(state.last_digest), desk.store.snapshot(state.baseline.digest)
    assert live is not None
    assert before is not None
    return rejected_of(desk.store, "notes", live, differing(before, live))


def told(desk: Desk) -> list[tuple[Place | None, str, bool]]:
    return [(one.place, one.by, one.stands) for one in rejected(desk)]


async def test_what_was_rejected_stands_rejected_when_something_else_changes(desk: Desk) -> None:
    await desk.look(shows("Lists all.", "Gets one."))
    say_no(desk, A, note="never")
    await desk.look(shows("Lists all.", "Gets the one.", "add_note"))

    assert told(desk) == [(A, "rita", True)]
    assert rejected(desk)[0].note == "never"


async def test_what_changed_after_its_rejection_says_so(desk: Desk) -> None:
    await desk.look(shows("Lists all."))
    say_no(desk, A)
    await desk.look(shows("Lists everything."))
    moved = told(desk)
    await desk.look(shows("Lists all."))

    assert moved == [(A, "rita", False)]
    assert told(desk) == [(A, "rita", True)]


async def test_what_went_back_to_what_is_approved_is_no_matter_any_more(desk: Desk) -> None:
    await desk.look(shows("Lists all.", "Gets one."))
    say_no(desk, A)
    await desk.look(shows("", "Gets one."))
    one = told(desk)
    say_no(desk)
    await desk.look(GOOD)

    assert (one, told(desk)) == ([], [])


async def test_a_removal_or_an_addition_that_was_rejected_stands_too(desk: Desk) -> None:
    await desk.look(listed(tool("list_notes"), tool("add_note")))
    say_no(desk, B, C)
    await desk.look(listed(tool("list_notes", description="Lists all."), tool("add_note")))

    assert told(desk) == [(C, "rita", True), (B, "rita", True)]


async def test_a_later_approval_of_just_that_takes_a_rejection_back(desk: Desk) -> None:
    await desk.look(shows("Lists all.", "Gets one."))
    say_no(desk, A, B)
    say_yes(desk, A)
    await desk.look(shows("Lists all of them.", "Gets one.", "add_note"))

    assert told(desk) == [(B, "rita", True)]


async def test_what_was_rejected_once_is_so_again_after_another_form_was_approved(desk: Desk) -> None:
    await desk.look(shows("Lists all."))
    say_no(desk, A)
    await desk.look(shows("Lists the notes."))
    say_yes(desk)
    quiet = told(desk)
    await desk.look(shows("Lists all."))

    assert quiet == []
    assert told(desk) == [(A, "rita", True)]


async def test_the_last_who_said_no_is_named(desk: Desk) -> None:
    await desk.look(shows("Lists all."))
    say_no(desk, A, by="rita")
    say_no(desk, A, by="bob", note="me too")

    assert told(desk) == [(A, "bob", True)]


async def test_a_list_that_was_rejected_as_a_whole_is_told_as_one(desk: Desk) -> None:
    await desk.look(shows("Lists all.", "Gets one."))
    say_no(desk)

    assert told(desk) == [(None, "rita", True)]


async def test_of_a_list_that_was_rejected_as_a_whole_each_item_stands_that_is_still_so(desk: Desk) -> None:
    await desk.look(shows("Lists all.", "Gets one."))
    say_no(desk)
    await desk.look(shows("Lists all.", "Gets just one.", "add_note"))

    assert told(desk) == [(None, "rita", False), (B, "rita", False), (A, "rita", True)]


async def test_a_rejection_of_all_is_none_of_what_was_as_approved_then(desk: Desk) -> None:
    await desk.look(shows("Lists all."))
    say_no(desk)
    await desk.look(shows("Lists all.", "Gets one."))

    assert (B, "rita", True) not in told(desk)
    assert (A, "rita", True) in told(desk)


async def test_the_first_list_can_stand_rejected_before_anything_is_approved(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    await desk.look(GOOD)
    say_no(desk)
    first = told(desk)
    await desk.look(shows("", "", "add_note"))

    assert (first, told(desk)) == ([(None, "rita", True)], [(None, "rita", False)])


def test_the_words_count_what_stands_and_what_moved_on() -> None:
    some = [Rejected(A, "rita", NOW, "no"), Rejected(B, "bob", NOW), Rejected(C, "bob", NOW, stands=False)]
    whole = [Rejected(None, "rita", NOW), Rejected(A, "rita", NOW)]

    assert [one.partition(";")[0] for one in rejected_words(some)] == [
        "2 items, and shown all the same", "1 item, but changed since",
    ]  # fmt: skip
    assert next(rejected_words(whole)).startswith(
        "the list as a whole and 1 item, and shown all the same; last by rita"
    )
    assert list(rejected_words([])) == []


def test_programs_get_the_place_or_null_for_all() -> None:
    one, all_of_it = rejected_json([Rejected(A, "rita", NOW, "no"), Rejected(None, "rita", NOW, stands=False)])

    assert one == {
        "item": {"kind": "tool", "key": "list_notes", "occurrence": 0}, "by": "rita", "at": "2026-03-01T03:00:00Z",
        "note": "no", "stands": True, "agents_digest": "", "start_digest": "",
    }  # fmt: skip
    assert isinstance(all_of_it, dict)
    assert (all_of_it["item"], all_of_it["stands"]) == (None, False)
