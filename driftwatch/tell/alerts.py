"""When there is something to tell: the life of an alert, as pure decisions.

A decision takes the open alert (or None) and what is known now, and gives a `Told`, or None where nothing is to be
written. It reads no clock and no store: times and ids come as arguments.

An alert exists from the first finding, however small. Which channel hears of it is decided in `routes`.
Failed looks have their own alerts: see `health`.

What becomes of a difference (`decide_drift`):

- What the policy hides counts for nothing here: it is kept, and told to nobody.
- No findings, or none above info: an open alert is resolved. Info is for the record and never makes an alert.
- Findings and no open alert: one is opened.
- A finding that was not told yet, or was told as less severe: the alert is updated, and `new` says which. A wave
  is told by its members: one that grows names the new ones, one that shrinks or falls apart is nothing new.
  Whoever had acknowledged it knew of less: it is open again.
- Nothing new: nothing is told. The row still follows when the findings shrank or another snapshot shows the same.

Findings alone decide, not the digests: a list can have findings by itself, and then both digests are the same. What
was told once stays told while the alert is open, so a server that flips to and fro is told once.

`upgraded` says that only the rule set differs from the last judgement. Then whatever the new rules find is kept
and counts as told, but wakes nobody. An alert that the new rules no longer support is resolved, and those who were
told of it hear that: silence would leave them with an incident that never ends.

`flapping` says that the server goes to and fro. The rule that finds so keeps the alert open over each return to the
baseline, until the server has been calm. Of a server that shows something new at every look, another value at a
place that was told of is nothing new.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from driftwatch.judge.behaviour import OSCILLATING, Flapping
from driftwatch.judge.rules import witnessed_difference
from driftwatch.judge.text.visible import visible
from driftwatch.model import Alert, AlertKind, AlertState, EventKind, Finding, Severity, hidden_of, shown_of, worst_of
from driftwatch.model.amounts import many
from driftwatch.model.commands import command
from driftwatch.tell.health import decide_health
from driftwatch.tell.told import Told, Why, begun, crowd_of, marks, news, rough_marks, unknown_again

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
    approved: bool = False,
    flapping: Flapping | None = None,
) -> Told | None:
    """Decide about what was found in what a server shows, by the rules that stand at the top of this file.

    `approved` says that a person approved the baseline, `upgraded` that only the rule set differs from the last
    judgement, `flapping` how the server goes to and fro.
    """
    found = tuple(findings)
    present = tuple(sorted(shown_of(found), key=lambda finding: finding.order))
    current = _if_open(current)
    if worst_of(present) is Severity.INFO:
        if current is None:
            return None
        reason = _why_over(current, found, baseline_digest=baseline_digest, snapshot_digest=snapshot_digest)
        return _resolve(current, reason, _over(server, reason), now, snapshot_digest)
    earlier = frozenset[str]() if current is None else current.told
    crowd = crowd_of(earlier) if flapping is not None and flapping.restless else None
    new = tuple(fresh for one in present if (fresh := news(one, earlier, crowd=crowd)) is not None)
    seen = replace(
        current or begun(AlertKind.DRIFT, server, new_id(), now),
        severity=worst_of(present),
        updated_at=now,
        baseline_digest=baseline_digest,
        snapshot_digest=snapshot_digest,
        findings=present,
        told=_marks(present, new, crowd) | _told_before(current, crowd),
        summary=_summary(server, present, flapping, same=baseline_digest == snapshot_digest, approved=approved),
        # A person's "no" is about one snapshot; another one has not been reviewed yet.
        reviewed=current.reviewed if current and current.snapshot_digest == snapshot_digest else "",
        # A "no" to an item holds for as long as the item is the same.
        refused=current.refused & _identities(present) if current else frozenset(),
    )
    return _progress(current, seen, new, upgraded=upgraded)


def _progress(current: Alert | None, seen: Alert, new: tuple[Finding, ...], *, upgraded: bool) -> Told | None:
    """Compare the alert as it was with the alert as it now is."""
    if upgraded:
        return Told(seen, None, (), Why.UPGRADED)
    if current is None:
        return Told(seen, EventKind.OPENED, seen.findings, Why.FIRST)
    if new:
        unknown = any(identity not in current.told for finding in new for identity in finding.identities)
        return Told(unknown_again(seen, seen.updated_at), EventKind.UPDATED, new, Why.GREW if unknown else Why.WORSENED)
    if replace(seen, updated_at=current.updated_at, summary=current.summary) == current:
        return None
    before = {identity for finding in current.findings for identity in finding.identities}
    shrank = before - {identity for finding in seen.findings for identity in finding.identities}
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
    present = shown_of(findings)
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
            approved=True,
        )
    if current is None:
        return None
    resolved = _resolve(current, Why.APPROVED, _over(server, Why.APPROVED), now, snapshot_digest)
    return replace(resolved, alert=replace(resolved.alert, baseline_digest=baseline_digest))


def decide_unwatched(current: Alert, *, now: datetime) -> Told:
    """Decide about an open alert of a server or channel that the configuration no longer holds, or has switched off.

    Nobody looks any more, so nothing could ever end it; the summary says that this is no all-clear.
    """
    gone = f"{current.server} is no longer watched"
    if current.channel:
        gone = f"The channel {current.channel} is no longer configured"
    summary = f"{gone}, so its alert ends here. That is no all-clear."
    return _resolve(current, Why.UNWATCHED, summary, now, current.snapshot_digest)


def _identities(findings: Iterable[Finding]) -> frozenset[str]:
    return frozenset(identity for finding in findings for identity in finding.identities)


def _if_open(alert: Alert | None) -> Alert | None:
    return alert if alert is not None and alert.state.stands else None


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


def _marks(present: Iterable[Finding], new: Iterable[Finding], crowd: Collection[str] | None) -> frozenset[str]:
    """Give what is remembered as told. With a `crowd`, of what is not new only that its place was told of."""
    if crowd is None:
        return frozenset(text for finding in present for text in marks(finding))
    places = {text for finding in present for text in rough_marks(finding) if text.partition(":")[2] not in crowd}
    return frozenset(places | {text for finding in new for text in marks(finding)})


def _told_before(current: Alert | None, crowd: Collection[str] | None) -> frozenset[str]:
    """Give what an alert was told for; past the limit only what it was told for last."""
    if current is None:
        return frozenset()
    return current.told if len(current.told) <= MOST_TOLD else _marks(current.findings, current.findings, crowd)


def _why_over(current: Alert, found: Sequence[Finding], *, baseline_digest: str, snapshot_digest: str) -> Why:
    """Say why there is nothing left to tell of."""
    if worst_of(hidden_of(found)) > Severity.INFO:
        return Why.HIDDEN
    if snapshot_digest == baseline_digest and _went_to_and_fro(current):
        return Why.CALM
    went_back = snapshot_digest == baseline_digest != current.snapshot_digest
    return Why.BACK if went_back else Why.NOTHING_FOUND


def _went_to_and_fro(alert: Alert) -> bool:
    return any(finding.rule == OSCILLATING for finding in alert.findings)


def _summary(server: str, findings: Sequence[Finding], flapping: Flapping | None, *, same: bool, approved: bool) -> str:
    """Say what happened and what to do, in a few sentences that no server writes any of."""
    if flapping is None or not any(finding.rule == OSCILLATING for finding in findings):
        return _differs(server, findings, same=same, approved=approved)
    now = "It shows its baseline at the moment." if same else "It does not show its baseline at the moment."
    how = "shows another list at nearly every look" if flapping.restless else "goes to and fro between lists"
    return (
        f"{server} {how}: {many(flapping.lists, 'list')}, {many(flapping.returns, 'return')}; the worst is"
        f" {findings[0].severity.value}. {now} This alert stays open until it is calm. See: "
        f"{command('history', server)}"
    )


def _differs(server: str, findings: Sequence[Finding], *, same: bool, approved: bool) -> str:
    """Say in two sentences what happened and what to do. Built from data, so that no server writes any of it."""
    what = "no longer shows what its baseline shows"
    if same:
        what = "has not been approved yet, and its list has findings by itself"
        what = "shows what was approved, and there are findings all the same" if approved else what
    if findings[0].rule == witnessed_difference.RULE.id:
        what = "showed an agent something else than it shows driftwatch"
        if not same:
            what = "showed an agent something else than driftwatch, and no longer shows what its baseline shows"
        if findings[0].category == witnessed_difference.UNREAD:
            what = "showed an agent something that could not be read"
    return f"{server} {what}: {_counted(findings)}. Review it with: {command('diff', server)}"


def summary_of_part(server: str, findings: Sequence[Finding]) -> str:
    """Say what a channel is told that hears of some findings only; empty when it hears of none."""
    if not findings:
        return ""
    return f"{server}, of what this channel asks for: {_counted(findings)}. Review it with: {command('diff', server)}"


def _counted(findings: Sequence[Finding]) -> str:
    """Count findings, the worst first, and name the worst.

    The one thing that comes from the server is the name of an item, and that is escaped and cut.
    """
    worst = findings[0]
    by = Counter(finding.severity for finding in findings)
    counts = ", ".join(f"{by[severity]} {severity.value}" for severity in sorted(by, reverse=True))
    place = f" in the {worst.kind.noun} {quoted(worst.item)}" if worst.item else ""
    place = f" in {len(worst.items)} {worst.kind.nouns}" if worst.items else place
    return f"{counts}; the worst is {worst.rule}{place}"


def quoted(name: str) -> str:
    """Give a server's name for something, escaped, cut and in quotation marks that it cannot close."""
    cut = name if len(name) <= _NAME_CHARS else name[:_NAME_CHARS] + "…"
    return "“" + visible(cut).replace("“", "'").replace("”", "'") + "”"


def _over(server: str, reason: Why) -> str:
    return {
        Why.BACK: f"{server} shows its baseline again. The difference is gone; find out why it was there.",
        Why.CALM: f"{server} has kept to its baseline for a while, after it went to and fro. Find out why it did.",
        Why.APPROVED: f"A person approved what {server} shows. It is the baseline now.",
        Why.NOTHING_FOUND: f"Nothing that calls for a decision is found any more in what {server} shows.",
        Why.HIDDEN: f"The policy in the configuration hides all that is found in what {server} shows.",
    }[reason]
