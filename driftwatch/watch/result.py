"""What a check comes to."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from driftwatch.config.schema import ServerConfig
from driftwatch.model import Baseline, EventKind, Finding, Listed, Outcome, ServerState, Snapshot
from driftwatch.watch.schedule import NextLook


class CheckCode(StrEnum):
    """What one check came to."""

    FIRST = "first-sight"
    SAME = "unchanged"
    CLEAN = "clean"
    DRIFT = "drift"
    FAILED = "could-not-look"


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What one check came to, with what it rests on.

    `findings` are those of the present difference, also where nothing changed since the last look. `event` says what
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

    def code(self, findings: tuple[Finding, ...]) -> CheckCode:
        """Say what the look came to."""
        if self.state.baseline is None:
            return CheckCode.FIRST
        return CheckCode.DRIFT if findings and self.snapshot.digest != self.state.baseline.digest else CheckCode.CLEAN

    def result(self, code: CheckCode, findings: tuple[Finding, ...], baseline: Baseline | None) -> CheckResult:
        """Give the result of the look."""
        return CheckResult(
            server=self.server.name,
            code=code,
            outcome=self.listed,
            findings=findings,
            snapshot_digest=self.snapshot.digest,
            baseline=baseline,
            next_at=self.plan.at,
        )
