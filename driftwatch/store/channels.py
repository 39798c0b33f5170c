"""How each channel has been doing: one row for each that was ever tried."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import Connection, Update, bindparam, func, or_, select, update

from driftwatch.model import ChannelHealth, DeliveryState, SendResult, SendVerdict
from driftwatch.store.engine import insert_new
from driftwatch.store.tables import channels

A_WHILE: Final = timedelta(minutes=1)
"""How long a channel must have failed for its recovery to be news: one message that fails among others is none."""

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
# What happens all the time: it worked before as well, or one attempt failed just now.
_WORKS_ON = _WORKED.where(
    or_(
        channels.c.failing_since.is_(None),
        channels.c.failing_since > bindparam("long_ago", type_=channels.c.failing_since.type),
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


def note(connection: Connection, name: str, result: SendResult, state: DeliveryState, now: datetime) -> bool:
    """Write down how one attempt went; True when the channel works again that had failed for a while."""
    values = {"channel": name, "at": now, "said": result.detail}
    if result.verdict is not SendVerdict.DONE:
        _noted(connection, _FAILED, {**values, "lost": int(state is DeliveryState.DEAD)})
        return False
    if connection.execute(_WORKS_ON, {**values, "long_ago": now - A_WHILE}).rowcount:
        return False
    return _noted(connection, _WORKED, values)


def _noted(connection: Connection, change: Update, values: dict[str, Any]) -> bool:
    """Change the row of a channel, which is made where there is none. Say whether it was there."""
    if connection.execute(change, values).rowcount:
        return True
    fresh = {"failures": 0, "failing_since": None, "last_ok_at": None, "last_result": "", "dead": 0}
    insert_new(connection, channels, {"name": values["channel"], **fresh})
    connection.execute(change, values)
    return False


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
