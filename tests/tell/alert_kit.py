"""What tests of drift alerts are made of: a finding, a decision about it, the alert that it opens."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from driftwatch.model import Alert, Finding, Kind, Severity
from driftwatch.tell.alerts import Told, decide_drift

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
BASE, LIVE, OTHER = "sha256:base", "sha256:live", "sha256:other"


def finding(
    rule: str = "hint-loosened", *, severity: Severity = Severity.HIGH, item: str = "read_file", after: object = False
) -> Finding:
    return Finding(
        rule=rule,
        severity=severity,
        kind=Kind.TOOL,
        item=item,
        pointer="/annotations/readOnlyHint",
        message=f"{item} may now write",
        before=True,
        after=after,
    )


def decide(
    current: Alert | None,
    *findings: Finding,
    baseline: str = BASE,
    live: str = LIVE,
    upgraded: bool = False,
    after: timedelta = timedelta(),
) -> Told | None:
    return decide_drift(
        current,
        findings,
        server="files",
        baseline_digest=baseline,
        snapshot_digest=live,
        now=NOW + after,
        new_id=lambda: "alr_1",
        upgraded=upgraded,
    )


def opened(*findings: Finding, **more: object) -> Alert:
    told = decide(None, *findings, **more)  # type: ignore[arg-type]
    assert told is not None
    return told.alert
