"""Messages that are made up: of every kind, to try templates on, and the test alert of a channel. Pure.

They are made by what makes the real ones, so that they cannot differ in shape.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final

from driftwatch.model import (
    Acknowledged,
    Alert,
    AlertKind,
    AlertState,
    Baseline,
    BaselineState,
    Delivery,
    Event,
    EventKind,
    Finding,
    Json,
    Kind,
    Severity,
    Span,
)
from driftwatch.tell.batch import batch
from driftwatch.tell.payload import body

_NOW: Final = datetime(2026, 3, 1, 12, tzinfo=UTC)

_FINDING: Final = Finding(
    rule="description-changed",
    severity=Severity.HIGH,
    kind=Kind.TOOL,
    item="read_file",
    pointer="/description",
    message="A description reads otherwise: words put in 2, taken out 0.",
    before="Reads a file.",
    after="Reads and writes a file.",
    spans=(Span("/description", 10, 16),),
)

_TABLE: Final[dict[str, Json]] = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}

_VALUES: Final[tuple[tuple[str, Finding], ...]] = (
    (
        "an item that was added (before is none, after is a table)",
        Finding(
            rule="item-added",
            severity=Severity.HIGH,
            kind=Kind.TOOL,
            item="write_file",
            pointer="",
            message="A tool was added.",
            after={"name": "write_file", "inputSchema": _TABLE},
        ),
    ),
    (
        "a list that changed (before and after are lists)",
        Finding(
            rule="schema-changed",
            severity=Severity.HIGH,
            kind=Kind.TOOL,
            item="read_file",
            pointer="/inputSchema/required",
            message="It asks for other parameters.",
            before=["path"],
            after=["path", 1],
        ),
    ),
    (
        "a hint that changed (before is true, after is false)",
        Finding(
            rule="hint-loosened",
            severity=Severity.HIGH,
            kind=Kind.TOOL,
            item="read_file",
            pointer="/annotations/destructiveHint",
            message="It said that it may destroy, and says so no more.",
            before=True,
            after=False,
            category="permission",
        ),
    ),
    (
        "an item that is gone (before is a table, after is none)",
        Finding(
            rule="item-removed",
            severity=Severity.HIGH,
            kind=Kind.TOOL,
            item="write_file",
            pointer="",
            message="A tool is gone.",
            before={"name": "write_file", "inputSchema": _TABLE},
        ),
    ),
)
"""Findings whose values are no text, as most rules about schemas, hints and whole items have."""

_DRIFT: Final = Alert(
    id="alr_sample",
    server="sample",
    kind=AlertKind.DRIFT,
    state=AlertState.OPEN,
    severity=Severity.HIGH,
    opened_at=_NOW,
    updated_at=_NOW,
    baseline_digest="sha256:" + "0" * 64,
    snapshot_digest="sha256:" + "1" * 64,
    findings=(_FINDING,),
    summary="sample no longer shows what its baseline shows: 1 high. Review it with: driftwatch diff sample",
)


_APPROVED: Final = Baseline("sample", "sha256:" + "0" * 64, BaselineState.APPROVED, _NOW, by="ann")


def samples() -> Iterator[tuple[str, dict[str, Json]]]:
    """Give what each message is about, in words, and its payload."""
    for words, event in _events():
        yield words, _body(event)
    yield "a message about several alerts", dict(batch(_members(), now=_NOW, public_url=None).payload)


def drill(channel: str, *, new_id: Callable[[], str], severity: Severity, now: datetime) -> tuple[Event, Event]:
    """Give a test alert for a channel, marked as a drill, and the end of it."""
    finding = replace(_FINDING, severity=severity, message="This is what a finding looks like.")
    alert = replace(
        _DRIFT,
        id=new_id(),
        server="driftwatch-test",
        severity=severity,
        opened_at=now,
        updated_at=now,
        findings=(finding,),
        summary=f"a test of the channel {channel}. It is over in a moment.",
    )
    over = replace(
        alert,
        state=AlertState.RESOLVED,
        resolved_at=now,
        reason="back-to-baseline",
        summary=f"a test of the channel {channel}, and this is its end.",
    )
    return Event(EventKind.OPENED, alert, (finding,), drill=True), Event(EventKind.RESOLVED, over, drill=True)


def _events() -> Iterator[tuple[str, Event]]:
    yield "a difference", Event(EventKind.OPENED, _DRIFT, (_FINDING,))
    # Of several tools at once, and with no stretch that is marked.
    wave = replace(_FINDING, item="", items=("read_file", "write_file"), spans=(), before=None)
    yield "an update", Event(EventKind.UPDATED, replace(_DRIFT, findings=(wave,)), (wave,))
    for about, finding in _VALUES:
        yield about, Event(EventKind.OPENED, replace(_DRIFT, findings=(finding,)), (finding,))
    yield "a reminder", Event(EventKind.REMINDED, _DRIFT, cause="not-acknowledged")
    known = replace(_DRIFT, state=AlertState.ACKNOWLEDGED, acknowledged=Acknowledged("sam", _NOW, "I look at it."))
    yield "an acknowledgement", Event(EventKind.ACKNOWLEDGED, known)
    over = replace(_DRIFT, state=AlertState.RESOLVED, resolved_at=_NOW, reason="back-to-baseline")
    yield "the end of an alert", Event(EventKind.RESOLVED, over)
    health = replace(
        _DRIFT, kind=AlertKind.HEALTH, findings=(), baseline_digest="", snapshot_digest="", severity=Severity.MEDIUM
    )
    yield "a server that cannot be looked at", Event(EventKind.OPENED, health)
    channel = replace(health, kind=AlertKind.CHANNEL, server="", channel="sample")
    yield "a channel that takes no messages", Event(EventKind.OPENED, channel)
    daemon = replace(health, kind=AlertKind.DAEMON, server="")
    yield "looks that do not work", Event(EventKind.OPENED, daemon)
    yield "a database that was changed by hand", Event(EventKind.OPENED, replace(daemon, kind=AlertKind.AUDIT))


def _members() -> list[Delivery]:
    events = (Event(EventKind.OPENED, _DRIFT, (_FINDING,)), Event(EventKind.RESOLVED, replace(_DRIFT, id="alr_other")))
    return [
        Delivery(
            id=f"msg_{number}",
            channel="sample",
            server=event.alert.server,
            alert_id=event.alert.id,
            event=event.kind,
            payload=_body(event),
            route="default",
        )
        for number, event in enumerate(events)
    ]


def _body(event: Event) -> dict[str, Json]:
    url, labels = "https://driftwatch.example.com", {"team": "sample"}
    return body(event, now=_NOW, public_url=url, labels=labels, baseline=_APPROVED)
