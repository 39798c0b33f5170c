"""Which place is told of what, and what becomes of an alert that nobody answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Annotated, Any, Final

from pydantic import Field

from driftwatch.config.channels import ChannelConfig
from driftwatch.config.secret import shown
from driftwatch.config.table import Conflict, Table
from driftwatch.config.units import seconds
from driftwatch.config.values import Line, Name, Names, Seconds, SecretUrl, Shape, Text, Wait, is_name
from driftwatch.config.words import did_you_mean, quoted
from driftwatch.model import AlertKind, Axis, Severity

LONGEST_WINDOW: Final = 3600.0
"""Seconds that a route may gather: what is told later than that is no alert."""

DEFAULT: Final = "default"
"""The route that catches what no other one does."""

_MATCHERS: Final = ("servers", "labels", "kinds", "min_severity", "axes", "areas")


class RouteConfig(Table):
    """A way that alerts go. Every route that fits an alert takes it; what no route takes goes the way `default`.

    A finding fits where its server, its area and its axis do; `min_severity` then looks at the worst that fits.
    """

    name: Name = Field(description="The table's own name; `default` is the route for what no other one takes.")
    servers: tuple[Line, ...] = Field(
        default=(), description='The servers that it is for, with `*` for anything: `"pay-*"`; none named: all.'
    )
    labels: dict[Line, Text] = Field(
        default={}, description='Labels that a server must have, with `*` for anything: `team = "pay*"`.'
    )
    kinds: Annotated[tuple[AlertKind, ...], Shape('array of "drift", "health", "channel" or "daemon"')] = Field(
        default=(), description="The kinds of alerts that it is for; none named: all."
    )
    min_severity: Severity = Field(default=Severity.INFO, description="The least severity that it is for.")
    axes: Annotated[tuple[Axis, ...], Shape('array of "security" or "contract"')] = Field(
        default=(), description="The axes that it is for; none named: both."
    )
    areas: tuple[Line, ...] = Field(default=(), description="The areas of rules that it is for; none named: all.")
    channels: Names = Field(description="The channels that are told.")
    window: Wait = Field(
        default=0.0,
        description="How long to gather alerts into one message, an hour at most; 0: every alert is told at once.",
    )
    escalate_after: Wait = Field(
        default=0.0, description="How long an alert may wait for an acknowledgement; 0: for ever."
    )
    escalate_to: tuple[Name, ...] = Field(default=(), description="The channels that are told then.")

    @classmethod
    def conflicts(cls, given: Mapping[str, Any]) -> Iterator[Conflict]:
        """Hold the default route open to everything, a window short, and the two halves of an escalation together."""
        if given.get("name") == DEFAULT:
            for key in _MATCHERS:
                if given.get(key) and given[key] != Severity.INFO:
                    hint = "take it out, or give the route another name"
                    yield Conflict(key, "the default route takes what no other one does, so it cannot choose", hint)
        window = given.get("window")
        if window is not None and (seconds(window) or 0.0) > LONGEST_WINDOW:
            yield Conflict("window", "is longer than an hour", "gather for an hour at most: later it is no alert")
        after = given.get("escalate_after")
        passes_on = after is not None and seconds(after) != 0
        if passes_on != bool(given.get("escalate_to")):
            key = "escalate_to" if passes_on else "escalate_after"
            yield Conflict(key, "escalate_after and escalate_to go together", "write both, or neither")


class AlertsConfig(Table):
    """What becomes of alerts over time, and how silence is kept from meaning a broken pipe."""

    remind_every: Wait = Field(
        default=86_400.0,
        description="How often those who were told hear again of an alert that nobody acknowledged; 0: never.",
    )
    remind_from: Severity = Field(default=Severity.HIGH, description="The least severity that is reminded of.")
    channel_after: Seconds = Field(
        default=600.0, description="How long a channel may fail before the other channels are told of it."
    )
    blind_after: Seconds = Field(
        default=3600.0, description="How long no look at anything may work before an alert says so."
    )
    heartbeat_url: SecretUrl | None = Field(
        default=None,
        description="Called by GET while all is well, so that a service of yours notices when driftwatch itself fails.",
    )
    heartbeat_every: Seconds = Field(default=60.0, description="How often it is called.")


def fits(pattern: str, name: str) -> bool:
    """Say whether a pattern with `*` and `?` fits a name; every other character stands for itself."""
    return fnmatchcase(name, pattern.replace("[", "[[]"))


def ways(routes: Sequence[RouteConfig], channels: Sequence[ChannelConfig]) -> tuple[RouteConfig, ...]:
    """Give every route, `default` last; where no table says otherwise that one leads to every channel."""
    if any(route.name == DEFAULT for route in routes):
        return (*(route for route in routes if route.name != DEFAULT), *(one for one in routes if one.name == DEFAULT))
    everywhere = RouteConfig(name=DEFAULT, channels=tuple(channel.name for channel in channels) or (DEFAULT,))
    return (*routes, everywhere)


def unknown_channels(tables: Mapping[str, Mapping[str, Any]]) -> Iterator[tuple[tuple[str | int, ...], str, str]]:
    """Give the channels that routes name and that there are not, each as place, message and hint."""
    known = list(tables["channels"])
    for name, table in tables["routes"].items():
        for key in ("channels", "escalate_to"):
            named = table.get(key) if isinstance(table, Mapping) else None
            for index, channel in enumerate(named if isinstance(named, list) else ()):
                # What cannot be a name, or could not be filled in, the schema says.
                if isinstance(channel, str) and is_name(channel) and channel not in known:
                    place = ("routes", name, key, index)
                    yield place, f"no channel is called {quoted(shown(channel))}", did_you_mean(channel, known)
