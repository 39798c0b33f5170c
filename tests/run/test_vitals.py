"""A real daemon that is asked how it does, while what it stands on fails."""

from __future__ import annotations

import asyncio
import re
import socket
import sqlite3
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from structlog.testing import capture_logs

from driftwatch.config.channels import WebhookConfig
from driftwatch.config.schema import DaemonConfig, Intervals, ServerConfig, Settings, Timeouts
from driftwatch.config.secret import Secret
from driftwatch.config.web import WebConfig
from driftwatch.model import Health
from driftwatch.run.daemon import run
from driftwatch.run.health import healthcheck
from driftwatch.run.metrics_catalogue import METRICS, Type
from driftwatch.run.stage import served
from driftwatch.run.vitals import Vitals
from driftwatch.run.wiring import World, utc_now
from driftwatch.watch.fetch.turning import TurningServer
from tests.fakes import FrozenClock, tool

SLOW = Intervals(default=300, floor=0.1, ceiling=600)
DANGEROUS = tool(annotations={"readOnlyHint": False, "destructiveHint": True})
FAILURES = 'driftwatch_channel_failures{channel="hook"}'
SECRET = Secret("whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=")


class Clock:
    """The time, and how much further it was put."""

    def __init__(self) -> None:
        self.ahead = timedelta()

    def __call__(self) -> datetime:
        return utc_now() + self.ahead


class Asked:
    """A daemon that runs, and what it says of itself."""

    def __init__(self, settings: Settings, client: httpx.AsyncClient, clock: Clock) -> None:
        self.settings, self.client, self.clock = settings, client, clock

    async def alive(self) -> int:
        return (await self.client.get("/healthz")).status_code

    async def ready(self) -> tuple[int, list[str]]:
        """Give the status, and the parts that decide and do not work; the command says the same."""
        command = asyncio.to_thread(healthcheck, self.settings, now=self.clock())
        answered, (said, _) = await asyncio.gather(self.client.get("/readyz"), command)
        assert answered.json()["ready"] == (answered.status_code == 200) == said
        return answered.status_code, [
            one["check"] for one in answered.json()["checks"] if one["decides"] and not one["ok"]
        ]

    async def metrics(self) -> dict[str, float]:
        """Give the numbers by name and labels, as they are written."""
        answered = await self.client.get("/metrics")
        assert answered.status_code == 200
        return numbers(answered.text)

    async def until(self, holds: Callable[[dict[str, float]], bool]) -> dict[str, float]:
        async with asyncio.timeout(30):
            while not holds(found := await self.metrics()):  # noqa: ASYNC110 - it tells only who asks
                await asyncio.sleep(0.1)
        return found


def numbers(text: str) -> dict[str, float]:
    lines = (line.rpartition(" ") for line in text.splitlines() if not line.startswith("#"))
    return {name: float(value) for name, _, value in lines}


def total(found: dict[str, float], start: str) -> float:
    return sum(count for name, count in found.items() if name.startswith(start))


@asynccontextmanager
async def running(folder: Path, *servers: ServerConfig, **more: Any) -> AsyncIterator[Asked]:
    settings = Settings(
        database_url=f"sqlite:///{folder / 'driftwatch.db'}",
        servers=servers,
        daemon=DaemonConfig(grace=1, min_notice_gap=0.1),
        web=WebConfig(listen="127.0.0.1:0"),
        **more,
    )
    stop, clock = asyncio.Event(), Clock()
    with capture_logs() as logged:
        daemon = asyncio.create_task(run(settings, stop=stop, signals=False, clock=clock))
        try:
            async with asyncio.timeout(30):
                while not (place := [line for line in logged if line.get("action") == "web"]):
                    assert not daemon.done(), daemon.result()
                    await asyncio.sleep(0.01)
            async with httpx.AsyncClient(base_url=f"http://{place[0]['address']}", timeout=30) as client:
                yield Asked(settings, client, clock)
        finally:
            stop.set()
            async with asyncio.timeout(60):
                assert await daemon == 0


@asynccontextmanager
async def watched(folder: Path, **more: Any) -> AsyncIterator[tuple[Asked, TurningServer]]:
    """Run a daemon that has looked at its only server, and hears its notices."""
    turning = TurningServer(name="notes")
    async with served(turning.app) as port:
        server = ServerConfig(name="notes", url=f"http://127.0.0.1:{port}/mcp", interval=SLOW, rehearse=False)
        async with running(folder, server, **more) as asked:
            await asked.until(lambda found: found['driftwatch_server_looks_total{server="notes"}'] > 0)
            yield asked, turning


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the database as another program would."""
    with closing(sqlite3.connect(folder / "driftwatch.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


@contextmanager
def silent() -> Iterator[int]:
    """Take connections and never answer; give the port."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener.getsockname()[1]


async def test_a_daemon_at_work_is_ready_and_tells_every_metric_there_is(tmp_path: Path) -> None:
    async with watched(tmp_path) as (asked, turning):
        ready = await asked.ready()
        found = await asked.until(lambda found: found["driftwatch_notice_streams"] == 1)
        await turning.turn([DANGEROUS])
        turned = await asked.until(lambda found: total(found, "driftwatch_alerts{") > 0)

    assert ready == (200, [])
    families = {re.sub(r"(_bucket|_sum|_count)?(\{.*)?$", "", name) for name in found}
    without_channels = {
        one.name for one in METRICS if "channel" in one.label_names and not one.name.startswith("driftwatch_outbox")
    }
    assert {one.name for one in METRICS} - without_channels <= families
    assert {name for name in families if not name.startswith("process_")} <= {one.name for one in METRICS}
    assert found["driftwatch_ready"] == found["driftwatch_database_readable"] == 1
    assert found['driftwatch_servers{state="not-approved"}'] == 1
    assert found['driftwatch_looks_total{outcome="first-sight"}'] == 1
    assert found["driftwatch_look_duration_seconds_count"] >= 1
    assert found["driftwatch_look_start_lag_seconds_count"] >= 1
    assert found["driftwatch_fetched_bytes_total"] > 0
    assert found['driftwatch_database_size_bytes{file="main"}'] > 0
    assert turned["driftwatch_notices_total"] >= 1
    assert turned['driftwatch_looks_total{outcome="drift"}'] == 1
    assert total(turned, "driftwatch_findings{") > 0
    assert total(turned, "driftwatch_alerts{") == 1


async def test_a_look_that_hangs_keeps_nobody_from_an_answer_and_leaves_the_scheduler_unwell(tmp_path: Path) -> None:
    with silent() as port:
        hanging = ServerConfig(
            name="mute",
            url=f"http://127.0.0.1:{port}/mcp",
            interval=SLOW,
            timeout=Timeouts(connect=500, request=500, look=600),
        )
        async with running(tmp_path, hanging) as asked:
            alive, (status, parts), found = await asyncio.gather(asked.alive(), asked.ready(), asked.metrics())

    assert alive == 200
    assert (status, parts) == (503, ["scheduler"])
    assert found['driftwatch_check_ok{check="scheduler"}'] == 0
    assert found['driftwatch_check_ok{check="database"}'] == 1


async def test_while_the_database_is_locked_it_lives_and_each_part_that_stands_still_says_so(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as gone:
        port = gone.getsockname()[1]
    hook = WebhookConfig(name="hook", kind="webhook", url=f"http://127.0.0.1:{port}/", secret=SECRET)
    async with watched(tmp_path, channels=(hook,)) as (asked, turning):
        await turning.turn([DANGEROUS])
        retried = 'driftwatch_deliveries_total{channel="hook",outcome="retried"}'
        tried = await asked.until(lambda found: found[retried] > 0 and found[FAILURES] > 0)
        with locked(tmp_path):
            alive, at_once = await asyncio.gather(asked.alive(), asked.ready())
            asked.clock.ahead = timedelta(hours=1)
            found = await asked.until(is_late)
            later = await asked.ready()
        asked.clock.ahead = timedelta()
        again = await asked.until(lambda found: found["driftwatch_ready"] > 0)

    assert tried['driftwatch_outbox_messages{channel="hook",state="pending"}'] == 1
    assert (alive, at_once) == (200, (503, ["database"]))
    assert later == (503, ["database", "scheduler", "delivery"])
    # To read it still works.
    assert found["driftwatch_ready"] == 0
    assert found["driftwatch_database_readable"] == 1
    assert found['driftwatch_outbox_oldest_age_seconds{channel="hook"}'] > 3_000
    assert found["driftwatch_staleness_seconds"] > 3_000
    assert again['driftwatch_check_ok{check="database"}'] == 1


def is_late(found: dict[str, float]) -> bool:
    return found["driftwatch_next_look_lag_seconds"] > 3_000


async def test_a_database_that_never_answers_is_said_in_time(tmp_path: Path) -> None:
    clock, gate = FrozenClock(), threading.Event()

    def hangs() -> datetime:
        gate.wait()
        return clock()

    settings = Settings(database_url=f"sqlite:///{tmp_path / 'driftwatch.db'}")
    with World.open(settings, clock=clock) as world:
        vitals = Vitals(replace(world, clock=hangs), deadline=0.05)
        try:
            health, text = await vitals.ready(), await vitals.metrics()
        finally:
            gate.set()
            vitals.close()

    assert health.checks[0].why == "it gives no answer in time"
    assert not health.well
    found = numbers(text.decode())
    assert found["driftwatch_ready"] == found["driftwatch_database_readable"] == 0
    stored = {one.name for one in METRICS if one.stored and one.type is not Type.HISTOGRAM}
    assert not any(name.partition("{")[0] in stored for name in found)


async def test_many_who_ask_at_once_are_told_what_was_worked_out_once(tmp_path: Path) -> None:
    settings = Settings(database_url=f"sqlite:///{tmp_path / 'driftwatch.db'}")
    with World.open(settings) as world:
        vitals = Vitals(world)
        try:
            texts = await asyncio.gather(*(vitals.metrics() for _ in range(20)))
            said: list[Health] = await asyncio.gather(*(vitals.ready() for _ in range(20)))
        finally:
            vitals.close()

    assert len({id(text) for text in texts}) == len({id(health) for health in said}) == 1


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
def test_every_metric_is_called_as_its_kind_is(metric: Any) -> None:
    assert re.fullmatch(r"driftwatch_[a-z]+(_[a-z]+)*", metric.name)
    assert metric.name.endswith("_total") == (metric.type is Type.COUNTER)
    assert metric.help.endswith(".")
