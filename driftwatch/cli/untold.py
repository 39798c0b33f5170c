"""What a check could not tell as it was meant: from a scheduled check this may be the only place to see it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from driftwatch.cli.messages import waits_of
from driftwatch.cli.moments import clock
from driftwatch.cli.terminal import Terminal, warn
from driftwatch.model import Delivery, DeliveryState, Json
from driftwatch.model.amounts import many
from driftwatch.model.commands import command
from driftwatch.store.records import Wait, Wanted
from driftwatch.store.store import Store
from driftwatch.tell.templates import trouble_of

_MOST = 1_000
"""Messages that are looked at; each may be a quarter of a megabyte."""


@dataclass(frozen=True, slots=True)
class Untold:
    """What was not told as it was meant: messages that wait, those that were given up, and failures of templates."""

    waiting: tuple[Delivery, ...] = ()
    dead: tuple[Delivery, ...] = ()
    waits: Mapping[str, Wait] = field(default_factory=dict)
    troubles: tuple[tuple[str, str], ...] = ()
    """By message its channel, and why a template failed on it."""

    @property
    def json(self) -> list[Json]:
        """What was not sent, for programs."""
        return [
            {"id": one.id, "channel": one.channel, "state": one.state.value, "last_result": one.last_result}
            for one in (*self.waiting, *self.dead)
        ]


def untold(store: Store, *, since: datetime) -> Untold:
    """Give what waits in the outbox, and what was given up, or made by a template that failed, since then."""
    waiting = tuple(store.deliveries(state=DeliveryState.PENDING, limit=_MOST))
    dead = store.deliveries(state=DeliveryState.DEAD, limit=_MOST)
    made = store.deliveries(wanted=Wanted(since=since), limit=_MOST)
    troubles = [(one.channel, trouble_of(one.payload)) for one in reversed(made) if not one.batch]
    return Untold(
        waiting=waiting,
        # Of a message that was given up its next attempt is when that was.
        dead=tuple(one for one in dead if not one.batch and one.next_attempt_at and one.next_attempt_at >= since),
        waits=waits_of(store, waiting, since),
        troubles=tuple((channel, trouble) for channel, trouble in troubles if trouble),
    )


def print_untold(terminal: Terminal, found: Untold) -> None:
    """Say which channels could not be told, why, and what to do."""
    for channel in dict.fromkeys(one.channel for one in (*found.waiting, *found.dead)):
        for line in _lines(channel, found):
            terminal.say(line)


def _lines(channel: str, found: Untold) -> Iterator[str]:
    """Give a line for what waits for a channel, and one for what it will never get."""
    waiting = [one for one in found.waiting if one.channel == channel]
    dead = [one for one in found.dead if one.channel == channel]
    if waiting:
        later = "They are sent at the next check, or by the daemon"
        yield (
            f"{_messages(waiting)} to {channel} could not be sent: {_why(waiting, found.waits)}. {later}."
            f" Try the channel: {command('channels', 'test', channel)}"
        )
    if dead:
        again = command("deliveries", "retry", "--dead", "--channel", channel)
        yield f"{_messages(dead)} to {channel} given up: {dead[0].last_result}. Once that is mended: {again}"


def _why(waiting: Sequence[Delivery], waits: Mapping[str, Wait]) -> str:
    """Say what keeps messages of one channel: the last answer, else whoever has them."""
    tried = [one for one in waiting if one.attempts]
    if tried:
        return tried[0].last_result
    ends = [wait.leased_until for one in waiting if (wait := waits.get(one.id)) and wait.leased_until]
    return f"another process has them until {clock(max(ends))}" if ends else "they were not tried yet"


def _messages(rows: Sequence[Delivery]) -> str:
    return f"{many(len(rows), 'message')}"


def warn_of_templates(found: Untold) -> None:
    """Say which templates failed, where and why."""
    for (channel, trouble), count in Counter(found.troubles).items():
        many = f"{count} messages" if count > 1 else "a message"
        warn(
            f"warning: channels.{channel}: a template failed on {many}, said in driftwatch's own words instead:"
            f" {trouble}. Try it: driftwatch config check"
        )
