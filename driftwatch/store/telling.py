"""The part of the Store that is about telling people: alerts, silences, the outbox, and how channels do."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TypeVar

from sqlalchemy import Connection

from driftwatch.errors import UnknownIdError
from driftwatch.model import (
    Act,
    Action,
    Actor,
    Alert,
    AlertKind,
    AlertState,
    ChannelHealth,
    Delivery,
    DeliveryState,
    EventKind,
    SendResult,
    Silence,
)
from driftwatch.store import alerts, audit, channels, claims, outbox, silences
from driftwatch.store.engine import Changes, reading
from driftwatch.store.records import AlertOutline, AlertWrite, Wait, Wanted
from driftwatch.store.shelf import Shelf

_ANY = Wanted()

_TOO_LATE = {
    AlertState.ACKNOWLEDGED: "somebody acknowledged the alert before this was sent",
    AlertState.RESOLVED: "the alert was over before this was sent",
}
"""Why a reminder that waits is taken out, by what became of its alert."""


class TellingShelf(Shelf):
    """The part of the Store that is about telling people."""

    # Alerts

    def record_alert(self, write: AlertWrite) -> tuple[str, ...]:
        """Write one alert with its deliveries and nothing else. Give the ids of the deliveries that are new.

        Raises:
            BaselineMovedError: the alert was resolved meanwhile, or is not as it was expected; nothing was written.

        """
        if write.event is EventKind.ACKNOWLEDGED:
            raise ValueError("that somebody knows of an alert is written down with who does: see `acknowledge`")
        with self._write() as connection:
            return self._tell(connection, (write,))

    def acknowledge(self, write: AlertWrite, *, by: Actor) -> tuple[str, ...]:
        """Write down that a person knows of an alert; else as `record_alert`."""
        alert, known = write.alert, write.alert.acknowledged
        with self._write() as connection:
            queued = self._tell(connection, (write,))
            act = Act(Action.ACKNOWLEDGED, by, alert.updated_at, alert.server, alert.snapshot_digest)
            audit.write(connection, replace(act, why=known.note if known else "", details={"alert": alert.id}))
            return queued

    def _tell(self, connection: Connection, writes: Iterable[AlertWrite]) -> tuple[str, ...]:
        new: list[str] = []
        for write in writes:
            alerts.write(connection, write.alert, expected=write.expected)
            if (late := _TOO_LATE.get(write.alert.state)) is not None:
                outbox.outdate(connection, write.alert.id, late)
            new.extend(each.id for each in write.deliveries if outbox.put(connection, each, self._clock()))
        return tuple(new)

    def alerts(self, *, server: str | None = None, stands: bool = False, limit: int = 100) -> list[Alert]:
        """Give alerts, newest first; with `stands` only those that are not over."""
        with reading(self._engine) as connection:
            return alerts.listed(connection, server, stands=stands, limit=limit)

    def open_alert(self, server: str, kind: AlertKind, *, channel: str = "") -> Alert | None:
        """Give the alert of that kind on the server or channel that is not over; there is at most one."""
        with reading(self._engine) as connection:
            return alerts.standing(connection, server, kind, channel)

    def alert(self, prefix: str) -> Alert:
        """Give the one alert whose id begins so.

        Raises:
            UnknownIdError: none begins so, or more than one does.

        """
        with reading(self._engine) as connection:
            return _the_one(alerts.find(connection, prefix), prefix, "alert", "driftwatch alerts --all")

    def alert_outlines(self) -> list[AlertOutline]:
        """Give the little that says whether anything is due about an alert, of all that are not over."""
        with reading(self._engine) as connection:
            return alerts.outlines(connection)

    def channels_told(self, alert_id: str) -> frozenset[str]:
        """Give the channels that ever had a delivery for this alert that was not given up."""
        with reading(self._engine) as connection:
            return outbox.channels_told(connection, alert_id)

    def channels_waiting(self, alert_id: str) -> frozenset[str]:
        """Give the channels that something about this alert has yet to be sent to."""
        with reading(self._engine) as connection:
            return outbox.channels_waiting(connection, alert_id)

    # Silences

    def add_silence(self, silence: Silence, *, origin: str) -> None:
        """Keep a new silence; `origin` says from where it comes."""
        about = {"silence": silence.id, "tool": silence.tool, "rule": silence.rule}
        until = {"severity": silence.severity.value, "until": silence.until.isoformat()}
        act = Act(Action.SILENCED, Actor(silence.by, origin), silence.created_at, silence.server, why=silence.reason)
        with self._write() as connection:
            silences.add(connection, silence)
            audit.write(connection, replace(act, details={**about, **until}))

    def end_silence(self, silence_id: str, *, at: datetime, by: Actor) -> bool:
        """End a silence before its time; False when it is over already."""
        with self._write() as connection:
            ended = silences.end(connection, silence_id, at=at, by=by.name)
            if ended:
                audit.write(connection, Act(Action.UNSILENCED, by, at, details={"silence": silence_id}))
            return ended

    def silences(self, *, at: datetime | None = None, limit: int = 1_000) -> list[Silence]:
        """Give silences, newest first; with `at` only those in force then."""
        with reading(self._engine) as connection:
            return silences.listed(connection, at=at, limit=limit)

    def silence(self, prefix: str) -> Silence:
        """Give the one silence whose id begins so.

        Raises:
            UnknownIdError: none begins so, or more than one does.

        """
        with reading(self._engine) as connection:
            return _the_one(silences.find(connection, prefix), prefix, "silence", "driftwatch silences --all")

    # The outbox

    def claim_deliveries(
        self, *, now: datetime, lease: timedelta, limit: int, only: Collection[str] | None = None
    ) -> list[Delivery]:
        """Take deliveries that are due, oldest first; nobody else gets them before the lease ends.

        With `only`, those for other channels stay. `attempts` counts the attempts that were finished. A lease that
        ends unfinished makes the row due again, under the same id.
        """
        with self._write() as connection:
            return claims.claim(connection, now=now, lease=lease, limit=limit, only=only)

    def finish_delivery(
        self,
        id: str,  # noqa: A002 - the outbox port of the tell room spells it so
        *,
        result: SendResult,
        state: DeliveryState,
        next_attempt_at: datetime | None,
        now: datetime,
    ) -> bool:
        """Count an attempt and write how it ended; call it after the send. `pending` means: again at that time.

        True when other messages may go now: what waited for this one, and, where the channel had failed for a while,
        what waits for it. Delivered wins over everything, whoever finishes last, also who lost the lease.
        """
        with self._write() as connection:
            channel = claims.channel_of(connection, id)
            well_again = channels.note(connection, channel, result, state, now)
            more = claims.finish(connection, id, result=result, state=state, next_attempt_at=next_attempt_at, now=now)
            return bool(well_again and claims.hurry(connection, channel, now)) or more

    def next_delivery_at(self, *, only: Collection[str] | None = None) -> datetime | None:
        """Give the time at which there is something to claim, None when nothing waits."""
        with reading(self._engine) as connection:
            return claims.next_at(connection, only)

    def changes(self) -> Changes:
        """Give what notices that anybody wrote to the database: something may be due then. Close it when done."""
        return Changes(self._engine)

    def deliveries(
        self, *, state: DeliveryState | None = None, wanted: Wanted = _ANY, limit: int = 100
    ) -> list[Delivery]:
        """Give outbox rows, newest first."""
        with reading(self._engine) as connection:
            return outbox.listed(connection, wanted if state is None else Wanted(state=state), limit)

    def deliveries_about(self, alert_id: str, *, state: DeliveryState) -> list[Delivery]:
        """Give the outbox rows of one alert that are in a state, oldest first."""
        with reading(self._engine) as connection:
            return outbox.about(connection, alert_id, state)

    def delivery(self, prefix: str) -> Delivery:
        """Give the one outbox row whose id begins so.

        Raises:
            UnknownIdError: none begins so, or more than one does.

        """
        with reading(self._engine) as connection:
            return _the_one(outbox.find(connection, prefix), prefix, "message", "driftwatch deliveries")

    def waits(self, ids: Collection[str], *, now: datetime) -> dict[str, Wait]:
        """Give by id what pending rows wait for beside their time; rows that wait for nothing else are left out."""
        with reading(self._engine) as connection:
            return claims.waits(connection, ids, now)

    def held_groups(self, now: datetime | None) -> list[tuple[str, str]]:
        """Give each channel and route that messages are held for, and whose window has ended by `now`.

        Without `now` also those whose window has not ended.
        """
        with reading(self._engine) as connection:
            return outbox.held_groups(connection, now)

    def held(self, channel: str, route: str) -> Iterator[Delivery]:
        """Give what is held for a channel and a route, oldest first, read page by page: the messages can be many."""
        return self._paged(lambda connection, after: outbox.held(connection, channel, route, after))

    def seal(self, members: Sequence[str], *, batch: Delivery | None, now: datetime) -> None:
        """Send held rows on their way, in one message or each by itself.

        Raises:
            BaselineMovedError: one of them is not held any more; nothing was written.

        """
        with self._write() as connection:
            outbox.seal(connection, members, batch, now)

    def retry_delivery(self, id: str, *, by: Actor, now: datetime) -> bool:  # noqa: A002 - as above
        """Let a message be sent anew, at once; False when it was delivered, or went out with others."""
        with self._write() as connection:
            again = outbox.retry(connection, id, now)
            if again:
                audit.write(connection, Act(Action.RETRIED, by, now, details={"message": id}))
            return again

    def cancel_delivery(self, id: str, *, by: Actor, now: datetime) -> bool:  # noqa: A002 - as above
        """Take out a message that was not delivered; False when there is nothing to take out."""
        with self._write() as connection:
            gone = outbox.cancel(connection, id, f"taken out by {by.name}")
            if gone:
                audit.write(connection, Act(Action.CANCELLED, by, now, details={"message": id}))
            return gone

    def abandon_deliveries(self, known: Collection[str], *, before: datetime, why: str) -> int:
        """Give up what was made before a time for channels that are not known; give how many messages that were."""
        with self._write() as connection:
            return outbox.abandon(connection, known, before, why)

    def said(self, channel: str) -> Iterator[Delivery]:
        """Give what a channel was told last of each alert that is not over, read page by page."""
        return self._paged(lambda connection, after: outbox.said(connection, channel, after))

    def _paged(self, page: Callable[[Connection, int], tuple[list[Delivery], int]]) -> Iterator[Delivery]:
        """Give the rows of all pages, each read in a transaction of its own."""
        after, found = 0, True
        while found:
            with reading(self._engine) as connection:
                rows, after = page(connection, after)
            yield from rows
            found = bool(rows)

    def note_channel(self, name: str, result: SendResult, *, now: datetime) -> None:
        """Write down how a message went that was sent past the outbox; what waits for a channel that works goes now."""
        with self._write() as connection:
            if channels.note(connection, name, result, DeliveryState.DELIVERED, now):
                claims.hurry(connection, name, now)

    def channel_health(self) -> dict[str, ChannelHealth]:
        """Give how every channel that was ever tried has been doing, by name."""
        with reading(self._engine) as connection:
            return channels.listed(connection)


_Kept = TypeVar("_Kept")


def _the_one(found: Sequence[_Kept], prefix: str, what: str, command: str) -> _Kept:
    if len(found) == 1:
        return found[0]
    if not found:
        raise UnknownIdError(f"No {what} has an id that begins with {prefix!r}.", hint=f"See them with: {command}")
    raise UnknownIdError(f"More than one {what} has an id that begins with {prefix!r}.", hint="Write more of it.")
