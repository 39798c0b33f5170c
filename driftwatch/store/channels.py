"""How each channel has been doing: one row for each that was ever tried."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, select, update

from driftwatch.model import ChannelHealth, DeliveryState, SendResult, SendVerdict
from driftwatch.store.engine import insert_new
from driftwatch.store.tables import channels


def note(connection: Connection, name: str, result: SendResult, state: DeliveryState, now: datetime) -> None:
    """Write down how one attempt went."""
    fresh = {"name": name, "failures": 0, "failing_since": None, "last_ok_at": None, "last_result": "", "dead": 0}
    insert_new(connection, channels, fresh)
    row = update(channels).where(channels.c.name == name)
    if result.verdict is SendVerdict.DONE:
        ok = {"failures": 0, "failing_since": None, "last_ok_at": now, "last_result": result.detail, "dead": 0}
        connection.execute(row.values(**ok))
        return
    failed = row.values(
        failures=channels.c.failures + 1,
        last_result=result.detail,
        dead=channels.c.dead + (state is DeliveryState.DEAD),
    )
    connection.execute(failed)
    connection.execute(row.where(channels.c.failing_since.is_(None)).values(failing_since=now))


def listed(connection: Connection) -> dict[str, ChannelHealth]:
    """Give how every channel that was ever tried has been doing, by name."""
    return {
        row.name: ChannelHealth(
            name=row.name,
            failures=row.failures,
            failing_since=row.failing_since,
            last_ok_at=row.last_ok_at,
            last_result=row.last_result,
            dead=row.dead,
        )
        for row in connection.execute(select(channels).order_by(channels.c.name))
    }
