from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from driftwatch.config.channels import ChannelConfig
from driftwatch.config.schema import Settings
from driftwatch.model import AlertKind, EventKind, Outcome, Unreachable
from driftwatch.store.store import Store
from driftwatch.tell.telling import end_unwatched, tell_newcomers
from tests.desk import HOOK
from tests.fakes import FrozenClock, ScriptedFetcher
from tests.watch.test_check import SERVER, Checker

GONE = Unreachable("connect", "refused")


async def failing(store: Store, clock: FrozenClock, channels: Sequence[ChannelConfig], outcome: Outcome = GONE) -> None:
    checker = Checker(
        store=store,
        fetcher=ScriptedFetcher([outcome]),
        settings=Settings(channels=channels),
        clock=clock,
        jitter=lambda: 0.0,
    )
    for _ in range(SERVER.alert_after):
        clock.forward(60)
        await checker.check(SERVER)


async def test_the_alert_of_a_server_that_is_no_longer_watched_ends_and_says_that_it_is_no_all_clear(
    tmp_path: Path,
) -> None:
    clock = FrozenClock()
    with Store.open(f"sqlite:///{tmp_path / 'd.db'}", clock=clock) as store:
        await failing(store, clock, [HOOK])

        queued = end_unwatched(store, {"other"}, Settings(channels=(HOOK,)), now=clock())

        told = store.deliveries()[0]
        assert queued == 1
        assert store.open_alert("notes", AlertKind.HEALTH) is None
        assert (told.event, told.payload["data"]["reason"]) == (EventKind.RESOLVED, "no-longer-watched")
        assert "no all-clear" in told.payload["data"]["summary"]


async def test_the_alert_of_a_server_that_is_watched_stays(tmp_path: Path) -> None:
    clock = FrozenClock()
    with Store.open(f"sqlite:///{tmp_path / 'd.db'}", clock=clock) as store:
        await failing(store, clock, [HOOK])

        queued = end_unwatched(store, {"notes"}, Settings(channels=(HOOK,)), now=clock())

        assert queued == 0
        assert store.open_alert("notes", AlertKind.HEALTH) is not None


async def test_a_channel_that_was_added_while_an_alert_is_open_is_told_of_it_once(tmp_path: Path) -> None:
    clock = FrozenClock()
    with Store.open(f"sqlite:///{tmp_path / 'd.db'}", clock=clock) as store:
        await failing(store, clock, [])

        queued = [tell_newcomers(store, Settings(channels=(HOOK,)), now=clock()) for _ in range(2)]

        assert queued == [1, 0]
        assert [one.event for one in store.deliveries()] == [EventKind.OPENED]


async def test_a_channel_that_takes_only_worse_is_not_told_when_it_is_added(tmp_path: Path) -> None:
    clock = FrozenClock()
    picky = HOOK.model_copy(update={"min_severity": "critical"})
    with Store.open(f"sqlite:///{tmp_path / 'd.db'}", clock=clock) as store:
        await failing(store, clock, [])

        assert tell_newcomers(store, Settings(channels=(picky,)), now=clock()) == 0
