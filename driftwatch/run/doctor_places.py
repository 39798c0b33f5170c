"""The doctor's look at where alerts go, and at whatever else is asked: no message is sent unless that is wanted."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from driftwatch.config.channels import (
    AlertmanagerConfig,
    ChannelConfig,
    CommandConfig,
    EmailConfig,
    PagerDutyConfig,
    SlackConfig,
    WebhookConfig,
)
from driftwatch.config.schema import Settings
from driftwatch.config.secret import MissingSecret, Unresolved
from driftwatch.model import SendVerdict
from driftwatch.run.doctor_lines import Area, Check, Line, State, Sure
from driftwatch.run.trial import ask, try_out
from driftwatch.tell.advice import advice
from driftwatch.tell.channels.email import Email
from driftwatch.tell.channels.reach import Reached, reach

_SOON: Final = timedelta(days=14)
"""How long before its end a certificate is worth a word."""

_ONLY_BY_MESSAGE: Final = "only a message shows (driftwatch doctor --send)"


def channels(settings: Settings, seconds: float, *, whole: bool, clock: Callable[[], datetime]) -> Iterator[Check]:
    """Give a check for each channel, which sends no alert. Without `whole` one that lacks a secret is not tried."""
    if not settings.channels:
        yield Check(Area.CHANNELS, "channel", "", _nobody, seconds)
    for one in settings.channels:
        work = partial(_channel, one, seconds, clock) if whole or not _lacks(one) else partial(_unfit, one)
        yield Check(Area.CHANNELS, "channel", one.name, work, seconds + 5)


def sending(settings: Settings, *, clock: Callable[[], datetime]) -> Iterator[Check]:
    """Give a check for each channel that sends the test alert and its end."""
    for one in settings.channels:
        work = partial(_send, one, settings.daemon.public_url, clock)
        yield Check(Area.CHANNELS, "channel-test", one.name, work, 4 * one.timeout + 5)


async def _nobody() -> list[Line]:
    what = "there is no channel, so nobody is told of anything"
    return [Line(Area.CHANNELS, "channel", "", State.PROBLEM, what, "Add one: [channels.NAME] (docs/channels.md).")]


def _lacks(config: ChannelConfig) -> bool:
    """Say whether a channel cannot be tried because what it needs is not to be had here."""
    values = [getattr(config, name) for name in type(config).model_fields]
    inner = [one for value in values if isinstance(value, Mapping) for one in value.values()]
    words = [one for value in values if isinstance(value, tuple) for one in value]
    return any(isinstance(one, MissingSecret | Unresolved) for one in (*values, *inner, *words))


async def _unfit(config: ChannelConfig) -> list[Line]:
    what = "not tried: a secret of it is not to be had here"
    do = "See what is said of the configuration."
    return [Line(Area.CHANNELS, "channel", config.name, State.UNKNOWN, what, do, Sure.NOT_KNOWN)]


async def _send(config: ChannelConfig, public_url: str | None, clock: Callable[[], datetime]) -> list[Line]:
    line = partial(Line, Area.CHANNELS, "channel-test", config.name)
    (tried,) = await try_out([config], public_url=public_url, clock=clock)
    return [line(State.OK if tried.works else State.PROBLEM, tried.words, tried.next)]


async def _channel(config: ChannelConfig, seconds: float, clock: Callable[[], datetime]) -> list[Line]:
    line = partial(Line, Area.CHANNELS, "channel", config.name)
    asked = await ask([config])
    wrong = [(one.message, one.hint) for one in asked.problems]
    wrong += [(what, do) for what, _, do in (said.partition(" — ") for said in asked.warnings)]
    if wrong:
        return [line(State.PROBLEM, *one) for one in wrong]
    if isinstance(config, EmailConfig):
        return [await _mail(config, line)]
    if isinstance(config, CommandConfig):
        return [_program(config, line)]
    url = _url(config)
    if url is None:
        what = f"its configuration fits; whether it can be reached, {_ONLY_BY_MESSAGE}"
        return [line(State.OK, what, "", Sure.NOT_KNOWN)]
    return await _posted(config, url, min(seconds, config.timeout), clock)


async def _posted(config: ChannelConfig, url: str, seconds: float, clock: Callable[[], datetime]) -> list[Line]:
    line = partial(Line, Area.CHANNELS, "channel", config.name)
    reached = await reach(url, seconds=seconds)
    if reached.trouble:
        do = advice(config.kind, reached.trouble)
        return [line(State.PROBLEM, f"it cannot be reached: {reached.trouble}", do, Sure.LIKELY)]
    words = f"{_stands(reached)}; whether it takes messages, and knows driftwatch, {_ONLY_BY_MESSAGE}"
    return [line(State.OK, words, "", Sure.LIKELY), *_ending(reached, line, clock)]


async def _mail(config: EmailConfig, line: Callable[..., Line]) -> Line:
    came = await Email(config).reach()
    if came.verdict is not SendVerdict.DONE:
        what = f"the mail server cannot be used: {came.detail}"
        return line(State.PROBLEM, what, advice("email", came.detail), Sure.LIKELY)
    words = f"{config.shown_url}: {came.detail} ({config.security}); whether it takes the mail, {_ONLY_BY_MESSAGE}"
    return line(State.OK, words, "", Sure.LIKELY)


def _program(config: CommandConfig, line: Callable[..., Line]) -> Line:
    if config.cwd is not None and not os.access(config.cwd, os.X_OK):
        return line(State.PROBLEM, "its folder is not there, or may not be entered", "Check cwd.")
    if shutil.which(config.command, path=os.environ.get("PATH")) is None:
        do = "Check command, and that driftwatch's user may start it."
        return line(State.PROBLEM, "its program is not there, or may not be started", do)
    what = f"its program is there; whether it takes messages, {_ONLY_BY_MESSAGE}"
    return line(State.OK, what, "", Sure.LIKELY)


def _url(config: ChannelConfig) -> str | None:
    if isinstance(config, SlackConfig):
        return config.url.reveal()
    return config.url if isinstance(config, WebhookConfig | PagerDutyConfig | AlertmanagerConfig) else None


def _stands(reached: Reached) -> str:
    return f"a secure connection stands ({reached.secure})" if reached.secure else "it can be reached"


def _ending(reached: Reached, line: Callable[..., Line], clock: Callable[[], datetime]) -> Iterator[Line]:
    if reached.until is not None and reached.until - clock() < _SOON:
        what = f"its certificate ends on {reached.until:%Y-%m-%d}: after that nothing reaches it"
        yield line(State.WARNING, what, "See that whoever runs it renews it.")


def places(settings: Settings, seconds: float, clock: Callable[[], datetime]) -> Iterator[Check]:
    """Give a check for whatever else is asked: registries, the model of second opinions, the heartbeat, traces."""
    supply, opinion, beat = settings.supply, settings.second_opinion, settings.alerts.heartbeat_url
    asked: list[tuple[str, str]] = []
    if supply.enabled:
        asked += [(f"supply.{name}", getattr(supply, name)) for name in ("npm", "pypi", "osv") if getattr(supply, name)]
    asked += [("second_opinion.url", opinion.url)] if opinion.enabled else []
    asked += (
        [("alerts.heartbeat_url", beat.reveal())] if beat is not None and not isinstance(beat, MissingSecret) else []
    )
    asked += [("daemon.traces", settings.daemon.traces)] if settings.daemon.traces else []
    for name, url in asked:
        if not isinstance(url, Unresolved):
            yield Check(Area.PLACES, "place", name, partial(_place, name, url, seconds, clock), seconds + 5)


async def _place(name: str, url: str, seconds: float, clock: Callable[[], datetime]) -> list[Line]:
    line = partial(Line, Area.PLACES, "place", name)
    reached = await reach(url, seconds=seconds)
    if reached.trouble:
        do = "Check its address, this machine's DNS, and the firewall between. Looks and alerts go on without it."
        return [line(State.PROBLEM, f"it cannot be reached: {reached.trouble}", do, Sure.LIKELY)]
    return [line(State.OK, _stands(reached), "", Sure.LIKELY), *_ending(reached, line, clock)]
