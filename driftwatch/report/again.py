"""How often a list was looked at before anybody decides on it, and how the looks differed, in words. Pure.

The words are not yet safe to show: why a look failed may be in the words of a server.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC

from driftwatch.model import AsClient, Json, Rehearsed

_SHORT = 12
"""Hex digits of a digest that people see."""


@dataclass(frozen=True, slots=True)
class Again:
    """Whether a list was looked at again: how that went, None where it was not yet.

    `local` says that its server is started here, so that each look is a new process; `off`, that looking again is
    switched off for it. `looks` counts the ordinary looks that showed the list, and `second` is the client name as whom
    the server is looked at besides where looking again is on.
    """

    seen: Rehearsed | None = None
    local: bool = False
    off: bool = False
    looks: int = 1
    second: str = ""

    @property
    def is_wanting(self) -> bool:
        """Whether a decision on the list rests on one look, or on looks that differed."""
        return self.looks < 2 if self.seen is None else not self.seen.is_same

    @property
    def afresh(self) -> str:
        """How each look is made: `in a new process`."""
        return f"in a new {'process' if self.local else 'session'}"


def again_words(again: Again) -> str:
    """Say in a few sentences how often a list was looked at, and how the looks differed."""
    seen = again.seen
    if seen is None and again.looks > 1:
        name = f"as {again.second}" if again.second else "under another client name"
        why = ": that is switched off for this server (rehearse)" if again.off else ""
        times = f"Looked at {again.looks} times, each {again.afresh}: the same list each time."
        return f"{times} Not {'' if again.off else 'yet '}{name}{why}."
    if seen is None:
        return f"Not looked at again{': that is switched off for this server (rehearse)' if again.off else ' yet'}."
    return " ".join(part for part in (_ourselves(seen, again), _as_client(seen)) if part)


def _ourselves(seen: Rehearsed, again: Again) -> str:
    if seen.other:
        other = seen.other.removeprefix("sha256:")[:_SHORT]
        return f"Looked at again {again.afresh}: the {seen.next_look} look showed another list, {other}."
    if seen.looks < 2:
        return f"Not looked at again: {again.afresh} it could not be looked at ({seen.detail})."
    also = f", also as {seen.client}" if seen.as_client is AsClient.SAME else ""
    times = f"Looked at {seen.looks} times, each {again.afresh}{also}: the same list each time."
    failed = seen.failures and seen.as_client is not AsClient.FAILED
    return f"{times} The last try failed ({seen.detail})." if failed else times


def _as_client(seen: Rehearsed) -> str:
    """Say what came of the other name where that is not said yet; beside another list it is no news."""
    if seen.other or seen.as_client not in (AsClient.OTHER, AsClient.FAILED):
        return ""
    if seen.as_client is AsClient.OTHER:
        return f"As {seen.client} it is shown another list."
    return f"As {seen.client} it could not be looked at ({seen.detail})."


def again_json(again: Again | None) -> Json:
    """Write it for programs; null where there is nothing to look at again."""
    if again is None:
        return None
    seen = again.seen
    return {
        "looks": seen.looks if seen else again.looks,
        "same": not again.is_wanting,
        "at": seen.at.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z") if seen else None,
        "other_digest": seen.other if seen else "",
        "client": seen.client if seen else "",
        "as_client": (seen.as_client if seen else AsClient.NOT_TRIED).value,
        "failures": seen.failures if seen else 0,
        "detail": seen.detail if seen else "",
        "words": again_words(again),
    }
