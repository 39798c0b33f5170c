"""How a look is judged, and what a judgement rests on. Pure."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from driftwatch.judge.judge import RULESET, compare_snapshots, scan_snapshot
from driftwatch.model import Baseline, BaselineState, Finding, Snapshot

Judging: TypeAlias = Callable[[Snapshot, Baseline | None, Snapshot], tuple[Finding, ...]]
"""How a snapshot is judged: the baseline's snapshot, the baseline, the live snapshot; see `judge`."""


def judge(before: Snapshot, baseline: Baseline | None, live: Snapshot) -> tuple[Finding, ...]:
    """Judge a snapshot against its baseline; until a person approves, what the list says by itself counts too.

    A finding of the comparison stands for the scan's finding at the same place.
    """
    compared = compare_snapshots(before, live).findings
    if baseline is not None and baseline.state is BaselineState.APPROVED:
        return compared
    seen = {(finding.rule, finding.kind, finding.item, finding.pointer) for finding in compared}
    scanned = scan_snapshot(live).findings
    alone = [finding for finding in scanned if (finding.rule, finding.kind, finding.item, finding.pointer) not in seen]
    return tuple(sorted((*compared, *alone), key=lambda finding: finding.order))


def judged_key(baseline_digest: str, snapshot_digest: str, ruleset: str = RULESET) -> str:
    """Name what a judgement rests on: the two sides and the rule set, in one string."""
    return f"{baseline_digest} {snapshot_digest} {ruleset}"


def only_the_rules_changed(earlier: str, judged: str) -> bool:
    """Say whether the last judgement compared the same two snapshots under another rule set."""
    return earlier != judged and earlier.split(" ")[:2] == judged.split(" ")[:2]
