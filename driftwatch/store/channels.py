"""How each channel has been doing: one row for each that was ever tried."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, bindparam, func, select, update

from driftwatch.model import ChannelHealth, DeliveryState, SendResult, SendVerdict
from driftwatch.store.engine import insert_new
from driftwatch.store.tables import channels

# Built once: every attempt runs one of them.
_THIS = channels.c.name == bindparam("channel")
_WORKED = (
    update(channels)
    .where(_THIS)
    .values(
        failures=0,
        failing_since=None,
        last_ok_at=bindparam("at"),
        last_result=bindparam("said"),
        dead=0,
    )
)
_FAILED = (
    update(channels)
    .where(_THIS)
    .values(
        failures=channels.c.failures + 1,
        failing_since=func.coalesce(channels.c.failing_since, bindparam("at", type_=channels.c.failing_since.type)),
        last_result=bindparam("said"),
        dead=channels.c.dead + bindparam("lost", type_=channels.c.dead.type),
    )
)


def note(connection: Connection, name: str, result: SendResult, state: DeliveryState, now: datetime) -> None:
    """Write down how one attempt went."""
    change, values = _FAILED, {"channel": name, "at": now, "said": result.detail}
    if result.verdict is SendVerdict.DONE:
        change = _WORKED
    else:
        values["lost"] = int(state is DeliveryState.DEAD)
    if connection.execute(change, values).rowcount:
        return
    fresh = {"name": name, "failures": 0, "failing_since": None, "last_ok_at": None, "last_result": "", "dead": 0}
    insert_new(connection, channels, fresh)
    connection.execute(change, values)


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
