"""A daemon that is told to end: what is under way is finished in time, and nothing that was seen or decided is lost."""

from __future__ import annotations

import asyncio
import secrets
import socket
import sqlite3
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from pathlib import Path
from typing import Any

import httpx
from structlog.testing import capture_logs

from driftwatch.config.schema import DaemonConfig, Intervals, ServerConfig, Settings
from driftwatch.config.web import WebConfig
from driftwatch.judge.facts import Facts
from driftwatch.model import Actor, Baseline, BaselineState, Finding, Outcome, Role, Snapshot
from driftwatch.run.daemon import run
from driftwatch.run.looks import Looks
from driftwatch.run.reload import Reading
from driftwatch.run.stage import served
from driftwatch.run.wiring import World, utc_now
from driftwatch.store.store import Store
from driftwatch.watch.check import Checker
from driftwatch.watch.fetch.listen import McpListener
from driftwatch.watch.fetch.turning import TurningServer
from driftwatch.web import accounts
from tests.fakes import ScriptedFetcher, listed, tool

NOTES = ServerConfig(name="notes", url="https://mcp.example.com/mcp", rehearse=False)


class SlowFetcher(ScriptedFetcher):
    """Answers once it may."""

    def __init__(self, *outcomes: Outcome) -> None:
        super().__init__(outcomes)
        self.begun, self.may = asyncio.Event(), asyncio.Event()

    async def fetch(self, *args: Any, **named: Any) -> Outcome:
        self.begun.set()
        await self.may.wait()
        return await super().fetch(*args, **named)


@contextmanager
def looking(folder: Path, fetcher: SlowFetcher, **how: Any) -> Iterator[tuple[Looks, World]]:
    settings = Settings(database_url=f"sqlite:///{folder / 'driftwatch.db'}", servers=(NOTES,))
    with World.open(settings) as world:
        world.checker = Checker(
            store=world.store,
            fetcher=fetcher,
            settings=settings,
            clock=utc_now,
            jitter=lambda: 0.0,
            pool=world.pool,
            **how,
        )
        world.listener = McpListener()
        yield Looks(world, queued=lambda: None, listens=lambda _: None), world


def looks_made(folder: Path) -> int:
    with Store.open(f"sqlite:///{folder / 'driftwatch.db'}", clock=utc_now) as store:
        return store.state("notes").looks


async def test_a_look_that_is_under_way_is_finished_and_recorded(tmp_path: Path) -> None:
    fetcher = SlowFetcher(listed(tool()))
    with looking(tmp_path, fetcher) as (looks, _):
        looks.start()
        looks.soon("notes")
        await fetcher.begun.wait()
        ending = asyncio.create_task(looks.stop(30))
        await asyncio.sleep(0)
        fetcher.may.set()
        await ending

    assert looks_made(tmp_path) == 1


async def test_a_look_that_a_notice_began_is_finished_though_the_stream_is_let_go(tmp_path: Path) -> None:
    fetcher = SlowFetcher(listed(tool()))
    with looking(tmp_path, fetcher) as (looks, _):
        looks.start()
        keeper = asyncio.create_task(looks.on_notice(NOTES))
        await fetcher.begun.wait()
        keeper.cancel()
        ending = asyncio.create_task(looks.stop(30))
        await asyncio.sleep(0)
        fetcher.may.set()
        await ending
        await looks.on_notice(NOTES)

    assert keeper.cancelled()
    assert looks_made(tmp_path) == 1


async def test_a_list_that_is_being_judged_is_judged_to_the_end_and_recorded_however_short_the_grace(
    tmp_path: Path,
) -> None:
    judging, may = threading.Event(), threading.Event()

    def judge(_: Snapshot, __: Baseline | None, ___: Snapshot, ____: Facts) -> tuple[Finding, ...]:
        judging.set()
        assert may.wait(20)
        return ()

    fetcher = SlowFetcher(listed(tool()))
    fetcher.may.set()
    with looking(tmp_path, fetcher, judging=judge) as (looks, _):
        looks.start()
        looks.soon("notes")
        assert await asyncio.to_thread(judging.wait, 20)
        await looks.stop(0)
        may.set()

    assert looks_made(tmp_path) == 1


@asynccontextmanager
async def running(settings: Settings, stop: asyncio.Event, **how: Any) -> AsyncIterator[list[Any]]:
    with capture_logs() as logged:
        daemon = asyncio.create_task(run(settings, stop=stop, signals=False, **how))
        async with asyncio.timeout(30):
            while not any(line["action"] == "web" for line in logged):
                assert not daemon.done()
                await asyncio.sleep(0.01)
            yield logged
            stop.set()
            assert await daemon == 0


async def until(holds: Callable[[], object]) -> None:
    async with asyncio.timeout(20):
        while not holds():  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.01)


def answering() -> int:
    """Count the threads that work on requests."""
    return sum(one.name.startswith("AnyIO") for one in threading.enumerate())


def listens_at(address: str) -> bool:
    host, _, port = address.rpartition(":")
    with socket.socket() as client:
        return client.connect_ex((host, int(port))) == 0


async def test_a_decision_that_waits_for_the_database_is_written_before_the_daemon_ends(tmp_path: Path) -> None:
    turning, stop = TurningServer(), asyncio.Event()
    async with served(turning.app) as port:
        server = ServerConfig(
            name="notes",
            url=f"http://127.0.0.1:{port}/mcp",
            interval=Intervals(default=300, floor=0.1, ceiling=600),
            rehearse=False,
            notices=False,
        )
        settings = Settings(
            database_url=f"sqlite:///{tmp_path / 'driftwatch.db'}",
            servers=(server,),
            daemon=DaemonConfig(grace=20),
            web=WebConfig(listen="127.0.0.1:0"),
        )
        with Store.open(settings.database_url, clock=utc_now) as store:
            by = Actor("root", "cli root@here")
            _, secret = accounts.add_token(
                store, secrets.token_bytes, "ci", Role.REVIEWER, lasts=None, by=by, now=utc_now()
            )
            async with running(settings, stop) as logged, httpx.AsyncClient() as client:
                await until(lambda: store.state("notes").last_digest)
                where = next(line["address"] for line in logged if line["action"] == "web")
                with closing(sqlite3.connect(tmp_path / "driftwatch.db", isolation_level=None)) as other:
                    other.execute("BEGIN IMMEDIATE")
                    idle = answering()
                    asked = asyncio.create_task(
                        client.post(
                            f"http://{where}/api/v1/servers/notes/approvals",
                            headers={"Authorization": f"Bearer {secret}"},
                            json={"digest": store.state("notes").last_digest, "note": "read it"},
                            timeout=20,
                        )
                    )
                    await until(lambda: answering() > idle)
                    stop.set()
                    await until(lambda: not listens_at(where))
                    waited = not asked.done()
                    other.execute("ROLLBACK")
                answer = await asked
            baseline = store.state("notes").baseline

    assert waited
    assert answer.status_code == 201, answer.text
    assert baseline is not None
    assert baseline.state is BaselineState.APPROVED


async def test_a_reload_that_is_being_made_ready_holds_up_no_end_and_takes_nothing(tmp_path: Path) -> None:
    stop, again, reading, may = asyncio.Event(), asyncio.Event(), threading.Event(), threading.Event()
    settings = Settings(database_url=f"sqlite:///{tmp_path / 'driftwatch.db'}", web=WebConfig(listen="127.0.0.1:0"))
    adopted: list[Settings] = []

    def read() -> Settings:
        reading.set()
        assert may.wait(20)
        return settings.model_copy(update={"daemon": DaemonConfig(concurrency=3)})

    how = Reading(read, adopted=lambda _, now: adopted.append(now))
    async with running(settings, stop, reading=how, again=again):
        again.set()
        assert await asyncio.to_thread(reading.wait, 20)
    may.set()

    assert adopted == []
