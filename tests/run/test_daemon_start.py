"""How a daemon begins: what it refuses to begin with, and that it can be stopped before it has begun."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from driftwatch.config.channels import AppriseConfig
from driftwatch.config.schema import Settings
from driftwatch.config.secret import Secret
from driftwatch.errors import ConfigError, HeldError, SchemaError, StoreError
from driftwatch.run.daemon import run
from driftwatch.run.wiring import utc_now
from driftwatch.store import Store
from driftwatch.store.copies import inspect
from driftwatch.store.holding import holder_of
from driftwatch.store.schema import VERSION_TABLE


def settings(folder: Path, *urls: str) -> Settings:
    channels = tuple(
        AppriseConfig(name=f"place-{number}", kind="apprise", url=Secret(url)) for number, url in enumerate(urls)
    )
    return Settings(database_url=f"sqlite:///{folder / 'driftwatch.db'}", channels=channels)


async def until(holds: Callable[[], object]) -> None:
    while not holds():  # noqa: ASYNC110 - nothing but the files tells
        await asyncio.sleep(0.01)


async def test_it_does_not_begin_with_a_channel_that_cannot_work(tmp_path: Path) -> None:
    wrong = settings(tmp_path, "json://127.0.0.1/x", "nosuch://secret-4711")

    with pytest.raises(ConfigError) as caught:
        async with asyncio.timeout(60):
            await run(wrong, signals=False)

    assert caught.value.message == "channels.place-1.url: Apprise knows no such service"


async def test_it_stops_while_a_channel_still_finds_out_whether_it_can_work(tmp_path: Path) -> None:
    stop = asyncio.Event()
    beginning = asyncio.create_task(run(settings(tmp_path, "nosuch://x"), stop=stop, signals=False))
    await asyncio.sleep(0)
    stop.set()

    async with asyncio.timeout(60):
        code = await beginning

    assert code == 0


async def test_a_second_daemon_on_the_same_database_is_refused_and_told_who_watches(tmp_path: Path) -> None:
    these = settings(tmp_path)
    stop = asyncio.Event()
    async with asyncio.timeout(60):
        first = asyncio.create_task(run(these, stop=stop, signals=False))
        await until(lambda: holder_of(these.database_url))

        with pytest.raises(HeldError, match=f"process {os.getpid()}"):
            await run(these, signals=False)
        stop.set()
        code = await first

    assert code == 0
    assert holder_of(these.database_url) is None


async def test_a_database_that_is_taken_away_ends_the_daemon_which_saves_what_it_has(tmp_path: Path) -> None:
    these = settings(tmp_path)
    async with asyncio.timeout(60):
        daemon = asyncio.create_task(run(these, signals=False))
        await until(lambda: holder_of(these.database_url))
        with Store.open(these.database_url, clock=utc_now) as store:
            await until(store.audit)
        (tmp_path / "driftwatch.db").unlink()

        with pytest.raises(StoreError, match="was removed, moved or replaced") as caught:
            await daemon
        with pytest.raises(StoreError, match="is gone; there was one"):
            await run(these, signals=False)

    [saved] = tmp_path.glob("driftwatch.db.rescued-*")  # noqa: ASYNC240 - the daemon has ended
    assert str(saved) in caught.value.hint
    assert inspect(saved).facts.entries == 1


@pytest.mark.parametrize(("version", "way"), [("0006", "driftwatch db upgrade"), ("9999", "driftwatch restore")])
async def test_a_daemon_does_not_begin_on_a_database_of_another_version(tmp_path: Path, version: str, way: str) -> None:
    these = settings(tmp_path)
    Store.open(these.database_url, clock=utc_now).close()
    with closing(sqlite3.connect(tmp_path / "driftwatch.db")) as connection:
        connection.execute(f"UPDATE {VERSION_TABLE} SET version_num = '{version}'")
        connection.commit()

    with pytest.raises(SchemaError) as caught:
        await run(these, signals=False)

    assert version in caught.value.message
    assert way in caught.value.hint
    assert caught.value.exit_code == 4
