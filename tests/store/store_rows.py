"""Outbox rows for the store's tests: put there with an alert, claimed, and closed."""

from __future__ import annotations

from dataclasses import replace

from store_world import DONE, MINUTE, START, alert, delivery, look, snapshot, told, tool

from driftwatch.model import Delivery, DeliveryState, EventKind, SendResult, SendVerdict
from driftwatch.store import Store

FIRST = snapshot(tool("read"))
LEASE = 2 * MINUTE
FAILED = SendResult(SendVerdict.RETRY, "HTTP 503")


def fill(store: Store, *rows: Delivery, number: int = 1) -> None:
    """Open an alert on a server of its own, with outbox rows about it."""
    name, server = f"alr_{number}", f"git-{number}"
    mine = [replace(row, alert_id=name, server=server) for row in rows]
    store.record_look(look(server, FIRST, alert=(told(alert(name, server=server), *mine),)))


def claim(store: Store, now: object = START, **more: object) -> list[str]:
    return [each.id for each in store.claim_deliveries(now=now, lease=LEASE, limit=100, **more)]


def finish(store: Store, name: str, state: DeliveryState, *, result: SendResult = DONE) -> bool:
    again = START + MINUTE if state is DeliveryState.PENDING else None
    return store.finish_delivery(name, result=result, state=state, next_attempt_at=again, now=START)


def states(store: Store) -> dict[str, DeliveryState]:
    return {row.id: row.state for row in store.deliveries()}


def gathered(number: int, *, event: EventKind = EventKind.OPENED, name: str = "") -> Delivery:
    return delivery(name or f"msg_{number}", state=DeliveryState.HELD, event=event, route="fleet")


def batch(name: str = "msg_batch") -> Delivery:
    return delivery(name, alert_id="", server="", event=EventKind.BATCH, route="fleet")
