"""What a decision about an alert comes to, and why. Pure values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from driftwatch.model import Alert, Event, EventKind, Finding


class Why(StrEnum):
    """Why a decision came out as it did. For a resolved alert this is its `reason`."""

    FIRST = "first"
    GREW = "grew"
    WORSENED = "worsened"
    SHRANK = "shrank"
    SAME = "same"
    UPGRADED = "upgraded"
    BACK = "back-to-baseline"
    NOTHING_FOUND = "nothing-found"
    APPROVED = "approved"
    LOOKED_AGAIN = "looked-again"
    UNWATCHED = "no-longer-watched"


@dataclass(frozen=True, slots=True)
class Told:
    """An alert as it is to be kept, and what is to be told about it.

    `event` None means: write the row, tell nobody. `new` holds the findings that were not told before.
    """

    alert: Alert
    event: EventKind | None
    new: tuple[Finding, ...]
    reason: Why

    def as_event(self, *, drill: bool = False) -> Event | None:
        """Give what `routes` and `payload` work on, or None when nobody is told."""
        return None if self.event is None else Event(kind=self.event, alert=self.alert, new=self.new, drill=drill)


def mark(finding: Finding) -> str:
    """Name a finding together with how severe it is: what has been told once is not told again."""
    return f"{finding.fingerprint}:{finding.severity.value}"
