"""How a look is judged, and what a judgement rests on. Pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import TypeAlias

from driftwatch.judge.behaviour import OSCILLATING, Flapping
from driftwatch.judge.facts import NO_FACTS, Facts
from driftwatch.judge.judge import RULESET, compare_snapshots, scan_snapshot
from driftwatch.judge.opinions import opined
from driftwatch.judge.policy import BALANCED, Policy, apply
from driftwatch.judge.waves import gather
from driftwatch.model import (
    Baseline,
    BaselineState,
    Change,
    Finding,
    Report,
    Severity,
    Snapshot,
    hidden_of,
    shown_of,
    worst_of,
)

Judging: TypeAlias = Callable[[Snapshot, Baseline | None, Snapshot, Facts], tuple[Finding, ...]]
"""How a snapshot is judged: the baseline's snapshot, the baseline, the live snapshot, what else is known."""


def judge(
    before: Snapshot,
    baseline: Baseline | None,
    live: Snapshot,
    facts: Facts = NO_FACTS,
    *,
    policy: Policy = BALANCED,
    now: datetime | None = None,
) -> tuple[Finding, ...]:
    """Judge a snapshot against its baseline; until a person approves, what the list says by itself counts too.

    A finding of the comparison stands for the scan's finding at the same place, unless that is worse. What the policy
    hides is among the findings, with the reason in `hidden`; without `now` no policy is applied.
    """
    report = reported(before, baseline, live, facts, policy=policy, now=now)
    return tuple(sorted((*report.findings, *report.hidden), key=lambda finding: finding.order))


def reported(
    before: Snapshot,
    baseline: Baseline | None,
    live: Snapshot,
    facts: Facts = NO_FACTS,
    *,
    policy: Policy = BALANCED,
    now: datetime | None = None,
) -> Report:
    """Give what `judge` finds as a report for a person: the same findings, set apart by whether they count."""
    report = compare_snapshots(before, live, facts, gathered=False)
    found = report.findings
    if baseline is None or baseline.state is not BaselineState.APPROVED:
        found = (*found, *_alone(found, scan_snapshot(live, facts, gathered=False).findings))
    weighed = opined(ruled(found, report.changes, policy, now), facts.opinions)
    shown = as_bad_as_what_flips(weighed, facts.flapping)
    findings = gather(shown, live, before)
    return replace(report, findings=shown_of(findings), hidden=hidden_of(findings))


def _alone(compared: tuple[Finding, ...], scanned: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """Give what only the scan found, and what it found worse than the comparison did."""
    seen: dict[tuple[object, ...], Severity] = {}
    for finding in compared:
        place = _place(finding)
        seen[place] = max(seen.get(place, finding.severity), finding.severity)
    return tuple(one for one in scanned if _place(one) not in seen or seen[_place(one)] < one.severity)


def _place(finding: Finding) -> tuple[object, ...]:
    return (finding.rule, finding.kind, finding.item, finding.items, finding.occurrence, finding.pointer)


def ruled(
    findings: tuple[Finding, ...], changes: tuple[Change, ...], policy: Policy, now: datetime | None
) -> tuple[Finding, ...]:
    """Give findings as the policy has them at a time, in order. Waves are gathered from these, never ruled on."""
    if now is None:
        return tuple(sorted(findings, key=lambda finding: finding.order))
    return apply(findings, policy, now=now, changes=changes)


def as_bad_as_what_flips(findings: tuple[Finding, ...], flapping: Flapping | None) -> tuple[Finding, ...]:
    """Let the going to and fro weigh as much as the worst that flips, also while the server shows its baseline.

    What a person's policy says of that rule stands.
    """
    if flapping is None:
        return findings
    worst = worst_of([one for one in findings if not one.hidden])
    return tuple(
        sorted(
            (
                replace(one, severity=max(worst, one.severity))
                if one.rule == OSCILLATING and one.ruled is None and not one.hidden
                else one
                for one in findings
            ),
            key=lambda finding: finding.order,
        )
    )


def judged_key(baseline_digest: str, snapshot_digest: str, policy: str, ruleset: str = RULESET) -> str:
    """Name what a judgement rests on: the two sides, the rule set and the policy's key, in one string."""
    return f"{baseline_digest} {snapshot_digest} {ruleset} {policy}".rstrip()


def rebased(judged: str, baseline_digest: str) -> str:
    """Give a key for the same judgement beside another baseline."""
    return f"{baseline_digest} {judged.partition(' ')[2]}"


def only_the_rules_changed(earlier: str, judged: str) -> bool:
    """Say whether the last judgement compared the same two snapshots by the same policy under another rule set."""
    was, now = (key.split(" ") for key in (earlier, judged))
    return was != now and was[:2] == now[:2] and was[3:] == now[3:]
