"""All that a soak wrote down: what the checks and the report go by."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from benchmarks.soak.measured import Sample
from benchmarks.soak.plan import Member, Pace
from benchmarks.soak.receiver import Told


@dataclass(frozen=True)
class Deed:
    """One thing that a server did, at the time at which it did it."""

    at: float
    server: str
    kind: str
    how: str
    mark: str


@dataclass(frozen=True)
class Quiet:
    """A time in which nothing changed: the rows before and after, and the looks in between."""

    name: str
    began: float
    ended: float
    before: dict[str, int]
    after: dict[str, int]
    looks: int

    @property
    def grown(self) -> dict[str, int]:
        """The tables that have more or fewer rows by now, and by how many."""
        names = sorted({*self.before, *self.after})
        changes = {name: self.after.get(name, 0) - self.before.get(name, 0) for name in names}
        return {name: change for name, change in changes.items() if change}


@dataclass(frozen=True)
class Outage:
    """A time in which the daemon was killed and started again."""

    began: float
    ended: float


@dataclass
class Record:
    """What happened."""

    seed: int
    minutes: float
    pace: Pace
    members: tuple[Member, ...]
    began: float = 0.0
    """When the servers began with their deeds."""
    ended: float = 0.0
    """When the daemon was told to end."""
    start: float = 0.0
    """Seconds from the first start of the daemon until each server had been seen."""
    approving: float = 0.0
    """Seconds that it took to approve all of them."""
    stop: float = 0.0
    """Seconds that the daemon took to end."""
    codes: dict[str, int] = field(default_factory=dict)
    """What commands ended with."""
    deeds: list[Deed] = field(default_factory=list)
    listed: dict[str, list[float]] = field(default_factory=dict)
    """When each server was asked for its list."""
    told: list[Told] = field(default_factory=list)
    samples: list[Sample] = field(default_factory=list)
    quiets: list[Quiet] = field(default_factory=list)
    outages: list[Outage] = field(default_factory=list)
    troubles: list[dict[str, Any]] = field(default_factory=list)
    """Lines of the daemon's log that are errors, or tell of a look that was lost."""
    left: list[int] = field(default_factory=list)
    """Processes that a daemon left behind."""
    refused: int = 0
    failed: int = 0
    processor: float = 0.0
    """Seconds of a processor that the daemon used, from the begin of the deeds on."""
    looks: int = 0
    """Looks that were recorded from the begin of the deeds on."""
