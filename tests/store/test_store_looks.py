from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest
from store_world import MINUTE, START, Clock, dump, finding, look, row_counts, snapshot, tool

from driftwatch.errors import BaselineMovedError
from driftwatch.model import (
    Era,
    Item,
    Kind,
    Listing,
    Malformed,
    Oddity,
    Page,
    Refused,
    ServerState,
    Snapshot,
    Unreachable,
)
from driftwatch.store import Store

FIRST = snapshot(tool("read"), tool("write"))
SECOND = snapshot(tool("read", description="More."), tool("write"))
FRESH = Listing(Era.MODERN, "2026-07-28", pages=(Page("tools/list", 1, 2, 60_000, "public"),), received_bytes=900)
ASKING = replace(FRESH, pages=(Page("tools/list", 1, 2, 0, "private"),), asked=("roots/list",), noise_lines=4)


def test_a_server_that_was_never_looked_at_has_an_empty_state(store: Store) -> None:
    assert store.state("git") == ServerState(server="git")
    assert store.states() == {}
    assert store.baseline("git") is None
    assert store.sightings("git") == []
    assert store.findings("git") == ()


def test_a_first_look_is_remembered_with_all_of_its_parts(store: Store) -> None:
    new = store.record_look(look("git", FIRST, detail="default interval", findings=(finding(),)))

    state = store.state("git")
    assert new == ()
    assert (state.era, state.last_look_at, state.last_ok_at) == (Era.MODERN, START, START)
    assert (state.next_look_at, state.failures, state.looks) == (START + 5 * MINUTE, 0, 1)
    assert (state.last_outcome, state.last_detail) == ("listed", "default interval")
    assert (state.last_digest, state.judged) == (FIRST.digest, f"{FIRST.digest} {FIRST.digest} rules-1")
    assert state.baseline == store.baseline("git")
    assert store.states() == {"git": state}
    assert store.snapshot(FIRST.digest) == FIRST
    assert store.findings("git") == (finding(),)


def test_an_unchanged_look_adds_no_row_in_any_table(store: Store, file: Path) -> None:
    store.record_look(look("git", FIRST, findings=(finding(),)))
    before = row_counts(file)

    for number in range(1, 4):
        store.touch("git", at=START + number * MINUTE, next_at=START + (number + 1) * MINUTE, era=Era.MODERN)

    assert row_counts(file) == before
    assert before["snapshots"] == 1


def test_an_unchanged_look_changes_the_servers_row_only(store: Store, file: Path) -> None:
    store.record_look(look("git", FIRST))
    before = dump(file)

    store.touch("git", at=START + MINUTE, next_at=START + 2 * MINUTE, era=Era.MODERN)

    after = dump(file)
    assert [name for name in before if before[name] != after[name]] == ["servers"]


def test_an_unchanged_look_moves_times_and_counts(store: Store) -> None:
    store.record_look(look("git", FIRST))

    store.touch("git", at=START + MINUTE, next_at=START + 6 * MINUTE, era=Era.HANDSHAKE, detail="the list is fresh")

    state = store.state("git")
    assert (state.last_look_at, state.last_ok_at, state.next_look_at) == (
        START + MINUTE,
        START + MINUTE,
        START + 6 * MINUTE,
    )
    assert (state.looks, state.era, state.last_detail) == (2, Era.HANDSHAKE, "the list is fresh")
    [sighting] = store.sightings("git")
    assert (sighting.first_seen, sighting.last_seen, sighting.looks) == (START, START + MINUTE, 2)


def test_how_the_last_complete_look_went_is_kept(store: Store) -> None:
    store.record_look(look("git", FIRST, listing=FRESH))
    store.record_look(look("other", FIRST))

    assert store.state("git").listing == FRESH
    assert store.states()["git"].listing == FRESH
    assert store.state("other").listing is None


def test_an_unchanged_look_that_went_otherwise_is_kept_without_a_new_row(store: Store, file: Path) -> None:
    store.record_look(look("git", FIRST, listing=FRESH))
    before = row_counts(file)

    store.touch("git", at=START + MINUTE, next_at=None, era=Era.MODERN, listing=ASKING)

    assert store.state("git").listing == ASKING
    assert row_counts(file) == before


def test_how_the_last_look_went_stays_until_another_one_is_complete(store: Store) -> None:
    store.record_look(look("git", FIRST, listing=ASKING))

    store.record_failure("git", outcome=Unreachable("dns", "no such host"), at=START, next_at=None, era=None)
    store.touch("git", at=START + MINUTE, next_at=None, era=None)

    assert store.state("git").listing == ASKING
    store.record_look(look("git", SECOND, baseline=FIRST.digest, listing=FRESH))
    assert store.state("git").listing == FRESH


def test_a_touch_of_a_server_that_showed_nothing_yet_is_refused(store: Store, file: Path) -> None:
    before = dump(file)

    with pytest.raises(BaselineMovedError):
        store.touch("git", at=START, next_at=START, era=None)

    assert dump(file) == before


def test_a_touch_is_refused_when_something_else_was_judged_meanwhile(store: Store, file: Path) -> None:
    store.record_look(look("git", FIRST))
    read = store.state("git").judged
    store.record_look(look("git", SECOND, baseline=FIRST.digest))
    before = dump(file)

    with pytest.raises(BaselineMovedError):
        store.touch("git", at=START, next_at=START, era=None, judged=read)

    assert dump(file) == before


def test_a_touch_is_refused_when_a_look_failed_meanwhile(store: Store, file: Path) -> None:
    store.record_look(look("git", FIRST))
    read = store.state("git").judged
    store.record_failure("git", outcome=Unreachable("dns", "no such host"), at=START, next_at=None, era=None)
    before = dump(file)

    with pytest.raises(BaselineMovedError):
        store.touch("git", at=START, next_at=START, era=None, judged=read)

    assert dump(file) == before


def test_a_snapshot_that_comes_back_is_a_sighting_of_its_own_and_no_new_snapshot(store: Store, clock: Clock) -> None:
    store.record_look(look("git", FIRST))
    store.touch("git", at=clock.later(), next_at=None, era=None)
    store.record_look(look("git", SECOND, baseline=FIRST.digest, at=clock.later()))
    store.record_look(look("git", FIRST, baseline=FIRST.digest, at=clock.later()))
    store.touch("git", at=clock.later(), next_at=None, era=None)

    seen = [(each.digest, each.first_seen, each.last_seen, each.looks) for each in store.sightings("git")]
    assert seen == [
        (FIRST.digest, START, START + MINUTE, 2),
        (SECOND.digest, START + 2 * MINUTE, START + 2 * MINUTE, 1),
        (FIRST.digest, START + 3 * MINUTE, START + 4 * MINUTE, 2),
    ]
    assert store.counts().snapshots == 2


def test_judging_the_same_snapshot_anew_prolongs_its_sighting(store: Store, file: Path, clock: Clock) -> None:
    store.record_look(look("git", FIRST))
    before = row_counts(file)

    store.record_look(look("git", FIRST, baseline=FIRST.digest, at=clock.later(), judged="rules-2"))

    [sighting] = store.sightings("git")
    assert (sighting.last_seen, sighting.looks) == (START + MINUTE, 2)
    assert store.state("git").judged == "rules-2"
    assert row_counts(file) == before


def test_an_item_that_two_snapshots_share_is_kept_once(store: Store) -> None:
    store.record_look(look("git", FIRST))
    store.record_look(look("git", SECOND, baseline=FIRST.digest))
    store.record_look(look("other", FIRST))

    counts = store.counts()
    assert (counts.servers, counts.snapshots, counts.items) == (2, 2, 3)


def test_a_snapshot_comes_back_equal_in_every_part(store: Store) -> None:
    twin = tool("twin", description="first of two")
    odd = (Oddity("lone-surrogate", "/description", "at 3: \ud800"), Oddity("duplicate-name"))
    shown = snapshot(
        Item(Kind.SERVER, "", {"instructions": "Use me."}, "sha256:" + "a" * 64),
        Item(Kind.TOOL, "", ["not", "an", "object"], "sha256:" + "b" * 64, 0, (Oddity("not-an-object"),)),
        replace(twin, occurrence=0),
        replace(twin, occurrence=1, oddities=odd),
        Item(Kind.PROMPT, 'line\nbreak "quote" \\ \x00 \u202e \ud83d', None, "sha256:" + "c" * 64),
        sections=frozenset({Kind.SERVER, Kind.TOOL, Kind.PROMPT}),
    )

    store.record_look(look("git", shown))

    assert store.snapshot(shown.digest) == shown


def test_an_empty_snapshot_and_one_without_sections_come_back(store: Store) -> None:
    empty = Snapshot(items=(), digest="sha256:" + "0" * 64, sections=frozenset())

    store.record_look(look("git", empty))

    assert store.snapshot(empty.digest) == empty
    assert store.snapshot("sha256:" + "1" * 64) is None


def test_of_two_raw_forms_with_one_digest_the_first_is_kept(store: Store) -> None:
    digest = "sha256:" + "d" * 64
    one = Item(Kind.TOOL, "read", {"name": "read", "max": 1}, digest)
    other = Item(Kind.TOOL, "read", {"max": 1.0, "name": "read"}, digest)

    store.record_look(look("git", snapshot(one)))
    store.record_look(look("other", snapshot(other, sections=frozenset({Kind.TOOL}))))

    kept = store.snapshot(snapshot(other).digest)
    assert kept is not None
    assert repr(kept.items[0].raw) == repr(one.raw)


def test_thousands_of_items_are_kept_in_order(store: Store) -> None:
    shown = snapshot(*(tool(f"tool-{number:04}") for number in range(2500)))

    store.record_look(look("git", shown))

    assert store.snapshot(shown.digest) == shown


def test_a_look_judged_against_another_baseline_writes_nothing(store: Store, file: Path) -> None:
    store.record_look(look("git", FIRST))
    before = dump(file)

    for expected in (None, SECOND.digest):
        with pytest.raises(BaselineMovedError) as refused:
            store.record_look(look("git", SECOND, expected_baseline=expected))

        assert "Nothing was written" in refused.value.hint
        assert dump(file) == before


def test_a_look_can_ask_that_nobody_else_looked_meanwhile(store: Store, file: Path) -> None:
    store.record_look(look("git", FIRST, expected_looks=0))
    read = store.state("git").looks
    store.touch("git", at=START + MINUTE, next_at=None, era=None)
    before = dump(file)

    with pytest.raises(BaselineMovedError):
        store.record_look(look("git", SECOND, baseline=FIRST.digest, expected_looks=read))

    assert dump(file) == before
    store.record_look(look("git", SECOND, baseline=FIRST.digest, expected_looks=read + 1))


@pytest.mark.parametrize(
    ("outcome", "said"),
    [
        (Unreachable("timeout", "no answer in 30 s"), "unreachable:timeout"),
        (Malformed("html", "<html>\ud800"), "malformed:html"),
        (Refused("unauthorized", "401", status=401), "refused:unauthorized"),
    ],
)
def test_a_failed_look_is_counted_and_changes_nothing_that_was_seen(
    store: Store, outcome: Unreachable | Malformed | Refused, said: str
) -> None:
    store.record_look(look("git", FIRST, findings=(finding(),)))
    before = store.state("git")

    for number in (1, 2):
        store.record_failure("git", outcome=outcome, at=START + number * MINUTE, next_at=None, era=None, alert=None)

    state = store.state("git")
    assert (state.failures, state.looks) == (2, 3)
    assert (state.last_outcome, state.last_detail) == (said, outcome.detail)
    assert (state.last_look_at, state.last_ok_at, state.next_look_at) == (START + 2 * MINUTE, START, None)
    assert (state.last_digest, state.judged, state.era) == (before.last_digest, before.judged, before.era)
    assert state.baseline == before.baseline
    assert store.findings("git") == (finding(),)


def test_a_failure_before_any_complete_look_leaves_no_baseline(store: Store) -> None:
    store.record_failure("git", outcome=Unreachable("dns", "no such host"), at=START, next_at=None, era=Era.HANDSHAKE)

    state = store.state("git")
    assert (state.failures, state.last_ok_at, state.baseline, state.era) == (1, None, None, Era.HANDSHAKE)


def test_a_complete_look_ends_a_run_of_failures(store: Store) -> None:
    store.record_failure("git", outcome=Unreachable("dns", "no such host"), at=START, next_at=None, era=None)

    store.record_look(look("git", FIRST, at=START + MINUTE))

    state = store.state("git")
    assert (state.failures, state.last_outcome, state.looks) == (0, "listed", 2)


def test_findings_are_those_of_the_latest_judgement_in_the_order_given(store: Store) -> None:
    later = (finding("rule-b", before=None, after={"deep": [1.0]}), finding("rule-a", items=("read", "write")))
    store.record_look(look("git", FIRST, findings=(finding(),)))

    store.record_look(look("git", SECOND, baseline=FIRST.digest, findings=later))

    assert store.findings("git") == later


def test_planning_moves_the_next_look_and_nothing_else(store: Store) -> None:
    store.record_look(look("git", FIRST))
    before = store.state("git")

    store.plan("git", START + 30 * MINUTE)
    store.plan("new", START + MINUTE)

    assert store.state("git") == replace(before, next_look_at=START + 30 * MINUTE)
    assert store.state("new") == ServerState(server="new", next_look_at=START + MINUTE, sighted=1)


def test_times_come_back_to_the_microsecond_and_naive_ones_are_refused(store: Store) -> None:
    exact = START.replace(microsecond=123457)
    store.record_look(look("git", FIRST, at=exact))

    assert store.state("git").last_look_at == exact
    with pytest.raises(Exception, match="without a zone"):
        store.plan("git", datetime(2026, 1, 1))  # noqa: DTZ001


def test_what_was_judged_while_another_server_showed_something_new_is_judged_again(store: Store) -> None:
    first, second = store.state("git"), store.state("files")

    store.record_look(look("git", FIRST, expected_sighted=first.sighted))
    store.record_look(look("files", SECOND, expected_sighted=second.sighted))

    judged = {name: state.judged.startswith("news ") for name, state in store.states().items()}
    assert judged == {"git": False, "files": True}
    assert store.state("third").sighted == store.state("git").sighted == 2
