"""The check verb: look at one server once, judge what it shows, write it down with the duty to tell.

The steps:

1. Load what is remembered of the server.
2. Fetch, unless somebody hands in what a held session just listed.
3. A failed look: count it, back off, open a health alert after so many in a row.
4. A complete look whose digest, baseline and rule set are those of the last judgement: touch, and stop.
5. Otherwise judge against the baseline; ask a configured model about texts that it was not asked about yet, for a
   bounded time, and judge with what it said; decide what is to be told, and write all of it in one transaction that is
   conditional on the baseline not having moved; if it moved, start again at 1 with what was fetched. If somebody else
   recorded a look since step 1, what was fetched may be older than theirs: start again at 1 and fetch again.
6. Look as one of the server's identities, if one has its turn, and settle what witnesses handed in before this look;
   where that changes what is known, judge again as in 5. After a failed look what is known is judged by itself.
"""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Awaitable, Callable
from concurrent.futures import Executor
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import TypeVar

import structlog

from driftwatch.config.identities import IdentityConfig
from driftwatch.config.schema import ServerConfig, Settings
from driftwatch.errors import BaselineMovedError, DriftwatchError
from driftwatch.judge.behaviour import Flapping
from driftwatch.judge.facts import Facts
from driftwatch.judge.judge import RULESET
from driftwatch.model import (
    AlertKind,
    Arrival,
    BaselineState,
    Failure,
    Finding,
    Malformed,
    Outcome,
    ServerState,
    Severity,
    Snapshot,
    shown_of,
    worst_of,
)
from driftwatch.model.spans import Spans, no_spans
from driftwatch.store.records import AlertWrite
from driftwatch.store.store import Store
from driftwatch.tell.alerts import Told, decide_drift, decide_health
from driftwatch.tell.telling import new_alert_id, write_of
from driftwatch.watch.faces import Faces
from driftwatch.watch.fetch.base import Fetcher
from driftwatch.watch.judging import Judging, judge, judged_key, only_the_rules_changed
from driftwatch.watch.known import before_of, facts_of, key_of, policy_of
from driftwatch.watch.known.arrival import arrival_of, weighs_otherwise
from driftwatch.watch.landing import landed, outlived, settled
from driftwatch.watch.marks import TracedFetcher, one_look
from driftwatch.watch.opinion.ask import SecondOpinion
from driftwatch.watch.recorded import judge_recorded
from driftwatch.watch.result import CheckCode, CheckResult, Look, Noted, failed, record_of
from driftwatch.watch.schedule import after_failure, after_success
from driftwatch.watch.seen import Seen, digest_of, ends_a_difference, is_baseline, is_news, see, unjudged
from driftwatch.watch.witnessing import Witnesses

__all__ = ["CheckCode", "CheckResult", "Checker"]

log = structlog.get_logger()

_ATTEMPTS = 5
"""How often a look is judged again because a person moved the baseline meanwhile."""

_FRESH_STARTS = 2
"""How often a server is asked again because somebody else recorded a look while it was being asked."""


_Given = TypeVar("_Given")


class Checker:
    """Runs checks. Holds no state of its own: the store does."""

    def __init__(
        self,
        *,
        store: Store,
        fetcher: Fetcher,
        settings: Settings,
        clock: Callable[[], datetime],
        jitter: Callable[[], float],
        drill: bool = False,
        ruleset: str = RULESET,
        judging: Judging | None = None,
        pool: Executor | None = None,
        spans: Spans = no_spans,
    ) -> None:
        """Take the store, the fetcher, the whole configuration, the clock, and a source of numbers in [0, 1).

        `drill` marks every message as a drill; `ruleset` names the rules that `judging` judges by. `pool`
        runs what blocks; None takes the event loop's own. `spans` is told of what is done.
        """
        self.spans = spans
        self._store = store
        self._fetcher = fetcher = TracedFetcher(fetcher, spans)
        self._settings = settings
        self._clock = clock
        self._jitter = jitter
        self._drill = drill
        self._ruleset = ruleset
        self._judging = judging
        self._pool = pool
        self._opinion = SecondOpinion(store, settings.second_opinion, clock=clock)
        self._faces = Faces(store=store, fetcher=fetcher, settings=settings, clock=clock, jitter=jitter)
        self._witnesses = Witnesses(store=store, settings=settings, clock=clock)

    @one_look
    async def check(
        self,
        server: ServerConfig,
        *,
        listed: Outcome | None = None,
        held: Callable[[], Awaitable[Outcome]] | None = None,
        heard: Callable[[], Awaitable[bool | None]] | None = None,
        also_as: Callable[[str], IdentityConfig | None] | None = None,
    ) -> CheckResult:
        """Look at a server, or take `listed` as what a held session just saw, and record what it means.

        `held` asks a session that is held for notices. A difference is over only when both that session and a fresh
        look show the baseline (see `docs/decisions/007-held-sessions.md`). `heard` says whether that session gave
        notice of a change since the last look, None when it has not stood since then. `also_as` is told the digest that
        a fresh look showed, and says who has a turn in any case.

        Raises:
            StoreError: the database could not be read or written; nothing was recorded.

        """
        result, wanted = None, self._opinion.wanted()
        for starts_left in reversed(range(_FRESH_STARTS + 1)):
            state, began = await asyncio.to_thread(self._store.state, server.name), self._clock()
            seen, fresh = await self._look(server, state, listed, held)
            noticed = await self._noticed(seen, state, held, heard)
            result = await self._concluded(server, seen, state.looks if starts_left else None, Noted(noticed, wanted))
            if result is not None:
                break
            listed = None
        if result is None:
            raise BaselineMovedError
        if not isinstance(seen, Seen):
            result = await self._aside(self._unseen, server, seen, result, began)
        elif fresh == seen.snapshot.digest:
            also = await self._aside(also_as, fresh) if also_as else None
            result = await self._as_others(server, seen, result, began, also)
        return replace(result, fresh_digest=fresh)

    async def _as_others(
        self, server: ServerConfig, seen: Seen, result: CheckResult, began: datetime, also_as: IdentityConfig | None
    ) -> CheckResult:
        """Look as somebody else too, if it is anybody's turn, settle what witnesses saw, and judge again after news."""
        others = await self._faces.look(server, seen, result.next_at, also_as)
        last, wanted = others.news or seen, self._opinion.wanted()
        witnessed = await self._aside(self._witnesses.settle, server, last, began)
        news = others.judge_again or witnessed
        again = await self._concluded(server, last, None, Noted(None, wanted)) if news else None
        return result.followed(again, others.outcomes)

    def _unseen(self, server: ServerConfig, failure: Failure, result: CheckResult, began: datetime) -> CheckResult:
        """Settle what witnesses saw of a server that cannot be looked at, and judge what is known of it after news."""
        if not self._witnesses.settle(server, failure, began):
            return result
        return judge_recorded(
            self._store, self._settings, server, result, now=self._clock(), judging=self._judging, write=self._write
        )

    async def _concluded(
        self, server: ServerConfig, seen: Seen | Failure, looks: int | None, noted: Noted
    ) -> CheckResult | None:
        """Judge and record one look; what a second opinion is wanted on is asked in between, once."""
        result = await self._aside(self._conclude, server, seen, looks, noted)
        if result is None and noted.waits:
            await self._opinion.answer(noted.wanted, server=server.name)
            result = await self._aside(self._conclude, server, seen, looks, noted)
        return result

    async def _look(
        self,
        server: ServerConfig,
        state: ServerState,
        listed: Outcome | None,
        held: Callable[[], Awaitable[Outcome]] | None,
    ) -> tuple[Seen | Failure, str]:
        """Ask the server, and ask in the other way too before a difference is taken to be over.

        Gives what is to be recorded, and the digest that a fresh look showed (empty where none was made).
        """
        outcome = listed if listed is not None else await self._fetcher.fetch(server, era=state.era)
        seen = await self._aside(see, outcome, partial(self._last, state))
        fresh = seen if listed is None else None
        if held is None or not ends_a_difference(seen, state):
            return seen, digest_of(fresh)
        other = await (held() if listed is None else self._fetcher.fetch(server, era=state.era))
        also_seen = await self._aside(see, other, partial(self._last, state))
        fresh = fresh or also_seen
        stands = isinstance(also_seen, Seen) and not is_baseline(also_seen, state)
        return (also_seen if stands else seen), digest_of(fresh)

    async def _noticed(
        self,
        seen: Seen | Failure,
        state: ServerState,
        held: Callable[[], Awaitable[Outcome]] | None,
        heard: Callable[[], Awaitable[bool | None]] | None,
    ) -> bool | None:
        """Say whether notice was given of the list that is another one now; None where that is not known.

        Silence counts only of a session that shows the new list itself: a process that runs on beside a newer one has
        nothing to tell.
        """
        if held is None or heard is None or not is_news(seen, state):
            return None
        told = await heard()
        if told is not False:
            return told
        there = await self._aside(see, await held(), partial(self._last, state))
        return False if digest_of(there) == digest_of(seen) else None

    def _last(self, state: ServerState) -> Snapshot | None:
        """Give the snapshot that was recorded last."""
        return self._store.snapshot(state.last_digest) if state.last_digest else None

    async def _aside(self, act: Callable[..., _Given], *args: object) -> _Given:
        """Run what blocks in the pool, so that the event loop, the outbox and other looks go on."""
        within = contextvars.copy_context()
        return await asyncio.get_running_loop().run_in_executor(self._pool, within.run, act, *args)

    def _conclude(
        self, server: ServerConfig, seen: Seen | Failure, looks: int | None, noted: Noted
    ) -> CheckResult | None:
        """Judge and record one look; runs in a worker thread because judging and SQLite block.

        None, and nothing is recorded, when there is a list and more looks than `looks` were recorded since (it may be
        older than theirs), and when there is something to ask first.
        """
        for _ in range(_ATTEMPTS):
            state = self._store.state(server.name)
            if isinstance(seen, Seen) and looks is not None and state.looks != looks:
                return None
            now = self._clock()
            try:
                if isinstance(seen, Seen):
                    return self._listed(server, state, seen, now, noted)
                return self._failed(server, state, seen, now)
            except BaselineMovedError:
                continue
            except DriftwatchError:
                raise
            except Exception as error:
                if not isinstance(seen, Seen):
                    raise
                log.exception("a list could not be judged", action="judge-failed", server=server.name)
                seen = unjudged(error)
        raise BaselineMovedError

    def _listed(
        self, server: ServerConfig, state: ServerState, seen: Seen, now: datetime, noted: Noted
    ) -> CheckResult | None:
        listed, snapshot = seen.listed, seen.snapshot
        plan = after_success(now=now, ttl_ms=listed.ttl_ms, interval=server.interval, jitter=self._jitter())
        against = state.baseline.digest if state.baseline else snapshot.digest
        policy = key_of(self._settings, server, now)
        judged = judged_key(against, snapshot.digest, policy, self._ruleset)
        look = Look(server, state, listed, snapshot, plan, judged, now, noted)
        if state.baseline is None or state.judged != judged or state.failures or weighs_otherwise(state, listed, now):
            return self._changed(look)
        findings = self._store.findings(server.name, hidden=True)
        if not self._is_told(server, findings) or outlived(self._store, server.name, findings, now):
            return self._changed(look)
        with self.spans("record"):
            self._store.touch(
                server.name,
                at=now,
                next_at=plan.at,
                era=listed.era,
                detail=plan.reason.value,
                judged=judged,
                listing=listed.listing,
            )
        return look.result(CheckCode.SAME, findings, state.baseline)

    def _is_told(self, server: ServerConfig, findings: tuple[Finding, ...]) -> bool:
        """Say whether what the last judgement found has its alert: it is gone after a time of not being watched."""
        silent = worst_of(shown_of(findings)) is Severity.INFO
        return silent or self._store.open_alert(server.name, AlertKind.DRIFT) is not None

    def _changed(self, look: Look) -> CheckResult | None:
        server, state = look.server, look.state
        look = landed(self._store, look)
        before = before_of(self._store, look.state.baseline, look.snapshot)
        arrival = self._arrival(look)
        facts = facts_of(
            self._store,
            self._settings,
            look.state,
            look.snapshot,
            now=look.now,
            arrival=arrival,
            listing=look.listed.listing,
        )
        with self.spans("judge") as judged:
            findings = self._judge(before, look, look.noted.noting(facts))
            judged(findings=len(findings))
        if look.noted.waits:
            return None
        told = self._decide_drift(look, findings, facts.flapping)
        healthy = self._decide_health(look.state, server, look.now, failures=0, outcome=None)
        alerts = tuple(self._write(step, look.now) for step in (told, healthy) if step is not None)
        calm_at = facts.flapping.calm_at if facts.flapping else None
        record = record_of(look, findings, read=state, alerts=alerts, arrival=arrival, calm_at=calm_at)
        with self.spans("record"):
            queued = self._store.record_look(record)
        result = look.result(look.code(findings), findings, self._store.baseline(server.name))
        return result.telling(told, len(queued))

    def _arrival(self, look: Look) -> Arrival | None:
        """Say how this list came to be shown; None when it is the first, or the one that was shown before."""
        last = look.state.last_digest
        before = self._store.snapshot(last) if last and last != look.snapshot.digest else None
        if before is None:
            return None
        return arrival_of(look.state, before, look.snapshot, look.listed, now=look.now, noticed=look.noted.noticed)

    def _judge(self, before: Snapshot, look: Look, facts: Facts) -> tuple[Finding, ...]:
        """Judge by the rules, then let the policy have its say."""
        if self._judging is not None:
            return self._judging(before, look.state.baseline, look.snapshot, facts)
        policy = policy_of(self._settings, look.server)
        return judge(before, look.state.baseline, look.snapshot, facts, policy=policy, now=look.now)

    def _decide_drift(self, look: Look, findings: tuple[Finding, ...], flapping: Flapping | None) -> Told | None:
        baseline = look.state.baseline
        current = self._store.open_alert(look.server.name, AlertKind.DRIFT)
        if look.landed is not None:
            told = settled(look, current, findings)
            return told and replace(told, before=current)
        told = decide_drift(
            current,
            findings,
            server=look.server.name,
            baseline_digest=baseline.digest if baseline else look.snapshot.digest,
            snapshot_digest=look.snapshot.digest,
            now=look.now,
            new_id=new_alert_id,
            upgraded=only_the_rules_changed(look.state.judged, look.judged),
            approved=baseline is not None and baseline.state is BaselineState.APPROVED,
            flapping=flapping,
        )
        return told and replace(told, before=current)

    def _decide_health(
        self, state: ServerState, server: ServerConfig, now: datetime, *, failures: int, outcome: Failure | None
    ) -> Told | None:
        current = self._store.open_alert(server.name, AlertKind.HEALTH)
        told = decide_health(
            current,
            server=server.name,
            failures=failures,
            alert_after=server.alert_after,
            outcome=outcome,
            now=now,
            new_id=new_alert_id,
            since=state.last_ok_at,
        )
        return told and replace(told, before=current)

    def _failed(self, server: ServerConfig, state: ServerState, outcome: Failure, now: datetime) -> CheckResult:
        failures = state.failures + 1
        retry_after = None if isinstance(outcome, Malformed) else outcome.retry_after
        plan = after_failure(
            now=now, failures=failures, retry_after=retry_after, interval=server.interval, jitter=self._jitter()
        )
        told = self._decide_health(state, server, now, failures=failures, outcome=outcome)
        found = self._store.findings(server.name, hidden=True)
        alert = self._write(told, now) if told else None
        with self.spans("record"):
            queued = self._store.record_failure(
                server.name, outcome=outcome, at=now, next_at=plan.at, era=state.era, alert=alert
            )
        result = failed(state, outcome, found, next_at=plan.at)
        return result.telling(told, len(queued))

    def _write(self, told: Told, now: datetime) -> AlertWrite:
        return write_of(told, store=self._store, settings=self._settings, now=now, drill=self._drill)
