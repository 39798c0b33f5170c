"""Ordinary looks that showed the same list count as looks again; then only the second name is missing."""

from __future__ import annotations

from datetime import timedelta

import pytest

from driftwatch.model import Rehearsed
from driftwatch.report.again import Again, again_json, again_words
from driftwatch.review.again import looked_again
from tests.desk import GOOD, REWORDED, Desk


def again_of(desk: Desk) -> Again:
    again = looked_again(desk.store, desk.settings, "notes", desk.store.state("notes").last_digest)
    assert again is not None
    return again


async def test_a_list_that_ordinary_looks_showed_again_lacks_only_the_second_name(desk: Desk) -> None:
    for _ in range(16):
        await desk.look(GOOD)

    again = again_of(desk)

    assert again_words(again) == (
        "Looked at 16 times, each in a new session: the same list each time. Not yet as claude-code."
    )
    assert not again.is_wanting
    said = again_json(again)
    assert isinstance(said, dict)
    assert (said["looks"], said["same"], said["as_client"]) == (16, True, "not-tried")


async def test_one_look_is_not_a_look_again(desk: Desk) -> None:
    await desk.look(GOOD)
    await desk.look(REWORDED)

    again = again_of(desk)

    assert again_words(again) == "Not looked at again yet."
    assert again.is_wanting


@pytest.mark.parametrize(("since", "wants"), [(timedelta(minutes=5), True), (timedelta(hours=2), False)])
async def test_looks_within_the_hour_after_another_list_was_tried_prove_nothing(
    desk: Desk, since: timedelta, wants: bool
) -> None:
    await desk.look(GOOD)
    digest = desk.store.state("notes").last_digest
    desk.store.record_rehearsal(Rehearsed("notes", digest, desk.clock(), looks=3, client="claude-code"))
    desk.clock.forward(since.total_seconds())
    await desk.look(REWORDED)
    await desk.look(REWORDED)

    assert again_of(desk).is_wanting is wants


def test_where_that_is_switched_off_it_says_so_beside_the_looks() -> None:
    again = Again(off=True, looks=2, second="claude-code", local=True)

    assert again_words(again) == (
        "Looked at 2 times, each in a new process: the same list each time. Not as claude-code: that is switched off "
        "for this server (rehearse)."
    )
