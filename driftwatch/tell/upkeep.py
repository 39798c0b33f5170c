"""The upkeep verb: all that time alone brings about, as one turn that may be taken at any moment and by anybody.

Silences that ended, reminders, alerts that nobody answered, channels that take nothing, looks none of which works, and
the batches whose window has ended. A turn reads little while nothing is due. Everything it does is written with the
outbox rows that tell of it, and under ids that come from data, so that two turns at once tell nobody twice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import chain
from typing import Final

import structlog

from driftwatch.config.routes import RouteConfig
from driftwatch.config.schema import Settings
from driftwatch.errors import BaselineMovedError
from driftwatch.model import Alert, AlertKind, ChannelHealth, Delivery, ServerState, Silence, Verified
from driftwatch.store.records import AlertOutline
from driftwatch.store.store import Store
from driftwatch.tell.again import (
    decide_escalated,
    decide_reminder,
    decide_unmuted,
    due_for_escalation,
    due_for_reminder,
)
from driftwatch.tell.batch import batch
from driftwatch.tell.pipes import decide_audit, decide_blind, decide_channel, is_blind, is_failing, last_look
from driftwatch.tell.routes import Routing, stops
from driftwatch.tell.silence import heard
from driftwatch.tell.telling import labels_of, new_alert_id, report_templates, write_of
from driftwatch.tell.templates import templated
from driftwatch.tell.told import Told

log = structlog.get_logger()

EVER: Final = datetime.min.replace(tzinfo=UTC)
"""When watching began for whoever has no beginning of its own."""

GONE: Final = "no channel of this name is configured any more"

_GRACE: Final = timedelta(hours=1)
"""How long a message waits for a channel that is not configured: another process may have a newer configuration."""


class Upkeep:
    """Takes turns. Holds nothing that has to survive: the store does."""

    def __init__(self, store: Store, settings: Settings, *, started: datetime) -> None:
        """Take the store and the configuration; `started` is when watching began."""
        self._store = store
        self._settings = settings
        self._started = started

    def adopt(self, settings: Settings) -> None:
        """Go by another configuration from now on."""
        self._settings = settings

    def turn(self, now: datetime) -> int:
        """Do all that is due; give how many messages that queued or let go.

        What goes wrong in one part does not keep the others from their turn.

        Raises:
            StoreError: the database could not be read or written; what could be done is done.

        """
        queued, trouble = 0, None
        for part in (self.mind_alerts, self.mind_channels, self.mind_looks, self.abandon, self.seal):
            try:
                queued += part(now)
            except Exception as error:  # noqa: BLE001 - it is raised below, once all parts had their turn
                trouble = trouble or error
        if trouble is not None:
            raise trouble
        return queued

    def abandon(self, now: datetime) -> int:
        """Give up what was to go to channels that the configuration has not had for a while; nobody hears of it."""
        names = [channel.name for channel in self._settings.channels]
        given_up = self._store.abandon_deliveries(names, before=now - _GRACE, why=GONE)
        if given_up:
            log.error(
                "messages to channels that are not configured any more were given up",
                action="abandoned",
                count=given_up,
            )
        return 0

    def mind_alerts(self, now: datetime) -> int:
        """Tell again what silences kept back, remind, and pass on."""
        silences = self._store.silences(at=now)
        queued = 0
        for outline in self._store.alert_outlines():
            if outline.muted or silences or self._is_late(outline, now):
                queued += self._mind(self._store.alert(outline.id), silences, now)
        return queued

    def _mind(self, alert: Alert, silences: Sequence[Silence], now: datetime) -> int:
        unmuted = decide_unmuted(alert, silences, now=now)
        if unmuted is not None:
            return self._write(unmuted, now, was=alert)
        if alert.findings and not heard(alert, alert.muted).findings:
            return 0
        for way in self._settings.ways:
            passed_on = decide_escalated(alert, way, now=now)
            if passed_on is not None and self._reaches_anybody(passed_on, way, silences):
                return self._write(passed_on, now, was=alert, escalating=way.name)
        reminder = decide_reminder(alert, self._settings.alerts, now=now)
        return 0 if reminder is None else self._write(reminder, now, was=alert)

    def _reaches_anybody(self, told: Told, way: RouteConfig, silences: Sequence[Silence]) -> bool:
        """Say whether anybody hears when a route passes an alert on; if not, it may do so once the alert is worse."""
        event = told.as_event()
        routing = Routing.of(self._settings, silences)
        labels = labels_of(self._settings, told.alert)
        found = [] if event is None else stops(event, routing, earlier=frozenset(), labels=labels, escalating=way.name)
        return any(stop.event is not None for stop in found)

    def _is_late(self, alert: AlertOutline, now: datetime) -> bool:
        return due_for_reminder(alert.state, alert.severity, alert.told_at, self._settings.alerts, now=now) or any(
            due_for_escalation(alert.state, alert.told_at, alert.waiting_since, alert.escalated, way, now=now)
            for way in self._settings.ways
        )

    def mind_channels(self, now: datetime) -> int:
        """Tell of channels that take no messages, through the others, and of those that do again."""
        after = self._settings.alerts.channel_after
        known = self._store.channel_health()
        working = {
            one.name
            for one in self._settings.channels
            if not is_failing(known.get(one.name, ChannelHealth(one.name)), after=after, now=now)
        }
        queued = 0
        for channel in self._settings.channels:
            health = known.get(channel.name, ChannelHealth(channel.name))
            if not working:
                # There is nobody to tell: it would only stand in line, and ring everybody once all of them work again.
                continue
            current = self._store.open_alert("", AlertKind.CHANNEL, channel=channel.name)
            told = decide_channel(current, health, after=after, now=now, new_id=new_alert_id)
            if told is not None:
                queued += self._write(told, now, was=current)
        return queued

    def mind_looks(self, now: datetime) -> int:
        """Tell when no look at anything works, and when one does again."""
        states = self._watched()
        after = self._settings.alerts.blind_after
        current = self._store.open_alert("", AlertKind.DAEMON)
        # What was found blind stays so until a look works, whoever asks, and however lately they began.
        started = self._started if current is None else current.opened_at - timedelta(seconds=after)
        blind = is_blind(states, started=started, after=after, now=now)
        if len(states) == 1 and blind and current is None and self._says_so(next(iter(states))):
            return 0
        told = decide_blind(current, blind=blind, last_ok=last_look(states), now=now, new_id=new_alert_id)
        return 0 if told is None else self._write(told, now, was=current)

    def mind_audit(self, found: Verified, now: datetime) -> int:
        """Tell when a look over the audit log found that somebody wrote to the database by hand; give the messages."""
        current = self._store.open_alert("", AlertKind.AUDIT)
        told = decide_audit(current, found, now=now, new_id=new_alert_id)
        return 0 if told is None else self._write(told, now, was=current)

    def _says_so(self, server: str) -> bool:
        """Say whether the only server there is has an alert of its own that it cannot be looked at."""
        return self._store.open_alert(server, AlertKind.HEALTH) is not None

    def is_well(self, now: datetime) -> bool:
        """Say whether silence means quiet: looks work, and at least one channel takes messages.

        Whoever has just begun says so only once a look has worked: one that crashes again and again is not well.
        """
        alerts = self._settings.alerts
        if is_blind(self._watched(), started=EVER, after=alerts.blind_after, now=now):
            return False
        known = self._store.channel_health()
        mine = [known.get(channel.name, ChannelHealth(channel.name)) for channel in self._settings.channels]
        return not mine or not all(is_failing(one, after=alerts.channel_after, now=now) for one in mine)

    def _watched(self) -> dict[str, ServerState]:
        states = self._store.states()
        names = [server.name for server in self._settings.watched if server.enabled]
        return {name: states.get(name, ServerState(server=name)) for name in names}

    def seal(self, now: datetime, *, early_since: datetime | None = None) -> int:
        """Send on their way the messages that routes gathered and whose window has ended.

        With `early_since` those too, before their window ends, that were made since then.
        """
        return sum(
            self._seal(channel, route, now, early_since)
            for channel, route in self._store.held_groups(None if early_since is not None else now)
        )

    def _seal(self, channel: str, route: str, now: datetime, since: datetime | None) -> int:
        """Send one group on its way: as one message, or, where there is one only, as it is."""
        taken: list[str] = []

        def members() -> Iterator[Delivery]:
            for one in self._store.held(channel, route):
                if since is None or (one.created_at is not None and one.created_at >= since):
                    taken.append(one.id)
                    yield one

        found = members()
        first = next(found, None)
        if first is None:
            return 0
        whole = batch(chain([first], found), now=now, public_url=self._settings.daemon.public_url)
        config = next((one for one in self._settings.channels if one.name == channel), None)
        if config is not None and len(taken) > 1:
            whole = replace(whole, payload=templated(whole.payload, config))
            report_templates([whole])
        try:
            self._store.seal(taken, batch=whole if len(taken) > 1 else None, now=now)
        except BaselineMovedError:
            # Somebody else was quicker, or one was taken out: the next turn sees what is left.
            return 0
        return 1

    def _write(self, told: Told, now: datetime, *, was: Alert | None, escalating: str = "") -> int:
        """Write what is to be told of an alert, if it is still as it `was`; give how many messages that queued."""
        told = replace(told, before=was)
        write = write_of(told, store=self._store, settings=self._settings, now=now, escalating=escalating)
        try:
            queued = len(self._store.record_alert(write))
        except BaselineMovedError:
            # A look or a person was quicker; the next turn sees what they left.
            return 0
        if told.event is not None:
            about = told.alert.server or told.alert.channel or "driftwatch"
            log.info("told of an alert", action="alert", about=about, told=told.event.value, why=told.reason.value)
        return queued
