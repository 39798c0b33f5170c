"""PagerDuty, by its Events API v2: an alert triggers an incident, and its end resolves it.

What belongs together is told by the `dedup_key`: the alert's own id, or the message's where one tells of many alerts.
PagerDuty drops an acknowledgement or an end whose key it does not know, so telling it again does no harm.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import Any, Final

from driftwatch.config.channels import PagerDutyConfig
from driftwatch.model import AlertState, Delivery, EventKind, Json, SendResult, SendVerdict
from driftwatch.report.safe import defang
from driftwatch.tell.channels.base import UNREADABLE, UNWRITABLE
from driftwatch.tell.channels.post import Poster, utc_now
from driftwatch.tell.channels.taken import Taken
from driftwatch.tell.payload import encode
from driftwatch.tell.words import Point, Words, cut, words_of, worst_rule

_SUMMARY: Final = 1_024
_EVENT_BYTES: Final = 512 * 1024

_LISTED_BYTES: Final = _EVENT_BYTES // 2
"""Encoded bytes of all findings, or all alerts of a batch; what stands around them is far below the other half."""

_POINT: Final = 1_000
"""Characters of one finding or alert."""

_TEXT: Final = 4_000
"""Characters of any other text."""

_BODY: Final = 20_000
"""Characters of a text that a template made."""

_SEVERITIES: Final[Mapping[str, str]] = {
    "critical": "critical",
    "high": "error",
    "medium": "warning",
    "low": "info",
    "info": "info",
}

_NOBODY_PAGED: Final = SendResult(SendVerdict.DONE, "everything in it was over before anybody was paged")
_MORE_TO_SEND: Final = SendResult(SendVerdict.RETRY, "not all of it could be sent in time; the rest follows")

_Event = dict[str, Json]


class PagerDuty:
    """A channel that posts events with one integration key."""

    def __init__(self, config: PagerDutyConfig, *, clock: Callable[[], datetime] = utc_now) -> None:
        """Take the channel's configuration, and the clock that a `Retry-After` with a date is read by."""
        self.name = config.name
        self.max_attempts = config.max_attempts
        self._config = config
        self._clock = clock
        self._poster = Poster(timeout=config.timeout, clock=clock)
        self._taken = Taken()

    def __repr__(self) -> str:
        """Name the channel and nothing that could be a secret."""
        return f"<PagerDuty {self.name}>"

    async def send(self, delivery: Delivery) -> SendResult:
        """Post the events of one delivery, one after another; the first that is not taken is the result.

        Those that were taken are left out when the same delivery is tried again.
        """
        key = self._config.routing_key.reveal()
        try:
            events = [(str(event["dedup_key"]), encode({"routing_key": key, **event})) for event in _events(delivery)]
        except UNREADABLE:
            return UNWRITABLE
        taken = self._taken.of(delivery.id)
        result = await self._post([event for event in events if event[0] not in taken], taken)
        self._taken.keep(delivery.id, taken, result)
        return result

    async def aclose(self) -> None:
        """Close the connections."""
        await self._poster.aclose()

    async def _post(self, events: list[tuple[str, bytes]], taken: dict[str, datetime]) -> SendResult:
        loop = asyncio.get_running_loop()
        end = loop.time() + self._config.timeout
        result = _NOBODY_PAGED
        for key, content in events:
            if loop.time() >= end:
                return _MORE_TO_SEND
            result = await self._poster.post(self._config.url, content)
            if result.verdict is not SendVerdict.DONE:
                return result
            taken[key] = self._clock()
        return result


def _events(delivery: Delivery) -> Iterator[_Event]:
    """Give the events of a delivery, without the routing key."""
    payload = delivery.payload
    data: Mapping[str, Any] = payload["data"]
    words = words_of(payload)
    if words.event == "batch":
        yield from _batch_events(delivery, data, words)
    elif words.event == EventKind.ACKNOWLEDGED:
        yield _about("acknowledge", data["alert"])
    elif words.event == EventKind.RESOLVED:
        yield _about("resolve", data["alert"])
    else:
        yield _trigger(payload, data["alert"], words)
    for batch in delivery.known:
        yield _about("acknowledge", batch)
    for batch in delivery.over:
        yield _about("resolve", batch)


def _batch_events(delivery: Delivery, data: Mapping[str, Any], words: Words) -> Iterator[_Event]:
    """Page once for all that stands and nobody knows of, and pass on what became of alerts that were told before."""
    if data["counts"]["open"]:
        yield _trigger(delivery.payload, data["batch"], words)
    for row in data["alerts"]:
        if row["state"] == AlertState.ACKNOWLEDGED and EventKind.OPENED not in row["events"]:
            yield _about("acknowledge", row["alert"])
    for alert in delivery.alone:
        yield _about("resolve", alert)


def _about(action: str, key: str) -> _Event:
    return {"event_action": action, "dedup_key": key}


def _trigger(payload: Mapping[str, Json], key: str, words: Words) -> _Event:
    data: Mapping[str, Any] = payload["data"]
    event: _Event = {
        **_about("trigger", key),
        "client": "driftwatch",
        "payload": {
            "summary": cut(words.title, _SUMMARY),
            "source": data.get("server") or data.get("channel") or "driftwatch",
            "severity": _SEVERITIES[words.severity],
            "timestamp": payload["timestamp"],
            "class": _class_of(data),
            **_group_of(data),
            "custom_details": _details(data, words),
        },
    }
    if words.link:
        event |= {"client_url": words.link, "links": [{"href": words.link, "text": "Review it in driftwatch"}]}
    return event


def _class_of(data: Mapping[str, Any]) -> str:
    """Give the worst rule of an alert about drift, and else the alert's kind; alerts together are a batch."""
    return worst_rule(data) or str(data.get("kind", "batch"))


def _group_of(data: Mapping[str, Any]) -> dict[str, Json]:
    team = data.get("labels", {}).get("team")
    return {"group": cut(defang(team), _SUMMARY)} if team else {}


def _details(data: Mapping[str, Any], words: Words) -> dict[str, Json]:
    details: dict[str, Json] = {"drill": "yes, nothing happened"} if words.drill else {}
    if words.own_body:
        details["text"] = cut(words.own_body, _BODY, words.more)
    else:
        details["what"] = cut(words.lead, _TEXT, words.more)
        details.update({name.lower(): cut(value, _TEXT) for name, value in words.facts})
        listed = list(_listed(words))
        left_out = len(words.points) - len(listed) + words.omitted
        details.update({"alerts" if "alerts" in data else "findings": listed} if listed else {})
        details.update({"left out": f"{left_out} more: {words.more}"} if left_out else {})
    details["command"] = words.command
    return details


def _listed(words: Words) -> Iterator[str]:
    left = _LISTED_BYTES
    for point in words.points:
        line = cut(_line(point), _POINT)
        left -= len(encode({"": line}))
        if left < 0:
            return
        yield line


def _line(point: Point) -> str:
    text = f"{point.severity.upper()} {point.head}{' (new)' if point.new else ''}: {point.text}"
    return f"{text} “{point.quote}”" if point.quote else text
