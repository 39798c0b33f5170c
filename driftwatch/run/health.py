"""Whether a daemon is at work, told from what it writes: for container health checks.

No heartbeat of its own is kept: a daemon that looks and delivers on time is well, one that does neither is not.
Destinations that take nothing do not make a daemon unwell: whoever ends what is unwell and starts it again would do so
for as long as they are away, and looks would be cut short meanwhile. It is said, and the heartbeat's URL is not called.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from driftwatch.config.schema import Settings
from driftwatch.errors import DriftwatchError
from driftwatch.model import AlertKind, ChannelHealth, ServerState
from driftwatch.store.store import Store
from driftwatch.tell.pipes import is_failing

_LATE = timedelta(minutes=2)
"""How late counts as not working: a message, and a look beyond twice the time that it may take."""

_NAMED = 5
"""Servers or channels that the line names."""


def healthcheck(settings: Settings, *, now: datetime) -> tuple[bool, str]:
    """Say whether looks and deliveries happen when they are due, and in a line what is wrong.

    That nobody can be told, or that the database was changed by hand, is said, and is no failure of the daemon.
    """
    try:
        with Store.open(settings.database_url, clock=lambda: now, prepare=False) as store:
            return health_of(store, settings, now=now)
    except DriftwatchError as error:
        return False, error.message


def health_of(store: Store, settings: Settings, *, now: datetime) -> tuple[bool, str]:
    """Say the same of a database that is open.

    Raises:
        StoreError: it cannot be used.

    """
    states = store.states()
    waiting = store.next_delivery_at()
    channels = store.channel_health()
    tampered = store.open_alert("", AlertKind.AUDIT)
    late = [
        server.name
        for server in settings.watched
        if server.enabled and _is_late(states.get(server.name), server.timeout.look, now)
    ]
    if late:
        return False, f"not looked at when due: {_named(late)}"
    if waiting is not None and waiting < now - _LATE:
        return False, f"alerts have waited in the outbox since {waiting.isoformat(timespec='seconds')}"
    hand = "" if tampered is None else ", but the database was changed by hand (driftwatch audit verify)"
    return True, "every server is looked at on time" + hand + _mute(settings, channels, now)


def _mute(settings: Settings, known: Mapping[str, ChannelHealth], now: datetime) -> str:
    """Say that no channel takes messages, if it is so; nothing where there is none."""
    after = settings.alerts.channel_after
    channels = [known.get(channel.name, ChannelHealth(channel.name)) for channel in settings.channels]
    since = [one.failing_since for one in channels if one.failing_since and is_failing(one, after=after, now=now)]
    if not since or len(since) < len(channels):
        return ""
    reasons = [f"{one.name}: {one.last_result}" for one in channels]
    return f", but nobody can be told since {max(since).isoformat(timespec='seconds')} ({_named(reasons, '; ')})"


def _named(words: Sequence[str], between: str = ", ") -> str:
    return between.join(words[:_NAMED]) + (" …" if len(words) > _NAMED else "")


def _is_late(state: ServerState | None, look: float, now: datetime) -> bool:
    if state is None or state.next_look_at is None:
        return True
    return state.next_look_at + timedelta(seconds=2 * look) + _LATE < now
