"""The turns that time alone brings about, on a real store and an injected clock."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from driftwatch.config.routes import AlertsConfig, RouteConfig
from driftwatch.config.schema import Settings
from driftwatch.judge.snapshot import take
from driftwatch.model import (
    AlertKind,
    Delivery,
    DeliveryState,
    EventKind,
    Finding,
    Kind,
    SendResult,
    SendVerdict,
    Severity,
    Silence,
    Unreachable,
)
from driftwatch.store.records import LookRecord
from driftwatch.store.store import Store
from driftwatch.tell.health import decide_health
from driftwatch.tell.telling import end_unwatched, write_of
from driftwatch.tell.told import Told, Why, begun
from driftwatch.tell.upkeep import Upkeep
from tests.blank import blank
from tests.desk import HOOK, SERVER
from tests.fakes import FrozenClock

MAIL = HOOK.model_copy(update={"name": "mail"})
SECOND = SERVER.model_copy(update={"name": "git"})
DOWN = Unreachable("connect", "refused")
FINDING = Finding("hint-widened", Severity.HIGH, Kind.TOOL, "pay", "/annotations", "a hint is looser")
OK, BUSY = SendResult(SendVerdict.DONE, "204"), SendResult(SendVerdict.RETRY, "HTTP 503")


class Watch:
    """A store, a configuration and a clock, and what time does with them."""

    def __init__(self, path: Path, **settings: object) -> None:
        self.clock = FrozenClock()
        self.settings = Settings(**{"servers": (SERVER, SECOND), "channels": (HOOK, MAIL), **settings})
        self.store = Store.open(blank(path / "d.db"), clock=self.clock)
        self.upkeep = Upkeep(self.store, self.settings, started=self.clock())

    def turn(self, after: float = 0) -> list[Delivery]:
        """Let time pass, take a turn, and give the messages that are new, oldest first."""
        before = {row.id for row in self.store.deliveries(limit=10_000)}
        self.clock.forward(after)
        self.upkeep.turn(self.clock())
        return [row for row in reversed(self.store.deliveries(limit=10_000)) if row.id not in before]

    def drift(self, number: int) -> None:
        """Open a drift alert on a server of its own."""
        alert = replace(
            begun(AlertKind.DRIFT, f"server-{number:03}", f"alr_{number:03}", self.clock()),
            severity=FINDING.severity,
            findings=(FINDING,),
            summary="It differs.",
        )
        self.tell(Told(alert, EventKind.OPENED, (FINDING,), Why.FIRST))

    def tell(self, told: Told) -> None:
        self.store.record_alert(write_of(told, store=self.store, settings=self.settings, now=self.clock()))

    def fail(self, server: str) -> None:
        """Let a look fail for the third time, as the check does."""
        told = decide_health(
            self.store.open_alert(server, AlertKind.HEALTH),
            server=server,
            failures=3,
            alert_after=3,
            outcome=DOWN,
            now=self.clock(),
            new_id=lambda: f"alr_{server}",
        )
        write = None if told is None else write_of(told, store=self.store, settings=self.settings, now=self.clock())
        self.store.record_failure(server, outcome=DOWN, at=self.clock(), next_at=None, era=None, alert=write)

    def see(self, server: str) -> None:
        """Let a look work."""
        snapshot = take({"serverInfo": {"name": server, "version": "1"}, "tools": []})
        look = LookRecord(
            server=server,
            at=self.clock(),
            next_at=self.clock(),
            era=None,
            snapshot=snapshot,
            expected_baseline=None,
            judged="",
            become_provisional=True,
        )
        self.store.record_look(look)

    def attempt(self, name: str, result: SendResult, state: DeliveryState) -> None:
        self.store.finish_delivery(name, result=result, state=state, next_attempt_at=self.clock(), now=self.clock())

    def sent(self, channel: str) -> str:
        return next(row.id for row in self.store.deliveries() if row.channel == channel)


@pytest.fixture
def watch(tmp_path: Path) -> Iterator[Watch]:
    made = Watch(tmp_path)
    yield made
    made.store.close()


def test_a_turn_with_nothing_due_writes_nothing(watch: Watch) -> None:
    watch.drift(1)

    assert watch.turn() == []
    assert watch.turn(60) == []


def test_what_was_gathered_is_one_message_for_each_channel(tmp_path: Path) -> None:
    watch = Watch(tmp_path, routes=(RouteConfig(name="default", channels=("hook", "mail"), window=60),))
    for number in range(3):
        watch.drift(number)

    early, whole = watch.turn(59), watch.turn(1)

    assert early == []
    assert [(row.channel, row.event, row.state) for row in whole] == [
        ("hook", EventKind.BATCH, DeliveryState.PENDING),
        ("mail", EventKind.BATCH, DeliveryState.PENDING),
    ]
    assert [len(row.payload["data"]["alerts"]) for row in whole] == [3, 3]
    assert watch.turn(60) == []


def test_what_was_gathered_alone_goes_out_as_it_is(tmp_path: Path) -> None:
    watch = Watch(tmp_path, routes=(RouteConfig(name="default", channels=("hook",), window=60),))
    watch.drift(1)

    assert watch.turn(60) == []
    assert [(row.event, row.state) for row in watch.store.deliveries()] == [(EventKind.OPENED, DeliveryState.PENDING)]


def test_what_is_gathered_can_be_sent_before_its_time(tmp_path: Path) -> None:
    watch = Watch(tmp_path, routes=(RouteConfig(name="default", channels=("hook",), window=3600),))
    watch.drift(1)
    watch.drift(2)

    assert watch.upkeep.seal(watch.clock(), early_since=watch.clock()) == 1
    assert watch.store.deliveries(state=DeliveryState.PENDING)[0].event is EventKind.BATCH


def test_a_batch_is_said_in_the_words_of_the_channel(tmp_path: Path) -> None:
    hook = HOOK.model_copy(update={"title": "{{ counts.alerts }} at once"})
    watch = Watch(tmp_path, channels=(hook,), routes=(RouteConfig(name="default", channels=("hook",), window=60),))
    watch.drift(1)
    watch.drift(2)

    (row,) = watch.turn(60)

    assert row.payload["data"]["title"] == "2 at once"


def test_a_channel_that_takes_nothing_is_told_of_through_the_other_and_so_is_its_recovery(watch: Watch) -> None:
    watch.drift(1)
    watch.attempt(watch.sent("mail"), BUSY, DeliveryState.PENDING)

    early, late, again = watch.turn(599), watch.turn(1), watch.turn(600)
    watch.attempt(watch.sent("mail"), OK, DeliveryState.DELIVERED)
    over = watch.turn(10)

    assert (early, again) == ([], [])
    assert [(row.channel, row.event, row.payload["data"]["kind"]) for row in late] == [("hook", "opened", "channel")]
    assert late[0].payload["data"]["channel"] == "mail"
    assert [(row.channel, row.event, row.payload["data"]["reason"]) for row in over] == [
        ("hook", "resolved", "delivers-again")
    ]


def test_when_every_channel_fails_nobody_is_told_of_each_of_them_afterwards(watch: Watch) -> None:
    watch.drift(1)
    for channel in ("hook", "mail"):
        watch.attempt(watch.sent(channel), BUSY, DeliveryState.PENDING)

    failing = watch.turn(600)
    for channel in ("hook", "mail"):
        watch.attempt(watch.sent(channel), OK, DeliveryState.DELIVERED)

    assert failing == []
    assert watch.turn(10) == []


def test_the_alert_of_a_channel_ends_when_the_configuration_no_longer_has_it(watch: Watch) -> None:
    watch.drift(1)
    watch.attempt(watch.sent("mail"), BUSY, DeliveryState.PENDING)
    watch.turn(600)

    end_unwatched(watch.store, {"notes", "git", "server-001"}, Settings(channels=(HOOK,)), now=watch.clock())

    (row,) = watch.store.deliveries(limit=1)
    assert (row.channel, row.event) == ("hook", EventKind.RESOLVED)
    assert row.payload["data"]["summary"].startswith("The channel mail is no longer configured")


def test_a_message_that_was_given_up_is_told_of_at_once(watch: Watch) -> None:
    watch.drift(1)
    watch.attempt(watch.sent("mail"), SendResult(SendVerdict.STOP, "HTTP 410 Gone"), DeliveryState.DEAD)

    (row,) = watch.turn()

    assert row.channel == "hook"
    assert "One message was given up" in row.payload["data"]["summary"]


def test_looks_none_of_which_works_are_told_once(watch: Watch) -> None:
    for server in ("notes", "git"):
        watch.fail(server)

    early, late, again = watch.turn(3599), watch.turn(1), watch.turn(60)

    assert (early, again) == ([], [])
    assert {(row.channel, row.event, row.payload["data"]["kind"]) for row in late} == {
        ("hook", "opened", "daemon"),
        ("mail", "opened", "daemon"),
    }


def test_the_only_server_is_not_said_to_fail_twice(tmp_path: Path) -> None:
    watch = Watch(tmp_path, servers=(SERVER,))
    watch.fail("notes")

    assert watch.turn(7200) == []


def test_driftwatch_is_well_while_it_sees_and_can_tell(watch: Watch) -> None:
    watch.drift(1)
    new = watch.upkeep.is_well(watch.clock())
    watch.see("notes")
    well = watch.upkeep.is_well(watch.clock())
    watch.attempt(watch.sent("mail"), BUSY, DeliveryState.PENDING)
    watch.clock.forward(600)
    half = watch.upkeep.is_well(watch.clock())
    watch.attempt(watch.sent("hook"), BUSY, DeliveryState.PENDING)
    watch.clock.forward(600)
    mute = watch.upkeep.is_well(watch.clock())
    watch.clock.forward(3600)
    watch.attempt(watch.sent("hook"), OK, DeliveryState.DELIVERED)
    blind = watch.upkeep.is_well(watch.clock())

    assert (new, well, half, mute, blind) == (False, True, True, False, False)


def test_an_alert_that_is_wholly_kept_back_is_neither_reminded_of_nor_passed_on(tmp_path: Path) -> None:
    routes = (RouteConfig(name="default", channels=("hook",), escalate_after=60, escalate_to=("mail",)),)
    watch = Watch(tmp_path, routes=routes, alerts=AlertsConfig(remind_every=60))
    watch.drift(1)
    watch.store.add_silence(
        Silence(
            id="sil_1",
            server="server-*",
            tool="",
            rule="",
            severity=Severity.CRITICAL,
            reason="the roll-out",
            by="ana",
            created_at=watch.clock(),
            until=watch.clock() + timedelta(minutes=30),
        ),
        origin="cli",
    )

    kept_back = [watch.turn(60) for _ in range(3)]
    ended = watch.turn(1800)
    passed_on = watch.turn(60)

    assert kept_back == [[], [], []]
    assert [(row.channel, row.event, row.payload["data"]["reason"]) for row in ended] == [
        ("hook", EventKind.UPDATED, "silence-ended")
    ]
    assert [(row.channel, row.event, row.payload["data"]["reason"]) for row in passed_on] == [
        ("mail", EventKind.OPENED, "escalated")
    ]


def test_nobody_is_reminded_who_has_yet_to_get_what_was_said_before(tmp_path: Path) -> None:
    watch = Watch(tmp_path, alerts=AlertsConfig(remind_every=60, channel_after=86_400))
    watch.drift(1)
    watch.attempt(watch.sent("hook"), OK, DeliveryState.DELIVERED)
    watch.attempt(watch.sent("mail"), BUSY, DeliveryState.PENDING)

    while_it_fails = [watch.turn(60) for _ in range(3)]
    watch.attempt(while_it_fails[0][0].id, OK, DeliveryState.DELIVERED)
    watch.attempt(watch.sent("mail"), OK, DeliveryState.DELIVERED)
    works_again = watch.turn(60)

    assert [[row.channel for row in rows] for rows in while_it_fails] == [["hook"], [], []]
    assert [(row.channel, row.event) for row in works_again] == [
        ("hook", EventKind.REMINDED),
        ("mail", EventKind.REMINDED),
    ]


def test_who_is_passed_an_alert_on_hears_that_in_place_of_a_reminder_that_waits(tmp_path: Path) -> None:
    routes = (RouteConfig(name="default", channels=("hook",), escalate_after=90, escalate_to=("hook",)),)
    watch = Watch(tmp_path, routes=routes, alerts=AlertsConfig(remind_every=60))
    watch.drift(1)
    watch.attempt(watch.sent("hook"), OK, DeliveryState.DELIVERED)

    (reminder,), (passed_on,) = watch.turn(60), watch.turn(30)

    assert watch.store.delivery(reminder.id).state is DeliveryState.CANCELLED
    assert (passed_on.state, passed_on.payload["data"]["reason"]) == (DeliveryState.PENDING, "escalated")


def test_messages_to_a_channel_that_is_gone_are_given_up_after_a_while(watch: Watch) -> None:
    watch.drift(1)
    watch.upkeep = Upkeep(watch.store, Settings(channels=(HOOK,)), started=watch.clock())

    watch.turn(3600)
    early = watch.store.deliveries(state=DeliveryState.DEAD)
    watch.turn(1)

    assert early == []
    assert [(row.channel, row.last_result) for row in watch.store.deliveries(state=DeliveryState.DEAD)] == [
        ("mail", "no channel of this name is configured any more")
    ]


def test_what_others_gather_is_not_sent_before_its_time(tmp_path: Path) -> None:
    watch = Watch(tmp_path, routes=(RouteConfig(name="default", channels=("hook",), window=3600),))
    watch.drift(1)
    watch.clock.forward(1)
    watch.drift(2)

    assert watch.upkeep.seal(watch.clock(), early_since=watch.clock()) == 1
    assert {row.alert_id: row.state for row in watch.store.deliveries()} == {
        "alr_001": DeliveryState.HELD,
        "alr_002": DeliveryState.PENDING,
    }
