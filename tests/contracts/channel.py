"""The kit that every kind of channel runs: how to build each kind against a destination, and what that has to get.

A new kind adds one line to `CASES`; `tests/channels/test_channel_contract.py` then holds it to everything. How a
destination answers, its protocol knows (`Speech`); what a person sees of a message, the kind's `accept` works out.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import standardwebhooks
from contracts.alertmanager import accept_alertmanager, build_alertmanager
from contracts.apprise import SERVICE, accept_apprise, build_apprise
from contracts.http import HTTP, PATH, Received, closed_url, drip, flood, hang, raw, receiver, status
from contracts.mail import accept_mail, build_email
from contracts.pagerduty import accept_pagerduty, build_pagerduty
from contracts.programs import PROGRAM, accept_run, build_command
from contracts.secrets import PATIENCE, SECRETS, SIGNING_KEY
from contracts.seen import Seen
from contracts.slack import accept_slack, build_slack
from contracts.smtp import SMTP
from contracts.speech import Answer, Speech
from contracts.told import delivery

from driftwatch.config.channels import WebhookConfig
from driftwatch.config.secret import Secret
from driftwatch.tell.channels.base import Channel
from driftwatch.tell.channels.post import utc_now
from driftwatch.tell.channels.webhook import Webhook

__all__ = [
    "CASES",
    "PATIENCE",
    "SECRETS",
    "SIGNING_KEY",
    "Answer",
    "Case",
    "Received",
    "Seen",
    "closed_url",
    "delivery",
    "drip",
    "flood",
    "hang",
    "opened",
    "raw",
    "receiver",
    "status",
]


@dataclass(frozen=True)
class Case:
    """How to build one kind of channel, how its destination speaks, and how it checks a request."""

    build: Callable[..., Channel]
    """Takes the destination's address, `timeout`, and for a kind that reads the time `clock`."""
    accept: Callable[[Any], Seen]
    """Checks everything that the destination would check; gives what a person then sees."""
    speech: Speech = HTTP
    says_why: bool = True
    """Whether a detail names the answer."""
    posts: bool = True
    """Whether the kind posts by HTTP itself, and so keeps what every poster promises."""
    most: float = 0.2
    """Seconds that an attempt gets where nothing answers."""


def build_webhook(url: str, *, timeout: float = PATIENCE, clock: Callable[[], datetime] = utc_now) -> Channel:
    config = WebhookConfig(
        name="ops",
        kind="webhook",
        url=url,
        secret=Secret(SIGNING_KEY),
        headers={"X-Token": Secret("header-token-1234")},
        timeout=timeout,
        max_attempts=5,
    )
    return Webhook(config, clock=clock)


def accept_webhook(request: Received) -> Seen:
    method, target, version = request.line.split()
    assert (method, target, version) == ("POST", PATH, "HTTP/1.1")
    assert request.headers["content-type"] == "application/json"
    assert request.headers["x-token"] == "header-token-1234"
    standardwebhooks.Webhook(SIGNING_KEY).verify(request.body, request.headers)
    assert request.body.isascii()
    decoded: dict[str, Any] = json.loads(request.body)
    data = decoded["data"]
    links = (data["link"],) if data["link"] else ()
    return Seen(title=data["title"] or "", text=data["summary"], links=links, exact=decoded)


CASES: dict[str, Case] = {
    "webhook": Case(build_webhook, accept_webhook),
    "alertmanager": Case(build_alertmanager, accept_alertmanager),
    "pagerduty": Case(build_pagerduty, accept_pagerduty),
    "slack": Case(build_slack, accept_slack),
    "apprise": Case(build_apprise, accept_apprise, speech=SERVICE, says_why=False, posts=False, most=2.0),
    "email": Case(build_email, accept_mail, speech=SMTP, posts=False, most=0.5),
    "command": Case(build_command, accept_run, speech=PROGRAM, posts=False, most=0.5),
}
"""Every kind of channel."""


@asynccontextmanager
async def opened(kind: str, url: str, **more: Any) -> AsyncIterator[Channel]:
    """Build a channel of a kind, and close it at the end."""
    channel = CASES[kind].build(url, **more)
    try:
        yield channel
    finally:
        await channel.aclose()
