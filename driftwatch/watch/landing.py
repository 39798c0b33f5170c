"""What was approved ahead and is shown now: the baseline moves by itself, since a person has decided already."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from driftwatch.judge.behaviour import DIFFERS
from driftwatch.judge.landing import lands
from driftwatch.model import Alert, Baseline, BaselineState, Finding
from driftwatch.store.store import Store
from driftwatch.tell.alerts import Told, decide_approved
from driftwatch.tell.telling import new_alert_id
from driftwatch.watch.judging import rebased
from driftwatch.watch.known import before_of
from driftwatch.watch.known.reviewed import awaited
from driftwatch.watch.result import Look


def landed(store: Store, look: Look) -> Look:
    """Give the look as one at an approved list where it shows what was approved ahead; else as it is."""
    baseline, digest = look.state.baseline, look.snapshot.digest
    if baseline is not None and baseline.state is BaselineState.APPROVED and baseline.digest == digest:
        return look
    known = None if baseline is None else before_of(store, baseline, look.snapshot)
    for ahead, reviewed in awaited(store, store.waiting_aheads(look.server.name, look.now)):
        if lands(reviewed, known, look.snapshot):
            approved = Baseline(
                look.server.name, digest, BaselineState.APPROVED, since=look.now, by=ahead.by, note=ahead.note
            )
            state = replace(look.state, baseline=approved)
            return replace(look, state=state, judged=rebased(look.judged, digest), landed=ahead)
    return look


def settled(look: Look, current: Alert | None, findings: Iterable[Finding]) -> Told | None:
    """Decide what a landing means for the open alert: what the person who approved has settled."""
    digest = look.snapshot.digest
    return decide_approved(
        current,
        findings,
        server=look.server.name,
        baseline_digest=digest,
        snapshot_digest=digest,
        now=look.now,
        new_id=new_alert_id,
    )


def outlived(store: Store, server: str, findings: Iterable[Finding], now: datetime) -> bool:
    """Say whether a finding speaks of an approval ahead that is no longer good. Asks nothing where there is none."""
    told = {finding.before for finding in findings if finding.rule == DIFFERS}
    return bool(told) and not told <= {ahead.digest for ahead in store.waiting_aheads(server, now)}
