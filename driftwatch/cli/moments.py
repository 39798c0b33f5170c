"""Say moments and digests in a few characters."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from driftwatch.errors import UsageError
from driftwatch.model import Json

SHORT = 12
"""Hex digits of a digest that people see; enough to name a snapshot in every command."""


def wall_clock() -> datetime:
    """Read the wall clock, in UTC. Commands that need no daemon must not load it for the clock that is there."""
    return datetime.now(UTC)


def moment(at: datetime | None) -> str:
    """Give a time as `2026-11-29 21:50Z`, `-` for none."""
    return "-" if at is None else at.astimezone(UTC).strftime("%Y-%m-%d %H:%MZ")


def exact(at: datetime) -> str:
    """Give a time with its seconds, as `2026-11-29 21:50:07Z`."""
    return at.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%SZ")


def clock(at: datetime) -> str:
    """Give the time of day of a moment that is near, with its seconds, as `21:50:07Z`."""
    return at.astimezone(UTC).strftime("%H:%M:%SZ")


def iso(at: datetime | None) -> Json:
    """Give a time for JSON: ISO 8601 in UTC, None for none."""
    return None if at is None else at.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def ago(at: datetime | None, now: datetime) -> str:
    """Say how long ago, or in how long, a moment is: `5 min ago`, `in 3 min`, `-` for none."""
    if at is None:
        return "-"
    late = now - at
    if abs(late) < timedelta(seconds=1):
        # Clocks are read a moment apart; what was just written must not seem to lie ahead.
        return "just now"
    return f"{span(late)} ago" if late >= timedelta() else f"in {span(-late)}"


def read_moment(text: str, *, hint: str) -> datetime:
    """Read a date, or a date with a time, in UTC unless it says otherwise.

    Raises:
        UsageError: it is neither; `hint` says how to write it.

    """
    try:
        given = datetime.fromisoformat(text.strip())
        return given.replace(tzinfo=UTC) if given.tzinfo is None else given.astimezone(UTC)
    except (ValueError, OverflowError):
        raise UsageError(f"{text!r} is not a time.", hint=hint) from None


def span(length: timedelta) -> str:
    """Say a length of time in its largest fitting unit, rounded down: `40 s`, `5 min`, `3 h`, `12 d`."""
    seconds = int(length.total_seconds())
    for size, unit in ((86_400, "d"), (3_600, "h"), (60, "min")):
        if seconds >= 2 * size:
            return f"{seconds // size} {unit}"
    return f"{seconds} s"


def short(digest: str) -> str:
    """Give the first digits of a digest, `-` for none."""
    return digest.removeprefix("sha256:")[:SHORT] or "-"
