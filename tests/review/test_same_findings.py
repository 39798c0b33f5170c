"""What a review shows is what the last look found: an alert never says more, or less, than the difference."""

from __future__ import annotations

from typing import Any

import pytest

from driftwatch.model import Kind, Listed, Place
from driftwatch.review.approve import approve, difference
from driftwatch.review.choice import Choice
from tests.desk import Desk
from tests.fakes import listed, person, tool

LAUNCH = {"package": {"ecosystem": "npm", "name": "notes", "version": "1.2.0", "digest": "sha256:1f"}}
LIST, GET, ADD = ((Kind.TOOL, name, 0) for name in ("list_notes", "get_note", "add_note"))
WIDER = {"readOnlyHint": False, "destructiveHint": True}


def shows(*tools: dict[str, Any]) -> Listed:
    return listed(*tools, launch=LAUNCH)


FIRST = shows(tool("list_notes"), tool("get_note"))
REWORDED = shows(tool("list_notes"), tool("get_note", description="Gives one note, whole, by its name."))
DATED = shows(tool("list_notes"), tool("get_note", description="Lists things, as get_note says on 2026-03-01."))
MUCH = shows(
    tool("list_notes", annotations=WIDER),
    tool("get_note", description="Gives one note, whole, by its name."),
    tool("add_note"),
)
LOOSENED = shows(tool("list_notes", annotations=WIDER), tool("get_note"))
APPROVED: tuple[Place, ...] = ()
"""The step at which a person approves the list as a whole; other places are items that they approve."""


def decide(desk: Desk, places: tuple[Place, ...]) -> None:
    desk.clock.forward(1)
    choice = Choice(places or None)
    approve(
        desk.store, desk.settings, "notes", digest=None, by=person(), note="", now=desk.clock(), choice=choice
    )  # fmt: skip


@pytest.mark.parametrize(
    "story",
    [
        (FIRST, MUCH),
        (FIRST, APPROVED, REWORDED),
        (FIRST, APPROVED, DATED, FIRST, DATED),
        (FIRST, APPROVED, MUCH, (LIST, ADD), MUCH, MUCH),
        (FIRST, APPROVED, MUCH, (GET,), MUCH, (ADD,), REWORDED),
        (FIRST, APPROVED, MUCH, (ADD,), FIRST, MUCH, APPROVED, MUCH),
        (FIRST, MUCH, APPROVED, LOOSENED, (LIST,), FIRST, LOOSENED, FIRST, LOOSENED),
    ],
)
async def test_a_review_shows_what_the_last_look_found(
    desk: Desk, story: tuple[Listed | tuple[Place, ...], ...]
) -> None:
    for step in story:
        if isinstance(step, Listed):
            await desk.look(step)
        else:
            decide(desk, step)

        report = difference(desk.store, desk.settings, "notes", None, desk.clock())

        kept = desk.store.findings("notes", hidden=True)
        assert sorted((*report.findings, *report.hidden), key=lambda one: one.order) == list(kept)


async def test_words_that_changed_once_under_the_same_package_are_told_of(desk: Desk) -> None:
    await desk.look(FIRST)
    decide(desk, APPROVED)

    result = await desk.look(REWORDED)

    assert "changed-same-package" in {one.rule for one in result.findings}


async def test_a_date_that_changed_under_the_same_package_is_known_to_vary(desk: Desk) -> None:
    await desk.look(shows(tool("get_note", description="Lists things, as of 2026-02-28.")))
    decide(desk, APPROVED)

    result = await desk.look(shows(tool("get_note", description="Lists things, as of 2026-03-01.")))

    assert {one.rule for one in result.findings}
    assert "changed-same-package" not in {one.rule for one in result.findings}
