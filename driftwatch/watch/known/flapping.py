"""Whether a server goes to and fro: read from when it showed which list since its baseline. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import pairwise
from statistics import median

from driftwatch.judge.behaviour import Flapping
from driftwatch.model import Baseline, Sighting

WINDOW = timedelta(days=7)
"""How far back a coming and going counts."""

RETURNS = 2
"""From how many returns on it goes to and fro. One is a release that was taken back."""

RECENT = 8
"""The latest sightings that say whether a server is restless."""

NEWS = 4
"""How many of them must be lists that it never showed before, each for a single look, within `RUSH`."""

RUSH = timedelta(days=1)
"""No release train is so fast: that many in a day, and none of them there for a second look."""

CALM = (timedelta(hours=1), timedelta(days=3))
"""The least and the most time without a change until it counts as calm."""

PATIENCE = 3
"""How many times its usual time between two changes it must keep still."""

MOST_SIGHTINGS = 500
"""Sightings that are read: enough to know, few enough for a server that shows another list at every look."""


def flapping_of(sightings: Sequence[Sighting], baseline: Baseline, now: datetime) -> Flapping | None:
    """Say how a server goes to and fro, None when it does not, or has been calm by now.

    `sightings` are its latest ones, oldest first, the one that is live at `now` last.
    """
    lists = _lists(sightings)
    approved = next((one.body for one in sightings if one.digest == baseline.digest), "")
    shown = {approved}
    moves: list[tuple[Sighting, bool]] = []
    for one in lists:
        if one.first_seen <= baseline.since:
            # The last one of these was live when the baseline was set.
            shown = {approved, one.body}
            continue
        if one.first_seen > now - WINDOW:
            moves.append((one, one.body in shown))
        shown.add(one.body)
    returns = sum(back for _, back in moves)
    restless = _is_restless(moves[-RECENT:])
    if returns < RETURNS and not restless:
        return None
    times = [one.first_seen for one, _ in moves]
    calm_at = times[-1] + _calm(times)
    if now >= calm_at:
        return None
    return Flapping(
        returns=returns,
        lists=len({one.body for one, _ in moves}),
        since=times[0],
        calm_at=calm_at,
        restless=restless,
    )


def _lists(sightings: Sequence[Sighting]) -> list[Sighting]:
    """Give the sightings as one each time that the server itself shows something else: how it is reached is not its."""
    found: list[Sighting] = []
    for one in sightings:
        if found and found[-1].body == one.body:
            found[-1] = replace(found[-1], last_seen=one.last_seen, looks=found[-1].looks + one.looks)
        else:
            found.append(one)
    return found


def _is_restless(moves: Sequence[tuple[Sighting, bool]]) -> bool:
    """Say whether it shows something new at nearly every look; how long the live list will stand is not known yet."""
    if not moves:
        return False
    *earlier, (last, back) = moves
    news = [one for one, was in earlier if not was and one.looks == 1 and last.first_seen - one.first_seen <= RUSH]
    return len(news) + (not back) >= NEWS


def _calm(times: Sequence[datetime]) -> timedelta:
    """Give how long it must keep still: some of its usual times between two changes, within bounds."""
    least, most = CALM
    gaps = [(later - earlier).total_seconds() for earlier, later in pairwise(times)]
    usual = timedelta(seconds=median(gaps)) if gaps else least
    return min(max(PATIENCE * usual, least), most)
