"""A list that nobody names is approved without a question only where no other list came to light, in whatever way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from witness_desk import GOOD, MORE, POISONED, WitnessDesk

from driftwatch.model import AsClient, Face, Rehearsed, Verdict
from driftwatch.review.beside import faces_seen, other_lists

Way = Callable[[WitnessDesk], None]
NOBODY = frozenset[tuple[str, str]]()


def _digest(desk: WitnessDesk) -> str:
    return desk.store.state("notes").last_digest


def _again(**how: object) -> Way:
    def way(desk: WitnessDesk) -> None:
        seen = Rehearsed("notes", _digest(desk), desk.clock(), looks=2, client="claude-code")
        desk.store.record_rehearsal(replace(seen, **how))

    return way


def _face(identity: str, verdict: Verdict, cause: str = "", suspect: str = "") -> Way:
    def way(desk: WitnessDesk) -> None:
        at, other = desk.clock(), "sha256:" + "b" * 64
        face = Face("notes", identity, verdict, cause, shown=other, ordinary=_digest(desk), looked_at=at, ok_at=at)
        desk.store.record_face(replace(face, suspect=suspect))

    return way


def _handed_in(desk: WitnessDesk) -> None:
    desk.hand_in(POISONED)


WAYS: dict[str, Way] = {
    "a second start": _again(other="sha256:" + "c" * 64),
    "another name, seen once": _again(as_client=AsClient.OTHER),
    "another name": _face("second name", Verdict.DIFFERS),
    "another name, now and then": _face("second name", Verdict.RESTLESS),
    "another era": _face("old", Verdict.LEARNED, "era"),
    "another credential": _face("admin", Verdict.LEARNED, "credential"),
    "no longer the learned one": _face("admin", Verdict.DRIFTED, "credential"),
    "something bad in one turn": _face("second name", Verdict.SAME, suspect="sha256:" + "d" * 64),
    "a witness that waits": _handed_in,
}


@pytest.mark.parametrize("way", WAYS)
async def test_it_is_said_which_other_list_came_to_light(tmp_path: Path, way: str) -> None:
    desk = WitnessDesk(tmp_path)
    await desk.look()

    WAYS[way](desk)

    assert other_lists(desk.store, desk.settings, "notes", _digest(desk), desk.clock(), before=NOBODY)


async def test_what_an_agent_was_shown_and_stands_is_another_list(tmp_path: Path) -> None:
    desk = WitnessDesk(tmp_path)
    await desk.approved()
    await desk.session(GOOD, POISONED)
    desk.show = MORE
    await desk.look()

    said = other_lists(desk.store, desk.settings, "notes", _digest(desk), desk.clock(), before=NOBODY)

    assert said == (
        "as witness of claude-desktop it is shown another list, " + desk.face().suspect[7:19],
        "critical witnessed-difference stands",
    )


@pytest.mark.parametrize("verdict", [Verdict.SAME, Verdict.UNKNOWN, Verdict.OLDER])
async def test_where_all_are_shown_the_same_there_is_nothing_to_say(tmp_path: Path, verdict: Verdict) -> None:
    desk = WitnessDesk(tmp_path)
    await desk.look()
    _again(as_client=AsClient.SAME)(desk)
    _face("second name", verdict)(desk)

    assert other_lists(desk.store, desk.settings, "notes", _digest(desk), desk.clock(), before=NOBODY) == ()


async def test_a_harmless_list_that_was_learned_before_is_known_and_needs_no_question(tmp_path: Path) -> None:
    desk = WitnessDesk(tmp_path)
    await desk.look()
    _face("admin", Verdict.LEARNED, "credential")(desk)
    before = faces_seen(desk.store, "notes")

    assert other_lists(desk.store, desk.settings, "notes", _digest(desk), desk.clock(), before=before) == ()
