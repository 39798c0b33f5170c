"""Whether driftwatch itself may be trusted: channels that fail, no look that works, a database changed by hand. Pure.

Each has alerts of its own, each with one finding that is no rule of the judge: `channel-failing`, whose `after` is
`{"outcome": "failing", "code": "channel", "status": null, "failures": int, "since": ISO 8601}`, and
`nothing-looked-at` and `changed-by-hand` with the same keys (`since` is when a look last worked, or null).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Final

from driftwatch.judge.text.visible import visible
from driftwatch.model import (
    Alert,
    AlertKind,
    AlertState,
    ChannelHealth,
    EventKind,
    Finding,
    Kind,
    ServerState,
    Severity,
    Verified,
)
from driftwatch.model.commands import command
from driftwatch.tell.again import CLOCK_SLACK, has_passed
from driftwatch.tell.health import spoken
from driftwatch.tell.told import Told, Why, begun

FAILING: Final = "channel-failing"
BLIND: Final = "nothing-looked-at"
TAMPERED: Final = "changed-by-hand"

_OUTCOMES: Final = {FAILING: "failing", BLIND: "blind", TAMPERED: "tampered"}
_NAMED: Final = 3


def decide_channel(
    current: Alert | None, health: ChannelHealth, *, after: float, now: datetime, new_id: Callable[[], str]
) -> Told | None:
    """Decide about a channel: told once it failed for `after` seconds, or gave a message up; over when it works.

    Severity is high: what it was to tell, nobody may have heard.
    """
    if current is not None and health.failures == 0:
        length = spoken(now - (health.failing_since or current.opened_at))
        return _over(current, f"The channel {health.name} takes messages again, after {length}.", Why.DELIVERS, now)
    if current is not None or not is_failing(health, after=after, now=now):
        return None
    message = _failing_words(health, now)
    finding = _finding(FAILING, message, code="channel", failures=health.failures, since=health.failing_since)
    return _opened(begun(AlertKind.CHANNEL, "", new_id(), now, channel=health.name), finding)


def is_failing(health: ChannelHealth, *, after: float, now: datetime) -> bool:
    """Say whether a channel has failed for so many seconds, or lost a message since it last worked."""
    since = health.failing_since
    return since is not None and (health.dead > 0 or has_passed(since, after, now))


def decide_blind(
    current: Alert | None, *, blind: bool, last_ok: datetime | None, now: datetime, new_id: Callable[[], str]
) -> Told | None:
    """Decide about looks none of which works (`blind`); over when one does."""
    if current is not None and not blind:
        return _over(current, "Looks work again. What the servers showed meanwhile is not known.", Why.SEES, now)
    if current is not None or not blind:
        return None
    known = f"since {last_ok:%Y-%m-%d %H:%M} UTC" if last_ok else "so far"
    message = (
        f"No look at any server has worked {known}, so nothing is known of any of them, and silence means nothing."
        " Check this machine's network and the daemon, then: driftwatch status"
    )
    return _opened(
        begun(AlertKind.DAEMON, "", new_id(), now), _finding(BLIND, message, code="blind", failures=0, since=last_ok)
    )


def decide_audit(current: Alert | None, found: Verified, *, now: datetime, new_id: Callable[[], str]) -> Told | None:
    """Decide about what a look over the audit log `found`: told once, and over when nothing is wrong any more.

    Severity is critical: what people approved may not be what stands as approved, and no silence keeps that back.
    """
    if found.good:
        agreed = "The audit log is whole, and what stands in the database agrees with it again."
        return None if current is None else _over(current, agreed, Why.AGREES, now)
    if current is not None:
        return None
    code = "astray" if found.whole else "chain"
    wrong = len(found.astray) or 1
    finding = _finding(TAMPERED, _tampered_words(found), code=code, failures=wrong, since=None)
    return _opened(begun(AlertKind.AUDIT, "", new_id(), now), replace(finding, severity=Severity.CRITICAL))


def _tampered_words(found: Verified) -> str:
    """Say what is wrong, what it means, and what to do."""
    if not found.whole:
        what = f"The audit log is not as it was written: {found.why}"
    else:
        more = f" (and {len(found.astray) - _NAMED} more)" if len(found.astray) > _NAMED else ""
        named = "; ".join(visible(sentence) for sentence in found.astray[:_NAMED])
        what = f"What stands in the database is not what the audit log says: {named}{more}"
    return (
        f"{what}. Somebody wrote to the database without driftwatch, so what counts as approved may not be what people"
        " approved. Keep a copy of the database as it is, compare it with a backup, and see: driftwatch audit verify"
    )


def last_look(states: Mapping[str, ServerState]) -> datetime | None:
    """Give when a look at anything last worked."""
    return max((state.last_ok_at for state in states.values() if state.last_ok_at), default=None)


def is_blind(states: Mapping[str, ServerState], *, started: datetime, after: float, now: datetime) -> bool:
    """Say whether no look at any of the servers watched has worked for so many seconds.

    A server whose next look is not due yet, and whose last one worked, is seen as well as it is meant to be. `started`
    is when watching began: before that nobody looked. None watched: nothing is missed.
    """
    if not states or not has_passed(started, after, now):
        return False
    return not any(_is_seen(state, after=after, now=now) for state in states.values())


def _is_seen(state: ServerState, *, after: float, now: datetime) -> bool:
    """Say whether a look at a server worked lately, or the last one did and the next is not due yet."""
    if state.last_ok_at is None:
        return False
    on_time = state.next_look_at is not None and now < state.next_look_at + CLOCK_SLACK
    return not has_passed(state.last_ok_at, after, now) or (state.failures == 0 and on_time)


def _failing_words(health: ChannelHealth, now: datetime) -> str:
    since = health.failing_since or now
    last = f" ({health.last_result})" if health.last_result else ""
    lost = f" {health.dead} messages were given up." if health.dead > 1 else ""
    lost = " One message was given up." if health.dead == 1 else lost
    return (
        f"The channel {health.name} has taken no message since {since:%Y-%m-%d %H:%M} UTC{last}.{lost} What it was to"
        f" tell, nobody may have heard. Try it with: {command('channels', 'test', health.name)}"
    )


def _finding(rule: str, message: str, *, code: str, failures: int, since: datetime | None) -> Finding:
    outcome = _OUTCOMES[rule]
    return Finding(
        rule=rule,
        severity=Severity.HIGH,
        kind=Kind.SERVER,
        item="",
        pointer="",
        message=message,
        after={
            "outcome": outcome,
            "code": code,
            "status": None,
            "failures": failures,
            "since": since.isoformat() if since else None,
        },
        category=outcome,
    )


def _opened(alert: Alert, finding: Finding) -> Told:
    seen = replace(
        alert,
        severity=finding.severity,
        findings=(finding,),
        told=frozenset({finding.severity.value}),
        summary=finding.message,
    )
    return Told(seen, EventKind.OPENED, (finding,), Why.FIRST)


def _over(current: Alert, summary: str, reason: Why, now: datetime) -> Told:
    alert = replace(
        current,
        state=AlertState.RESOLVED,
        updated_at=now,
        resolved_at=now,
        reason=reason.value,
        summary=summary,
    )
    return Told(alert, EventKind.RESOLVED, (), reason)
