"""Trying a channel: a marked test alert and its end, straight to the place, past routes and outbox.

What it takes to find out whether the configuration of a channel is right. Whether alerts come all the way, from a look
to the place, is for the drill (`selftest`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from driftwatch.config.channels import ChannelConfig
from driftwatch.config.schema import Settings
from driftwatch.config.words import Problem, did_you_mean, quoted
from driftwatch.errors import ConfigError, UsageError
from driftwatch.model import Delivery, Event, Json, SendResult, SendVerdict
from driftwatch.run.wiring import CHANNELS
from driftwatch.tell.advice import advice
from driftwatch.tell.channels.base import make_ready
from driftwatch.tell.payload import body
from driftwatch.tell.routes import delivery_id
from driftwatch.tell.samples import drill
from driftwatch.tell.telling import new_alert_id
from driftwatch.tell.templates import rendered


@dataclass(frozen=True)
class Tried:
    """What came of a test of one channel: of its alert, and of the end of it, None where it was not worth a try."""

    channel: ChannelConfig
    opened: SendResult
    resolved: SendResult | None
    trouble: str
    """What went wrong with the channel's own templates, in words; empty when nothing did."""

    @property
    def works(self) -> bool:
        """Whether both messages were taken."""
        return all(one is not None and one.verdict is SendVerdict.DONE for one in (self.opened, self.resolved))

    @property
    def words(self) -> str:
        """What came of it, in a sentence."""
        if self.works:
            end = self.resolved.detail if self.resolved is not None else ""
            return f"ok, it took the test alert ({self.opened.detail}) and its end ({end})"
        if self.opened.verdict is not SendVerdict.DONE:
            again = "; an alert would be tried again" if self.opened.verdict is SendVerdict.RETRY else ""
            return f"FAILED, it did not take the test alert: {self.opened.detail}{again}"
        end = self.resolved.detail if self.resolved is not None else "not tried"
        return f"FAILED, it took the test alert and not its end: {end}"

    @property
    def next(self) -> str:
        """What to do now, in a sentence."""
        if self.works:
            return "Look there: what came is marked DRILL."
        if self.opened.verdict is SendVerdict.DONE:
            return "End the test alert by hand where it stands open, then try again."
        return advice(self.channel.kind, self.opened.detail)


@dataclass(frozen=True)
class Asked:
    """What channels find out about themselves before anything is sent: what keeps them from working, and warnings."""

    problems: tuple[Problem, ...] = ()
    warnings: tuple[str, ...] = ()


async def ask(channels: Sequence[ChannelConfig]) -> Asked:
    """Let channels ask on this machine whether they can work as they are configured, as `driftwatch run` does first.

    One that cannot even be made is a warning: the file may be checked where what it needs is not installed.
    """
    found = await asyncio.gather(*map(_ask, channels))
    return Asked(
        problems=tuple(one for one in found if isinstance(one, Problem)),
        warnings=tuple(one for one in found if isinstance(one, str)),
    )


async def _ask(config: ChannelConfig) -> Problem | str | None:
    """Give a problem of one channel, or a warning."""
    try:
        channel = CHANNELS[config.kind](config)
    except ConfigError as error:
        return f"{error.message}, so it was not tried, and driftwatch run would not start — {error.hint}"
    try:
        await make_ready([channel])
    except ConfigError as error:
        place, _, what = error.message.partition(": ")
        return Problem(place, what, error.hint)
    finally:
        await channel.aclose()
    return None


def configured(settings: Settings) -> tuple[ChannelConfig, ...]:
    """Give all channels.

    Raises:
        ConfigError: there is none, so there is nothing to test.

    """
    if not settings.channels:
        raise ConfigError(
            "No channel is configured, so no alert can reach anybody.", hint="Add one: [channels.NAME] in the file."
        )
    return settings.channels


def chosen(settings: Settings, names: Sequence[str]) -> Iterator[ChannelConfig]:
    """Give the channels of these names.

    Raises:
        ConfigError: there is no channel at all.
        UsageError: there is none of such a name.

    """
    known = {channel.name: channel for channel in configured(settings)}
    for name in dict.fromkeys(names):
        if name not in known:
            hint = did_you_mean(name, list(known))
            raise UsageError(f"No channel is called {quoted(name)}.", hint=hint[:1].upper() + hint[1:])
        yield known[name]


async def try_out(
    channels: Sequence[ChannelConfig], *, public_url: str | None, clock: Callable[[], datetime]
) -> list[Tried]:
    """Send a test alert and its end to each of these channels, all at once; gives what came of it, in their order."""
    return await asyncio.gather(*(_try(one, public_url=public_url, clock=clock) for one in channels))


async def _try(config: ChannelConfig, *, public_url: str | None, clock: Callable[[], datetime]) -> Tried:
    channel = CHANNELS[config.kind](config)
    try:
        await make_ready([channel])
        first, second = drill(config.name, new_id=new_alert_id, severity=config.min_severity, now=clock())
        payload, trouble = rendered(body(first, now=clock(), public_url=public_url), config)
        opened = await channel.send(_delivery(first, config, payload, clock()))
        resolved = None
        # An alert without an answer may stand open there all the same; one that was turned away does not.
        if opened.verdict is not SendVerdict.STOP:
            payload, more = rendered(body(second, now=clock(), public_url=public_url), config)
            resolved = await channel.send(_delivery(second, config, payload, clock()))
            trouble = trouble or more
        return Tried(config, opened, resolved, trouble)
    finally:
        await channel.aclose()


def _delivery(event: Event, config: ChannelConfig, payload: Mapping[str, Json], now: datetime) -> Delivery:
    return Delivery(
        id=delivery_id(event, config.name),
        channel=config.name,
        server=event.alert.server,
        alert_id=event.alert.id,
        event=event.kind,
        payload=payload,
        created_at=now,
        next_attempt_at=now,
    )
