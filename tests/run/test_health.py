from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from driftwatch.config.schema import ServerConfig, Settings
from driftwatch.model import SendResult, SendVerdict
from driftwatch.run.health import healthcheck
from driftwatch.store.store import Store
from driftwatch.watch.check import Checker
from tests.desk import HOOK
from tests.fakes import FrozenClock, ScriptedFetcher, listed, tool

SERVER = ServerConfig(name="notes", transport="http", url="https://mcp.example.com/mcp")


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
