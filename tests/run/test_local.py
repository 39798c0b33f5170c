"""Looking once, without a daemon."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from driftwatch.config.schema import ServerConfig, Settings
from driftwatch.errors import StoreError
from driftwatch.run.local import check_servers
from driftwatch.run.wiring import World, utc_now
from driftwatch.store.store import Store
from driftwatch.watch.check import Checker
from driftwatch.watch.fetch.listen import McpListener
from tests.fakes import ScriptedFetcher, listed, tool

SERVER = ServerConfig(name="notes", transport="http", url="https://mcp.example.com/mcp")


def world_in(folder: Path) -> World:
    settings = Settings(database_url=f"sqlite:///{folder / 'driftwatch.db'}", servers=(SERVER,))
    store = Store.open(settings.database_url, clock=utc_now)
    fetcher = ScriptedFetcher([listed(tool())])
    checker = Checker(store=store, fetcher=fetcher, settings=Settings(), clock=utc_now, jitter=lambda: 0.0)
    return World(settings, store, fetcher, McpListener(), checker, utc_now)


async def test_a_server_that_is_named_twice_is_looked_at_once(tmp_path: Path) -> None:
    with world_in(tmp_path) as world:
        results = await check_servers(world, ["notes", "notes"], deliver=False)

        assert [result.server for result in results] == ["notes"]
        assert world.store.state("notes").looks == 1


async def test_trouble_with_the_database_says_what_it_is(tmp_path: Path) -> None:
    with world_in(tmp_path) as world:
        with closing(sqlite3.connect(tmp_path / "driftwatch.db")) as connection:
            connection.execute("DROP TABLE alerts")

        with pytest.raises(StoreError, match="no such table"):
            await check_servers(world, [], deliver=False)
