"""A report as a person's policy has it: the one place where what is hidden is set apart from what counts."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from driftwatch.judge.policy import Policy, apply
from driftwatch.judge.waves import gather
from driftwatch.model import Report, Snapshot, hidden_of, shown_of


def settled(
    report: Report, policy: Policy, live: Snapshot, baseline: Snapshot | None, *, now: datetime | None
) -> Report:
    """Let the policy have its say about each finding, then gather the waves, of the live and the baseline's side.

    The report's findings are single ones (`gathered=False`): the policy speaks of single tools and places.
    """
    found = gather(apply(report.findings, policy, now=now, changes=report.changes), live, baseline)
    return replace(report, findings=shown_of(found), hidden=hidden_of(found))
