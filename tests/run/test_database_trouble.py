"""While the database takes nothing, looks go on being tried, and it is said once what is wrong and what to do."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from driftwatch.config.schema import ServerConfig, Settings
from driftwatch.run.looks import Looks
from driftwatch.run.wiring import World
from driftwatch.store.copies import inspect
from driftwatch.store.store import Store
from driftwatch.watch.check import Checker
from driftwatch.watch.fetch.listen import McpListener
from tests.blank import blank
from tests.fakes import FrozenClock, ScriptedFetcher, listed, tool
from tests.limits import no_file_larger_than

SERVERS = tuple(
    ServerConfig(name=name, transport="http", url=f"https://mcp.example.com/{name}", rehearse=False)
    for name in ("one", "two", "three")
)


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    clock = FrozenClock()
    settings = Settings(database_url=blank(tmp_path / "d.db"), servers=SERVERS)
    store, fetcher = Store.open(settings.database_url, clock=clock), ScriptedFetcher([listed(tool())])
    checker = Checker(store=store, fetcher=fetcher, settings=settings, clock=clock, jitter=lambda: 0.0)
    with World(settings, store, fetcher, McpListener(), checker, clock) as made:
        yield made


async def rounds(looks: Looks, count: int) -> None:
    for _ in range(count):
        for server in SERVERS:
            await looks.look(server)


async def test_what_is_wrong_with_the_disk_is_said_once_for_all_servers_and_once_when_it_is_over(
    world: World, tmp_path: Path
) -> None:
    looks = Looks(world, queued=lambda: None, listens=lambda _: None)
    await rounds(looks, 1)

    with capture_logs() as logs:
        with no_file_larger_than(0):
            await rounds(looks, 3)
        before = {name: state.looks for name, state in world.store.states().items()}
        await rounds(looks, 2)

    [first, last] = [entry for entry in logs if entry["action"] in {"look-lost", "looks-recorded"}]
    assert first["action"] == "look-lost"
    assert "What was recorded before is safe." in first["error"]
    assert (last["action"], last["lost"]) == ("looks-recorded", 9)
    assert before == {"one": 1, "two": 1, "three": 1}
    assert {state.looks for state in world.store.states().values()} == {3}
    assert inspect(tmp_path / "d.db").damage == ()


async def test_a_damaged_page_is_said_once_and_nothing_is_written_over_it(world: World, tmp_path: Path) -> None:
    looks = Looks(world, queued=lambda: None, listens=lambda _: None)
    await rounds(looks, 1)
    file = tmp_path / "d.db"
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        [(root,)] = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'servers'")
        [(page,)] = connection.execute("PRAGMA page_size")
    content = bytearray(file.read_bytes())
    content[(root - 1) * page : root * page] = b"\xff" * page
    world.store.close()
    await asyncio.to_thread(file.write_bytes, content)

    with capture_logs() as logs:
        await rounds(looks, 3)

    [said] = [entry for entry in logs if entry["action"] == "look-lost"]
    assert "is damaged" in said["error"]
    assert "Restore a backup" in said["error"]
    assert file.read_bytes() == content
