from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

from driftwatch.config.schema import DaemonConfig, ServerConfig, Settings
from driftwatch.model import Outcome, Refused, Unreachable
from driftwatch.run.looks import Looks
from driftwatch.run.wiring import World
from driftwatch.store.store import Store
from driftwatch.watch.check import Checker
from driftwatch.watch.fetch.listen import McpListener
from tests.fakes import FrozenClock, ScriptedFetcher, listed, tool


def server(name: str, host: str = "mcp.example.com") -> ServerConfig:
    return ServerConfig(name=name, transport="http", url=f"https://{host}/{name}")


@contextmanager
def looking(folder: Path, outcomes: Iterable[Outcome], *servers: ServerConfig) -> Iterator[tuple[Looks, World]]:
    clock = FrozenClock()
    fetcher = ScriptedFetcher(outcomes)
    settings = Settings(database_url=f"sqlite:///{folder / 'driftwatch.db'}", servers=servers, daemon=DaemonConfig())
    store = Store.open(settings.database_url, clock=clock)
    checker = Checker(store=store, fetcher=fetcher, channels=(), public_url=None, clock=clock, jitter=lambda: 0.0)
    world = World(settings, store, fetcher, McpListener(), checker, clock)
    with world:
        yield Looks(world, queued=lambda: None, listens=lambda _: None), world


BUSY = Refused("rate-limited", "429", status=429, retry_after=100)


async def test_a_host_that_says_too_many_requests_is_left_alone_by_all_its_servers(tmp_path: Path) -> None:
    one, two = server("one"), server("two")
    with looking(tmp_path, [BUSY], one, two) as (looks, world):
        await looks.look(one)
        await looks.look(two)

        assert isinstance(world.fetcher, ScriptedFetcher)
        assert len(world.fetcher.eras) == 1
        due = world.store.state("two").next_look_at
        assert due is not None
        assert due >= world.clock() + timedelta(seconds=100)


async def test_a_pause_of_one_host_does_not_touch_another(tmp_path: Path) -> None:
    one, two = server("one"), server("two", host="other.example.com")
    with looking(tmp_path, [BUSY, listed(tool())], one, two) as (looks, world):
        await looks.look(one)
        await looks.look(two)

        assert world.store.state("two").last_digest


async def test_an_outage_of_one_server_pauses_nothing(tmp_path: Path) -> None:
    one, two = server("one"), server("two")
    with looking(tmp_path, [Unreachable("connect", "refused"), listed(tool())], one, two) as (looks, world):
        await looks.look(one)
        await looks.look(two)

        assert world.store.state("two").last_digest
