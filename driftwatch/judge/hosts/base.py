"""What a row of the table of hosts is, and how a host takes a value that is neither true nor false."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

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
        hints = hints_of(annotations, self.odd)
        return None if hints is None else self.reads(hints)


SURVEY = "s1300105/auth_gap docs/textbook/appendix-g.md @9303a133 (October 2026)"
"""A survey of what products do with annotations; it pins commits and unpacks shipped programs."""

ASKS = Act("asks before it runs", 1)
RUNS = Act("runs it without asking", 2)


def reader_runs(hints: Hints) -> Act:
    """Ask about every tool but one that says it only reads: what most hosts do."""
    return RUNS if hints.read_only else ASKS


def hints_of(annotations: Json, odd: Odd) -> Hints | None:
    """Give raw annotations as a host takes them, None where it is not known how."""
    if not isinstance(annotations, dict):
        return None if annotations is not None and odd is Odd.UNKNOWN else Hints()
    values: list[bool | None] = []
    for hint in HINTS:
        value = annotations.get(hint)
        if isinstance(value, bool) or hint not in annotations:
            values.append(value)
        elif odd is Odd.UNKNOWN:
            return None
        else:
            values.append(truthy(value) if odd is Odd.TRUTHY else None)
    return Hints(*values)


def truthy(value: Json) -> bool:
    """Say whether JavaScript takes a JSON value for true: even empty lists and objects are."""
    if isinstance(value, float) and math.isnan(value):
        return False
    return bool(value) if value is None or isinstance(value, str | int | float) else True
