"""PagerDuty as a receiver: checks events as strictly as the reference of its Events API v2 describes them."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from contracts.http import PATH, Received
from contracts.secrets import PATIENCE
from contracts.seen import Seen
from contracts.slack import only, units

from driftwatch.config.channels import PagerDutyConfig
from driftwatch.config.secret import Secret
from driftwatch.tell.channels.base import Channel
from driftwatch.tell.channels.pagerduty import PagerDuty

ROUTING_KEY = "header-token-1234-0123456789abcd"

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")


def build_pagerduty(url: str, *, timeout: float = PATIENCE, **more: Any) -> Channel:
    config = PagerDutyConfig(
        name="ops", kind="pagerduty", url=url, routing_key=Secret(ROUTING_KEY), timeout=timeout, max_attempts=5
    )
    return PagerDuty(config, **more)


def accept_pagerduty(request: Received) -> Seen:
    method, target, version = request.line.split()
    assert (method, target, version) == ("POST", PATH, "HTTP/1.1")
    event = read_pagerduty(request)
    if event["event_action"] != "trigger":
        return Seen(title=event["event_action"])
    return Seen(
        title=event["payload"]["summary"],
        text="\n".join(texts(event["payload"])),
        links=(
            *(one["href"] for one in event.get("links", ())),
            *([event["client_url"]] if "client_url" in event else []),
        ),
    )


def read_pagerduty(request: Received) -> dict[str, Any]:
    """Check an event, wherever it was posted to."""
    assert request.headers["content-type"] == "application/json"
    assert len(request.body) <= 512 * 1024
    event: dict[str, Any] = json.loads(request.body)
    assert event["event_action"] in {"trigger", "acknowledge", "resolve"}
    assert event["routing_key"] == ROUTING_KEY
    assert 1 <= len(event["dedup_key"]) <= 255
    if event["event_action"] != "trigger":
        only(event, {"routing_key", "event_action", "dedup_key"})
        return event
    only(event, {"routing_key", "event_action", "dedup_key", "payload"}, {"client", "client_url", "links", "images"})
    payload = event["payload"]
    only(
        payload,
        {"summary", "source", "severity"},
        {"timestamp", "component", "group", "class", "custom_details"},
    )
    assert payload["severity"] in {"critical", "error", "warning", "info"}
    assert 1 <= units(payload["summary"]) <= 1_024
    assert datetime.fromisoformat(payload["timestamp"]).tzinfo is not None
    assert isinstance(payload.get("custom_details", {}), dict)
    assert all(text.strip() for name, text in payload.items() if name != "custom_details")
    assert not any(_CONTROL.search(text) for text in texts(event))
    for link in event.get("links", ()):
        only(link, {"href"}, {"text"})
    for href in [event.get("client_url"), *(link["href"] for link in event.get("links", ()))]:
        assert href is None or (urlsplit(href).scheme in {"http", "https"} and urlsplit(href).hostname)
    return event


def texts(value: Any) -> list[str]:
    """Give every text in a value, also the names of what it holds."""
    if isinstance(value, dict):
        return [text for name, one in value.items() for text in (name, *texts(one))]
    if isinstance(value, list):
        return [text for one in value for text in texts(one)]
    return [value] if isinstance(value, str) else []


@dataclass
class Service:
    """What a person sees at PagerDuty after a number of events: the incidents, and how each came to be."""

    open: dict[str, str] = field(default_factory=dict)
    """The title of each incident that is not over, by its key."""
    history: list[tuple[str, str]] = field(default_factory=list)
    """What people were told, in order: `triggered`, `acknowledged` or `resolved`, and the key."""

    def take(self, request: Received) -> None:
        """Work an event in, as PagerDuty does: what is about no open incident is dropped."""
        event = read_pagerduty(request)
        key = event["dedup_key"]
        if event["event_action"] == "trigger":
            if key not in self.open:
                self.history.append(("triggered", key))
            self.open[key] = event["payload"]["summary"]
        elif key in self.open:
            self.history.append(("acknowledged" if event["event_action"] == "acknowledge" else "resolved", key))
            if event["event_action"] == "resolve":
                del self.open[key]
