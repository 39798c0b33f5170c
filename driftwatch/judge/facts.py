"""What is known beside two lists: other servers, how the list came to be seen, whom it was shown to.

Plain data that the rules may read. A comparison of two files has none of it (`NO_FACTS`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import TypeAlias

from driftwatch.judge.behaviour import Flapping
from driftwatch.judge.beside import Opinions, Supplied, Watching
from driftwatch.judge.expectations import NOTHING_EXPECTED, Expectations
from driftwatch.judge.faces import OtherFace
from driftwatch.judge.witnessed import Testified
from driftwatch.model import Arrival, Finding, Kind, Lossy, Snapshot

Place: TypeAlias = tuple[Kind, str, int, str]
"""Where in a list: kind, item, occurrence, pointer."""


@dataclass(frozen=True)
class Varied:
    """A place whose value was another one in lists of the same release.

    `changes` counts how often it became another from one list to the next, `values` how many different ones were
    seen. `shape` names what alone differs inside a text (see `judge/varied.py`), empty when that is not known.
    """

    place: Place
    changes: int
    values: int
    shape: str = ""


@dataclass(frozen=True)
class Neighbour:
    """Another watched server: its configured name, and the names of the tools that it shows now with their digests."""

    server: str
    tools: Mapping[str, str]


@dataclass(frozen=True)
class Reviewed:
    """A list that a person approved before the server showed it; `version` is empty for no certain one."""

    snapshot: Snapshot
    by: str
    at: datetime
    version: str = ""


@dataclass(frozen=True)
class OtherStart:
    """Another list that came to light when the list `seen` (a digest) was looked at again, and that nobody approved.

    `findings` are what the ordinary rules make of the way to it: from what is `approved`, else from the list `seen`.
    `rejected` says that a person said no to it; it stands all the same.
    """

    seen: str
    after: Snapshot
    at: datetime
    findings: tuple[Finding, ...] = ()
    approved: bool = False
    rejected: bool = False


class Steps(StrEnum):
    """By what the latest lists differed from each other."""

    UNKNOWN = "unknown"
    VALUES = "values"
    """By nothing but values within one release."""
    NOISE = "noise"
    """By nothing but what a person declared volatile."""


@dataclass(frozen=True)
class Facts:
    """What is known beside the lists. `server` is the configured name, empty where there is none.

    `arrival` says how the live list came to be shown, `flapping` that the server goes to and fro, and `lasting` for how
    long each list calls itself fresh, as (method, milliseconds).
    """

    server: str = ""
    arrival: Arrival | None = None
    flapping: Flapping | None = None
    lasting: tuple[tuple[str, int], ...] = ()
    expectations: Expectations = NOTHING_EXPECTED
    varied: tuple[Varied, ...] = ()
    steps: Steps = Steps.UNKNOWN
    faces: tuple[OtherFace, ...] = ()
    """What other identities are shown where it is not what others are shown."""
    witnessed: tuple[Testified, ...] = ()
    """What agents were shown in sessions of their own, as far as it stands apart."""
    lossy: tuple[Lossy, ...] = ()
    """Sessions of agents of which something could not be read, the newest first."""
    starts: tuple[OtherStart, ...] = ()
    """What came to light when the server was looked at again."""
    neighbours: tuple[Neighbour, ...] = ()
    """The other servers that are watched."""
    watching: Watching | None = None
    """What else is watched, for the entries of a host's file; None where that is not known."""
    supply: tuple[Supplied, ...] = ()
    reviewed: tuple[Reviewed, ...] = ()
    """What was approved ahead and has not landed yet, the newest first."""
    opinions: Opinions | None = None
    """What a configured model says of texts; None while nobody asks one."""


NO_FACTS = Facts()
"""Nothing is known but the lists themselves."""
