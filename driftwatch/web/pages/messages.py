"""What becomes of a message, in words, and what may be done about it. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from driftwatch.model import Delivery, DeliveryState, EventKind
from driftwatch.store.records import Wait
from driftwatch.web.pages.rows import Chip

STATES: Final = {
    DeliveryState.PENDING: "waits",
    DeliveryState.HELD: "gathered",
    DeliveryState.BATCHED: "went with others",
    DeliveryState.DELIVERED: "delivered",
    DeliveryState.DEAD: "given up",
    DeliveryState.CANCELLED: "taken out",
}
"""What is said of a message in each state."""

_COLOURS: Final = {
    DeliveryState.PENDING: "medium",
    DeliveryState.HELD: "medium",
    DeliveryState.DELIVERED: "good",
    DeliveryState.DEAD: "high",
}

EVENTS: Final = {
    EventKind.OPENED: "an alert opened",
    EventKind.UPDATED: "there is more of it",
    EventKind.REMINDED: "a reminder",
    EventKind.ACKNOWLEDGED: "somebody knows of it",
    EventKind.RESOLVED: "it is over",
    EventKind.BATCH: "several alerts",
}
"""What a message tells, by its event."""

_AGAIN: Final = frozenset({DeliveryState.DEAD, DeliveryState.CANCELLED, DeliveryState.PENDING, DeliveryState.HELD})
_OUT: Final = frozenset({DeliveryState.DEAD, DeliveryState.PENDING, DeliveryState.HELD})


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of a message: a chip, what the place said, and what it waits for.

    `behind` is the id of an older message that goes first, `batch` of the one that it went with; `due` is when it is
    tried (next), None where it is not tried any more.
    """

    chip: Chip
    said: str = ""
    waits: str = ""
    behind: str = ""
    batch: str = ""
    due: datetime | None = None


def fate(one: Delivery, wait: Wait | None = None, now: datetime | None = None) -> Fate:
    """Say what became of a message so far. `wait` is what it waits for beside its time, where that is known."""
    chip = Chip(STATES[one.state], _COLOURS.get(one.state, "plain"))
    tries = f" ({one.attempts} tries)" if one.attempts > 1 else ""
    said = f"{one.last_result}{tries}" if one.last_result else ""
    is_late = one.next_attempt_at is None or (now is not None and one.next_attempt_at <= now)
    due = None if is_late else one.next_attempt_at
    if one.state is DeliveryState.HELD:
        words = f"by the route {one.route}, with others; goes out"
        return Fate(chip, said, f"{words} now" if is_late else words, due=due)
    if one.state is not DeliveryState.PENDING:
        return Fate(chip, said, batch=one.batch)
    wait = wait or Wait()
    if wait.leased_until is not None:
        return Fate(chip, said, "is being sent; if nothing comes of that, again", due=wait.leased_until)
    if wait.behind:
        return Fate(chip, said, "waits for an older message about the same", behind=wait.behind)
    words = "tried again" if one.attempts else "to be sent"
    return Fate(chip, said, f"{words} now" if is_late else words, due=due)


def may_go_again(one: Delivery) -> bool:
    """Say whether a message can be sent anew."""
    return one.state in _AGAIN and not one.batch


def may_be_taken_out(one: Delivery) -> bool:
    """Say whether a message can be taken out."""
    return one.state in _OUT and not one.batch
