"""When "could not look" is told: a state of its own, with an alert of its own. Pure.

A health alert carries one finding, `could-not-look`, whose `after` says what kind of failure it was:
`{"outcome": "unreachable" | "malformed" | "refused", "code": …, "status": int or null, "failures": int,
"since": ISO 8601 or null}`. It is no rule of the judge: it never takes part in a comparison.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from driftwatch.judge.text.visible import visible
from driftwatch.model import (
    Alert,
    AlertKind,
    AlertState,
    EventKind,
    Failure,
    Finding,
    Json,
    Kind,
    Malformed,
    Refused,
    Severity,
)
from driftwatch.model.commands import command
from driftwatch.tell.told import Told, Why, begun, unknown_again

RULE: Final = "could-not-look"

_NEEDS_A_PERSON: Final = frozenset({"unauthorized", "forbidden", "tls-pin", "sign-in", "address-refused"})
_AT_ONCE: Final = frozenset({"tls-pin"})
"""Failures that are told after the first look: nothing about them is a matter of luck."""

_DETAIL_CHARS: Final = 300

_OTHER_KEY: Final = (
    "Its operator may have changed the key, or somebody else answers in its place and would read what agents send. "
    "Nothing was sent. Keep agents away from it, ask its operator for the new key, and put that into tls_pin."
)

_ADVICE: Final = {
    "address-refused": "Nothing was sent. Find out why its name leads there: somebody may want us to ask another",
    "own-limit": "It is not to blame: free what is used up here, or raise the limit (LimitNOFILE, TasksMax, MemoryMax)",
    "proxy": "Check the proxy",
    "sign-in": "Check its authorization server, and what driftwatch signs in with",
}
"""What to do first about a failure that has not to do with the server's own health."""


def decide_health(
    current: Alert | None,
    *,
    server: str,
    failures: int,
    alert_after: int,
    outcome: Failure | None,
    now: datetime,
    new_id: Callable[[], str],
    since: datetime | None = None,
) -> Told | None:
    """Decide about looks that fail.

    `failures` counts the failed looks in a row, this one included; `outcome` is the failure, None after a look that
    worked; `since` is when a look last worked, None when that is not known.

    - Opened after `alert_after` failures in a row; at once where a server shows another key than the pinned ones.
    - Severity is medium, and high where credentials are refused or a key is another: that does not heal by itself,
      and a server that wants to change unseen has only to refuse the one who watches it.
    - Told again only when it got worse (medium became high). Another kind of failure in between is written on the
      row and wakes nobody: an unreachable host often gives three different errors in a minute.
    - Resolved by the next look that works, with how long it took.
    """
    current = current if current is not None and current.state.stands else None
    if outcome is None:
        return None if current is None else _well_again(current, now)
    if current is None and failures < max(alert_after, 1) and outcome.code not in _AT_ONCE:
        return None
    finding = _finding(server, failures, outcome, since)
    seen = replace(
        current or begun(AlertKind.HEALTH, server, new_id(), now),
        severity=finding.severity,
        updated_at=now,
        findings=(finding,),
        told=frozenset({finding.severity.value}) | (current.told if current else frozenset()),
        summary=finding.message,
    )
    if current is None:
        return Told(seen, EventKind.OPENED, (finding,), Why.FIRST)
    if not any(Severity(told) >= finding.severity for told in current.told):
        return Told(unknown_again(seen, seen.updated_at), EventKind.UPDATED, (finding,), Why.WORSENED)
    if _what(current) == _what(seen):
        return None
    return Told(seen, None, (), Why.SAME)


def outcome_of(alert: Alert) -> dict[str, Json] | None:
    """Give what a health alert knows about the failure, None for an alert that is not about health."""
    if alert.kind is not AlertKind.HEALTH or not alert.findings:
        return None
    after = alert.findings[0].after
    return dict(after) if isinstance(after, dict) else None


def _what(alert: Alert) -> tuple[Json, Json]:
    known = outcome_of(alert) or {}
    return (known.get("outcome"), known.get("code"))


def _finding(server: str, failures: int, outcome: Failure, since: datetime | None) -> Finding:
    kind = type(outcome).__name__.lower()
    refused = isinstance(outcome, Refused) and outcome.code in _NEEDS_A_PERSON
    return Finding(
        rule=RULE,
        severity=Severity.HIGH if refused else Severity.MEDIUM,
        kind=Kind.SERVER,
        item="",
        pointer="",
        message=_message(server, failures, outcome, since, refused=refused),
        after={
            "outcome": kind,
            "code": outcome.code,
            "status": None if isinstance(outcome, Malformed) else outcome.status,
            "failures": failures,
            "since": since.isoformat() if since else None,
        },
        category=kind,
    )


def _message(server: str, failures: int, outcome: Failure, since: datetime | None, *, refused: bool) -> str:
    """Say what failed, what that means, and what to do; the failure's own words are escaped and cut."""
    looks = "The last look" if failures == 1 else f"The last {failures} looks"
    detail = visible(outcome.detail.strip())
    cut = detail if len(detail) <= _DETAIL_CHARS else detail[:_DETAIL_CHARS] + "…"
    known = f"since {since:%Y-%m-%d %H:%M} UTC" if since else "so far"
    if outcome.code == "tls-pin":
        unknown = f"Nothing is known about its list {known}."
        return f"{looks} at {server} failed ({outcome.code}: {cut}). {_OTHER_KEY} {unknown}"
    advice = _ADVICE.get(outcome.code, "Check its credentials" if refused else "Check that it runs")
    return (
        f"{looks} at {server} failed ({outcome.code}: {cut or 'no detail'}). Nothing is known about its list {known}. "
        f"{advice}, then: {command('check', server)}"
    )


def _well_again(current: Alert, now: datetime) -> Told:
    known = outcome_of(current) or {}
    start = datetime.fromisoformat(known["since"]) if known.get("since") else current.opened_at
    alert = replace(
        current,
        state=AlertState.RESOLVED,
        updated_at=now,
        resolved_at=now,
        reason=Why.LOOKED_AGAIN.value,
        summary=f"{current.server} could be looked at again after {spoken(now - start)}.",
    )
    return Told(alert, EventKind.RESOLVED, (), Why.LOOKED_AGAIN)


def spoken(length: timedelta) -> str:
    """Say a length of time in its two largest units: `2 h 5 min`. A clock that went backwards gives `0 s`."""
    left = max(int(length.total_seconds()), 0)
    parts: list[str] = []
    for size, unit in ((86_400, "d"), (3_600, "h"), (60, "min"), (1, "s")):
        count, left = divmod(left, size)
        if count:
            parts.append(f"{count} {unit}")
    return " ".join(parts[:2]) or "0 s"
