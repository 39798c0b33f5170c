"""Replay: judge what a server showed over time again, under the present rules and policy, and change nothing.

The walk follows the moments that are on record: when a list began to be shown, when a person decided, when a stored
alert says that a look was judged, when an identity was first shown what it is shown, and when a server that went to and
fro had been calm. At each it decides as a check or an approval would have, with the same pure functions. The policy is
asked as of that moment: an ignore that had not expired by then counts. Only what lay before the moment is known of the
server's own past, of other servers' lists and of what identities were shown; packages are taken as they are now. Failed
looks and freshness are not on record, so nothing is said of them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import lru_cache

from driftwatch.config.schema import Settings
from driftwatch.errors import StoreError
from driftwatch.model import (
    Alert,
    AlertKind,
    Baseline,
    BaselineState,
    Decision,
    EventKind,
    Finding,
    Review,
    ServerState,
    Sighting,
    Snapshot,
    hidden_of,
)
from driftwatch.review.approve import what_remains
from driftwatch.review.compared import Compared, compared
from driftwatch.store.store import Store
from driftwatch.tell.alerts import Told, Why, decide_drift, decide_unwatched
from driftwatch.tell.routes import Routing, deliveries_for
from driftwatch.tell.telling import MOST_ALERTS, labels_of
from driftwatch.watch.judging import judge
from driftwatch.watch.known import facts_of, policy_of
from driftwatch.watch.known.flapping import MOST_SIGHTINGS
from driftwatch.watch.known.gather import Past

_KEPT = 64
"""Snapshots that stay in memory during a walk."""

_TURN = timedelta(minutes=10)
"""How long a look as somebody else and the looks to compare it may take."""


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that would have been told: when, what, why, and which of the channels of today would have heard it."""

    at: datetime
    event: EventKind
    alert: Alert
    new: tuple[Finding, ...]
    reason: Why
    channels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Replay:
    """What a server's history comes to: what would have been told, in order, and every alert beside that of then.

    `hidden` counts the findings that the policy keeps from alerts, each once, over the whole history.
    """

    server: str
    steps: tuple[Step, ...]
    alerts: tuple[Compared, ...]
    hidden: int = 0


def replay(store: Store, settings: Settings, server: str, *, since: datetime | None = None) -> Replay:
    """Judge a server's history again. The walk is over all of it; given is what falls on `since` or later.

    Raises:
        StoreError: a list that the history speaks of is not in the database.

    """
    walk = _Walk(store, settings, server)
    then = _drift_alerts(store, server)
    turns = [face.since for face in store.faces(server) if face.since is not None and face.judged_by]
    for moment in _moments(walk.history, store.reviews(server), then, turns):
        walk.take(moment)
    walk.end()
    steps = [step for step in walk.steps if since is None or step.at >= since]
    found = compared(list(walk.alerts.values()), then)
    pairs = [one for one in found if since is None or one.last >= since]
    return Replay(server, tuple(steps), tuple(pairs), len(walk.hidden))


@dataclass(frozen=True, slots=True)
class _Moment:
    """One thing on record. `order` puts what happened at one time in the order in which it must have happened."""

    at: datetime
    order: int
    sighting: int | None = None
    review: Review | None = None
    unwatched: bool = False


def _moments(
    sightings: list[Sighting], reviews: list[Review], then: list[Alert], turns: list[datetime]
) -> list[_Moment]:
    """Give all that is on record about a server, in the order of time."""
    # What was approved ahead was the baseline as soon as it was seen.
    landed = {review.at: review for review in reviews if review.ahead}
    found = [_Moment(one.first_seen, 0, index, landed.pop(one.first_seen, None)) for index, one in enumerate(sightings)]
    others = [*landed.values(), *(review for review in reviews if not review.ahead)]
    found += [_Moment(review.at, 2, review=review) for review in others]
    known = {moment.at for moment in found}
    for alert in then:
        unwatched = alert.reason == Why.UNWATCHED.value
        times = dict.fromkeys((alert.opened_at, alert.updated_at), False)
        times |= {alert.resolved_at: unwatched} if alert.resolved_at else {}
        found += [_Moment(at, 1, unwatched=over) for at, over in times.items() if over or at not in known]
        known |= times.keys()
    # A turn is judged a moment after it began: when that is on record, at that moment.
    found += [_Moment(at, 1) for at in turns if not any(at <= one <= at + _TURN for one in known)]
    return sorted(found, key=lambda moment: (moment.at, moment.order))


def _drift_alerts(store: Store, server: str) -> list[Alert]:
    """Give the drift alerts of a server, oldest first."""
    return [one for one in reversed(store.alerts(server=server, limit=MOST_ALERTS)) if one.kind is AlertKind.DRIFT]


class _Walk:
    """What would be known of a server at the moment that the walk has come to."""

    def __init__(self, store: Store, settings: Settings, server: str) -> None:
        self.history = store.sightings(server)
        self.steps: list[Step] = []
        self.alerts: dict[str, Alert] = {}
        self.hidden: set[str] = set()
        self._store = store
        self._settings = settings
        self._server = server
        self._policy = policy_of(settings, settings.find(server))
        self._snapshot = lru_cache(_KEPT)(self._load)
        self._at = -1
        self._baseline: Baseline | None = None
        self._alert: Alert | None = None
        self._calm_at: datetime | None = None
        self._heard: frozenset[str] = frozenset()

    def take(self, moment: _Moment) -> None:
        """Go on to one moment."""
        if moment.order != 1:
            self._calm(moment.at)
        if moment.sighting is not None:
            self._at = moment.sighting
        if moment.sighting is not None and moment.review is None:
            self._look(moment.at)
        elif moment.review is not None:
            self._review(moment.review)
        elif not moment.unwatched:
            self._look(moment.at)
        elif self._alert is not None:
            self._tell(decide_unwatched(self._alert, now=moment.at), moment.at)

    def end(self) -> None:
        """Go on to the last look that is on record."""
        if self.history:
            self._calm(self.history[-1].last_seen)

    def _calm(self, until: datetime) -> None:
        """Judge the list that stood when a server that went to and fro had been calm, if it was looked at since."""
        at = self._calm_at
        if at is not None and at <= min(until, self.history[self._at].last_seen):
            self._look(at)

    def _look(self, at: datetime) -> None:
        """Decide as a check of the list that stands."""
        live = self._live()
        before = self._snapshot(self._baseline.digest) if self._baseline is not None else live
        last = self._at == len(self.history) - 1
        listing = self._store.state(self._server).listing if last else None
        facts = facts_of(self._store, self._settings, self._state(), live, now=at, listing=listing, past=self._past())
        findings = judge(before, self._baseline, live, facts, policy=self._policy, now=at)
        self.hidden |= {identity for one in hidden_of(findings) for identity in one.identities}
        told = decide_drift(
            self._alert,
            findings,
            server=self._server,
            baseline_digest=before.digest,
            snapshot_digest=live.digest,
            now=at,
            new_id=self._new_id,
            upgraded=False,
            approved=self._baseline is not None and self._baseline.state is BaselineState.APPROVED,
            flapping=facts.flapping,
        )
        self._tell(told, at)
        self._calm_at = facts.flapping.calm_at if facts.flapping is not None else None
        if self._baseline is None:
            self._baseline = Baseline(self._server, live.digest, BaselineState.PROVISIONAL, at)

    def _review(self, review: Review) -> None:
        """Decide as the approval or the rejection did."""
        if review.decision is Decision.REJECTED:
            if self._alert is not None and self._alert.snapshot_digest == review.digest:
                self._keep(self._alert.refused_by(review))
            return
        approved = Baseline(self._server, review.approves, BaselineState.APPROVED, review.at, review.by, review.note)
        _, told = what_remains(
            self._store,
            self._settings,
            replace(self._state(), baseline=approved),
            self._snapshot(review.approves),
            self._live(),
            alert=self._alert,
            past=self._past(),
            alone=bool(review.items),
        )
        self._tell(told, review.at)
        self._calm_at = None
        known = self._baseline
        if known is None or (known.digest, known.state) != (approved.digest, approved.state):
            self._baseline = approved

    def _tell(self, told: Told | None, at: datetime) -> None:
        """Take down what a decision came to."""
        if told is None:
            return
        event = told.as_event()
        if self._alert is None or self._alert.id != told.alert.id:
            self._heard = frozenset()
        self._keep(told.alert)
        if event is not None:
            routing, labels = Routing.of(self._settings), labels_of(self._settings, told.alert)
            rows = deliveries_for(event, routing, earlier=self._heard, now=at, labels=labels)
            channels = tuple(row.channel for row in rows)
            self._heard |= frozenset(channels)
            self.steps.append(Step(at, event.kind, told.alert, told.new, told.reason, channels))

    def _keep(self, alert: Alert) -> None:
        self.alerts[alert.id] = alert
        self._alert = alert if alert.state.stands else None

    def _live(self) -> Snapshot:
        return self._snapshot(self.history[self._at].digest)

    def _state(self) -> ServerState:
        return ServerState(self._server, baseline=self._baseline)

    def _past(self) -> Past:
        end = self._at + 1
        return Past(tuple(self.history[max(0, end - MOST_SIGHTINGS) : end]), self._alert)

    def _new_id(self) -> str:
        return f"{self._server}-{len(self.alerts) + 1}"

    def _load(self, digest: str) -> Snapshot:
        snapshot = self._store.snapshot(digest)
        if snapshot is None:
            raise StoreError(f"The list {digest} of {self._server!r} is not in the database.", hint="Restore a backup.")
        return snapshot
