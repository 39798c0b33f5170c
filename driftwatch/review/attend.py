"""What a person says about alerts: "I know", "not now", "send it again", "never mind".

Each verb checks what it was given, writes it down, and gives what came of it. What follows with time, such as telling
again what a silence kept back, is worked out at every turn of the upkeep from what is written: the daemon takes one
every few seconds, and a check takes one as well. So nothing is lost where no daemon runs.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from driftwatch.config.routes import fits
from driftwatch.config.schema import Settings
from driftwatch.config.words import did_you_mean, quoted
from driftwatch.errors import BaselineMovedError, NothingToDoError, UsageError
from driftwatch.judge.rules import RULES
from driftwatch.model import Actor, Alert, Delivery, DeliveryState, EventKind, Severity, Silence
from driftwatch.model.commands import command
from driftwatch.review.meant import alerts_of
from driftwatch.review.said import named, noted
from driftwatch.store.records import Wanted
from driftwatch.store.store import Store
from driftwatch.tell import health, pipes
from driftwatch.tell.again import decide_acknowledged
from driftwatch.tell.silence import silenced_by
from driftwatch.tell.telling import write_of

LONGEST: Final = timedelta(days=366)
"""No silence is longer: what is kept back for ever belongs into the policy, where it is seen and reviewed."""

_TRIES: Final = 5
"""How often an alert is read anew that changes in the very moment."""

_ALL: Final = 1_000_000
"""More messages than an outbox holds."""

_ENDS: Final = frozenset({EventKind.RESOLVED, EventKind.ACKNOWLEDGED})

_GIVEN_UP: Final = frozenset({DeliveryState.DEAD, DeliveryState.CANCELLED})

RULE_NAMES: Final = (*(rule.id for rule in RULES), health.RULE, pipes.FAILING, pipes.BLIND)
"""Every rule that a finding of an alert can have."""


@dataclass(frozen=True, slots=True)
class Acknowledgement:
    """An alert that a person knows of: as it is now, whether that is news, and the messages that tell of it."""

    alert: Alert
    is_new: bool
    queued: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Retried:
    """Messages that are sent again, and those that are left because what they tell of is over."""

    sent: tuple[Delivery, ...]
    left: tuple[Delivery, ...] = ()


def acknowledge(
    store: Store, settings: Settings, alert_id: str, *, by: Actor, note: str = "", now: datetime
) -> Acknowledgement:
    """Write down that a person knows of the alert whose id begins so, and tell it to those who were told.

    Raises:
        UnknownIdError: no alert, or more than one, has an id that begins so.
        NothingToDoError: the alert is over.
        UsageError: nobody is named.
        StoreError: the database could not be written.

    """
    who = _named(by, "Nobody is named who acknowledges.", "Say who does.")
    for _ in range(_TRIES):
        alert = store.alert(alert_id)
        if not alert.state.stands:
            when = f" since {alert.resolved_at:%Y-%m-%d %H:%M} UTC" if alert.resolved_at else ""
            raise NothingToDoError(f"The alert {alert.id} is over{when}.", hint="There is nothing left to acknowledge.")
        told = decide_acknowledged(alert, by=who.name, note=noted(note), now=now)
        if told is None:
            return Acknowledgement(alert, is_new=False)
        write = write_of(replace(told, before=alert), store=store, settings=settings, now=now)
        try:
            queued = store.acknowledge(write, by=who)
        except BaselineMovedError:
            # A look was quicker; what it wrote must not be lost.
            continue
        return Acknowledgement(write.alert, is_new=True, queued=queued)
    raise BaselineMovedError("The alert changes at every moment.", hint="Nothing was written. Try again.")


def silence(
    store: Store,
    *,
    server: str = "",
    tool: str = "",
    rule: str = "",
    severity: Severity,
    reason: str,
    by: Actor,
    now: datetime,
    until: datetime,
) -> Silence:
    """Keep back for a time what fits: names or patterns with `*` and `?`, empty for any, up to a severity.

    Raises:
        UsageError: it names nothing, no rule fits, it has no reason, nobody is named, or its end is past or too far.
        StoreError: the database could not be written.

    """
    server, tool, rule = server.strip(), tool.strip(), rule.strip()
    if not (server or tool or rule):
        hint = "Name at least one of server, tool and rule; * stands for all."
        raise UsageError("A silence for everything is not made by leaving everything out.", hint=hint)
    if rule and not any(fits(rule, name) for name in RULE_NAMES):
        hint = did_you_mean(rule, RULE_NAMES, otherwise="See them with: driftwatch rules")
        raise UsageError(f"No rule is called {quoted(rule)}.", hint=hint[:1].upper() + hint[1:])
    if until <= now:
        raise UsageError("The silence would be over before it begins.", hint="Give a later end.")
    if until - now > LONGEST:
        hint = "A year is the most. What you never want to hear of belongs into the policy: see docs/policy.md"
        raise UsageError("The silence would be too long.", hint=hint)
    who = _named(by, "Nobody is named who wants the silence.", "Say who does.")
    why = _given(reason, "A silence needs a reason.", "Say why, so that others know when it may be ended.")
    made = Silence(
        id=f"sil_{uuid.uuid4().hex}",
        server=server,
        tool=tool,
        rule=rule,
        severity=severity,
        reason=noted(why, "reason"),
        by=who.name,
        created_at=now,
        until=until,
    )
    store.add_silence(made, origin=who.origin)
    return made


def kept_back_now(store: Store, silence: Silence) -> int:
    """Count the findings of alerts that stand, and that a silence keeps back.

    Raises:
        StoreError: the database could not be read.

    """
    standing = store.alerts(stands=True, limit=_ALL)
    return sum(silenced_by(one, alert.server, [silence]) is not None for alert in standing for one in alert.findings)


def is_for_nobody(settings: Settings, store: Store, silence: Silence) -> bool:
    """Say whether no server is called as a silence says: it may be misspelt.

    Raises:
        StoreError: the database could not be read.

    """
    names = {*(server.name for server in settings.watched), *store.states()}
    return bool(silence.server) and not any(fits(silence.server, name) for name in names)


def unsilence(store: Store, silence_id: str, *, by: Actor, now: datetime) -> Silence:
    """End the silence whose id begins so before its time; what it kept back is told at the next turn of the upkeep.

    Raises:
        UnknownIdError: no silence, or more than one, has an id that begins so.
        NothingToDoError: it is over.
        UsageError: nobody is named.
        StoreError: the database could not be written.

    """
    who = _named(by, "Nobody is named who ends the silence.", "Say who does.")
    kept = store.silence(silence_id)
    if not store.end_silence(kept.id, at=now, by=who):
        kept = store.silence(kept.id)
        end = kept.ended_at or kept.until
        by_whom = f" (ended by {kept.ended_by})" if kept.ended_at else ""
        raise NothingToDoError(
            f"The silence {kept.id} is over since {end:%Y-%m-%d %H:%M} UTC{by_whom}.", hint="There is nothing to end."
        )
    return replace(kept, ended_at=now, ended_by=who.name)


def retry(store: Store, ids: Iterable[str], *, by: Actor, now: datetime) -> Retried:
    """Send the messages again whose ids begin so, at once and with all their attempts before them: all, or none.

    Raises:
        UnknownIdError: no message, or more than one, has an id that begins so.
        NothingToDoError: one was delivered, went out with others, or tells of an alert that is over.
        UsageError: nobody is named.
        StoreError: the database could not be written.

    """
    who = _named(by, "Nobody is named who sends messages again.", "Say who does.")
    rows = _rows(store, ids)
    for row in rows:
        _refuse(row, {DeliveryState.DELIVERED: "was delivered"}, "retry")
        if _is_history(store, row):
            raise _over(row)
    return Retried(_done(store, rows, lambda row: store.retry_delivery(row.id, by=who, now=now)))


def retry_dead(store: Store, *, channel: str | None = None, by: Actor, now: datetime) -> Retried:
    """Send again what was given up, of one channel or of all; what tells of alerts that are over is left.

    Raises:
        UsageError: nobody is named.
        StoreError: the database could not be read or written.

    """
    who = _named(by, "Nobody is named who sends messages again.", "Say who does.")
    rows = store.deliveries(wanted=Wanted(state=DeliveryState.DEAD, channel=channel), limit=_ALL)
    rows = [row for row in rows if not row.batch]
    left = tuple(row for row in rows if _is_history(store, row))
    again = [row for row in rows if row not in left]
    return Retried(_done(store, again, lambda row: store.retry_delivery(row.id, by=who, now=now)), left)


def cancel(store: Store, ids: Iterable[str], *, by: Actor, now: datetime) -> tuple[Delivery, ...]:
    """Take the messages out whose ids begin so; give them as they are now. All, or none.

    Raises:
        UnknownIdError: no message, or more than one, has an id that begins so.
        NothingToDoError: one was delivered, or taken out before, or went out with others.
        UsageError: nobody is named.
        StoreError: the database could not be written.

    """
    who = _named(by, "Nobody is named who takes messages out.", "Say who does.")
    rows = _rows(store, ids)
    for row in rows:
        over = {DeliveryState.DELIVERED: "was delivered", DeliveryState.CANCELLED: "was taken out before"}
        _refuse(row, over, "cancel")
    return _done(store, rows, lambda row: store.cancel_delivery(row.id, by=who, now=now))


def _named(by: Actor, message: str, hint: str) -> Actor:
    """Give who acts, if anybody is named."""
    return replace(by, name=_given(named(by).name, message, hint))


def _given(text: str, message: str, hint: str) -> str:
    if not text.strip():
        raise UsageError(message, hint=hint)
    return text.strip()


def _rows(store: Store, ids: Iterable[str]) -> list[Delivery]:
    found = {row.id: row for row in (store.delivery(one) for one in ids)}
    return list(found.values())


def _refuse(row: Delivery, over: dict[DeliveryState, str], verb: str) -> None:
    if row.batch:
        hint = f"{command('deliveries', verb, row.batch)} is about that one."
        raise NothingToDoError(f"The message {row.id} went into {row.batch}, with others.", hint=hint)
    if row.state in over:
        raise NothingToDoError(f"The message {row.id} {over[row.state]}.", hint="There is nothing left to do about it.")


def _over(row: Delivery) -> NothingToDoError:
    """Say why a message about what is over is not sent any more."""
    if row.state is DeliveryState.CANCELLED:
        why = f" ({row.last_result})" if row.last_result else ""
        message = f"The message {row.id} was taken out{why}, and what it tells of is over by now."
        return NothingToDoError(message, hint="There is nothing left to do about it.")
    hint = f"Nobody is to be told now. Take it out with: {command('deliveries', 'cancel', row.id)}"
    return NothingToDoError(f"The message {row.id} tells of what is over.", hint=hint)


def unheard(store: Store, taken_out: Iterable[Delivery]) -> tuple[str, ...]:
    """Give the alerts that stand and that nobody hears of any more, now that these messages were taken out.

    Raises:
        StoreError: the database could not be read.

    """
    names = dict.fromkeys(name for row in taken_out for name in alerts_of(store, row))
    return tuple(name for name in names if store.alert(name).state.stands and not store.channels_told(name))


def _done(store: Store, rows: Iterable[Delivery], act: Callable[[Delivery], bool]) -> tuple[Delivery, ...]:
    """Do it to each, and give those that it could be done to; of the others a sender was quicker."""
    return tuple(store.delivery(row.id) for row in rows if act(row))


def _is_history(store: Store, row: Delivery) -> bool:
    """Say whether a message that was given up tells of the beginning of what is over by now.

    Those who never heard of an alert do not hear of its end either: sent now, it would stand open there for ever.
    """
    if row.state not in _GIVEN_UP:
        return False
    if row.event is EventKind.BATCH:
        members = store.deliveries(wanted=Wanted(batch=row.id), limit=_ALL)
        return bool(members) and all(_is_history(store, member) for member in members)
    return row.event not in _ENDS and not store.alert(row.alert_id).state.stands
