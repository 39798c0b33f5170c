"""What other identities are shown is approved only by who was shown it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from driftwatch.errors import StaleReviewError
from driftwatch.model import Face, Kind, Place, Verdict
from driftwatch.review.approve import approve, mark_of
from driftwatch.review.checkout import Commit
from driftwatch.review.choice import Choice
from driftwatch.review.lockapprove import Came, take_over
from driftwatch.review.lockfile import Locked, facts_of, portable
from tests.desk import GOOD, LOOSENED, Desk
from tests.fakes import person

OTHER = Face("notes", "cursor", Verdict.DRIFTED, shown="sha256:evil", ordinary="sha256:good", learned="sha256:old")
LOOSER: Place = (Kind.TOOL, "list_notes", 0)


async def bumped(desk: Desk) -> None:
    await desk.look(GOOD)
    desk.approve()
    await desk.look(LOOSENED)


def decide(desk: Desk, *items: Place, seen: Choice | None = None) -> None:
    desk.clock.forward(1)
    approve(
        desk.store,
        desk.settings,
        "notes",
        digest=None,
        by=person(),
        note="",
        now=desk.clock(),
        choice=replace(seen or Choice(), items=items or None),
    )


def learned(desk: Desk) -> str:
    (face,) = desk.store.faces("notes")
    return face.learned


async def test_who_approves_a_list_as_a_whole_approves_what_other_identities_are_shown(desk: Desk) -> None:
    await bumped(desk)
    desk.store.record_face(OTHER)

    decide(desk, seen=Choice(identities=mark_of(desk.store.faces("notes"))))

    assert learned(desk) == OTHER.shown


async def test_what_an_identity_is_shown_since_the_difference_was_read_is_not_approved_with_it(desk: Desk) -> None:
    await bumped(desk)
    seen = Choice(identities=mark_of(desk.store.faces("notes")))
    desk.store.record_face(OTHER, judge_again=True)

    with pytest.raises(StaleReviewError, match="other identities"):
        decide(desk, seen=seen)

    assert learned(desk) == OTHER.learned


async def test_who_approves_single_items_approves_nothing_of_what_other_identities_are_shown(desk: Desk) -> None:
    await bumped(desk)
    desk.store.record_face(OTHER)

    decide(desk, LOOSER)

    assert learned(desk) == OTHER.learned


async def test_a_lock_file_approves_nothing_of_what_other_identities_are_shown(desk: Desk) -> None:
    await bumped(desk)
    desk.store.record_face(OTHER)
    live = desk.store.snapshot(desk.store.state("notes").last_digest)
    assert live is not None
    base = desk.settings.path.parent if isinstance(desk.settings.path, Path) else None
    locked = Locked("notes", facts_of(portable(live, base)))

    (taken,) = take_over(
        desk.store, desk.settings, {"notes": locked}, Commit("0" * 40, "ann", "", "bump"), now=desk.clock()
    )

    assert taken.came is Came.APPROVED
    assert learned(desk) == OTHER.learned
