"""The public calls: compare two listings, or scan one."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from driftwatch.judge.beside import Opinions
from driftwatch.judge.bounded import bounded
from driftwatch.judge.context import Context
from driftwatch.judge.diff import differences
from driftwatch.judge.facts import NO_FACTS, Facts
from driftwatch.judge.intake import Intake, read
from driftwatch.judge.listen import listen
from driftwatch.judge.policy import Policy
from driftwatch.judge.policy.profiles import BALANCED_PROFILE, named
from driftwatch.judge.rules import RULES
from driftwatch.judge.rules.value_varies import news
from driftwatch.judge.ruleset import RULESET
from driftwatch.judge.settled import settled
from driftwatch.judge.snapshot import LISTS, snapshot_of, take
from driftwatch.judge.suspicion import escalated
from driftwatch.judge.waves import gather
from driftwatch.model import Finding, Json, Kind, Report, Snapshot

__all__ = ["RULESET", "compare", "compare_snapshots", "compare_under", "scan", "scan_snapshot", "scan_under"]


def compare(baseline: Json, live: Json, *, profile: str = BALANCED_PROFILE) -> Report:
    """Say what changed from one listing to another and what it means.

    Both are decoded JSON in any shape that `intake` reads; raises `UnreadableInputError` for anything else. `profile`
    says how much the rules weigh: `balanced`, `strict` or `directory`; raises `UsageError` for another one.
    """
    return compare_under(Policy(named(profile)), read(baseline), read(live))


def scan(live: Json, *, profile: str = BALANCED_PROFILE) -> Report:
    """Say what is remarkable in one listing by itself; raises as `compare` does."""
    return scan_under(Policy(named(profile)), read(live))


def compare_under(
    policy: Policy, baseline: Intake, live: Intake, *, now: datetime | None = None, opinions: Opinions | None = None
) -> Report:
    """Compare what was read as `compare` does, under a policy as it holds at a time (None: nothing that has an end).

    `opinions` are those of a model that a person configured.
    """
    before, after = take(baseline.document, baseline.oddities), take(live.document, live.oddities)
    facts = Facts(expectations=policy.expect, opinions=opinions)
    report = compare_snapshots(before, after, facts, gathered=False)
    notes = [f"Baseline: {note}" for note in baseline.notes] + [f"Live: {note}" for note in live.notes]
    report = replace(report, notes=(*notes, *report.notes))
    return settled(report, policy, after, before, now=now, opinions=opinions)


def scan_under(
    policy: Policy, live: Intake, *, now: datetime | None = None, opinions: Opinions | None = None
) -> Report:
    """Scan what was read as `scan` does, under a person's policy, as in `compare_under`."""
    after = take(live.document, live.oddities)
    facts = Facts(expectations=policy.expect, opinions=opinions)
    report = scan_snapshot(after, facts, gathered=False)
    report = replace(report, notes=(*live.notes, *report.notes))
    return settled(report, policy, after, None, now=now, opinions=opinions)


def compare_snapshots(baseline: Snapshot, live: Snapshot, facts: Facts = NO_FACTS, *, gathered: bool = True) -> Report:
    """Compare two snapshots. What only the baseline looked at is not compared, and a note says so. Never raises.

    `facts` are what is known beside the two. Who applies a policy asks for findings that are not `gathered`, because
    it speaks of single tools and places, and calls `waves.gather` afterwards.
    """
    baseline, live = bounded(baseline, live)
    known, notes = _comparable(baseline, live)
    found = differences(known, live)
    changes = tuple(change for difference in found for change in difference.changes)
    findings = _judge(Context(known, live, changes, found, facts=facts))
    findings = gather(findings, live, baseline) if gathered else findings
    return Report(findings, baseline.digest, live.digest, changes, notes)


def scan_snapshot(live: Snapshot, facts: Facts = NO_FACTS, *, gathered: bool = True) -> Report:
    """Judge one snapshot without a baseline; `gathered` as in `compare_snapshots`. Never raises."""
    (live,) = bounded(live)
    findings = _judge(Context(None, live, facts=facts))
    return Report(gather(findings, live) if gathered else findings, "", live.digest)


def _comparable(baseline: Snapshot, live: Snapshot) -> tuple[Snapshot, tuple[str, ...]]:
    """Leave out of the baseline what the live side did not look at: an absence is not a removal."""
    missing = baseline.sections - live.sections
    if not missing:
        return baseline, ()
    kept = tuple(item for item in baseline.items if item.kind not in missing)
    return snapshot_of(kept, baseline.sections - missing), not_compared(baseline, live)


def not_compared(baseline: Snapshot, live: Snapshot) -> tuple[str, ...]:
    """Say what only the baseline looked at, a sentence for each kind."""
    labels = {kind: key for key, (kind, _) in LISTS.items()}
    labels |= {Kind.SERVER: "server information and instructions", Kind.LAUNCH: "how the server is reached"}
    return tuple(
        f"Not compared: {labels[kind]} ({len(baseline.of(kind))} in the baseline, not in the live listing)."
        for kind in sorted(baseline.sections - live.sections)
        if baseline.of(kind)
    )


def _judge(context: Context) -> tuple[Finding, ...]:
    """Run the rules: first all that look on their own, then those that see what the others found."""
    heard, unread = listen(context)
    context = replace(context, heard=heard, unread=unread)
    found = [finding for rule in RULES if not rule.last for finding in rule.check(context)]
    context = replace(context, found=tuple(found))
    found += [finding for rule in RULES if rule.last for finding in rule.check(context)]
    return tuple(sorted(escalated(news(found, context.facts)), key=lambda finding: finding.order))
