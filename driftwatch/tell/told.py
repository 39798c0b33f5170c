"""What a decision about an alert comes to, and why. Pure values."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from itertools import compress
from typing import Final

from driftwatch.model import Alert, AlertKind, AlertState, Event, EventKind, Finding, Severity

MANY_PLACES: Final = 8
"""From so many places on one more of the same rule is no news, of a server that shows another list at every look."""


class Why(StrEnum):
    """Why a decision came out as it did. For a resolved alert this is its `reason`, else the `cause` of an event."""

    FIRST = "first"
    GREW = "grew"
    WORSENED = "worsened"
    SHRANK = "shrank"
    SAME = "same"
    UPGRADED = "upgraded"
    BACK = "back-to-baseline"
    CALM = "calm-again"
    NOTHING_FOUND = "nothing-found"
    HIDDEN = "hidden-by-policy"
    APPROVED = "approved"
    LOOKED_AGAIN = "looked-again"
    UNWATCHED = "no-longer-watched"
    DELIVERS = "delivers-again"
    SEES = "sees-again"
    AGREES = "agrees-again"
    NOT_ACKNOWLEDGED = "not-acknowledged"
    ESCALATED = "escalated"
    SILENCE_ENDED = "silence-ended"
    ACKNOWLEDGED = "acknowledged"


_AGAIN: Final = frozenset({Why.NOT_ACKNOWLEDGED, Why.ESCALATED, Why.SILENCE_ENDED})
"""Why those hear again who were told already."""


@dataclass(frozen=True, slots=True)
class Told:
    """An alert as it is to be kept, and what is to be told about it.

    `event` None means: write the row, tell nobody. `new` holds the findings that were not told before; of a wave that
    grew, it names the new members only.
    """

    alert: Alert
    event: EventKind | None
    new: tuple[Finding, ...]
    reason: Why
    before: Alert | None = None
    """The alert that was decided about; with another one in its place by then, nothing is written."""

    def as_event(self, *, drill: bool = False) -> Event | None:
        """Give what `routes` and `payload` work on, or None when nobody is told."""
        if self.event is None:
            return None
        cause = self.reason.value if self.reason in _AGAIN else ""
        return Event(kind=self.event, alert=self.alert, new=self.new, drill=drill, cause=cause)


def begun(kind: AlertKind, server: str, alert_id: str, now: datetime, *, channel: str = "") -> Alert:
    """Give an alert at its very beginning, before anything is known of it."""
    return Alert(
        id=alert_id,
        server=server,
        channel=channel,
        kind=kind,
        state=AlertState.OPEN,
        severity=Severity.INFO,
        opened_at=now,
        updated_at=now,
    )


def unknown_again(alert: Alert, now: datetime) -> Alert:
    """Give the alert as one that nobody has acknowledged: what they knew of was less. It waits for them anew."""
    if alert.state is not AlertState.ACKNOWLEDGED:
        return alert
    return replace(alert, state=AlertState.OPEN, acknowledged=None, waiting_since=now, escalated=frozenset())


def mark(finding: Finding) -> str:
    """Name a finding together with how severe it is."""
    return f"{finding.fingerprint}:{finding.severity.value}"


def marks(finding: Finding) -> Iterator[str]:
    """Give what says that a finding was told, and as how severe: two marks for every member of a wave.

    So the same change is told once, whether it stands alone or in a wave, and however many are in the wave.
    """
    for identity in finding.identities:
        yield identity
        yield f"{identity}:{finding.severity.value}"


def rough_marks(finding: Finding) -> Iterator[str]:
    """Give what says that the places of a finding were told of, by its rule and as how severe, whatever the values."""
    for item, pointer in finding.places or [(item, finding.pointer) for item in finding.items or (finding.item,)]:
        place = json.dumps([finding.kind.value, item, pointer, finding.occurrence], ensure_ascii=True)
        digest = hashlib.sha256(place.encode("ascii")).hexdigest()[:32]
        yield f"~{digest}:{finding.rule}:{finding.severity.value}"


def crowd_of(told: Collection[str]) -> frozenset[str]:
    """Give the rules, each with a severity (`rule:severity`), that `rough_marks` name at `MANY_PLACES` or more."""
    places = Counter(mark.partition(":")[2] for mark in told if mark.startswith("~"))
    return frozenset(rule for rule, count in places.items() if count >= MANY_PLACES)


def news(finding: Finding, told: Collection[str], *, crowd: Collection[str] | None = None) -> Finding | None:
    """Give what of a finding was not told yet as at least so severe: all of it, the new members of a wave, or None.

    With a `crowd` (see `crowd_of`) another value at a place that was told of is nothing new, and neither is another
    place of a rule that was told of many.
    """
    enough = [severity.value for severity in Severity if severity >= finding.severity]
    if crowd is not None:
        weights = [rough_marks(replace(finding, severity=Severity(value))) for value in enough]
        crowded = any(f"{finding.rule}:{value}" in crowd for value in enough)
        if crowded or all(any(mark in told for mark in place) for place in zip(*weights, strict=True)):
            return None
    fresh = [not any(f"{identity}:{value}" in told for value in enough) for identity in finding.identities]
    if all(fresh):
        return finding
    if not any(fresh):
        return None
    places = tuple(compress(finding.places, fresh))
    items = tuple(sorted({item for item, _ in places}))
    return replace(
        finding,
        item=items[0] if len(items) == 1 else "",
        items=items if len(items) > 1 else (),
        places=places,
        parts=tuple(compress(finding.parts, fresh)),
    )
