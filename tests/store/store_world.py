"""Builders for the store's tests: a clock to set, and model objects with sane defaults."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from driftwatch.model import (
    Actor,
    Alert,
    AlertKind,
    AlertState,
    Decision,
    Delivery,
    Era,
    EventKind,
    Finding,
    Item,
    Kind,
    Review,
    SendResult,
    SendVerdict,
    Severity,
    Snapshot,
    Testimony,
    TestimonyState,
)
from driftwatch.store import AlertWrite, LookRecord

ACTOR = Actor("ana", "cli ana@desk")
START = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
DONE = SendResult(SendVerdict.DONE, "204")
BUSY = SendResult(SendVerdict.RETRY, "503")


class Clock:
    """A clock that stands still until it is set."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        return self.now

    def later(self, by: timedelta = MINUTE) -> datetime:
        self.now += by
        return self.now


def digest_of(value: object) -> str:
    return "sha256:" + hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


def tool(name: str, **more: Any) -> Item:
    raw = {"name": name, "inputSchema": {"type": "object"}, **more}
    return Item(kind=Kind.TOOL, key=name, raw=raw, digest=digest_of(raw))


def snapshot(*items: Item, **more: Any) -> Snapshot:
    return Snapshot(items=items, digest=digest_of([[*item.place, item.digest] for item in items]), **more)


def look(server: str, shown: Snapshot, *, baseline: str | None = None, at: datetime = START, **more: Any) -> LookRecord:
    values: dict[str, Any] = {
        "server": server,
        "at": at,
        "next_at": at + 5 * MINUTE,
        "era": Era.MODERN,
        "snapshot": shown,
        "expected_baseline": baseline,
        "judged": f"{baseline or shown.digest} {shown.digest} rules-1",
        "become_provisional": baseline is None,
    }
    return LookRecord(**{**values, **more})


def finding(rule: str = "tool-description-changed", **more: Any) -> Finding:
    values: dict[str, Any] = {
        "severity": Severity.HIGH,
        "kind": Kind.TOOL,
        "item": "read",
        "pointer": "/description",
        "message": "The description changed.",
        "before": "Reads.",
        "after": "Reads, and more.",
    }
    return Finding(rule=rule, **{**values, **more})


def alert(name: str = "alr_1", server: str = "git", **more: Any) -> Alert:
    values: dict[str, Any] = {
        "kind": AlertKind.DRIFT,
        "state": AlertState.OPEN,
        "severity": Severity.HIGH,
        "opened_at": START,
        "updated_at": START,
        "findings": (finding(),),
        "told": frozenset({finding().fingerprint}),
        "summary": "One tool changed.",
    }
    return Alert(id=name, server=server, **{**values, **more})


def delivery(name: str = "msg_1", alert_id: str = "alr_1", **more: Any) -> Delivery:
    values: dict[str, Any] = {
        "channel": "ops",
        "server": "git",
        "event": EventKind.OPENED,
        "payload": {"type": "alert.opened", "n": 1.0},
        "created_at": START,
        "next_attempt_at": START,
    }
    return Delivery(id=name, alert_id=alert_id, **{**values, **more})


def told(this: Alert, *rows: Delivery, event: EventKind | None = EventKind.OPENED) -> AlertWrite:
    return AlertWrite(alert=this, event=event, deliveries=rows)


def review(digest: str, *, server: str = "git", decision: Decision = Decision.APPROVED, **more: Any) -> Review:
    values = {"server": server, "digest": digest, "decision": decision, "by": "ana", "origin": "cli", "at": START}
    return Review(**{**values, **more})


def dump(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Give every row of every table: what is in the file, whatever the store says."""
    with closing(sqlite3.connect(path)) as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {name: sorted(connection.execute(f"SELECT * FROM {name}"), key=repr) for name in tables}


def row_counts(path: Path) -> dict[str, int]:
    return {name: len(rows) for name, rows in dump(path).items()}


def testimony(server: str, shown: Snapshot, **more: Any) -> Testimony:
    """One look of a witness that showed what driftwatch is shown."""
    given = {"witness": "desktop", "session": "a1", "state": TestimonyState.SAME, **more}
    return Testimony(
        server=server,
        digest=shown.digest,
        sections=frozenset({Kind.TOOL}),
        seen_at=START,
        began=START,
        received_at=START,
        **given,
    )


testimony.__test__ = False  # type: ignore[attr-defined]
