"""Whether a daemon is at work, told from what it writes: for container health checks, `/readyz` and the metrics.

All of them ask here, so that they cannot disagree. No heartbeat of its own is kept: a daemon that looks and delivers on
time is well, one that does neither is not. Destinations that take nothing, and servers none of which can be looked at,
do not make a daemon unwell: whoever ends what is unwell and starts it again would do so for as long as they are away,
and looks would be cut short meanwhile. Both are said, and the heartbeat's URL is not called.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

from driftwatch.config.schema import Settings
from driftwatch.errors import DriftwatchError
from driftwatch.model import ChannelHealth, Check, Health, Part, ServerState
from driftwatch.store.figures import Pulse
from driftwatch.store.store import Store
from driftwatch.tell.pipes import is_blind, is_failing

PATIENCE: Final = 3.0
"""Seconds that other programs may hold the database before it counts as one that cannot be written."""

_LATE: Final = timedelta(minutes=2)
"""How late counts as not working: a message, and a look beyond twice the time that it may take."""

_NAMED: Final = 5
"""Servers or channels that the line names."""

_EVER: Final = datetime.min.replace(tzinfo=UTC)

NOT_KNOWN: Final = "it is not known while the database cannot be read"
NO_ANSWER: Final = "it gives no answer in time"


def healthcheck(settings: Settings, *, now: datetime, patience: float = PATIENCE) -> tuple[bool, str]:
    """Say whether looks and deliveries happen when they are due, and in a line what is wrong.

    That nobody can be told, or that the database was changed by hand, is said, and is no failure of the daemon.
    """
    try:
        with Store.open(settings.database_url, clock=lambda: now, prepare=False) as store:
            health = health_of(store, settings, now=now, patience=patience)
    except DriftwatchError as error:
        return False, error.message
    return health.well, health.words


def health_of(
    store: Store, settings: Settings, *, now: datetime, pulse: Pulse | None = None, patience: float = PATIENCE
) -> Health:
    """Say the same of a database that is open, part by part. A database that cannot be used is told, and not raised.

    `pulse` is what was read of it just now, where it was; `patience` is how many seconds others may hold it.
    """
    try:
        pulse = pulse or store.pulse(channels=channels_of(settings))
    except DriftwatchError as error:
        return lost("it cannot be read", error.message)
    try:
        store.try_writing(patience)
    except DriftwatchError as error:
        database, trouble = Check(Part.DATABASE, ok=False, why="it cannot be written"), error.message
    else:
        database, trouble = Check(Part.DATABASE, ok=True, why="it can be read and written"), ""
    scheduler, late = _scheduler(pulse, settings, now)
    delivery, waits, mute = _delivery(pulse, settings, now)
    looks = _looks(pulse, settings, now)
    said = trouble or late or waits or _well(pulse, looks, mute)
    return Health((database, scheduler, delivery, looks), said)


def lost(why: str, words: str) -> Health:
    """Give the health of a daemon whose database does not answer: nothing else is known then."""
    others = (part for part in Part if part is not Part.DATABASE)
    unknown = (Check(part, ok=False, why=NOT_KNOWN, decides=part is not Part.LOOKS) for part in others)
    return Health((Check(Part.DATABASE, ok=False, why=why), *unknown), words)


def channels_of(settings: Settings) -> frozenset[str]:
    """Name the channels that are configured: what waits for others is not waited for here."""
    return frozenset(channel.name for channel in settings.channels)


def _scheduler(pulse: Pulse, settings: Settings, now: datetime) -> tuple[Check, str]:
    late = [
        server.name
        for server in settings.watched
        if server.enabled and _is_late(pulse.states.get(server.name), server.timeout.look, now)
    ]
    if late:
        words = f"not looked at when due: {_named(late)}"
        return Check(Part.SCHEDULER, ok=False, why="servers are not looked at when they are due"), words
    return Check(Part.SCHEDULER, ok=True, why="every server is looked at on time"), ""


def _delivery(pulse: Pulse, settings: Settings, now: datetime) -> tuple[Check, str, str]:
    """Give the check, what is wrong with delivery in words, and what is to be said of channels that take nothing."""
    due = pulse.due_at
    if due is not None and due < now - _LATE:
        words = f"alerts have waited in the outbox since {due.isoformat(timespec='seconds')}"
        return Check(Part.DELIVERY, ok=False, why="messages wait in the outbox that should be sent"), words, ""
    mute = _mute(settings, pulse.channels, now)
    why = "messages are sent when they are due" if not mute else "messages are sent, but no channel takes them"
    return Check(Part.DELIVERY, ok=True, why=why), "", mute


def _looks(pulse: Pulse, settings: Settings, now: datetime) -> Check:
    watched = [server.name for server in settings.watched if server.enabled]
    states = {name: pulse.states.get(name, ServerState(server=name)) for name in watched}
    if is_blind(states, started=_EVER, after=settings.alerts.blind_after, now=now):
        return Check(Part.LOOKS, ok=False, why="no look at anything has worked lately", decides=False)
    why = "a look has worked lately" if states else "nothing is watched"
    return Check(Part.LOOKS, ok=True, why=why, decides=False)


def _well(pulse: Pulse, looks: Check, mute: str) -> str:
    blind = "" if looks.ok else f", but {looks.why}"
    hand = ", but the database was changed by hand (driftwatch audit verify)" if pulse.tampered else ""
    return f"every server is looked at on time{blind}{hand}{mute}"


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
