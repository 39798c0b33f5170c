"""What came of looking at lists again is kept for what is shown or approved, and for nothing else."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from store_world import START, look, snapshot, tool

from driftwatch.model import AsClient, Rehearsed
from driftwatch.store.store import Store

FIRST, SECOND = snapshot(tool("first")), snapshot(tool("second"))
SEEN = Rehearsed(
    "git", FIRST.digest, START, 2, SECOND.digest, "claude-code", AsClient.FAILED, 1, "connect: nobody \x1b[2J"
)


def test_it_is_kept_and_read_back_whole_in_the_place_of_what_was_known(store: Store) -> None:
    store.record_look(look("git", FIRST))
    store.record_rehearsal(SEEN)
    before = store.rehearsed("git", FIRST.digest)
    later = replace(SEEN, looks=4, at=START + timedelta(hours=1), other="")
    store.record_rehearsal(later)

    assert before == SEEN
    assert store.rehearsals("git") == [later]
    assert store.rehearsed("git", SECOND.digest) is None


def test_lists_that_are_neither_shown_nor_approved_go(store: Store) -> None:
    third = snapshot(tool("third"))
    for shown, baseline in ((FIRST, None), (SECOND, FIRST.digest), (third, FIRST.digest)):
        store.record_look(look("git", shown, baseline=baseline))
        store.record_rehearsal(replace(SEEN, digest=shown.digest, other=""))

    assert {one.digest for one in store.rehearsals("git")} == {FIRST.digest, third.digest}


def test_lists_beside_which_another_one_came_to_light_are_not_pushed_out_by_a_few_more(store: Store) -> None:
    baseline = None
    for number in range(12):
        shown = snapshot(tool(f"tool_{number}"))
        store.record_look(look("git", shown, baseline=baseline))
        baseline = baseline or shown.digest
        store.record_rehearsal(replace(SEEN, digest=shown.digest, at=START + timedelta(hours=number)))

    kept = [one.at for one in store.rehearsals("git")]
    # The first one is what others are compared with; besides there are the newest.
    assert kept == [START, *(START + timedelta(hours=number) for number in range(4, 12))]


def test_pages_hear_of_it(store: Store) -> None:
    store.record_look(look("git", FIRST))
    before = store.marks()["server:git"]
    store.record_rehearsal(SEEN)

    assert store.marks()["server:git"] != before
