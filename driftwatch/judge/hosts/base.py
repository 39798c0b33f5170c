"""What a row of the table of hosts is, and how a host takes a value that is neither true nor false."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, TypeAlias

from driftwatch.judge.hints import HINTS
from driftwatch.model import Json


class Sure(StrEnum):
    """How a row is known."""

    CODE = "code read"
    DOCUMENTED = "vendor documentation"
    SURVEYED = "third-party survey"
    REPORTED = "report of a user"


class Odd(StrEnum):
    """How a host takes a hint whose value is neither true nor false."""

    ABSENT = "as if it were absent"
    TRUTHY = "as true when JavaScript calls it true (any text that is not empty, any object, any number but 0)"
    UNKNOWN = "not known"


TRUTHY, FALSY = "truthy", "falsy"
"""What stands in a state for a value that is neither true nor false, by what JavaScript calls it."""

State: TypeAlias = tuple[bool | str | None, ...]
"""The four hints in the order of `HINTS`: true, false, absent (None), `TRUTHY` or `FALSY`."""


class Hints(NamedTuple):
    """The four hints as a host has them; None is absent."""

    read_only: bool | None = None
    destructive: bool | None = None
    idempotent: bool | None = None
    open_world: bool | None = None


@dataclass(frozen=True, slots=True)
class Act:
    """What a host does with a tool, in words that stand after its name. More `trust` means that it asks less."""

    words: str
    trust: int


@dataclass(frozen=True, slots=True)
class Host:
    """One host in one mode.

    `reads` says what it does for a state of the hints, None where nothing is known of that state. `seen` is the
    version or commit and the date that the row was read in; `source` a public address, or a repository and path with
    its commit. `rank` orders rows by how many people a change concerns, 1 first.
    """

    id: str
    name: str
    mode: str
    reads: Callable[[Hints], Act | None]
    odd: Odd
    seen: str
    source: str
    sure: Sure
    rank: int = 3
    also: tuple[str, ...] = ()
    note: str = ""

    @property
    def label(self) -> str:
        """Name the host with its mode."""
        return f"{self.name} ({self.mode})" if self.mode else self.name

    def act(self, annotations: Json) -> Act | None:
        """Say what it does for raw annotations, None where that is not known."""
        return self.act_on(state_of(annotations))

    def act_on(self, state: State) -> Act | None:
        """Say what it does for the state of the hints, None where that is not known."""
        hints = hints_of(state, self.odd)
        return None if hints is None else self.reads(hints)


SURVEY = "s1300105/auth_gap docs/textbook/appendix-g.md @9303a133 (October 2026)"
"""A survey of what products do with annotations; it pins commits and unpacks shipped programs."""

ASKS = Act("asks before it runs", 1)
RUNS = Act("runs it without asking", 2)


def reader_runs(hints: Hints) -> Act:
    """Ask about every tool but one that says it only reads: what most hosts do."""
    return RUNS if hints.read_only else ASKS


def state_of(annotations: Json) -> State:
    """Give all that a host can see of raw annotations: what is no object holds four values that are no hints."""
    if not isinstance(annotations, dict):
        return (None,) * len(HINTS) if annotations is None else (FALSY,) * len(HINTS)
    return tuple(
        value if isinstance(value, bool) or hint not in annotations else TRUTHY if truthy(value) else FALSY
        for hint, value in ((hint, annotations.get(hint)) for hint in HINTS)
    )


def hints_of(state: State, odd: Odd) -> Hints | None:
    """Give the hints as a host takes them, None where it is not known how."""
    if odd is Odd.UNKNOWN and (TRUTHY in state or FALSY in state):
        return None
    taken = {TRUTHY: True, FALSY: False} if odd is Odd.TRUTHY else {}
    return Hints._make(taken.get(value) if isinstance(value, str) else value for value in state)


def truthy(value: Json) -> bool:
    """Say whether JavaScript takes a JSON value for true: even empty lists and objects are."""
    if isinstance(value, float) and math.isnan(value):
        return False
    return bool(value) if value is None or isinstance(value, str | int | float) else True
