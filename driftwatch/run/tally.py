"""What is counted while a daemon runs, and is not in the database: how long looks took, what came over the wire.

One tally for each world, filled from its event loop; whoever reads it in another thread may see a count that is one
behind. It knows nothing of how the counts are shown.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from driftwatch.model import DeliveryState, Outcome
from driftwatch.watch.result import CheckCode, CheckResult

NOT_RECORDED: Final = "not-recorded"
"""The outcome of a look that was lost because the database could not be used, or something failed in driftwatch."""

OUTCOMES: Final = (
    *(code.value for code in CheckCode if code is not CheckCode.FAILED),
    "unreachable",
    "malformed",
    "refused",
    NOT_RECORDED,
)
"""What a look can come to."""

ENDS: Final = ("closed", "failed", "flood", "lost", "renewed", "unsupported")
"""Why a stream of notices can end: the codes of `ListenEnd`, and that a newer start made it old."""

ATTEMPTS: Final = {
    DeliveryState.DELIVERED: "delivered",
    DeliveryState.PENDING: "retried",
    DeliveryState.DEAD: "given-up",
}
"""What an attempt to send a message can come to, by the state that it leaves the message in."""

TOOK: Final = (0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 20.0, 30.0, 60.0, 120.0)
LATE: Final = (0.1, 0.5, 1.0, 5.0, 15.0, 30.0, 60.0, 300.0, 900.0, 3_600.0)


@dataclass
class Spread:
    """How many values were up to each of some bounds (the last count: beyond all of them), and their sum."""

    bounds: tuple[float, ...]
    counts: list[int] = field(init=False)
    total: float = 0.0

    def __post_init__(self) -> None:
        """Begin with nothing."""
        self.counts = [0] * (len(self.bounds) + 1)

    def add(self, value: float) -> None:
        """Take in one value; less than nothing counts as nothing, as after a clock was set back."""
        value = max(value, 0.0)
        self.counts[bisect_left(self.bounds, value)] += 1
        self.total += value

    def upto(self) -> list[int]:
        """Give for each bound how many values were no larger; the last counts all."""
        found, sum_ = [], 0
        for count in self.counts:
            sum_ += count
            found.append(sum_)
        return found


@dataclass
class Tally:
    """All that is counted; each method is handed to whoever sees the thing happen."""

    looks: Counter[str] = field(default_factory=Counter)
    took: Spread = field(default_factory=lambda: Spread(TOOK))
    late: Spread = field(default_factory=lambda: Spread(LATE))
    notices: int = 0
    streams: int = 0
    """Streams of notices that stand now."""
    ends: Counter[str] = field(default_factory=Counter)
    fetched: int = 0
    attempts: Counter[tuple[str, str]] = field(default_factory=Counter)
    verified_at: float = 0.0
    """When the audit log was gone through last, in seconds since 1970; 0 before the first time."""

    def looked(self, result: CheckResult, seconds: float) -> None:
        """Count a look that took so long."""
        self.looks[outcome_of(result)] += 1
        self.took.add(seconds)

    def lost(self) -> None:
        """Count a look that was not recorded."""
        self.looks[NOT_RECORDED] += 1

    def noticed(self) -> None:
        """Count a notice that a list changed."""
        self.notices += 1

    def came(self, size: int) -> None:
        """Count bytes of a server's answers."""
        self.fetched += size

    def ended(self, code: str) -> None:
        """Count the end of a stream, after which another one is opened."""
        self.ends[code if code in ENDS else "failed"] += 1

    def sent(self, channel: str, state: DeliveryState) -> None:
        """Count an attempt to send a message to a channel, which left the message in this state."""
        self.attempts[channel, ATTEMPTS[state]] += 1


def outcome_of(result: CheckResult) -> str:
    """Give one of `OUTCOMES`: what a look came to, and of one that failed the kind of failure."""
    if result.code is CheckCode.FAILED:
        return _kind(result.outcome)
    return result.code.value


def _kind(outcome: Outcome) -> str:
    name = type(outcome).__name__.lower()
    return name if name in OUTCOMES else "malformed"
