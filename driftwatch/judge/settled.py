"""A report as a person's policy has it: the one place where what is hidden is set apart from what counts."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from driftwatch.judge.beside import Opinions
from driftwatch.judge.opinions import opined
from driftwatch.judge.policy import Policy, apply
from driftwatch.judge.waves import gather
from driftwatch.model import Report, Snapshot, hidden_of, shown_of


def settled(
    report: Report,
    policy: Policy,
    live: Snapshot,
    baseline: Snapshot | None,
    *,
    now: datetime | None,
    opinions: Opinions | None = None,
) -> Report:
    """Let the policy have its say, then a second opinion, then gather the waves, of the live and the baseline's side.

    The report's findings are single ones (`gathered=False`): the policy speaks of single tools and places.
    """
    ruled = apply(report.findings, policy, now=now, changes=report.changes)
    found = gather(opined(ruled, opinions), live, baseline)
    return replace(report, findings=shown_of(found), hidden=hidden_of(found))
