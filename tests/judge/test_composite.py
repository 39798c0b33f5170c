"""Part of a list over another one."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from driftwatch.judge.composite import composed, differing
from driftwatch.judge.snapshot import document_of, oddities_of, take
from driftwatch.model import Kind, Snapshot

NAMES = st.sampled_from(["", "a", "b", "c"])
TOOLS = st.lists(
    st.one_of(
        st.fixed_dictionaries({"name": NAMES, "description": st.sampled_from(["One.", "Two.", "\u200bThree."])}),
        st.sampled_from([7, None, [], {"description": "no name"}]),
    ),
    max_size=5,
)
PROMPTS = st.lists(st.fixed_dictionaries({"name": NAMES}), max_size=2)
SERVERS = st.fixed_dictionaries({}, optional={"serverInfo": st.sampled_from([{"version": "1"}, {"version": "2"}])})
LAUNCHES = st.fixed_dictionaries({}, optional={"launch": st.sampled_from([{"command": "a"}, {"command": "b"}])})


@st.composite
def snapshots(draw: st.DrawFn) -> Snapshot:
    document: dict[str, Any] = {"tools": draw(TOOLS), "prompts": draw(PROMPTS), **draw(SERVERS), **draw(LAUNCHES)}
    return take(document)


def like(one: Snapshot, other: Snapshot) -> bool:
    return (one.digest, one.items) == (other.digest, other.items)


@given(snapshots(), snapshots())
def test_all_that_differs_taken_together_is_what_was_shown_and_nothing_taken_is_the_baseline(
    baseline: Snapshot, shown: Snapshot
) -> None:
    places = differing(baseline, shown)
    whole = composed(baseline, shown, places)
    missing = baseline.sections - shown.sections

    assert like(composed(baseline, shown, ()), baseline)
    if not missing:
        assert like(whole, shown)
    assert {item.place for item in baseline.items if item.kind in missing} <= {item.place for item in whole.items}


@given(snapshots(), snapshots(), st.data())
def test_each_place_has_what_one_of_the_two_sides_has_there(
    baseline: Snapshot, shown: Snapshot, data: st.DataObject
) -> None:
    places = differing(baseline, shown)
    wanted = data.draw(st.sets(st.sampled_from(places)) if places else st.just(set()))

    made = composed(baseline, shown, wanted)

    was, now = (sorted((item.kind, item.key, item.digest) for item in side.items) for side in (baseline, shown))
    kept = [item for item in baseline.items if item.place not in wanted]
    taken = [item for item in shown.items if item.place in wanted]
    expected = sorted((item.kind, item.key, item.digest) for item in (*kept, *taken))
    assert sorted((item.kind, item.key, item.digest) for item in made.items) == expected
    assert set(expected) <= {*was, *now}


@given(snapshots(), snapshots(), st.data())
def test_it_is_the_very_snapshot_of_a_server_that_shows_just_this(
    baseline: Snapshot, shown: Snapshot, data: st.DataObject
) -> None:
    places = differing(baseline, shown)
    wanted = data.draw(st.sets(st.sampled_from(places)) if places else st.just(set()))

    made = composed(baseline, shown, wanted)

    again = take(document_of(made), [odd for odd in oddities_of(made) if odd.code != "duplicate-name"])
    assert like(made, again)
    assert like(composed(made, shown, wanted if not _twice(baseline, shown) else ()), made)


def _twice(*sides: Snapshot) -> bool:
    """Whether any name is there more than once: then places move when one of them is taken."""
    return any(item.occurrence for side in sides for item in side.items)


def test_a_name_that_is_there_once_only_in_what_comes_out_is_not_called_a_duplicate() -> None:
    baseline = take({"tools": [{"name": "a", "description": "One."}, {"name": "a", "description": "Two."}]})
    shown = take({"tools": [{"name": "a", "description": "Three."}]})
    (kept,) = composed(baseline, shown, [place for place in differing(baseline, shown) if place[2] == 1]).items

    assert (kept.key, kept.occurrence, kept.oddities) == ("a", 0, ())


def test_what_the_shown_side_did_not_look_at_differs_in_nothing() -> None:
    baseline = take({"tools": [{"name": "a"}], "prompts": [{"name": "p"}]})
    shown = take({"tools": []})

    assert differing(baseline, shown) == ((Kind.TOOL, "a", 0),)
