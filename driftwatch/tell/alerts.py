"""When there is something to tell: the life of an alert, as pure decisions.

A decision takes the open alert (or None) and what is known now, and gives a `Told`, or None where nothing is to be
written. It reads no clock and no store: times and ids come as arguments.

An alert exists from the first finding, however small. Which channel hears of it is decided in `routes`.
Failed looks have their own alerts: see `health`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from driftwatch.judge.text.visible import visible
from driftwatch.model import Alert, AlertKind, AlertState, EventKind, Finding, Severity, worst_of
from driftwatch.tell.health import decide_health
from driftwatch.tell.told import Told, Why, mark

__all__ = ["Told", "Why", "decide_approved", "decide_drift", "decide_health", "decide_unwatched"]

_NAME_CHARS: Final = 80
"""Characters of an item's name in a summary: enough to know the tool by, too few to hide the rest of the line."""

MOST_TOLD: Final = 50_000
"""Marks of what was told that an alert keeps. A server that says something new at every look would fill it for ever."""


def decide_drift(
    current: Alert | None,
    findings: Iterable[Finding],
    *,
    server: str,
    baseline_digest: str,
    snapshot_digest: str,
    now: datetime,
    new_id: Callable[[], str],
    upgraded: bool,
) -> Told | None:
    """Decide about the difference between a server and its baseline.

    - No findings, or none above info: an open alert is resolved. Info is for the record and never makes an alert.
    - Findings and no open alert: one is opened.
    - A finding that was not told yet, or was told as less severe: the alert is updated, and `new` says which.
    - Nothing new: nothing is told. The row still follows when the findings shrank or another snapshot shows the same.

    Findings alone decide, not the digests: until a person approves, a list can have findings by itself, and then both
    digests are the same. What was told once stays told while the alert is open, so a server that flips to and fro is
    told once.

    `upgraded` says that only the rule set differs from the last judgement. Then whatever the new rules find is kept
    and counts as told, but wakes nobody. An alert that the new rules no longer support is resolved, and those who were
    told of it hear that: silence would leave them with an incident that never ends.
    """
    present = tuple(sorted(findings, key=lambda finding: finding.order))
    current = _if_open(current)
    if worst_of(present) is Severity.INFO:
        reason = Why.BACK if snapshot_digest == baseline_digest else Why.NOTHING_FOUND
        return None if current is None else _resolve(current, reason, _over(server, reason), now, snapshot_digest)
    seen = Alert(
        id=current.id if current else new_id(),
        server=server,
        kind=AlertKind.DRIFT,
        state=AlertState.OPEN,
        severity=worst_of(present),
        opened_at=current.opened_at if current else now,
        updated_at=now,
        baseline_digest=baseline_digest,
        snapshot_digest=snapshot_digest,
        findings=present,
        told=_marks(present) | _told_before(current),
        summary=_differs(server, present, same=baseline_digest == snapshot_digest),
        # A person's "no" is about one snapshot; another one has not been reviewed yet.
        reviewed=current.reviewed if current and current.snapshot_digest == snapshot_digest else "",
    )
    return _progress(current, seen, upgraded=upgraded)


def _progress(current: Alert | None, seen: Alert, *, upgraded: bool) -> Told | None:
    """Compare the alert as it was with the alert as it now is."""
    if upgraded:
        return Told(seen, None, (), Why.UPGRADED)
    if current is None:
        return Told(seen, EventKind.OPENED, seen.findings, Why.FIRST)
    new = tuple(finding for finding in seen.findings if not _was_told(finding, current.told))
    if new:
        unknown = any(finding.fingerprint not in current.told for finding in new)
        return Told(seen, EventKind.UPDATED, new, Why.GREW if unknown else Why.WORSENED)
    if replace(seen, updated_at=current.updated_at, summary=current.summary) == current:
        return None
    before = {finding.fingerprint for finding in current.findings}
    shrank = before - {finding.fingerprint for finding in seen.findings}
    return Told(seen, None, (), Why.SHRANK if shrank else Why.SAME)


def decide_approved(
    current: Alert | None,
    findings: Iterable[Finding],
    *,
    server: str,
    baseline_digest: str,
    snapshot_digest: str,
    now: datetime,
    new_id: Callable[[], str],
) -> Told | None:
    """Decide what an approval means for the open alert.

    `findings` compare what the server shows now with what was just approved. None left: the alert is resolved as
    approved. Some left (the server has moved on, or another snapshot was approved): decided like any other look.
    """
    present = tuple(findings)
    current = _if_open(current)
    if worst_of(present) > Severity.INFO:
        return decide_drift(
            current,
            present,
            server=server,
            baseline_digest=baseline_digest,
            snapshot_digest=snapshot_digest,
            now=now,
            new_id=new_id,
            upgraded=False,
        )
    if current is None:
        return None
    resolved = _resolve(current, Why.APPROVED, _over(server, Why.APPROVED), now, snapshot_digest)
    return replace(resolved, alert=replace(resolved.alert, baseline_digest=baseline_digest))


def decide_unwatched(current: Alert, *, now: datetime) -> Told:
    """Decide about an open alert of a server that the configuration no longer holds, or has switched off.

    Nobody looks any more, so nothing could ever end it; the summary says that this is no all-clear.
    """
    summary = f"{current.server} is no longer watched, so its alert ends here. That is no all-clear."
    return _resolve(current, Why.UNWATCHED, summary, now, current.snapshot_digest)


def _if_open(alert: Alert | None) -> Alert | None:
    return alert if alert is not None and alert.state is AlertState.OPEN else None


def _resolve(current: Alert, reason: Why, summary: str, now: datetime, snapshot_digest: str) -> Told:
    """Close an alert. Its findings stay on it: they are what is over."""
    alert = replace(
        current,
        state=AlertState.RESOLVED,
        updated_at=now,
        resolved_at=now,
        reason=reason.value,
        summary=summary,
        snapshot_digest=snapshot_digest,
    )
    return Told(alert, EventKind.RESOLVED, (), reason)


def _marks(findings: Iterable[Finding]) -> frozenset[str]:
    return frozenset(text for finding in findings for text in (finding.fingerprint, mark(finding)))


def _told_before(current: Alert | None) -> frozenset[str]:
    """Give what an alert was told for; past the limit only what it was told for last."""
    if current is None:
        return frozenset()
    return current.told if len(current.told) <= MOST_TOLD else _marks(current.findings)


def _was_told(finding: Finding, told: frozenset[str]) -> bool:
    """Whether this was told as at least as severe. The same change can weigh more once other hints have moved."""
    return any(
        f"{finding.fingerprint}:{severity.value}" in told for severity in Severity if severity >= finding.severity
    )


def _differs(server: str, findings: Sequence[Finding], *, same: bool) -> str:
    """Say in two sentences what happened and what to do. Built from data, so that no server writes any of it.

    The one thing that comes from the server is the name of an item, and that is escaped and cut.
    """
    worst = findings[0]
    by = Counter(finding.severity for finding in findings)
    counts = ", ".join(f"{by[severity]} {severity.value}" for severity in sorted(by, reverse=True))
    place = f" in the {worst.kind.value.replace('_', ' ')} {quoted(worst.item)}" if worst.item else ""
    what = (
        "has not been approved yet, and its list has findings by itself"
        if same
        else "no longer shows what its baseline shows"
    )
    return f"{server} {what}: {counts}; the worst is {worst.rule}{place}. Review it with: driftwatch diff {server}"


def quoted(name: str) -> str:
    """Give a server's name for something, escaped, cut and in quotation marks that it cannot close."""
    cut = name if len(name) <= _NAME_CHARS else name[:_NAME_CHARS] + "…"
    return "“" + visible(cut).replace("“", "'").replace("”", "'") + "”"


def _over(server: str, reason: Why) -> str:
    return {
        Why.BACK: f"{server} shows its baseline again. The difference is gone; find out why it was there.",
        Why.APPROVED: f"A person approved what {server} shows. It is the baseline now.",
        Why.NOTHING_FOUND: f"{server} differs from its baseline, but by nothing that calls for a decision.",
    }[reason]
