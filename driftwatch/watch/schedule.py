"""When to look next. Pure: the time, the randomness and the history come as arguments.

`ttlMs` and `Retry-After` come from the party that is watched, so both are wishes: a wish can move a look only
between the configured floor and ceiling. The protocol asks a client that polls to add jitter and to back off.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from driftwatch.config.schema import Intervals

JITTER = 0.1
"""The share of an interval that jitter may move a look by."""


class Reason(StrEnum):
    """Why the next look comes when it comes."""

    FRESHNESS = "ttl"
    DEFAULT = "default"
    FLOOR = "floor"
    CEILING = "ceiling"
    BACK_OFF = "back-off"
    RETRY_AFTER = "retry-after"


@dataclass(frozen=True, slots=True)
class NextLook:
    """When the next look is due, and why then."""

    at: datetime
    reason: Reason


@dataclass(frozen=True, slots=True)
class Turn:
    """One identity that a server is looked at as, and when it last was; None when it never was."""

    name: str
    looked_at: datetime | None = None


def whose_turn(
    turns: Sequence[Turn], *, now: datetime, next_at: datetime | None, period: float, jitter: float
) -> str | None:
    """Name the identity to look as after a look at `now`, None when it is nobody's turn.

    The period (seconds) is cut into as many parts as there are identities, and each part gets one look: they come
    round evenly, and everyone within the period, as long as an ordinary look comes in each part. Jitter ([0, 1)) can
    only bring a look forward, and so does a next look (`next_at`) that would come too late.
    """
    if not turns:
        return None
    last = max((turn.looked_at for turn in turns if turn.looked_at is not None), default=None)
    if last is not None and last <= now:
        part = period / len(turns)
        soonest = last + timedelta(seconds=part * (1 - JITTER * jitter))
        too_late = next_at is not None and next_at > last + timedelta(seconds=part)
        if now < soonest and not too_late:
            return None
    never = [turn.name for turn in turns if turn.looked_at is None]
    return never[0] if never else min((turn.looked_at, turn.name) for turn in turns if turn.looked_at is not None)[1]


def after_success(*, now: datetime, ttl_ms: int | None, interval: Intervals, jitter: float) -> NextLook:
    """Plan the look after a complete one.

    `ttl_ms` is the freshness that the server gave, in milliseconds, None when it gave none; `jitter` is in [0, 1).
    Zero promises nothing (many SDKs send it when nobody chose a value), so it gets the default interval too.
    The look lies within floor and ceiling, and not before freshness ends unless the ceiling comes first.
    """
    if not ttl_ms:
        wanted, reason = interval.default, Reason.DEFAULT
    elif ttl_ms < interval.floor * 1000:
        wanted, reason = interval.floor, Reason.FLOOR
    elif ttl_ms > interval.ceiling * 1000:
        # Compared before it is divided: JSON has whole numbers that no float can hold.
        wanted, reason = interval.ceiling, Reason.CEILING
    else:
        wanted, reason = ttl_ms / 1000, Reason.FRESHNESS
    return NextLook(now + timedelta(seconds=_jittered(wanted, interval, jitter)), reason)


def after_failure(
    *, now: datetime, failures: int, retry_after: float | None, interval: Intervals, jitter: float
) -> NextLook:
    """Plan the look after the `failures`-th failed one in a row (1 for the first).

    Doubles from the floor up to the ceiling. `retry_after` (seconds) can only put the look off, never past the ceiling.
    """
    doublings = min(max(failures, 1) - 1, 30)
    wanted, reason = min(interval.floor * 2**doublings, interval.ceiling), Reason.BACK_OFF
    if retry_after is not None and retry_after > wanted:
        wanted, reason = min(retry_after, interval.ceiling), Reason.RETRY_AFTER
    return NextLook(now + timedelta(seconds=_jittered(wanted, interval, jitter)), reason)


def pause_of_host(*, retry_after: float | None, interval: Intervals) -> float:
    """Say for how many seconds a host that answered "too many requests" is left alone: its wish, within bounds."""
    wish = interval.floor if retry_after is None else retry_after
    return min(max(wish, interval.floor), interval.ceiling)


def first_look(*, now: datetime, due: datetime | None, interval: Intervals, jitter: float) -> datetime:
    """Plan the first look after a start.

    A server never looked at, or overdue, is spread over a short time so that a fleet does not start at once;
    one that is not due yet keeps its time, unless the configuration has since brought the ceiling nearer.
    """
    if due is None or due <= now:
        return now + timedelta(seconds=jitter * min(interval.floor, 5.0))
    return min(due, now + timedelta(seconds=interval.ceiling))


def reconnect_delay(*, attempts: int, jitter: float, ceiling: float) -> float:
    """Seconds to wait before a notice stream is opened again after `attempts` tries in a row that did not hold."""
    wanted = min(float(2 ** min(max(attempts, 1) - 1, 30)), ceiling)
    return wanted * (1 - 0.5 * jitter)


def _jittered(wanted: float, interval: Intervals, jitter: float) -> float:
    """Move a look later by up to a tenth, as far as the ceiling lets it; at the ceiling itself, move it earlier."""
    room = interval.ceiling - wanted
    if room > 0:
        return wanted + jitter * min(wanted * JITTER, room)
    return wanted - jitter * min(wanted * JITTER, wanted - interval.floor)
