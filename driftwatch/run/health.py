"""Whether a daemon is at work, told from what it writes: for container health checks.

No heartbeat of its own is kept: a daemon that looks and delivers on time is well, one that does neither is not.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from driftwatch.config.schema import Settings
from driftwatch.errors import DriftwatchError
from driftwatch.model import ServerState
from driftwatch.run.wiring import utc_now
from driftwatch.store.store import Store

_LATE = timedelta(minutes=2)
"""How late beyond the time that a look may take counts as not working."""


def healthcheck(settings: Settings, *, now: datetime | None = None) -> tuple[bool, str]:
    """Say whether looks and deliveries happen when they are due, and in a line what is wrong if they do not."""
    now = now or utc_now()
    try:
        with Store.open(settings.database_url, clock=utc_now, prepare=False) as store:
            states = store.states()
            waiting = store.next_delivery_at()
    except DriftwatchError as error:
        return False, error.message
    late = [
        server.name
        for server in settings.watched
        if server.enabled and _is_late(states.get(server.name), server.timeout.look, now)
    ]
    if late:
        return False, f"not looked at when due: {', '.join(late[:5])}{' …' if len(late) > 5 else ''}"
    if waiting is not None and waiting < now - _LATE:
        return False, f"alerts have waited in the outbox since {waiting.isoformat(timespec='seconds')}"
    return True, "every server is looked at on time"


def _is_late(state: ServerState | None, look: float, now: datetime) -> bool:
    if state is None or state.next_look_at is None:
        return True
    return state.next_look_at + timedelta(seconds=2 * look) + _LATE < now
