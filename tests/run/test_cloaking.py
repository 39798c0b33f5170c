"""A real daemon against real servers that show other lists to other clients, and against one that is honest."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from driftwatch.config.channels import WebhookConfig
from driftwatch.config.schema import DaemonConfig, Intervals, ServerConfig, Settings
from driftwatch.config.secret import Secret
from driftwatch.model import Verdict
from driftwatch.review.approve import approve
from driftwatch.run.daemon import run
from driftwatch.run.demo import Receiver, new_secret
from driftwatch.run.stage import served
from driftwatch.run.wiring import World, utc_now
from tests.fakes import person
from tests.servers import sdk_server
from tests.servers.over_http import HttpServer
from tests.servers.over_stdio import command

IDENTITIES = ("cursor", "claude-code")
PERIOD = 1.5
QUICK = Intervals(default=0.3, floor=0.2, ceiling=1)


@asynccontextmanager
async def watching(folder: Path, **fields: Any) -> AsyncIterator[tuple[Settings, Receiver]]:
    """Run a daemon that watches one server as two identities."""
    secret = new_secret()
    receiver = Receiver(secret)
    async with served(receiver) as port:
        hook = WebhookConfig(name="hook", url=f"http://127.0.0.1:{port}/", secret=Secret(secret))
        server = ServerConfig(
            name="watched",
            identities=IDENTITIES,
            cloaking_period=PERIOD,
            interval=QUICK,
            notices=False,
            rehearse=False,
            **fields,
        )
        settings = Settings(
            database_url=f"sqlite:///{folder / 'driftwatch.db'}",
            servers=(server,),
            channels=(hook,),
            daemon=DaemonConfig(grace=2),
        )
        stop = asyncio.Event()
        daemon = asyncio.create_task(run(settings, stop=stop, signals=False))
        try:
            yield settings, receiver
        finally:
            stop.set()
            async with asyncio.timeout(30):
                assert await daemon == 0


async def _until(world: World, holds: Callable[[World], object]) -> None:
    """Wait until something is true of what the daemon wrote: it tells only the database."""
    async with asyncio.timeout(60):
        while not holds(world):  # noqa: ASYNC110
            await asyncio.sleep(0.02)


async def _approved(settings: Settings) -> None:
    with World.open(settings) as world:
        await _until(world, lambda world: world.store.state("watched").last_digest)
        approve(world.store, settings, "watched", digest=None, by=person("test"), note="", now=utc_now())


async def _caught(settings: Settings, receiver: Receiver) -> None:
    """Wait for the alert, and see that it says for whom, what, and on what evidence."""
    await _approved(settings)
    async with asyncio.timeout(60):
        alert = await receiver.received.get()
    finding = next(one for one in alert["data"]["findings"] if one["rule"] == "two-faces")
    assert finding["severity"] == "critical"
    assert "claude-code" in finding["message"]
    assert (finding["item"], finding["pointer"]) == ("read", "/description")
    with World.open(settings) as world:
        verdicts = {face.identity: face.verdict for face in world.store.faces("watched")}
    assert verdicts == {"cursor": Verdict.SAME, "claude-code": Verdict.DIFFERS}


async def test_a_server_over_http_that_shows_one_client_another_list_is_caught(tmp_path: Path) -> None:
    async with HttpServer("two-faced") as server, watching(tmp_path, url=server.url) as (settings, receiver):
        await _caught(settings, receiver)


async def test_a_local_server_that_shows_one_client_another_list_is_caught(tmp_path: Path) -> None:
    program, args = command("two-faced")
    async with watching(tmp_path, command=program, args=args) as (settings, receiver):
        await _caught(settings, receiver)


@pytest.mark.parametrize("transport", ["http", "stdio"])
async def test_the_sdks_own_server_declares_other_capabilities_in_each_era_and_raises_nothing(
    transport: str, tmp_path: Path
) -> None:
    async with sdk_server.serving_sdk(sdk_server.make_server(ttl_ms=0)) as url:
        where = {"url": url} if transport == "http" else {"command": sys.executable, "args": (sdk_server.__file__,)}
        async with watching(tmp_path, **where) as (settings, receiver):
            await _approved(settings)
            with World.open(settings) as world:
                await _until(world, lambda world: len([one for one in world.store.faces("watched") if one.ok_at]) == 2)
                verdicts = {face.verdict for face in world.store.faces("watched")}
                findings = world.store.findings("watched")

    assert verdicts == {Verdict.SAME}
    assert [one.rule for one in findings if one.severity > "info"] == []
    assert receiver.received.empty()
