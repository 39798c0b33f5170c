"""An alert as pages tell it: in which order they come, how one stands, and its life. Pure but for `open_first`."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final
from urllib.parse import quote

from driftwatch.model import (
    Action,
    Alert,
    AlertKind,
    AlertState,
    AuditEntry,
    Decision,
    Delivery,
    DeliveryState,
    EventKind,
    Finding,
    Review,
    Silence,
)
from driftwatch.store.pages import AlertsWanted, Spot
from driftwatch.store.store import Store
from driftwatch.tell.silence import silenced_by
from driftwatch.tell.words import over_words, subject
from driftwatch.web.api.asking import BadCursorError, cursor, place, spot, spot_cursor
from driftwatch.web.pages.messages import Fate, fate
from driftwatch.web.pages.rows import Chip

KINDS: Final = {
    AlertKind.DRIFT: "shows another list",
    AlertKind.HEALTH: "cannot be looked at",
    AlertKind.CHANNEL: "channel takes no messages",
    AlertKind.DAEMON: "no look at anything works",
    AlertKind.AUDIT: "the database was changed by hand",
}
"""What an alert of each kind is about."""

STATES: Final = {
    AlertState.OPEN: "open",
    AlertState.ACKNOWLEDGED: "acknowledged",
    AlertState.RESOLVED: "over",
}
"""How alerts stand, in the order in which they are listed."""

_LONGEST: Final = 200
"""Characters of a pattern that a form begins with."""

_TOLD: Final = {
    EventKind.OPENED: "of it",
    EventKind.UPDATED: "that there is more of it",
    EventKind.REMINDED: "of it again",
    EventKind.ACKNOWLEDGED: "that somebody knows of it",
    EventKind.RESOLVED: "that it is over",
}
"""What a message told, by its event."""

_HEARD: Final = {
    DeliveryState.PENDING: "is to be told",
    DeliveryState.HELD: "is to be told",
    DeliveryState.BATCHED: "is to be told",
    DeliveryState.DELIVERED: "was told",
    DeliveryState.DEAD: "was to be told",
    DeliveryState.CANCELLED: "was to be told",
}
"""Whether somebody heard of it, by the state of the message."""


@dataclass(frozen=True, slots=True)
class AlertRow:
    """One alert in a list."""

    alert: Alert
    subject: str
    summary: str
    chips: tuple[Chip, ...]


@dataclass(frozen=True, slots=True)
class Moment:
    """One thing in the life of an alert. `kind` colours it; `fate` is what came of a message."""

    at: datetime
    words: str
    kind: str = ""
    by: str = ""
    note: str = ""
    href: str = ""
    fate: Fate | None = None


@dataclass(frozen=True, slots=True)
class Marked:
    """One finding of an alert, whether a person said no to it, and the silence that keeps it back."""

    finding: Finding
    rejected: bool
    silence: Silence | None


def open_first(store: Store, wanted: AlertsWanted, after: str, limit: int) -> tuple[list[Alert], str | None]:
    """Give a page of alerts, and where the next one begins; open ones first, then those that somebody knows of.

    Raises:
        BadCursorError: `after` is no place in this list.

    """
    state, spot_there = _read(after)
    order = list(STATES)
    found: list[Alert] = []
    for one in order[order.index(state) if state is not None else 0 :]:
        if not wanted.states or one in wanted.states:
            here, room = spot_there if one is state else None, limit + 1 - len(found)
            found += store.alert_page(replace(wanted, states=(one,)), after=here, limit=room).rows
        if len(found) > limit:
            last = found[limit - 1]
            return found[:limit], _written(last.state, (last.opened_at, last.id))
    return found, None


def _written(state: AlertState, at: Spot) -> str:
    return cursor("alerts", state.value, spot_cursor(state.value, at) or "")


def _read(after: str) -> tuple[AlertState | None, Spot | None]:
    """Read where a page begins: among the alerts of which state, and after which place there."""
    found = place("alerts", after, str, str)
    if found is None:
        return None, None
    state = next((one for one in AlertState if one.value == found[0]), None)
    if state is None:
        raise BadCursorError
    return state, spot(state.value, found[1])


def counted(counts: Mapping[AlertState, int]) -> list[tuple[int, str]]:
    """Say how many alerts there are in which state."""
    return [(counts[state], words) for state, words in STATES.items() if counts.get(state)]


def row_of(alert: Alert) -> AlertRow:
    """Say how an alert stands, in a few words."""
    return AlertRow(alert, subject(alert), without_command(alert.summary), tuple(chips(alert)))


def without_command(summary: str) -> str:
    """Give a summary without the command at its end: on a page there are links for that."""
    head, command, rest = summary.rpartition(": driftwatch ")
    before, dot, last = head.rpartition(". ")
    if not command or "“" in rest or "”" in last:
        return summary
    if last.endswith(", then"):
        return f"{head.removesuffix(', then')}."
    return f"{before}." if dot else summary


def chips(alert: Alert) -> Iterator[Chip]:
    """Give what stands out about an alert."""
    yield Chip(alert.severity.value, alert.severity.value)
    yield Chip(STATES[alert.state], {AlertState.OPEN: "", AlertState.RESOLVED: "good"}.get(alert.state, "plain"))
    if alert.rejected:
        whole = alert.reviewed or len(alert.rejected) == len(alert.findings)
        yield Chip("rejected" if whole else "rejected in part", "plain")
    if alert.muted and alert.state.stands:
        yield Chip("silenced" if alert.muted >= alert.identities else "silenced in part", "plain")


def marked(alert: Alert, findings: Iterable[Finding], silences: Sequence[Silence]) -> list[Marked]:
    """Give findings of an alert with what people said of them. What is over no silence keeps back."""
    refused = {one.fingerprint for one in alert.rejected}
    held = silences if alert.state.stands else ()
    return [Marked(one, one.fingerprint in refused, silenced_by(one, alert.server, held)) for one in findings]


def life(
    alert: Alert,
    messages: Iterable[Delivery],
    known: Iterable[AuditEntry],
    reviews: Iterable[Review],
    now: datetime,
    *,
    to_agents: Collection[str] = (),
) -> list[Moment]:
    """Give the life of an alert, oldest first: who was told what and when, what people said, and how it ended.

    `known` are entries of the audit log about its server, `reviews` the decisions on it, and `to_agents` the digests of
    what agents were shown, as far as it tells of that.
    """
    found = [Moment(alert.opened_at, "Opened")]
    found += [_told(one, now) for one in messages]
    found += _acknowledged(alert, known)
    found += [_decided(one) for one in reviews if _is_about(one, alert, to_agents)]
    if alert.resolved_at is not None:
        found.append(Moment(alert.resolved_at, f"Over: {over_words(alert.reason)}", "approved"))
    return sorted(found, key=lambda one: one.at)


def _told(message: Delivery, now: datetime) -> Moment:
    words = f"{message.channel} {_HEARD[message.state]} {_TOLD.get(message.event, '')}".rstrip()
    href = f"/batches/{message.batch}" if message.batch else f"/deliveries/{message.id}"
    return Moment(message.created_at or now, words, href=href, fate=fate(message, now=now))


def _acknowledged(alert: Alert, known: Iterable[AuditEntry]) -> Iterator[Moment]:
    written = [one for one in known if one.action == Action.ACKNOWLEDGED and one.details.get("alert") == alert.id]
    for one in written:
        yield Moment(one.at, "Acknowledged", "approved", by=one.who, note=one.why)
    if alert.acknowledged is not None and not written:
        said = alert.acknowledged
        yield Moment(said.at, "Acknowledged", "approved", by=said.by, note=said.note)


def _is_about(review: Review, alert: Alert, to_agents: Collection[str]) -> bool:
    """Say whether a decision was made on what an alert tells of, while it stood."""
    ended = alert.resolved_at or review.at
    return review.digest in {alert.snapshot_digest, *to_agents} and alert.opened_at <= review.at <= ended


def _decided(review: Review) -> Moment:
    word = "Approved" if review.decision is Decision.APPROVED else "Rejected"
    part = f"{word} in part" if review.items else word
    return Moment(review.at, part, review.decision.value, by=review.by, note=review.note)


def next_steps(alert: Alert) -> list[tuple[str, str]]:
    """Say where a person goes from here: words and addresses."""
    server = f"/servers/{quote(alert.server, safe='')}"
    steps = {
        AlertKind.DRIFT: [("Review the difference", f"{server}/review"), ("The server", server)],
        AlertKind.HEALTH: [("The server", server)],
        AlertKind.CHANNEL: [("The channel", f"/channels#{quote(alert.channel, safe='')}")],
        AlertKind.DAEMON: [("All servers", "/")],
        AlertKind.AUDIT: [("Verify the audit log", "/audit/verify"), ("The audit log", "/audit")],
    }[alert.kind]
    if alert.kind is AlertKind.DRIFT and not alert.state.stands:
        compared = f"{server}/compare?from={alert.baseline_digest}&to={alert.snapshot_digest}"
        return [("What the difference was", compared), *steps[1:]]
    return steps


def silence_of(alert: Alert, finding: Finding | None = None) -> dict[str, str]:
    """Give what a form for a silence begins with: of one finding, or of all of an alert."""
    rule = finding.rule if finding is not None else ""
    if not alert.server and not rule:
        rule = next((one.rule for one in alert.findings), "")
    worst = finding.severity if finding is not None else alert.severity
    tool = _pattern(finding.item) if finding is not None and not finding.items else ""
    chosen = {"server": alert.server, "tool": tool, "rule": rule, "severity": worst.value}
    return {**chosen, "lasts": "", "reason": ""}


def _pattern(name: str) -> str:
    """Give a pattern that fits a name: `?` for each sign that a field of a form would hide, or lose."""
    inner = name.strip()
    start = len(name) - len(name.lstrip())
    seen = "?" * start + inner + "?" * (len(name) - start - len(inner)) if inner else "?" * len(name)
    safe = "".join(sign if sign.isprintable() else "?" for sign in seen)
    return safe if len(safe) <= _LONGEST else f"{safe[: _LONGEST - 1]}*"
