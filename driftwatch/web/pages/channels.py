"""Channels: who is told, how these places have been doing, and whether one can be reached now."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from fastapi import APIRouter, Request
from starlette.responses import Response

from driftwatch.config.channels import ChannelConfig
from driftwatch.config.routes import RouteConfig
from driftwatch.errors import ConfigError, UnknownIdError, UsageError
from driftwatch.model import ChannelHealth
from driftwatch.model.commands import command
from driftwatch.tell.advice import advice
from driftwatch.web.access import Reviewer, TheForm, Viewer
from driftwatch.web.desk import ChannelTest, Desk, TheDesk
from driftwatch.web.pages.rows import Chip
from driftwatch.web.templates import page

router = APIRouter(prefix="/channels", include_in_schema=False, default_response_class=Response)


@dataclass(frozen=True, slots=True)
class ChannelRow:
    """One channel: what it is, how it does, what to do about that, and the routes that lead to it.

    `config` is None for one that the configuration does not name any more.
    """

    name: str
    config: ChannelConfig | None
    health: ChannelHealth
    chip: Chip
    to_do: str
    routes: tuple[str, ...]
    passed_on: tuple[str, ...]


@router.get("")
def channels(request: Request, desk: TheDesk, _: Viewer) -> Response:
    """Show all channels."""
    return _page(request, desk)


@router.post("/{name}/test")
def test(request: Request, desk: TheDesk, _: Reviewer, name: str, form: TheForm) -> Response:
    """Send a channel a test alert and its end, and show what comes of it."""
    if name not in {one.name for one in desk.settings.channels}:
        raise UnknownIdError("There is no such channel.", hint="See them on the page of the channels.")
    if form.refused is not None:
        return _page(request, desk, 400, notices=[("bad", form.refused)])
    if desk.test_channel is None:
        words = f"Channels cannot be tested from here. Use the command line: {command('channels', 'test', name)}"
        return _page(request, desk, 409, notices=[("bad", words)])
    try:
        tested = desk.test_channel(name)
    except (ConfigError, UsageError) as error:
        return _page(request, desk, 409, notices=[("bad", f"{error.message} {error.hint}".strip())])
    return _page(request, desk, tested=tested)


def rows_of(
    channels: Sequence[ChannelConfig], ways: Iterable[RouteConfig], known: dict[str, ChannelHealth]
) -> list[ChannelRow]:
    """Give a row for each channel, the configured ones first."""
    every = tuple(ways)
    configs = {one.name: one for one in channels}
    return [
        _row(name, configs.get(name), known.get(name, ChannelHealth(name)), every)
        for name in [*configs, *(name for name in known if name not in configs)]
    ]


def _row(name: str, config: ChannelConfig | None, health: ChannelHealth, ways: Sequence[RouteConfig]) -> ChannelRow:
    failing = health.failing_since is not None
    return ChannelRow(
        name=name,
        config=config,
        health=health,
        chip=_chip(config, health),
        to_do=advice(config.kind, health.last_result) if config is not None and failing else "",
        routes=tuple(way.name for way in ways if name in way.channels),
        passed_on=tuple(way.name for way in ways if name in way.escalate_to),
    )


def _chip(config: ChannelConfig | None, health: ChannelHealth) -> Chip:
    if config is None:
        return Chip("not in the configuration", "plain")
    if health.failing_since is not None:
        return Chip("fails", "high")
    return Chip("works", "good") if health.last_ok_at else Chip("nothing sent yet", "plain")


def _page(
    request: Request,
    desk: Desk,
    status: int = 200,
    *,
    notices: Sequence[tuple[str, str]] = (),
    tested: ChannelTest | None = None,
) -> Response:
    settings = desk.settings
    return page(
        request,
        "channels.html",
        status,
        notices=notices,
        rows=rows_of(settings.channels, settings.ways, desk.store.channel_health()),
        may_test=desk.test_channel is not None,
        tested=tested,
    )
