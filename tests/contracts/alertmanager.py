"""Alertmanager as a receiver: checks posted alerts as its API v2 does, and works out which of them fire."""

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
from contracts.slack import only

from driftwatch.config.channels import AlertmanagerConfig
from driftwatch.config.secret import Secret
from driftwatch.tell.channels.alertmanager import Alertmanager

TARGET = PATH.replace("?", "/api/v2/alerts?")

_CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")
_LABEL = re.compile(r"[a-zA-Z_][a-zA-Z0-9_]*")
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)")

Labels = frozenset[tuple[str, str]]


def build_alertmanager(url: str, *, timeout: float = PATIENCE, **more: Any) -> Alertmanager:
    config = AlertmanagerConfig(
        name="ops",
        kind="alertmanager",
        url=url,
        bearer=Secret("mail-pass-2718"),
        headers={"X-Token": Secret("header-token-1234")},
        timeout=timeout,
        max_attempts=5,
    )
    return Alertmanager(config, **more)


def accept_alertmanager(request: Received) -> Seen:
    method, target, version = request.line.split()
    assert (method, target, version) == ("POST", TARGET, "HTTP/1.1")
    assert request.headers["authorization"] == "Bearer mail-pass-2718"
    assert request.headers["x-token"] == "header-token-1234"
    alerts = read_alertmanager(request)
    return Seen(
        title=alerts[-1]["annotations"]["summary"],
        # Labels are the configuration's own words.
        text="\n".join(text for alert in alerts for text in alert["annotations"].values()),
        links=tuple(alert["generatorURL"] for alert in alerts if "generatorURL" in alert),
    )


def read_alertmanager(request: Received) -> list[dict[str, Any]]:
    """Check a post, wherever it went to; gives its alerts."""
    assert request.headers["content-type"] == "application/json"
    assert len(request.body) <= 1024 * 1024
    alerts: list[dict[str, Any]] = json.loads(request.body)
    assert isinstance(alerts, list)
    assert alerts
    for alert in alerts:
        only(alert, {"labels"}, {"annotations", "startsAt", "endsAt", "generatorURL"})
        only(alert["annotations"], {"summary", "description", "command"})
        assert alert["labels"]["alertname"]
        for name, value in alert["labels"].items():
            assert _LABEL.fullmatch(name)
            assert not name.startswith("__")
            assert isinstance(value, str)
            assert value
            assert not _CONTROL.search(value)
        assert all(text.strip() and not _CONTROL.search(text) for text in alert["annotations"].values())
        assert all(_MOMENT.fullmatch(alert[key]) for key in ("startsAt", "endsAt"))
        assert datetime.fromisoformat(alert["startsAt"]) <= datetime.fromisoformat(alert["endsAt"])
        link = urlsplit(alert.get("generatorURL", "https://example.com"))
        assert (link.scheme in {"http", "https"}, bool(link.hostname)) == (True, True)
    assert len({frozenset(alert["labels"].items()) for alert in alerts}) == len(alerts)
    return alerts


@dataclass
class Alerts:
    """What Alertmanager knows after a number of posts; a restart is a new one."""

    ends: dict[Labels, datetime] = field(default_factory=dict)
    fired: set[Labels] = field(default_factory=set)

    def take(self, request: Received, now: datetime) -> None:
        """Work a post in, as it came at this moment."""
        for alert in read_alertmanager(request):
            labels = frozenset(alert["labels"].items())
            self.ends[labels] = datetime.fromisoformat(alert["endsAt"])
            if self.ends[labels] > now:
                self.fired.add(labels)

    def firing(self, now: datetime) -> list[dict[str, str]]:
        """Give the labels of what fires at a moment."""
        return [dict(labels) for labels, end in self.ends.items() if end > now]

    @property
    def ghosts(self) -> list[dict[str, str]]:
        """Give the labels of what was ended and never fired: people would hear of the end of what nobody told them."""
        return [dict(labels) for labels in self.ends if labels not in self.fired]
