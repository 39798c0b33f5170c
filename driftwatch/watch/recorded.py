"""Judging what is known of a server that cannot be looked at just now, because somebody else saw it meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import Final

from driftwatch.config.schema import ServerConfig, Settings
from driftwatch.errors import BaselineMovedError
from driftwatch.judge.rules.witnessed_difference import RULE
from driftwatch.model import AlertKind, BaselineState, Finding, Snapshot, hidden_of, shown_of
from driftwatch.store.records import AlertWrite
from driftwatch.store.store import Store
from driftwatch.tell.alerts import Told, decide_drift
from driftwatch.tell.telling import new_alert_id
from driftwatch.watch.judging import Judging, judge
from driftwatch.watch.known import before_of, facts_of, policy_of
from driftwatch.watch.known.witnessed import witnessed_of
from driftwatch.watch.result import CheckResult

_TRIES: Final = 5


def judge_recorded(
    store: Store,
    settings: Settings,
    server: ServerConfig,
    result: CheckResult,
    *,
    now: datetime,
    judging: Judging | None,
    write: Callable[[Told, datetime], AlertWrite],
) -> CheckResult:
    """Judge again what a server showed last, and tell what is new of it; `result` is that of the look that failed.

    Of a server that was never seen only what its witnesses saw is judged. `write` makes of what is told what is kept.

    Raises:
        BaselineMovedError: it moved at every try; nothing was written.
        StoreError: the database could not be read or written.

    """
    for _ in range(_TRIES):
        with suppress(BaselineMovedError):
            return _judged(store, settings, server, result, now=now, judging=judging, write=write)
    raise BaselineMovedError


def _judged(
    store: Store,
    settings: Settings,
    server: ServerConfig,
    result: CheckResult,
    *,
    now: datetime,
    judging: Judging | None,
    write: Callable[[Told, datetime], AlertWrite],
) -> CheckResult:
    state = store.state(server.name)
    live = store.snapshot(state.last_digest) if state.last_digest else None
    shown = live or _witnessed(store, server.name)
    if shown is None:
        return result
    baseline, before = state.baseline, before_of(store, state.baseline, shown)
    facts = facts_of(store, settings, state, shown, now=now)
    if live is None:
        facts = replace(facts, witnessed=witnessed_of(store, state, None))
    if judging is not None:
        findings = judging(before, baseline, shown, facts)
    else:
        findings = judge(before, baseline, shown, facts, policy=policy_of(settings, server), now=now)
    if live is None:
        findings = tuple(one for one in findings if one.rule == RULE.id)
    current = store.open_alert(server.name, AlertKind.DRIFT)
    told = decide_drift(
        current,
        findings,
        server=server.name,
        baseline_digest=baseline.digest if baseline else shown.digest,
        snapshot_digest=shown.digest,
        now=now,
        new_id=new_alert_id,
        upgraded=False,
        approved=baseline is not None and baseline.state is BaselineState.APPROVED,
        flapping=facts.flapping,
    )
    alert = write(replace(told, before=current), now) if told is not None else None
    queued = store.record_judgement(
        server.name, findings, expected_baseline=baseline, expected_digest=state.last_digest, alert=alert
    )
    return _followed(result, findings, told, len(queued))


def _witnessed(store: Store, server: str) -> Snapshot | None:
    """Give a list that an agent was shown by a server that driftwatch never saw."""
    found = (store.snapshot(digest) for one in store.testimonies(server) for digest in (one.before, one.digest))
    return next((one for one in found if one is not None), None)


def _followed(result: CheckResult, findings: tuple[Finding, ...], told: Told | None, queued: int) -> CheckResult:
    event, alert = result.event, result.alert
    if told is not None and told.event is not None:
        event, alert = told.event, told.alert.id
    return replace(
        result,
        findings=shown_of(findings),
        hidden=hidden_of(findings),
        event=event,
        alert=alert,
        queued=result.queued + queued,
    )
