"""A sparkline: how often a server began to show another list, day by day. Pure; drawn by attributes alone."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from driftwatch.model.amounts import many

DAYS: Final = 30
"""How far back it goes."""

DAY: Final = timedelta(days=1)
WIDTH, HEIGHT = 90, 24

_STEP: Final = WIDTH // DAYS
_TALLEST: Final = 4
"""So many changes in a day fill the height; more look the same."""


@dataclass(frozen=True, slots=True)
class Bar:
    """One day with changes, as the attributes of a rectangle."""

    x: int
    y: int
    width: int
    height: int
    loud: bool


@dataclass(frozen=True, slots=True)
class Spark:
    """The bars, and what they say in words."""

    bars: tuple[Bar, ...]
    words: str


def begin(now: datetime) -> datetime:
    """Give the moment from which days are counted."""
    return now - DAYS * DAY


def spark(counted: Mapping[int, int], loud: Collection[int]) -> Spark:
    """Draw how many changes there were on which day, from day 0 on; `loud` days had an alert of high or more."""
    days = {min(max(day, 0), DAYS - 1): 0 for day in (*counted, *loud)}
    for day, count in counted.items():
        days[min(max(day, 0), DAYS - 1)] += count
    bars = tuple(_bar(day, count, day in loud) for day, count in sorted(days.items()))
    return Spark(bars, _words(sum(counted.values()), loud))


def _bar(day: int, count: int, loud: bool) -> Bar:
    height = max(min(count, _TALLEST), 1) * (HEIGHT - 2) // _TALLEST
    return Bar(x=day * _STEP, y=HEIGHT - 1 - height, width=_STEP - 1, height=height, loud=loud)


def _words(total: int, loud: Collection[int]) -> str:
    if not total:
        return f"no new list in {DAYS} days"
    said = f"{many(total, 'new list')} in {DAYS} days"
    return f"{said}, alerts of high or more on {many(len(loud), 'day')}" if loud else said
