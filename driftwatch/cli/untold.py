"""What a check could not tell as it was meant: from a scheduled check this may be the only place to see it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime

from driftwatch.cli.terminal import Terminal, warn
from driftwatch.model import Delivery, DeliveryState
from driftwatch.store.records import Wanted
from driftwatch.store.store import Store
from driftwatch.tell.templates import trouble_of

_MOST = 1_000
"""Messages that are looked at; each may be a quarter of a megabyte."""


@dataclass(frozen=True, slots=True)
class Untold:
    """What was not told as it was meant: messages that were tried and wait, and templates that failed on new ones."""

    waiting: tuple[Delivery, ...] = ()
    troubles: tuple[tuple[str, str], ...] = ()
    """By message its channel, and why a template failed on it."""


def untold(store: Store, *, since: datetime) -> Untold:
    """Give what waits in the outbox after an attempt, and what went wrong with what was made since then."""
    waiting = store.deliveries(state=DeliveryState.PENDING, limit=_MOST)
    made = store.deliveries(wanted=Wanted(since=since), limit=_MOST)
    troubles = [(one.channel, trouble_of(one.payload)) for one in reversed(made) if not one.batch]
    return Untold(
        waiting=tuple(one for one in waiting if one.attempts),
        troubles=tuple((channel, trouble) for channel, trouble in troubles if trouble),
    )


def print_untold(terminal: Terminal, found: Untold) -> None:
    """Say which channels could not be told, with the last answer."""
    for channel in dict.fromkeys(one.channel for one in found.waiting):
        mine = [one for one in found.waiting if one.channel == channel]
        count = f"{len(mine)} message{'s' * (len(mine) > 1)}"
        terminal.say(f"{count} not delivered to {channel} yet ({mine[0].last_result}). See: driftwatch deliveries")


def warn_of_templates(found: Untold) -> None:
    """Say which templates failed, where and why."""
    for (channel, trouble), count in Counter(found.troubles).items():
        many = f"{count} messages" if count > 1 else "a message"
        warn(
            f"warning: channels.{channel}: a template failed on {many}, said in driftwatch's own words instead:"
            f" {trouble}. Try it: driftwatch config check"
        )
