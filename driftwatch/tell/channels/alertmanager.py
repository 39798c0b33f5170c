"""Prometheus Alertmanager, by its API v2: alerts are posted as firing, again and again, and ended by `endsAt`.

Alertmanager knows an alert by all of its labels, and the severity is one of them. So an alert that becomes worse is
another one there, and the one so far has to be ended in the same post.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import count
from typing import Any, Final
from urllib.parse import urlsplit, urlunsplit
from weakref import WeakValueDictionary

from driftwatch.config.channels import AlertmanagerConfig
from driftwatch.config.secret import Secret
from driftwatch.model import AlertState, Delivery, EventKind, Json, SendResult, SendVerdict, Severity
from driftwatch.report.excerpt import sentence
from driftwatch.tell.channels.base import UNREADABLE, UNWRITABLE
from driftwatch.tell.channels.post import Poster, utc_now
from driftwatch.tell.payload import encode, moment
from driftwatch.tell.words import cut, plain_text, words_of

FIRES_FOR: Final = timedelta(hours=24)
"""How long an alert fires without being posted again: a daemon that is down for a night is no all-clear."""

_DRILL_FOR: Final = timedelta(minutes=5)
"""How long a drill fires; Alertmanager itself gives an alert without an end as long."""

_NAMES: Final[Mapping[str, str]] = {
    "drift": "DriftwatchDrift",
    "health": "DriftwatchHealth",
    "channel": "DriftwatchChannel",
    "daemon": "DriftwatchDaemon",
    "audit": "DriftwatchAudit",
}
_OURS: Final = frozenset({"alertname", "alert", "server", "channel", "severity", "drill"})
"""Labels that a server's own labels never replace."""

_NOT_IN_NAMES: Final = re.compile(r"[^a-zA-Z0-9_]")

_PATH: Final = "/api/v2/alerts"

_LATEST: Final = timedelta(days=4)
"""How long after its end a message about an alert can still come: a delivery is tried for three days."""

_DESCRIPTION: Final = 4_000
"""Characters of a description."""

_AT_ONCE: Final = 50
"""Alerts in one post when all are posted again: proxies in front of it take a megabyte."""

_NOTHING: Final = SendResult(SendVerdict.DONE, "nothing in it fires any more")

_NO_TURN: Final = SendResult(SendVerdict.RETRY, "no answer in time to what is posted about the same alerts")

_DRILL_ENDS: Final = SendResult(SendVerdict.DONE, "a drill ends by itself, so that somebody gets to see it")
"""Alertmanager waits before it tells anybody, and what has ended by then it tells nobody at all."""

_LabelSet = frozenset[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class _Stand:
    """Where one alert is: its labels, whether it is over, and all else that is posted of it."""

    alert: str
    labels: Mapping[str, str]
    annotations: Mapping[str, str]
    over: bool
    drill: bool
    first: bool
    """Whether this is what its channel hears first of it: then no other set of labels can be firing."""
    since: datetime
    link: str

    @property
    def key(self) -> _LabelSet:
        """What Alertmanager knows it by."""
        return frozenset(self.labels.items())


class Alertmanager:
    """A channel that posts to one Alertmanager."""

    def __init__(self, config: AlertmanagerConfig, *, clock: Callable[[], datetime] = utc_now) -> None:
        """Take the channel's configuration, and the clock that alerts end by."""
        self.name = config.name
        self.max_attempts = config.max_attempts
        self.refresh_every = config.resend
        self._url = _posts_to(config.url)
        self._headers: dict[str, Secret] = dict(config.headers)
        if config.bearer is not None:
            self._headers["authorization"] = config.bearer.after("Bearer ")
        self._clock = clock
        self._timeout = config.timeout
        self._poster = Poster(timeout=config.timeout, clock=clock)
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        """For each alert that somebody is at: what lets one at it at a time."""
        self._fired: dict[str, dict[_LabelSet, datetime]] = {}
        """For each alert that this process posted: by which sets of labels it may be firing, and since which post."""
        self._ended: dict[str, datetime] = {}
        """The alerts that this process ended, and when: nothing that comes late may let them fire again."""

    def __repr__(self) -> str:
        """Name the channel and nothing that could be a secret."""
        return f"<Alertmanager {self.name}>"

    async def send(self, delivery: Delivery) -> SendResult:
        """Post the alerts of one delivery, each firing or ended."""
        loop = asyncio.get_running_loop()
        end = loop.time() + self._timeout
        try:
            told = list(_stands(delivery.payload))
            async with asyncio.timeout_at(end) as waiting, self._alone_at(told):
                waiting.reschedule(None)
                return await self._tell(told, end - loop.time())
        except TimeoutError:
            return _NO_TURN
        except UNREADABLE:
            return UNWRITABLE

    async def refresh(self, payloads: Sequence[Mapping[str, Json]]) -> SendResult:
        """Post again what still fires of these payloads, so that a restart of Alertmanager forgets none of it.

        The payloads are what the channel was told last; what is not among them stays as it is. One that tells of
        another severity than this process posted last is left to the message that is under way. The result is that of
        the first post that is not taken, else of the last one; a payload that cannot be read is left out.
        """
        # Of an alert that is in several the last one holds.
        stands = list({one.alert: one for payload in payloads for one in _readable(payload)}.values())
        result = _NOTHING
        for start in range(0, len(stands), _AT_ONCE):
            some = stands[start : start + _AT_ONCE]
            async with self._alone_at(some):
                still = [one for one in some if self._still_fires(one)]
                result = await self._post(still, [self._firing(one) for one in still])
            if result.verdict is not SendVerdict.DONE:
                break
        return result

    async def aclose(self) -> None:
        """Close the connections."""
        await self._poster.aclose()

    @asynccontextmanager
    async def _alone_at(self, stands: Iterable[_Stand]) -> AsyncIterator[None]:
        """Let nobody else post of these alerts: else what is chosen here could arrive after what was posted since."""
        async with AsyncExitStack() as turns:
            # In the same order everywhere, so that no two wait for each other.
            for alert in sorted({one.alert for one in stands}):
                await turns.enter_async_context(self._turns.setdefault(alert, asyncio.Lock()))
            yield

    async def _tell(self, told: Sequence[_Stand], within: float) -> SendResult:
        if told and all(one.drill and one.over for one in told):
            for one in told:
                self._fired.pop(one.alert, None)
            return _DRILL_ENDS
        stands = [one for one in told if one.over or one.alert not in self._ended]
        return await self._post(stands, [alert for one in stands for alert in self._told(one)], within)

    def _still_fires(self, stand: _Stand) -> bool:
        known = set(self._fired.get(stand.alert, {stand.key}))
        return not stand.over and stand.alert not in self._ended and known == {stand.key}

    def _told(self, stand: _Stand) -> Iterator[dict[str, Json]]:
        """Give what is to be posted of one alert: the sets of labels that end, and the one that fires."""
        known = set(self._fired.get(stand.alert, ()))
        if not known and not stand.first and stand.alert not in self._ended:
            # Another process may have posted it, by whatever severity it had then.
            known = {_with_severity(stand, severity) for severity in Severity}
        ending = known | {stand.key} if stand.over else known - {stand.key}
        yield from (_alert(dict(labels), stand, now=self._clock()) for labels in sorted(ending, key=sorted))
        if not stand.over:
            yield self._firing(stand)

    def _firing(self, stand: _Stand) -> dict[str, Json]:
        return _alert(stand.labels, stand, now=self._clock(), fires_for=_DRILL_FOR if stand.drill else FIRES_FOR)

    async def _post(
        self, stands: Sequence[_Stand], alerts: Sequence[dict[str, Json]], within: float | None = None
    ) -> SendResult:
        if not alerts:
            return _NOTHING
        content = encode(alerts)
        # Remembered before the post: it may be taken although no answer comes.
        now = self._clock()
        self._forget(now)
        for stand in stands:
            self._fired.setdefault(stand.alert, {})[stand.key] = now
        self._ended.update({stand.alert: now for stand in stands if stand.over})
        result = await self._poster.post(self._url, content, given=self._headers, within=within)
        if result.verdict is SendVerdict.DONE:
            self._fired.update({stand.alert: {stand.key: now} for stand in stands})
            for stand in stands:
                if stand.over:
                    del self._fired[stand.alert]
        return result

    def _forget(self, now: datetime) -> None:
        """Let go of what fires no more by itself, and of ends that nothing can come after."""
        for alert, posted in list(self._fired.items()):
            self._fired[alert] = {labels: at for labels, at in posted.items() if now - at < FIRES_FOR}
            if not self._fired[alert]:
                del self._fired[alert]
        self._ended = {alert: at for alert, at in self._ended.items() if now - at < _LATEST}


def _posts_to(url: str) -> str:
    """Give the address that alerts are posted to, below the one that is configured."""
    parts = urlsplit(url)
    return urlunsplit(parts._replace(path=parts.path.rstrip("/").removesuffix(_PATH) + _PATH))


def _readable(payload: Mapping[str, Json]) -> list[_Stand]:
    try:
        return list(_stands(payload))
    except UNREADABLE:
        return []


def _stands(payload: Mapping[str, Json]) -> Iterator[_Stand]:
    """Give where each alert of a payload is: the one that it is about, or all of a batch."""
    data: Mapping[str, Any] = payload["data"]
    words = words_of(payload)
    if words.event != "batch":
        said = {"summary": words.title, "description": plain_text(words, _DESCRIPTION), "command": words.command}
        yield _stand(data, said, first=words.event == EventKind.OPENED, since=data["opened_at"])
        return
    for row, point in zip(data["alerts"], words.points, strict=True):
        title = f"{'DRILL ' if row['drill'] else ''}[{row['severity'].upper()}] {point.head}"
        said = {"summary": title, "description": cut(point.text or title, _DESCRIPTION), "command": row["command"]}
        yield _stand(row, said, first=EventKind.OPENED in row["events"], since=payload["timestamp"])


def _stand(data: Mapping[str, Any], said: Mapping[str, str], *, first: bool, since: str) -> _Stand:
    ours = {
        "alertname": _NAMES[data["kind"]],
        "alert": data["alert"],
        "server": data["server"],
        "channel": data["channel"] or "",
        "severity": data["severity"],
        "drill": "true" if data["drill"] else "",
    }
    # Alertmanager drops a label without a value, and then knows the alert by the others.
    labels = {name: value for name, value in (ours | _label_names(data["labels"])).items() if value}
    return _Stand(
        alert=data["alert"],
        labels=labels,
        annotations=said,
        over=data["state"] == AlertState.RESOLVED,
        drill=data["drill"],
        first=first,
        since=datetime.fromisoformat(since),
        link=data["link"] or "",
    )


def _label_names(labels: Mapping[str, str]) -> dict[str, str]:
    """Give a server's labels under names that Prometheus takes; none is one of ours, and no two are the same."""
    named: dict[str, str] = {}
    for name, value in sorted(labels.items()):
        plain = _NOT_IN_NAMES.sub("_", name)
        # Names that begin with two of them are kept for Prometheus itself.
        plain = "_" + plain.lstrip("_") if plain[:1].isdigit() or plain.startswith("__") or not plain else plain
        plain = f"label_{plain}" if plain in _OURS else plain
        free = (f"{plain}_{number}" if number > 1 else plain for number in count(1))
        named[next(one for one in free if one not in named)] = sentence(value)
    return named


def _with_severity(stand: _Stand, severity: Severity) -> _LabelSet:
    return frozenset({**stand.labels, "severity": severity.value}.items())


def _alert(
    labels: Mapping[str, str], stand: _Stand, *, now: datetime, fires_for: timedelta = timedelta()
) -> dict[str, Json]:
    return {
        "labels": dict(labels),
        "annotations": dict(stand.annotations),
        # An alert that ends before it begins is refused, and clocks can be set back.
        "startsAt": moment(min(stand.since, now)),
        "endsAt": moment(now + fires_for),
        **({"generatorURL": stand.link} if stand.link else {}),
    }
