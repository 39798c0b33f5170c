"""The alerts of a replay beside those that there were. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from driftwatch.model import Alert


class Difference(StrEnum):
    """How an alert as it would be now stands to the one that there was. The value is public (`--format json`)."""

    NONE = "as-told"
    OTHER = "told-otherwise"
    NOW = "only-now"
    THEN = "only-then"


@dataclass(frozen=True, slots=True)
class Compared:
    """One alert as it would have been, and the one that there was. One of the two may be missing."""

    difference: Difference
    now: Alert | None
    then: Alert | None

    @property
    def last(self) -> datetime:
        """When the last of it happened."""
        return max(alert.updated_at for alert in (self.now, self.then) if alert is not None)

    @property
    def first(self) -> datetime:
        """When the first of it happened."""
        return min(alert.opened_at for alert in (self.now, self.then) if alert is not None)


def compared(now: Sequence[Alert], then: Sequence[Alert]) -> list[Compared]:
    """Pair alerts that began together, then those that were open at the same time; oldest first."""
    return sorted(_pairs(now, then), key=lambda pair: pair.first)


def _pairs(now: Sequence[Alert], then: Sequence[Alert]) -> Iterator[Compared]:
    left = {alert.opened_at: alert for alert in then}
    waiting: list[Alert] = []
    for alert in now:
        other = left.pop(alert.opened_at, None)
        if other is None:
            waiting.append(alert)
        else:
            yield _pair(alert, other)
    for alert in waiting:
        other = next((one for one in left.values() if _overlap(alert, one)), None)
        if other is None:
            yield Compared(Difference.NOW, alert, None)
        else:
            yield _pair(alert, left.pop(other.opened_at))
    for alert in left.values():
        yield Compared(Difference.THEN, None, alert)


def _pair(now: Alert, then: Alert) -> Compared:
    same = _said(now) == _said(then)
    return Compared(Difference.NONE if same else Difference.OTHER, now, then)


def _overlap(one: Alert, other: Alert) -> bool:
    """Say whether two alerts were open at the same time; one that is open still has no end."""
    begins = max(one.opened_at, other.opened_at)
    return all(alert.resolved_at is None or begins < alert.resolved_at for alert in (one, other))


def _said(alert: Alert) -> tuple[object, ...]:
    """Give what makes two alerts the same to those who are told."""
    found = frozenset(identity for finding in alert.findings for identity in finding.identities)
    return (alert.opened_at, alert.resolved_at, alert.state, alert.reason, alert.severity, alert.reviewed, found)
