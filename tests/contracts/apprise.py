"""Services that Apprise can reach on loopback, each read by its own rules."""

from __future__ import annotations

import json
from dataclasses import replace

from contracts.http import AGAIN, HTTP, STOP, Received, closed_port, statuses
from contracts.seen import Seen
from contracts.speech import Speech

from driftwatch.config.channels import AppriseConfig
from driftwatch.config.secret import Secret
from driftwatch.tell.channels.apprise import Apprise
from driftwatch.tell.channels.base import Channel
from tests import zygote

PATH = "/hooks/path-token-4711"
_REFUSED = "Apprise could not send it, and does not say why"


def build_apprise(url: str, *, timeout: float = 10.0) -> Channel:
    service = url.partition("/hooks")[0].replace("http", "json", 1) + f"{PATH}?+X-Token=header-token-1234"
    return service_of(service, timeout=timeout)


def service_of(url: str, *, timeout: float = 10.0) -> Channel:
    """Make a channel that asks an Apprise which is loaded already."""
    return Apprise(_config(url, timeout), python=zygote.standing_for_apprise())


def plain_service_of(url: str) -> Channel:
    """Make a channel as the product does, which starts an Apprise each time."""
    return Apprise(_config(url, timeout=10.0))


def _config(url: str, timeout: float) -> AppriseConfig:
    return AppriseConfig(name="ops", kind="apprise", url=Secret(url), timeout=timeout, max_attempts=5)


def accept_apprise(request: Received) -> Seen:
    """Read what Apprise's own JSON service posts."""
    method, target, _ = request.line.split()
    assert (method, target.rstrip("/")) == ("POST", PATH)
    assert request.headers["x-token"] == "header-token-1234"
    decoded = json.loads(request.body)
    assert set(decoded) == {"version", "title", "message", "attachments", "type"}
    assert decoded["attachments"] == []
    assert decoded["type"] in {"info", "success", "warning", "failure"}
    assert 0 < len(decoded["title"]) <= 250
    assert 0 < len(decoded["message"]) <= 32_768
    return Seen(title=decoded["title"], text=decoded["message"])


def _some(codes: list[int]) -> list[int]:
    return [code for code in codes if code in {301, 302, 308, 400, 401, 404, 410, 413, 429, 500, 503}]


SERVICE: Speech = replace(
    HTTP,
    nobody=lambda: f"http://127.0.0.1:{closed_port()}",
    nobody_says=_REFUSED,
    insecure_says=_REFUSED,
    done=statuses([200, 201, 204]),
    again=statuses(_some(AGAIN + STOP)),
    stop={},
    broken={name: (answer, _REFUSED) for name, (answer, _) in HTTP.broken.items()},
)
"""An HTTP destination behind Apprise, which gives no reasons."""
