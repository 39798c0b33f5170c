"""When a failed delivery is tried again: one policy for every channel. Pure."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from driftwatch.model import SendResult, SendVerdict

FIRST: Final = 1.0
"""Seconds before the second attempt."""

FACTOR: Final = 3.0
"""How much longer each wait is than the one before: 1 s, 3 s, 9 s, … 36 min, then an hour each."""

LONGEST: Final = 3_600.0
"""Seconds that a wait never exceeds, whatever a receiver asks for."""

FEW: Final = 3
"""Attempts that every message gets, however old it seems."""

MAX_AGE: Final = timedelta(days=3)
"""An event older than this is history: telling it now would mislead."""


def next_attempt(
    attempts: int,
    result: SendResult,
    *,
    now: datetime,
    max_attempts: int,
    jitter: float,
    created_at: datetime | None = None,
) -> datetime | None:
    """Give the time of the next attempt, or None when this delivery is dead.

    `attempts` counts the attempts made, this one included. `jitter` is in [0, 1) and moves the wait between its half
    and its whole, so that a thousand failed deliveries do not come back in the same second. A receiver's
    `Retry-After` can lengthen the wait (up to `LONGEST`), never shorten it.
    """
    if result.verdict is not SendVerdict.RETRY or attempts >= max_attempts:
        return None
    exponent = min(max(attempts, 1) - 1, 32)
    wait = min(FIRST * FACTOR**exponent, LONGEST) * (0.5 + jitter / 2)
    asked = min(max(result.retry_after or 0.0, 0.0), LONGEST)
    at = now + timedelta(seconds=max(wait, asked))
    # A clock that was wrong for a moment must not cost a message its only attempt.
    if created_at is not None and at - created_at > MAX_AGE and attempts >= FEW:
        return None
    return at
