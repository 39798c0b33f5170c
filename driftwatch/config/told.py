"""What a person should know of channels and routes: what crosses a network unencrypted, and what reaches nobody."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from driftwatch.config.channels import (
    AlertmanagerConfig,
    ChannelConfig,
    EmailConfig,
    PagerDutyConfig,
    SlackConfig,
    WebhookConfig,
)
from driftwatch.config.routes import DEFAULT, AlertsConfig, RouteConfig, fits
from driftwatch.config.schema import ServerConfig, Settings
from driftwatch.config.secret import MissingSecret, Secret, Unresolved, shown
from driftwatch.config.units import say_seconds
from driftwatch.config.urls import is_clear_text_to_others, is_loopback
from driftwatch.config.words import path_of, safe
from driftwatch.model import Severity
from driftwatch.model.amounts import noun


def by_kind(channels: Sequence[ChannelConfig]) -> str:
    """Count channels by their kinds, in the order of the file: `2 webhook, 1 slack`; empty where there are none."""
    return ", ".join(f"{number} {kind}" for kind, number in Counter(channel.kind for channel in channels).items())


def channel_warnings(settings: Settings) -> Iterator[str]:
    """Give what there is to say of channels, each `path: what — what to do`."""
    for channel in settings.channels:
        yield from _in_the_clear(channel)
    yield from _called_in_the_clear(settings.alerts)


def route_warnings(settings: Settings) -> Iterator[str]:
    """Give what there is to say of routes, each `path: what — what to do`."""
    channels = {channel.name: channel for channel in settings.channels}
    for route in settings.routes:
        if settings.watched and not any(_fits(route, server) for server in settings.watched):
            keys = [key for key in ("servers", "labels") if getattr(route, key)]
            place = path_of(("routes", route.name, keys[0]))
            yield f"{place}: no server fits the {' and '.join(keys)} of this route — correct it, or take it out"
        told = [channels[name] for name in route.channels if name in channels]
        for key in ("axes", "areas"):
            if told and all(_apart(getattr(route, key), getattr(channel, key)) for channel in told):
                place = path_of(("routes", route.name, key))
                yield f"{place}: its channels ask for other {key}, so they hear of no finding — change either"
        yield from _taken_from_default(route, settings)
        if 0 < route.escalate_after <= route.window:
            place, window = path_of(("routes", route.name, "escalate_after")), say_seconds(route.window)
            yield f"{place}: it ends within the window of {window}, before anybody was told — make it longer"
    yield from _never_told(settings)


def _in_the_clear(channel: ChannelConfig) -> Iterator[str]:
    """Say so where a secret of a channel crosses a network unencrypted."""
    if isinstance(channel, EmailConfig):
        if channel.security == "none" and not isinstance(channel.host, Unresolved) and not is_loopback(channel.host):
            what = "the mail goes unencrypted, so anyone on the way can read and change it"
            yield f'{path_of(("channels", channel.name, "security"))}: {what} — write "starttls" or "tls"'
        return
    url, secrets = _sent_along(channel)
    if url and secrets and is_clear_text_to_others(url):
        what = " and ".join([", ".join(secrets[:-1]), secrets[-1]] if secrets[1:] else secrets)
        place = path_of(("channels", channel.name, "url"))
        yield f"{place}: this is http, so anyone on the way can read the {what} — use https"


def _sent_along(channel: ChannelConfig) -> tuple[str, list[str]]:
    """Give where a channel posts to, empty where that is not known, and the secrets that go along, in words."""
    if isinstance(channel, SlackConfig):
        return _known(channel.url), ["URL itself, which lets its reader post"]
    if isinstance(channel, PagerDutyConfig):
        return _plain(channel.url), ["routing_key"]
    if isinstance(channel, WebhookConfig):
        return _plain(channel.url), _headers(channel.headers)
    if isinstance(channel, AlertmanagerConfig):
        return _plain(channel.url), [*(["bearer"] if channel.bearer is not None else []), *_headers(channel.headers)]
    return "", []


def _headers(headers: Mapping[str, object]) -> list[str]:
    named = ", ".join(safe(name, limit=40) for name in headers)
    return [f"{noun(len(headers), 'header')} {named}"] if headers else []


def _plain(url: str) -> str:
    return "" if isinstance(url, Unresolved) else url


def _known(secret: Secret) -> str:
    return "" if isinstance(secret, MissingSecret) else secret.reveal()


def _called_in_the_clear(alerts: AlertsConfig) -> Iterator[str]:
    if alerts.heartbeat_url is not None and is_clear_text_to_others(_known(alerts.heartbeat_url)):
        yield (
            "alerts.heartbeat_url: this is http, so anyone on the way can read it, and call it when driftwatch does not"
            " — use https"
        )


def _fits(route: RouteConfig, server: ServerConfig) -> bool:
    labels = {name: shown(value) for name, value in server.labels.items()}
    if route.servers and not any(fits(pattern, server.name) for pattern in route.servers):
        return False
    return all(
        # What a variable holds may fit; it is not looked at.
        name in labels and (labels[name] != server.labels[name] or fits(pattern, labels[name]))
        for name, pattern in route.labels.items()
    )


def _apart(asked: Sequence[str], wanted: Sequence[str]) -> bool:
    return bool(asked and wanted) and not set(asked) & set(wanted)


def _taken_from_default(route: RouteConfig, settings: Settings) -> Iterator[str]:
    """Say so where a route takes what none of its channels wants to hear, and the default route's would."""
    wanted = {channel.name: channel.min_severity for channel in settings.channels}
    here = [wanted[name] for name in (*route.channels, *route.escalate_to) if name in wanted]
    instead = [wanted[name] for name in settings.ways[-1].channels if name in wanted]
    least = min(here, default=Severity.INFO)
    # Milder than that a route takes on purpose: by itself it is for everything, and a channel for medium or worse.
    if (
        route.name != DEFAULT
        and least >= Severity.HIGH
        and least > route.min_severity
        and least > min(instead, default=least)
    ):
        place = path_of(("routes", route.name, "min_severity"))
        yield (
            f"{place}: it takes what is milder than {least.value} from the default route, and its channels hear of none"
            f' of that — write min_severity = "{least.value}"'
        )


def _never_told(settings: Settings) -> Iterator[str]:
    """Say so of channels that no route leads to."""
    led_to = {name for route in settings.ways for name in (*route.channels, *route.escalate_to)}
    for channel in settings.channels:
        if channel.name not in led_to:
            place = path_of(("channels", channel.name))
            yield f"{place}: no route leads to it, so it is told of nothing — name it in the channels of a route"
