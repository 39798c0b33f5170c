"""What a check comes to."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from driftwatch.config.schema import ServerConfig
from driftwatch.judge.facts import Facts
from driftwatch.model import (
    Ahead,
    Arrival,
    Baseline,
    EventKind,
    Failure,
    Finding,
    Listed,
    Outcome,
    ServerState,
    Snapshot,
    hidden_of,
    shown_of,
    worst_of,
)
from driftwatch.store.records import AlertWrite, LookRecord
from driftwatch.tell.alerts import Told
from driftwatch.watch.opinion.known import Wanted
from driftwatch.watch.schedule import NextLook


class CheckCode(StrEnum):
    """What one check came to."""

    FIRST = "first-sight"
    SAME = "unchanged"
    CLEAN = "clean"
    FOUND = "found"
    """It shows its baseline, and there are findings all the same: nobody approved it, or it breaks an expectation."""
    DRIFT = "drift"
    FAILED = "could-not-look"


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What one check came to, with what it rests on.

    `findings` are those that count, also where nothing changed since the last look; `hidden` are those that the policy
    keeps from alerts, and nothing else rests on them. `event` says what
    was put in the outbox, None when there was nothing new to tell. `queued` counts the deliveries that were written.
    `fresh_digest` is what a new session showed; a held one may show another list, which is then the snapshot.
    """

    server: str
    code: CheckCode
    outcome: Outcome
    findings: tuple[Finding, ...] = ()
    snapshot_digest: str = ""
    baseline: Baseline | None = None
    event: EventKind | None = None
    detail: str = ""
    next_at: datetime | None = None
    queued: int = 0
    fresh_digest: str = ""
    hidden: tuple[Finding, ...] = ()
    others: tuple[Outcome, ...] = ()
    """How the looks as somebody else went that came after this one."""
    landed: Ahead | None = None
    """The approval ahead of a roll-out that this look was the landing of."""
    alert: str = ""
    """The id of the alert that `event` is of."""

    def telling(self, told: Told | None, queued: int) -> CheckResult:
        """Give the result with what was put in the outbox."""
        if told is None or told.event is None:
            return replace(self, event=None, queued=queued)
        return replace(self, event=told.event, alert=told.alert.id, queued=queued)

    def followed(self, again: CheckResult | None, others: tuple[Outcome, ...]) -> CheckResult:
        """Give the result with the looks as somebody else that followed, and with the judgement after those, if any."""
        if again is None:
            return replace(self, others=others)
        code = self.code if self.code is CheckCode.FIRST else again.code
        last = again if again.event else self
        queued, landed = self.queued + again.queued, self.landed or again.landed
        return replace(
            again, code=code, event=last.event, alert=last.alert, queued=queued, others=others, landed=landed
        )


@dataclass(frozen=True, slots=True)
class Noted:
    """What goes with a look through its judgement.

    `noticed` says whether a held session gave notice of what is another list now; None where that is not known.
    `wanted` collects what to ask a second opinion about.
    """

    noticed: bool | None
    wanted: Wanted

    @property
    def waits(self) -> bool:
        """Whether there is something to ask before the look is recorded."""
        return self.wanted.waits

    def noting(self, facts: Facts) -> Facts:
        """Give the facts such that what is to be asked is noted."""
        return self.wanted.noting(facts)


@dataclass(frozen=True, slots=True)
class Look:
    """One complete look on its way to being recorded."""

    server: ServerConfig
    state: ServerState
    listed: Listed
    snapshot: Snapshot
    plan: NextLook
    judged: str
    now: datetime
    noted: Noted
    landed: Ahead | None = None
    """The approval ahead that it is the landing of; `state` then has what it shows as its baseline."""

    def code(self, findings: tuple[Finding, ...]) -> CheckCode:
        """Say what the look came to; what the policy hides makes no difference."""
        baseline = self.state.baseline
        if baseline is None:
            return CheckCode.FIRST
        if not shown_of(findings):
            return CheckCode.CLEAN
        if self.snapshot.digest != baseline.digest:
            return CheckCode.DRIFT
        return CheckCode.FOUND

    def result(self, code: CheckCode, findings: tuple[Finding, ...], baseline: Baseline | None) -> CheckResult:
        """Give the result of the look; of all `findings`, those that the policy hides are set apart."""
        return CheckResult(
            server=self.server.name,
            code=code,
            outcome=self.listed,
            findings=shown_of(findings),
            hidden=hidden_of(findings),
            snapshot_digest=self.snapshot.digest,
            baseline=baseline,
            next_at=self.plan.at,
            landed=self.landed,
        )


def record_of(
    look: Look,
    findings: tuple[Finding, ...],
    *,
    read: ServerState,
    alerts: tuple[AlertWrite, ...],
    arrival: Arrival | None,
    calm_at: datetime | None,
) -> LookRecord:
    """Give what a judged look changes; `read` is the state as it was read, which must be the state still."""
    return LookRecord(
        server=look.server.name,
        at=look.now,
        next_at=look.plan.at,
        era=look.listed.era,
        snapshot=look.snapshot,
        expected_baseline=read.baseline.digest if read.baseline else None,
        judged=look.judged,
        findings=findings,
        alert=alerts,
        detail=look.plan.reason.value,
        become_provisional=look.state.baseline is None,
        expected_looks=read.looks,
        expected_judged=read.judged,
        expected_sighted=read.sighted,
        expected_state=read.baseline.state if read.baseline else None,
        listing=look.listed.listing,
        arrival=arrival,
        calm_at=calm_at,
        landed=look.landed,
    )


def failed(state: ServerState, outcome: Failure, found: tuple[Finding, ...], *, next_at: datetime) -> CheckResult:
    """Give the result of a look that failed; `found` is what the last judgement found."""
    return CheckResult(
        server=state.server,
        code=CheckCode.FAILED,
        outcome=outcome,
        findings=shown_of(found),
        hidden=hidden_of(found),
        baseline=state.baseline,
        detail=f"{outcome.code}: {outcome.detail}",
        next_at=next_at,
    )


def weights(result: CheckResult) -> dict[str, str | list[str]]:
    """Give for the log how bad the worst finding is and by which rules, the worst first; nothing without a finding."""
    if not result.findings:
        return {}
    rules = dict.fromkeys(one.rule for one in sorted(result.findings, key=lambda one: one.order))
    return {"worst": worst_of(result.findings).value, "rules": list(rules)}


def asked(outcome: Outcome) -> dict[str, list[str]]:
    """Give for the log what the server asked of us and was declined; nothing when it asked for nothing."""
    return {"asked": list(outcome.asked)} if isinstance(outcome, Listed) and outcome.asked else {}


def loudness(result: CheckResult) -> int:
    """Say how loud the log line of a look is: what needs a person is a warning, what is as before is only detail."""
    if result.code is CheckCode.FAILED or result.event in {EventKind.OPENED, EventKind.UPDATED}:
        return logging.WARNING
    return logging.DEBUG if result.code is CheckCode.SAME else logging.INFO
