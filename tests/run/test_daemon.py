"""A whole daemon against real servers and a real receiver, on loopback."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from driftwatch.config.channels import WebhookConfig
from driftwatch.config.isolation import SandboxConfig
from driftwatch.config.schema import DaemonConfig, Intervals, ServerConfig, Settings, Timeouts
from driftwatch.config.secret import Secret
from driftwatch.model import AlertKind, DeliveryState
from driftwatch.review.approve import approve
from driftwatch.review.attend import acknowledge
from driftwatch.run.daemon import run
from driftwatch.run.demo import Receiver, new_secret
from driftwatch.run.stage import served
from driftwatch.run.wiring import World, utc_now
from driftwatch.watch.fetch.turning import APPROVED, STEPS, TurningServer
from tests.fakes import person
from tests.servers.over_http import HttpServer

SLOW = Intervals(default=300, floor=60, ceiling=600)
QUICK = Intervals(default=1, floor=0.2, ceiling=2)


@dataclass
class Running:
    """A daemon at work, what it was configured with, and where its alerts arrive."""

    settings: Settings
    receiver: Receiver
    stop: asyncio.Event
    daemon: asyncio.Task[int]

    async def until(self, holds: Callable[[World], object]) -> None:
        with World.open(self.settings) as world:
            async with asyncio.timeout(20):
                while not holds(world):
                    assert not self.daemon.done(), "the daemon ended"
                    await asyncio.sleep(0.02)

    async def approve(self, name: str) -> None:
        await self.until(lambda world: world.store.state(name).last_digest)
        with World.open(self.settings) as world:
            approve(world.store, self.settings, name, digest=None, by=person("test"), note="", now=utc_now())

    def looks(self, name: str) -> int:
        with World.open(self.settings) as world:
            return world.store.state(name).looks

    async def alert(self) -> dict[str, Any]:
        async with asyncio.timeout(20):
            return await self.receiver.received.get()


@asynccontextmanager
async def running(
    folder: Path, *servers: ServerConfig, gap: float = 0.05, threshold: str = "medium"
) -> AsyncIterator[Running]:
    secret = new_secret()
    receiver = Receiver(secret)
    async with served(receiver) as port:
        settings = Settings(
            database_url=f"sqlite:///{folder / 'driftwatch.db'}",
            servers=servers,
            channels=(
                WebhookConfig(
                    name="hook",
                    kind="webhook",
                    url=f"http://127.0.0.1:{port}/",
                    secret=Secret(secret),
                    min_severity=threshold,
                ),
            ),
            daemon=DaemonConfig(min_notice_gap=gap, grace=2),
        )
        stop = asyncio.Event()
        daemon = asyncio.create_task(run(settings, stop=stop, signals=False))
        try:
            yield Running(settings, receiver, stop, daemon)
        finally:
            stop.set()
            async with asyncio.timeout(20):
                assert await daemon == 0


def http(name: str, port: int, interval: Intervals = SLOW, **fields: Any) -> ServerConfig:
    return ServerConfig(
        name=name,
        transport="http",
        url=f"http://127.0.0.1:{port}/mcp",
        interval=interval,
        alert_after=2,
        rehearse=False,
        **fields,
    )


async def test_what_a_command_queues_is_sent_by_the_daemon_at_once(tmp_path: Path) -> None:
    turning = TurningServer()
    async with served(turning.app) as port, running(tmp_path, http("notes", port)) as daemon:
        await daemon.approve("notes")
        await daemon.until(lambda _: turning.listed >= 2)
        await turning.turn(STEPS[0].tools)
        opened = await daemon.alert()
        await daemon.until(lambda world: world.store.deliveries(state=DeliveryState.DELIVERED))

        with World.open(daemon.settings) as world:
            acknowledge(world.store, daemon.settings, opened["data"]["alert"], by=person("ana"), note="", now=utc_now())
        known = await daemon.alert()

    assert (opened["type"], known["type"]) == ("driftwatch.alert.opened", "driftwatch.alert.acknowledged")


async def test_a_notice_leads_to_an_alert_without_waiting_for_the_next_scheduled_look(tmp_path: Path) -> None:
    turning = TurningServer()
    async with served(turning.app) as port, running(tmp_path, http("notes", port)) as daemon:
        await daemon.approve("notes")
        await daemon.until(lambda _: turning.listed >= 2)

        await turning.turn(STEPS[0].tools)
        alert = await daemon.alert()

    assert alert["type"] == "driftwatch.alert.opened"
    assert alert["data"]["server"] == "notes"


async def test_a_burst_of_notices_becomes_a_few_looks(tmp_path: Path) -> None:
    turning = TurningServer()
    async with served(turning.app) as port, running(tmp_path, http("notes", port), gap=0.5) as daemon:
        await daemon.approve("notes")
        await daemon.until(lambda _: turning.listed >= 2)
        before = turning.listed

        for _ in range(200):
            await turning.turn(APPROVED.tools)
        await turning.turn(STEPS[0].tools)
        await daemon.alert()

    assert turning.listed - before <= 5


async def test_a_server_without_a_stream_is_polled_all_the_same(tmp_path: Path) -> None:
    turning = TurningServer()
    async with served(turning.app) as port, running(tmp_path, http("notes", port, QUICK, notices=False)) as daemon:
        await daemon.approve("notes")

        await turning.turn(STEPS[0].tools, notify=False)
        alert = await daemon.alert()

    assert alert["type"] == "driftwatch.alert.opened"


@pytest.mark.parametrize("fault", ["hangs", "html", "drops", "endless-events"])
async def test_a_server_that_misbehaves_has_its_own_alert_and_does_not_hold_up_the_others(
    tmp_path: Path, fault: str
) -> None:
    turning = TurningServer()
    patience = Timeouts(connect=1, request=1, start=1, look=2)
    async with (
        served(turning.app) as port,
        HttpServer(fault=fault) as bad,
        running(tmp_path, http("notes", port, QUICK), http("bad", bad.port, QUICK, timeout=patience)) as daemon,
    ):
        await daemon.approve("notes")
        await turning.turn(STEPS[0].tools)
        alerts = [await daemon.alert(), await daemon.alert()]
        with World.open(daemon.settings) as world:
            health = world.store.open_alert("bad", AlertKind.HEALTH)
            state = world.store.state("bad")

    assert {alert["data"]["server"] for alert in alerts} == {"notes", "bad"}
    assert health is not None
    assert (state.last_ok_at, state.last_digest) == (None, "")


async def test_a_stream_that_is_lost_is_opened_again_and_followed_by_a_look(tmp_path: Path) -> None:
    turning = TurningServer()
    async with served(turning.app) as port, running(tmp_path, http("notes", port)) as daemon:
        await daemon.approve("notes")
        await daemon.until(lambda _: turning.listed >= 2)

        await turning.turn(STEPS[0].tools, notify=False)
        turning.hang_up()
        alert = await daemon.alert()

    assert alert["type"] == "driftwatch.alert.opened"


async def test_a_local_server_that_turns_in_its_session_is_seen_and_its_alert_does_not_flap(tmp_path: Path) -> None:
    script = Path(__file__).parents[1] / "servers" / "over_stdio.py"
    server = ServerConfig(
        name="local",
        transport="stdio",
        command=sys.executable,
        sandbox=SandboxConfig(kind="none"),
        args=(str(script), "handshake-listens", "turns"),
        interval=QUICK,
        rehearse=False,
    )
    async with running(tmp_path, server, threshold="low") as daemon:
        await daemon.approve("local")
        alert = await daemon.alert()
        looks = daemon.looks("local")
        await daemon.until(lambda world: world.store.state("local").looks >= looks + 3)
        silent = daemon.receiver.received.empty()

    assert alert["type"] == "driftwatch.alert.opened"
    assert silent


async def test_a_new_version_of_a_local_server_is_seen_beside_the_old_one_that_is_held_and_so_is_the_way_back(
    tmp_path: Path,
) -> None:
    script = Path(__file__).parents[1] / "servers" / "over_stdio.py"
    tools = tmp_path / "tools.json"
    tools.write_text(json.dumps(APPROVED.tools), encoding="utf-8")
    server = ServerConfig(
        name="local",
        transport="stdio",
        command=sys.executable,
        sandbox=SandboxConfig(kind="none"),
        args=(str(script), "handshake-listens", "reads-file"),
        env={"TOOLS": str(tools)},
        interval=QUICK,
        rehearse=False,
    )
    async with running(tmp_path, server) as daemon:
        await daemon.approve("local")
        looks = daemon.looks("local")
        await daemon.until(lambda world: world.store.state("local").looks >= looks + 2)

        tools.write_text(json.dumps(STEPS[0].tools), encoding="utf-8")
        opened = await daemon.alert()
        tools.write_text(json.dumps(APPROVED.tools), encoding="utf-8")
        resolved = await daemon.alert()

    assert opened["type"] == "driftwatch.alert.opened"
    assert resolved["type"] == "driftwatch.alert.resolved"
