"""What is over and was kept for long enough goes; nothing that a decision, an alert or a message rests on ever does."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from store_past import everything, live
from store_world import ACTOR, DONE, START, Clock, alert, delivery, dump, look, review, snapshot, testimony, told, tool

from driftwatch.model import (
    Action,
    Ahead,
    Alert,
    AlertState,
    Decision,
    DeliveryState,
    EventKind,
    Face,
    TestimonyState,
)
from driftwatch.store import Store
from driftwatch.store.copies import inspect
from driftwatch.store.pruning import NEWEST, RECENT
from driftwatch.store.records import Pruned, Retention
from tests.blank import blank

DAY = timedelta(days=1)
LISTS = [snapshot(tool("read", number=number), tool("both")) for number in range(6)]
WAITS = (DeliveryState.HELD, DeliveryState.BATCHED, DeliveryState.PENDING)
NOW = START + 400 * DAY


class Past:
    """A history that is made up step by step, by what a daemon and people do."""

    def __init__(self, store: Store, clock: Clock, chance: random.Random) -> None:
        self.store, self.clock, self.chance = store, clock, chance
        self.open: dict[str, Alert] = {}
        self.count = 0

    def name(self, kind: str) -> str:
        self.count += 1
        return f"{kind}_{self.count}"

    def look(self, server: str, shown: int) -> None:
        baseline = self.store.baseline(server)
        at, digest = self.clock.now, baseline.digest if baseline else None
        self.store.record_look(look(server, LISTS[shown], baseline=digest, at=at))

    def churn(self, server: str, shown: int) -> None:
        for number in range(NEWEST + 3):
            self.look(server, (shown + number % 3) % len(LISTS))
            self.clock.later(timedelta(hours=1))

    def approve(self, server: str, _: int) -> None:
        self.decide(server, Decision.APPROVED)

    def reject(self, server: str, _: int) -> None:
        self.decide(server, Decision.REJECTED)

    def decide(self, server: str, decision: Decision) -> None:
        seen = self.store.sightings(server)
        if not seen:
            return
        one = review(self.chance.choice(seen).digest, server=server, decision=decision, at=self.clock.now)
        if decision is Decision.REJECTED:
            self.store.reject(one)
        else:
            self.store.approve(one, expected_baseline=self.store.baseline(server).digest)

    def ahead(self, server: str, shown: int) -> None:
        if self.store.baseline(server) is None:
            return
        at, body = self.clock.now, LISTS[shown].body
        one = Ahead(self.name("ahd"), server, LISTS[shown].digest, body, "", "ana", "cli", at, at + 30 * DAY)
        self.store.add_ahead(one, LISTS[shown])

    def alarm(self, server: str, shown: int) -> None:
        if server in self.open or not self.store.sightings(server):
            return
        at = self.clock.now
        about = {"snapshot_digest": LISTS[shown].digest, "baseline_digest": self.store.baseline(server).digest}
        self.open[server] = one = alert(self.name("alr"), server, opened_at=at, updated_at=at, **about)
        times = {"created_at": at, "next_attempt_at": at, "server": server}
        held = {"state": DeliveryState.HELD, "route": "fleet"}
        rows = [delivery(self.name("msg"), one.id, **times, **more) for more in ({}, held)]
        self.store.record_alert(told(one, rows[0], replace(rows[1], channel="chat")))

    def gather(self, _: str, __: int) -> None:
        held = [row.id for row in self.store.deliveries(state=DeliveryState.HELD)]
        if held:
            at = self.clock.now
            row = delivery(self.name("msg"), "", server="", event=EventKind.BATCH, channel="chat", route="fleet")
            self.store.seal(held, batch=replace(row, created_at=at, next_attempt_at=at), now=at)

    def send(self, _: str, __: int) -> None:
        for row in self.store.claim_deliveries(now=self.clock.now, lease=timedelta(1), limit=100):
            state = self.chance.choice([DeliveryState.DELIVERED, DeliveryState.DEAD])
            self.store.finish_delivery(row.id, result=DONE, state=state, next_attempt_at=None, now=self.clock.now)

    def resolve(self, server: str, _: int) -> None:
        one = self.open.pop(server, None)
        if one is not None:
            at = self.clock.now
            over = replace(one, state=AlertState.RESOLVED, resolved_at=at, updated_at=at, reason="approved")
            self.store.record_alert(told(over, event=EventKind.RESOLVED))

    def turn(self, server: str, shown: int) -> None:
        if self.store.sightings(server):
            face = Face(server, "cursor", looked_at=self.clock.now, shown=LISTS[shown].digest)
            self.store.record_face(face, seen=[LISTS[shown]])

    def witness(self, server: str, shown: int) -> None:
        state = self.chance.choice([TestimonyState.SAME, TestimonyState.APART, TestimonyState.LEARNED])
        one = testimony(server, LISTS[shown], session=self.name("s"), state=state)
        self.store.take_testimony(replace(one, seen_at=self.clock.now, received_at=self.clock.now), shown=LISTS[shown])


STEPS: tuple[Callable[[Past, str, int], None], ...] = (
    Past.look, Past.look, Past.churn, Past.approve, Past.reject, Past.ahead, Past.alarm, Past.gather, Past.send,
    Past.resolve, Past.turn, Past.witness,
)  # fmt: skip

steps = st.lists(
    st.tuples(
        st.sampled_from(STEPS), st.sampled_from(["git", "mail"]), st.integers(0, len(LISTS) - 1), st.integers(0, 40)
    ),
    max_size=14,
)
ages = st.none() | st.sampled_from([DAY, 8 * DAY, 60 * DAY, 300 * DAY])
numbers = st.none() | st.sampled_from([0, 1, 5, 20])
retentions = st.builds(
    Retention,
    looks=ages,
    looks_count=numbers,
    alerts=ages,
    alerts_count=numbers,
    deliveries=ages,
    deliveries_count=numbers,
)


def lasting(store: Store) -> dict[str, Any]:
    """Read all that must be there whatever was dropped."""
    found = everything(store)
    names = ("states", "findings", "baselines", "reviews", "aheads", "silences", "faces", "testimonies", "users")
    stands = [one for one in store.alerts(limit=10_000) if one.state.stands]
    decided = [one.digest for part in ("baselines", "reviews") for rows in found[part].values() for one in rows]
    decided += [one.digest for one in found["aheads"]] + [state.last_digest for state in found["states"].values()]
    decided += [digest for one in stands for digest in (one.snapshot_digest, one.baseline_digest)]
    decided += [one.digest for name in found["states"] for one in store.testimonies(name)]
    ids = {one.id for one in stands}
    rows = store.deliveries(limit=10_000)
    return {
        **{name: found[name] for name in names},
        "lists": {digest: store.snapshot(digest) for digest in decided},
        "open": stands,
        "messages": [store.delivery(row.id) for row in rows if row.state in WAITS or row.alert_id in ids],
        "newest": {name: store.sightings(name, limit=NEWEST) for name in found["states"]},
        "recent": {
            name: [one for one in store.sightings(name) if one.last_seen >= NOW - RECENT] for name in found["states"]
        },
    }


def check_whole(store: Store, file: Path, before: dict[str, Any]) -> None:
    """See that what is left is whole: what is named is there, and the log holds."""
    found = inspect(file)
    assert found.damage == ()
    assert found.verified is not None
    assert found.verified.good
    for name, rows in everything(store)["sightings"].items():
        assert [one for one in before["sightings"][name] if one in rows] == rows
        assert all(store.snapshot(one.digest) is not None for one in rows)
    for one in store.alerts(limit=10_000):
        assert before["lists"][one.snapshot_digest] == store.snapshot(one.snapshot_digest)
    rows = store.deliveries(limit=10_000)
    assert {row.batch for row in rows if row.batch} <= {row.id for row in rows}


@settings(max_examples=20)
@given(steps, retentions, st.randoms(use_true_random=False))
def test_whatever_happened_and_however_long_it_is_kept_nothing_that_is_needed_goes(
    history: list[tuple[Callable[[Past, str, int], None], str, int, int]], keep: Retention, chance: random.Random
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file, clock = Path(folder) / "watch.db", Clock()
        with Store.open(blank(file), clock=clock) as store:
            past = Past(store, clock, chance)
            for act, server, shown, days in history:
                act(past, server, shown)
                clock.later(days * DAY)
            before = {**everything(store), "lists": {one.digest: store.snapshot(one.digest) for one in LISTS}}
            rows, needed = dump(file), lasting(store)

            counted = store.would_prune(keep, now=NOW)
            untouched = dump(file) == rows
            done = store.prune(keep, now=NOW, by=ACTOR)

            assert untouched
            assert counted == done
            assert lasting(store) == needed
            assert store.audit(limit=10_000)[int(done.any) :] == before["audit"]
            check_whole(store, file, before)
            assert store.would_prune(keep, now=NOW) == Pruned()


@pytest.fixture
def past(store: Store, clock: Clock) -> Past:
    return Past(store, clock, random.Random(1))


def test_without_a_retention_all_is_kept_for_ever(store: Store, file: Path) -> None:
    live(store)
    before = dump(file)

    done = store.prune(Retention(), now=START + 10_000 * DAY, by=ACTOR)

    assert done == Pruned()
    assert dump(file) == before


def test_an_old_list_goes_with_its_looks_and_items_and_what_a_person_decided_on_stays(store: Store, past: Past) -> None:
    for shown in (0, 1, 2, 3):
        past.look("git", shown)
        past.clock.later(DAY)
        if shown == 1:
            store.reject(review(LISTS[1].digest, decision=Decision.REJECTED))
    past.clock.now = START + 300 * DAY
    past.churn("git", 3)

    done = store.prune(Retention(looks=100 * DAY), now=NOW, by=ACTOR)

    assert (done.looks, done.lists, done.items) == (1, 1, 1)
    assert store.snapshot(LISTS[2].digest) is None
    assert [one.digest for one in store.sightings("git")][:2] == [LISTS[0].digest, LISTS[1].digest]
    assert [one.digest for one in store.reviews("git")] == [LISTS[1].digest]


def test_what_is_beyond_the_number_goes_but_not_what_is_judged_by(store: Store, past: Past) -> None:
    for _ in range(4):
        past.churn("git", 0)
        past.clock.later(30 * DAY)
    seen = store.sightings("git")
    now = START + 92 * DAY
    recent = [one for one in seen if one.last_seen >= now - RECENT]

    store.prune(Retention(looks_count=20), now=now, by=ACTOR)
    twenty = store.sightings("git")
    store.prune(Retention(looks_count=1), now=now, by=ACTOR)

    assert len(recent) > NEWEST
    assert twenty == seen[-20:]
    assert store.sightings("git") == recent


def test_an_alert_that_is_over_goes_with_its_messages_and_one_that_waits_keeps_it(store: Store, past: Past) -> None:
    past.look("git", 0)
    past.alarm("git", 0)
    past.resolve("git", 0)
    waits = store.prune(Retention(alerts=DAY), now=NOW, by=ACTOR)
    past.gather("git", 0)
    past.send("git", 0)
    past.send("git", 0)

    gone = store.prune(Retention(alerts=DAY, deliveries=DAY), now=NOW, by=ACTOR)

    assert waits == Pruned()
    assert (gone.alerts, gone.deliveries) == (1, 2)
    assert store.alerts() == []
    # The newest of all stays: its number must not be given out again.
    assert [row.event for row in store.deliveries()] == [EventKind.BATCH]


def test_what_was_dropped_is_in_the_audit_log_and_nothing_where_nothing_was(store: Store, past: Past) -> None:
    keep = Retention(alerts=DAY, deliveries_count=5)
    nothing = store.prune(keep, now=NOW, by=ACTOR)
    past.look("git", 0)
    past.alarm("git", 0)
    past.gather("git", 0)
    past.send("git", 0)
    past.resolve("git", 0)

    store.prune(keep, now=NOW, by=ACTOR)

    [entry] = store.audit()
    assert nothing == Pruned()
    assert (entry.action, entry.who) == (Action.PRUNED, "ana")
    assert entry.details["dropped"]["alerts"] == 1
    assert entry.details["kept"] == {"alerts": 86400, "deliveries_count": 5}


def test_times_that_lie_ahead_are_not_old(store: Store, past: Past) -> None:
    past.churn("git", 0)
    past.churn("git", 3)

    done = store.prune(Retention(looks=8 * DAY, alerts=DAY, deliveries=DAY), now=START - 900 * DAY, by=ACTOR)

    assert done == Pruned()


def test_it_can_end_between_two_steps_and_goes_on_the_next_time(store: Store, past: Past, file: Path) -> None:
    past.churn("git", 0)
    past.alarm("git", 0)
    past.resolve("git", 0)
    past.gather("git", 0)
    past.send("git", 0)
    past.send("git", 0)
    keep = Retention(alerts=DAY, deliveries=DAY)
    asked = iter([False, True])

    first = store.prune(keep, now=NOW, by=ACTOR, enough=lambda: next(asked, True))
    left = store.alerts()
    second = store.prune(keep, now=NOW, by=ACTOR)

    assert (first.deliveries, first.alerts, len(left)) == (2, 0, 1)
    assert (second.alerts, store.alerts()) == (1, [])
    assert inspect(file).damage == ()
