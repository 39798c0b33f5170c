"""Whose turn it is to be looked as: evenly, within the period, one at a time."""

from __future__ import annotations

import itertools
from datetime import UTC, datetime, timedelta

import pytest

from driftwatch.watch.schedule import Turn, whose_turn

START = datetime(2026, 3, 1, tzinfo=UTC)


def _played(
    names: tuple[str, ...], *, every: float, period: float, jitter: float, looks: int
) -> list[tuple[float, str]]:
    """Play looks at a steady pace; give when (seconds) whose turn it was."""
    seen: dict[str, datetime | None] = dict.fromkeys(names)
    found = []
    for number in range(looks):
        now = START + timedelta(seconds=number * every)
        turns = [Turn(name, seen[name]) for name in names]
        name = whose_turn(turns, now=now, next_at=now + timedelta(seconds=every), period=period, jitter=jitter)
        if name is not None:
            seen[name] = now
            found.append((number * every, name))
    return found


@pytest.mark.parametrize("jitter", [0.0, 0.5, 0.999])
@pytest.mark.parametrize("every", [30.0, 300.0, 700.0, 1200.0])
@pytest.mark.parametrize("names", [("a",), ("a", "b", "c")])
def test_everyone_comes_round_within_the_period_in_order_and_evenly(
    names: tuple[str, ...], every: float, jitter: float
) -> None:
    period = 3600.0

    found = _played(names, every=every, period=period, jitter=jitter, looks=int(6 * period / every))

    assert [name for _, name in found[: 2 * len(names)]] == [*names, *names]
    for name in names:
        at = [when for when, whose in found if whose == name]
        assert max(later - earlier for earlier, later in itertools.pairwise(at)) <= period
    gaps = [later[0] - earlier[0] for earlier, later in itertools.pairwise(found)]
    assert min(gaps) >= period / len(names) * 0.9 - every


def test_more_identities_than_looks_get_one_look_each_in_turn() -> None:
    found = _played(("a", "b", "c"), every=3000, period=3600, jitter=0.0, looks=6)

    assert [name for _, name in found] == ["a", "b", "c", "a", "b", "c"]


def test_nobody_has_no_turn() -> None:
    assert whose_turn([], now=START, next_at=None, period=60, jitter=0.0) is None


def test_the_same_numbers_give_the_same_turns() -> None:
    one = _played(("a", "b"), every=60, period=600, jitter=0.3, looks=50)

    assert one == _played(("a", "b"), every=60, period=600, jitter=0.3, looks=50)
