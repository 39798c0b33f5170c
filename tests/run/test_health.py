from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from driftwatch.config.schema import ServerConfig, Settings
from driftwatch.model import (
    Alert,
    AlertKind,
    AlertState,
    Delivery,
    EventKind,
    Part,
    SendResult,
    SendVerdict,
    Severity,
    Unreachable,
)
from driftwatch.run.health import NOT_KNOWN, health_of, healthcheck
from driftwatch.store.records import AlertWrite
from driftwatch.store.store import Store
from driftwatch.watch.check import Checker
from tests.desk import HOOK
from tests.fakes import FrozenClock, ScriptedFetcher, listed, tool

SERVER = ServerConfig(name="notes", transport="http", url="https://mcp.example.com/mcp")
DOWN = Unreachable("connect", "connection refused")


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock()


def settings(folder: Path) -> Settings:
    return Settings(database_url=f"sqlite:///{folder / 'driftwatch.db'}", servers=(SERVER,))


async def look(made: Settings, clock: FrozenClock) -> None:
    with Store.open(made.database_url, clock=clock) as store:
        checker = Checker(
            store=store,
            fetcher=ScriptedFetcher([listed(tool())]),
            settings=made,
            clock=clock,
            jitter=lambda: 0.0,
        )
        await checker.check(SERVER)


async def test_a_daemon_that_looks_on_time_is_well(tmp_path: Path, clock: FrozenClock) -> None:
    made = settings(tmp_path)
    await look(made, clock)

    assert healthcheck(made, now=clock()) == (True, "every server is looked at on time")


async def test_a_daemon_that_no_longer_looks_is_not_well(tmp_path: Path, clock: FrozenClock) -> None:
    made = settings(tmp_path)
    await look(made, clock)

    well, words = healthcheck(made, now=clock() + timedelta(hours=2))

    assert (well, words) == (False, "not looked at when due: notes")


async def test_that_no_channel_takes_messages_is_said_of_a_daemon_that_is_well(
    tmp_path: Path, clock: FrozenClock
) -> None:
    made = settings(tmp_path).model_copy(update={"channels": (HOOK, HOOK.model_copy(update={"name": "mail"}))})
    await look(made, clock)
    failed = SendResult(SendVerdict.RETRY, "HTTP 503 Service Unavailable")
    said = []
    with Store.open(made.database_url, clock=clock) as store:
        for name in ("hook", "mail"):
            store.note_channel(name, failed, now=clock())
            said.append(healthcheck(made, now=clock() + timedelta(minutes=10)))
        said.append(healthcheck(made, now=clock() + timedelta(minutes=9)))
        store.note_channel("mail", SendResult(SendVerdict.DONE, "HTTP 204"), now=clock())
        said.append(healthcheck(made, now=clock() + timedelta(minutes=10)))

    well = (True, "every server is looked at on time")
    why = "hook: HTTP 503 Service Unavailable; mail: HTTP 503 Service Unavailable"
    mute = (True, f"{well[1]}, but nobody can be told since 2026-03-01T03:00:00+00:00 ({why})")
    assert said == [well, mute, well, well]


def test_without_a_database_nothing_is_well_and_none_is_made(tmp_path: Path, clock: FrozenClock) -> None:
    well, words = healthcheck(settings(tmp_path), now=clock())

    assert not well
    assert "There is no database at" in words
    assert list(tmp_path.iterdir()) == []


async def test_each_part_says_how_it_does_in_words_that_name_nobody(tmp_path: Path, clock: FrozenClock) -> None:
    made = settings(tmp_path).model_copy(update={"channels": (HOOK,)})
    await look(made, clock)

    with Store.open(made.database_url, clock=clock) as store:
        now = health_of(store, made, now=clock())
        later = health_of(store, made, now=clock() + timedelta(hours=2))

    assert [(check.part.value, check.ok, check.decides, check.why) for check in now.checks] == [
        ("database", True, True, "it can be read and written"),
        ("scheduler", True, True, "every server is looked at on time"),
        ("delivery", True, True, "messages are sent when they are due"),
        ("looks", True, False, "a look has worked lately"),
    ]
    assert [(check.part.value, check.ok) for check in later.checks if not check.ok] == [
        ("scheduler", False),
        ("looks", False),
    ]
    assert not any("notes" in check.why or "hook" in check.why for check in (*now.checks, *later.checks))


async def test_servers_none_of_which_answers_are_said_and_make_no_daemon_unwell(
    tmp_path: Path, clock: FrozenClock
) -> None:
    made = settings(tmp_path)
    await look(made, clock)
    clock.forward(7_200)
    with Store.open(made.database_url, clock=clock) as store:
        for _ in range(2):
            soon = clock() + timedelta(minutes=5)
            store.record_failure("notes", outcome=DOWN, at=clock(), next_at=soon, era=None)
        health = health_of(store, made, now=clock())

    assert (health.well, health.words) == (
        True,
        "every server is looked at on time, but no look at anything has worked lately",
    )
    assert [check.part for check in health.checks if not check.ok] == [Part.LOOKS]


async def test_a_message_that_nobody_sends_makes_a_daemon_unwell(tmp_path: Path, clock: FrozenClock) -> None:
    made = settings(tmp_path).model_copy(update={"channels": (HOOK,)})
    await look(made, clock)
    at = clock()
    alert = Alert("alr_1", "notes", AlertKind.DRIFT, AlertState.OPEN, Severity.HIGH, opened_at=at, updated_at=at)
    row = Delivery("msg_1", "hook", "notes", "alr_1", EventKind.OPENED, {}, created_at=at, next_attempt_at=at)
    with Store.open(made.database_url, clock=clock) as store:
        store.record_alert(AlertWrite(alert=alert, event=EventKind.OPENED, deliveries=(row,)))
        soon = health_of(store, made, now=at + timedelta(minutes=1))
        late = health_of(store, made, now=at + timedelta(minutes=3))

    assert soon.well
    assert [check.part for check in late.checks if not check.ok] == [Part.DELIVERY]
    assert late.words.startswith("alerts have waited in the outbox since 2026-03-01T")


async def test_a_database_that_somebody_else_holds_is_not_well_and_the_rest_is_said(
    tmp_path: Path, clock: FrozenClock
) -> None:
    made = settings(tmp_path)
    await look(made, clock)
    file = tmp_path / "driftwatch.db"
    with Store.open(made.database_url, clock=clock) as store, closing(sqlite3.connect(file)) as other:
        other.execute("BEGIN IMMEDIATE")
        health = health_of(store, made, now=clock(), patience=0.0)
        asked = healthcheck(made, now=clock(), patience=0.0)

    assert (health.well, health.words) == asked
    assert not health.well
    assert [(check.part, check.why) for check in health.checks if not check.ok] == [
        (Part.DATABASE, "it cannot be written")
    ]
    assert "is locked by another program" in health.words


async def test_of_a_damaged_database_nothing_is_known(tmp_path: Path, clock: FrozenClock) -> None:
    made = settings(tmp_path)
    await look(made, clock)
    with Store.open(made.database_url, clock=clock) as store:
        file = tmp_path / "driftwatch.db"
        file.write_bytes(b"\x00" * file.stat().st_size)
        health = health_of(store, made, now=clock())

    assert not health.well
    assert [check.why for check in health.checks] == ["it cannot be read", *[NOT_KNOWN] * 3]
