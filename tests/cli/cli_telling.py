"""What the tests of alerts, silences and deliveries share: those things, at noon on the first of March."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from cli_world import LOOSENED

from driftwatch.model import (
    Alert,
    AlertKind,
    AlertState,
    Delivery,
    DeliveryState,
    Event,
    EventKind,
    Finding,
    Kind,
    SendResult,
    SendVerdict,
    Severity,
    Silence,
)
from driftwatch.store import AlertWrite, Store
from driftwatch.tell.payload import body

MARCH = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)
WIDER = replace(LOOSENED, rule="text-injection", item="find_files", message="It gives orders.", before="a", after="b")
FAILED = Finding("channel-failing", Severity.HIGH, Kind.SERVER, "", "", "The channel ops has taken no message.")


def alert(**parts: object) -> Alert:
    values = {
        "id": "alr_11112222333344445555666677778888",
        "server": "files",
        "kind": AlertKind.DRIFT,
        "state": AlertState.OPEN,
        "severity": Severity.HIGH,
        "opened_at": MARCH - HOUR,
        "updated_at": MARCH - HOUR,
        "findings": (LOOSENED, WIDER),
        "summary": "files no longer shows what its baseline shows.",
    }
    return Alert(**{**values, **parts})  # type: ignore[arg-type]


def message(one: Alert, number: int = 1, **parts: object) -> Delivery:
    event = Event(EventKind.OPENED, one, one.findings)
    values = {
        "id": f"msg_{number}2222333344445555666677778888999",
        "channel": "ops",
        "server": one.server,
        "alert_id": one.id,
        "event": EventKind.OPENED,
        "payload": body(event, now=MARCH - HOUR, public_url=None),
        "created_at": MARCH - HOUR,
        "next_attempt_at": MARCH - HOUR,
        "route": "default",
    }
    return Delivery(**{**values, **parts})  # type: ignore[arg-type]


def silence(**parts: object) -> Silence:
    values = {
        "id": "sil_aaaabbbbccccddddeeeeffff00001111",
        "server": "files",
        "tool": "",
        "rule": "hint-*",
        "severity": Severity.HIGH,
        "reason": "they roll it out",
        "by": "ana",
        "created_at": MARCH - HOUR,
        "until": MARCH + 2 * HOUR,
    }
    return Silence(**{**values, **parts})  # type: ignore[arg-type]


def told(store: Store, one: Alert | None = None, *rows: Delivery) -> Alert:
    """Keep an alert, with messages about it."""
    kept = alert() if one is None else one
    store.record_alert(AlertWrite(kept, EventKind.OPENED, rows or (message(kept),)))
    return kept


def delivered(store: Store, row: Delivery, state: DeliveryState = DeliveryState.DELIVERED) -> None:
    verdict = SendVerdict.DONE if state is DeliveryState.DELIVERED else SendVerdict.STOP
    result = SendResult(verdict, "HTTP 204" if state is DeliveryState.DELIVERED else "HTTP 410 Gone")
    store.finish_delivery(row.id, result=result, state=state, next_attempt_at=None, now=MARCH)


def flat(text: str) -> str:
    """Give a text as one line: where it is broken does not matter."""
    return " ".join(text.split())
