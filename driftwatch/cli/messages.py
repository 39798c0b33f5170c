"""Words for alerts and messages that several commands share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

from driftwatch.cli.moments import ago, clock
from driftwatch.model import Delivery, DeliveryState
from driftwatch.store.records import Wait
from driftwatch.store.store import Store

CHARS = 12
"""Characters of an id that people see: `msg_` and eight digits name one in every command."""


def about_of(server: str, channel: str) -> str:
    """Say what an alert is about: a server, a channel, or driftwatch itself."""
    return server or (f"channel {channel}" if channel else "driftwatch")


def waits_of(store: Store, rows: Iterable[Delivery], now: datetime) -> dict[str, Wait]:
    """Give by id what messages wait for beside their time."""
    return store.waits([one.id for one in rows if one.state is DeliveryState.PENDING], now=now)


def result_words(one: Delivery, now: datetime, waits: Mapping[str, Wait]) -> str:
    """Say what came of a message so far, and for one that waits what for, or when it is tried next."""
    tries = f" ({one.attempts} tries)" if one.attempts > 1 else ""
    said = f"{one.last_result}{tries}" if one.last_result else ""
    if one.state is DeliveryState.HELD:
        return f"gathered by the route {one.route}; goes out {_due(one, now)}"
    if one.state is DeliveryState.PENDING:
        return _pending(one, said, now, waits.get(one.id, Wait()))
    if one.batch:
        with_others = f"in {one.batch[:CHARS]}"
        return f"{with_others}: {said}" if said else with_others
    return said or "-"


def _pending(one: Delivery, said: str, now: datetime, wait: Wait) -> str:
    """Say what a message waits for. Who sends it may have been killed: then nothing comes before the lease ends."""
    before = f"{said}; " if said else ""
    if wait.leased_until is not None:
        return f"{before}being sent by another process until {clock(wait.leased_until)}"
    if wait.behind:
        return f"{before}waits for {wait.behind[:CHARS]}"
    return f"{said}; tried again {_due(one, now)}" if said else f"to be sent {_due(one, now)}"


def _due(one: Delivery, now: datetime) -> str:
    """Say when a message that waits is due."""
    due = one.next_attempt_at
    return "now" if due is None or due - now <= timedelta() else ago(due, now)
