"""What a message says: one channel-neutral JSON body, versioned, bounded and safe to send. Pure.

The shape is public and documented in `docs/webhook.md`; its JSON Schema is `webhook.schema.json` beside this file.

Server text is hostile. What people read (`summary`, `message`, the `text` of a span) has its control, invisible and
direction characters as visible escapes. `before`, `after`, `item` and `pointer` are evidence and keep their
characters, except for two that receivers choke on: a lone surrogate and U+0000 become U+FFFD, one for one, so that
the offsets of spans still fit.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Final, NamedTuple, TypeAlias
from urllib.parse import quote

from driftwatch.judge import pointer
from driftwatch.judge.rules.base import names
from driftwatch.judge.text.visible import visible
from driftwatch.model import Alert, AlertKind, Baseline, BaselineState, Event, EventKind, Finding, Json, Span
from driftwatch.model.commands import command
from driftwatch.report.excerpt import sentence
from driftwatch.report.opinion import opinion_words
from driftwatch.report.shape import count, plain
from driftwatch.tell.health import outcome_of

OF_TEMPLATES: Final = ("title", "text", "template_trouble")
"""Keys for what a channel's own templates make of a message, None until they do (see `templates`)."""

VERSION: Final = 1
"""Counts up when a key of the body changes its meaning or goes away."""

MAX_BODY: Final = 256 * 1024
"""Bytes of an encoded body; what does not fit is counted in `findings_omitted`."""

MESSAGE_CHARS: Final = 2_048
"""Characters kept of a message or the summary."""


class Room(NamedTuple):
    """How much one finding may take: characters of `before` and `after`, of any name or stretch; entries of a list."""

    value: int
    name: int
    many: int


AMPLE: Final = Room(value=4_096, name=512, many=50)
"""For an ordinary finding."""

TIGHT: Final = Room(value=512, name=128, many=5)
"""For a finding that would be larger than `FINDING_BYTES`: no server can push the other findings out with one."""

FINDING_BYTES: Final = 64 * 1024
"""Encoded bytes of one finding."""

_AGAIN: Final = {
    "not-acknowledged": "Nobody has acknowledged this yet. ",
    "escalated": "Nobody has acknowledged this in time, so it is passed on to you. ",
    "silence-ended": "A silence kept this back, and has ended. ",
}
"""What a message that tells of an alert again begins with, by its cause."""

_UNSENDABLE: Final = re.compile("[\ud800-\udfff\x00]")


_Labels: TypeAlias = Mapping[str, str] | None


def body(
    event: Event, *, now: datetime, public_url: str | None, labels: _Labels = None, baseline: Baseline | None = None
) -> dict[str, Json]:
    """Give the body of one event, at most `MAX_BODY` bytes once encoded. `title` and `text` are for templates.

    `now` is the moment of the event: every attempt sends the same body. `labels` are the server's, from the
    configuration, and `baseline` is what it is compared with. New findings come first, the worst first among them.
    """
    alert = event.alert
    health = alert.kind is not AlertKind.DRIFT
    findings = () if health else alert.findings
    message: dict[str, Json] = {
        "type": f"driftwatch.alert.{event.kind.value}",
        "version": VERSION,
        "timestamp": moment(now),
        "data": {
            "alert": alert.id,
            "server": _cut(alert.server, AMPLE.name),
            "channel": alert.channel or None,
            "labels": _labels(labels),
            "kind": alert.kind.value,
            "severity": alert.severity.value,
            "state": alert.state.value,
            "drill": event.drill,
            "reason": alert.reason or event.cause or None,
            "opened_at": moment(alert.opened_at),
            "resolved_at": moment(alert.resolved_at) if alert.resolved_at else None,
            "acknowledged": _acknowledged(alert),
            "baseline": alert.baseline_digest or None,
            "approved": _approved(alert, baseline),
            "rejected": {"findings": len(alert.rejected), "whole": bool(alert.reviewed)} if alert.rejected else None,
            "snapshot": alert.snapshot_digest or None,
            "summary": _summary(event),
            **dict.fromkeys(OF_TEMPLATES),
            "counts": {
                "findings": len(findings),
                "new": 0 if health else len(event.new),
                "by_severity": count(findings),
            },
            "outcome": _outcome(event),
            "findings": [],
            "findings_omitted": len(findings),
            "link": link_of(public_url, "alerts", alert.id),
            "command": command_of(alert),
        },
    }
    new = frozenset(identity for finding in event.new for identity in finding.identities)
    listed = list(_fitting(findings, new, MAX_BODY - len(encode(message))))
    message["data"].update({"findings": listed, "findings_omitted": len(findings) - len(listed)})
    return message


def link_of(public_url: str | None, page: str, key: str) -> str | None:
    """Give the address of a page about one thing, None where nobody said where driftwatch is reached."""
    return f"{public_url.rstrip('/')}/{page}/{quote(key, safe='')}" if public_url else None


def encode(payload: Mapping[str, Json] | Sequence[Json]) -> bytes:
    """Give the bytes that go on the wire: pure ASCII, so that no raw control or direction character is among them.

    Raises:
        ValueError: the payload is not JSON, or holds a lone surrogate.

    """
    try:
        # A lone surrogate passes as an ASCII escape, and most receivers then refuse the whole body.
        json.dumps(payload, ensure_ascii=False, allow_nan=False).encode("utf-8")
        return json.dumps(payload, ensure_ascii=True, allow_nan=False, separators=(",", ":")).encode("ascii")
    except (TypeError, RecursionError) as error:
        raise ValueError(f"the payload is not JSON: {type(error).__name__}") from error


def _fitting(findings: Sequence[Finding], new: frozenset[str], left: int) -> Iterator[Json]:
    """Give findings as long as they fit into the bytes that are left."""
    for finding in sorted(findings, key=lambda one: (new.isdisjoint(one.identities), one.order)):
        shown = _finding(finding, AMPLE, new)
        size = len(encode(shown))
        if size > FINDING_BYTES:
            shown = _finding(finding, TIGHT, new)
            size = len(encode(shown))
        left -= size + 1
        if left < 0:
            return
        yield shown


def _finding(finding: Finding, room: Room, new: frozenset[str]) -> dict[str, Json]:
    fresh = _fresh_items(finding, new)
    grew = len(fresh) < len(finding.items)
    before, before_omitted = _value(finding.before, room.value)
    after, after_omitted = _value(finding.after, room.value)
    return {
        "rule": finding.rule,
        "severity": finding.severity.value,
        "confidence": finding.confidence.value,
        "kind": finding.kind.value,
        "item": _cut(finding.item, room.name),
        "items": [_cut(item, room.name) for item in finding.items[: room.many]],
        "items_omitted": max(len(finding.items) - room.many, 0),
        "items_new": [_cut(item, room.name) for item in fresh[: room.many]],
        "items_new_omitted": max(len(fresh) - room.many, 0),
        "pointer": _cut(finding.pointer, room.name),
        "message": _spoken(finding.message + (f" New among them: {names(fresh)}." if fresh and grew else "")),
        "category": finding.category,
        "axis": finding.axis.value,
        "hosts": [
            {"host": one.host, "was": one.was, "now": one.now, "source": one.source}
            for one in finding.hosts[: room.many]
        ],
        "hosts_omitted": max(len(finding.hosts) - room.many, 0),
        "fingerprint": finding.fingerprint,
        "new": not new.isdisjoint(finding.identities),
        "before": before,
        "before_omitted": before_omitted,
        "after": after,
        "after_omitted": after_omitted,
        "spans": [_span(finding, span, room.name) for span in finding.spans[: room.many]],
        "spans_omitted": max(len(finding.spans) - room.many, 0),
        "opinion": _opinion(finding, room.name),
    }


def _opinion(finding: Finding, chars: int) -> Json:
    """Give what a configured model said of the text; `message` is for people, `quote` and `why` are escaped."""
    opinion = finding.opinion
    if opinion is None:
        return None
    return {
        "model": _cut(visible(opinion.model), chars),
        "injection": opinion.injection,
        "category": _cut(opinion.category, chars),
        "confidence": opinion.confidence.value,
        "quote": _cut(visible(opinion.quote[:chars]), chars),
        "why": _cut(visible(opinion.why[:chars]), chars),
        "trouble": _cut(visible(opinion.trouble), chars),
        "was": opinion.was.value if opinion.was is not None else None,
        "message": _spoken(opinion_words(finding)),
    }


def _fresh_items(finding: Finding, new: frozenset[str]) -> list[str]:
    """Give the items, of several that a finding is about, for which it is new."""
    if not finding.parts:
        return list(finding.items) if finding.fingerprint in new else []
    fresh = {item for (item, _), part in zip(finding.places, finding.parts, strict=True) if part in new}
    return [item for item in finding.items if item in fresh]


def _span(finding: Finding, span: Span, chars: int) -> dict[str, Json]:
    return {
        "pointer": _cut(span.pointer, chars),
        "start": span.start,
        "end": span.end,
        "target": span.target,
        "text": _cut(visible(_text_of(finding, span)[:chars]), chars),
        "decoded": _cut(visible(span.decoded[:chars]), chars),
    }


def _text_of(finding: Finding, span: Span) -> str:
    """Give the stretch that a span points at, empty where the finding does not carry that text."""
    if span.target == "key":
        text: Json = (pointer.split(span.pointer) or [""])[-1]
    elif pointer.covers(finding.pointer, span.pointer):
        text = pointer.get(finding.after, span.pointer[len(finding.pointer) :])
    else:
        text = ""
    return text[span.start : span.end] if isinstance(text, str) else ""


def _value(value: Json, chars: int) -> tuple[Json, int]:
    """Give a server's value as it can be sent, and how many characters of it were left out.

    A value that is too long is sent as the beginning of its text: of the string itself, or of its JSON.
    """
    safe = _sendable(plain(value))
    text = safe if isinstance(safe, str) else json.dumps(safe, ensure_ascii=False)
    return (safe, 0) if len(text) <= chars else (text[:chars], len(text) - chars)


def _sendable(value: Json) -> Json:
    """Copy a value without the characters that no receiver can be trusted to take."""
    if isinstance(value, str):
        return _UNSENDABLE.sub("\ufffd", value)
    if isinstance(value, dict):
        return {_sendable(str(key)): _sendable(child) for key, child in value.items()}
    if isinstance(value, (list, tuple)):
        return [_sendable(child) for child in value]
    return value


def _summary(event: Event) -> str:
    """Give the alert's summary, and before it why it is told again; a drill says so first of all."""
    first = "DRILL, nothing happened: " if event.drill else ""
    known = event.alert.acknowledged
    if event.kind is EventKind.ACKNOWLEDGED and known is not None:
        said = f" ({_spoken(known.note)})" if known.note else ""
        first += f"{_spoken(known.by)} has acknowledged it{said}. "
    return first + _spoken(_AGAIN.get(event.cause, "") + event.alert.summary)


def _labels(labels: _Labels) -> dict[str, Json]:
    return {_cut(key, AMPLE.name): _cut(value, AMPLE.name) for key, value in (labels or {}).items()}


def _acknowledged(alert: Alert) -> Json:
    """Say who knows of an alert, since when, and what they said; None while nobody does."""
    known = alert.acknowledged
    return known and {"by": _spoken(known.by), "at": moment(known.at), "note": _spoken(known.note)}


def _approved(alert: Alert, baseline: Baseline | None) -> Json:
    """Say who approved what an alert compares with, and when; None where nobody did, or it is not known."""
    known = baseline is not None and baseline.state is BaselineState.APPROVED and baseline.by
    if baseline is None or not known or baseline.digest != alert.baseline_digest:
        return None
    return {"by": _spoken(baseline.by), "at": moment(baseline.since)}


def command_of(alert: Alert) -> str:
    """Give the command that shows what an alert is about."""
    if alert.kind is AlertKind.CHANNEL:
        return command("deliveries", "--channel", alert.channel)
    if alert.kind is AlertKind.DAEMON:
        return "driftwatch status"
    if alert.kind is AlertKind.AUDIT:
        return "driftwatch audit verify"
    return command("diff" if alert.kind is AlertKind.DRIFT else "check", alert.server)


def _outcome(event: Event) -> Json:
    """Say what kind of failure a health alert is about; its words are in the summary."""
    known = outcome_of(event.alert)
    return None if known is None else _sendable(plain(known))


def _spoken(text: str) -> str:
    return _cut(sentence(text[:MESSAGE_CHARS]), MESSAGE_CHARS)


def _cut(text: str, limit: int) -> str:
    safe = _UNSENDABLE.sub("\ufffd", text)
    return safe if len(safe) <= limit else safe[: limit - 1] + "…"


def moment(at: datetime) -> str:
    """Write a time as RFC 3339 in UTC."""
    return at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
