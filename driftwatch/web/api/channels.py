"""Channels: who is told, how these places have been doing, and whether they work now."""

from __future__ import annotations

from typing import Annotated

from fastapi import Path, Request
from pydantic import Field
from starlette.responses import Response
from typing_extensions import TypedDict

from driftwatch.config.channels import ChannelConfig
from driftwatch.errors import NothingToDoError, UnknownIdError
from driftwatch.model import Axis, ChannelHealth, Severity
from driftwatch.web.access import Reviewer, Viewer
from driftwatch.web.api.answers import answer
from driftwatch.web.api.asking import USUAL, Cursor, Limit, page_of
from driftwatch.web.api.part import part
from driftwatch.web.api.problems import problems
from driftwatch.web.api.shapes import Moment, Next, moment_if, shape
from driftwatch.web.desk import TheDesk

router = part("channels", "/channels")

Name = Annotated[str, Path(max_length=200, description="Its name in the configuration.", examples=["on-call"])]


@shape
class ChannelShape(TypedDict):
    """One channel, without its secrets, and how it has been doing."""

    name: Annotated[str, Field(examples=["on-call"])]
    kind: Annotated[str, Field(examples=["webhook"])]
    where: str
    min_severity: Severity
    axes: list[Axis]
    areas: list[str]
    failures: int
    """Failed attempts in a row, up to now."""
    failing_since: Moment | None
    last_ok_at: Moment | None
    last_result: str
    dead: int
    """Messages given up since it last worked."""


@shape
class ChannelsShape(TypedDict):
    """Some channels, by name."""

    entries: list[ChannelShape]
    next: Next


@shape
class TestShape(TypedDict):
    """What came of a test message and its end."""

    channel: str
    works: bool
    words: str
    next: str
    """What to do now."""
    template_trouble: str
    """What went wrong with the channel's own templates; empty when nothing did."""


@router.get("", response_model=ChannelsShape, operation_id="list_channels", summary="List channels")
def channels(request: Request, desk: TheDesk, _: Viewer, *, limit: Limit = USUAL, cursor: Cursor = "") -> Response:
    """Give the configured channels, by name."""
    health = desk.store.channel_health()
    shown, following = page_of("channels", desk.settings.channels, cursor, limit, lambda one: one.name)
    entries = [channel_json(one, health.get(one.name, ChannelHealth(one.name))) for one in shown]
    return answer(request, {"entries": entries, "next": following})


@router.post(
    "/{channel}/test",
    response_model=TestShape,
    operation_id="test_channel",
    summary="Send a channel a test message",
    responses=problems(404, 409),
)
def test(request: Request, desk: TheDesk, _: Reviewer, channel: Name) -> Response:
    """Send a test alert, marked as a drill, and its end, past routes and outbox. It waits until that is done."""
    if channel not in {one.name for one in desk.settings.channels}:
        raise UnknownIdError("There is no channel of that name.", hint="List them first.")
    if desk.test_channel is None:
        raise NothingToDoError("Channels cannot be tested here.", hint="Use: driftwatch channels test NAME")
    sent = desk.test_channel(channel)
    body: TestShape = {
        "channel": sent.channel,
        "works": sent.works,
        "words": sent.words,
        "next": sent.next,
        "template_trouble": sent.trouble,
    }
    return answer(request, body)


def channel_json(channel: ChannelConfig, health: ChannelHealth) -> ChannelShape:
    """Write a channel."""
    return {
        "name": channel.name,
        "kind": channel.kind,
        "where": channel.shown_url,
        "min_severity": channel.min_severity,
        "axes": list(channel.axes),
        "areas": list(channel.areas),
        "failures": health.failures,
        "failing_since": moment_if(health.failing_since),
        "last_ok_at": moment_if(health.last_ok_at),
        "last_result": health.last_result,
        "dead": health.dead,
    }
