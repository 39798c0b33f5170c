"""A whole daemon that watches a host's file, and asks about packages, on loopback."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from driftwatch.config.channels import WebhookConfig
from driftwatch.config.inventory import InventoryConfig, WatchedFile
from driftwatch.config.schema import DaemonConfig, Settings
from driftwatch.config.secret import Secret
from driftwatch.config.supply import SupplyConfig
from driftwatch.model import AlertKind
from driftwatch.review.approve import approve
from driftwatch.run.daemon import run
from driftwatch.run.demo import Receiver, new_secret
from driftwatch.run.stage import served
from driftwatch.run.wiring import World, utc_now
from tests.fakes import person
from tests.servers.over_registry import RegistryServer, packument, vulnerability

NOTES = {"command": "npx", "args": ["-y", "notes-mcp@1.2.0"]}


@dataclass
class Running:
    """A daemon at work on one file."""

    settings: Settings
    file: Path
    receiver: Receiver
    daemon: asyncio.Task[int]

    def write(self, **servers: Any) -> None:
        """Write the file as a host does: a new one in place of the old."""
        other = self.file.with_suffix(".new")
        other.write_text(json.dumps({"mcpServers": servers}))
        other.replace(self.file)

    async def until(self, holds: Callable[[World], object]) -> None:
        with World.open(self.settings) as world:
            async with asyncio.timeout(20):
                while not holds(world):
                    assert not self.daemon.done(), "the daemon ended"
                    await asyncio.sleep(0.02)

    async def approve(self) -> None:
        await self.until(lambda world: world.store.state("host").last_digest)
        with World.open(self.settings) as world:
            approve(world.store, self.settings, "host", digest=None, by=person("test"), note="", now=utc_now())

    async def alert(self) -> dict[str, Any]:
        async with asyncio.timeout(20):
            return await self.receiver.received.get()


@asynccontextmanager
async def running(folder: Path, supply: SupplyConfig | None = None) -> AsyncIterator[Running]:
    file, secret = folder / "mcp.json", new_secret()
    receiver = Receiver(secret)
    table = InventoryConfig(name="host", file=str(file), interval=0.1, alert_after=2)
    async with served(receiver) as port:
        settings = Settings(
            database_url=f"sqlite:///{folder / 'driftwatch.db'}",
            files=(WatchedFile.of(table),),
            channels=(WebhookConfig(name="hook", url=f"http://127.0.0.1:{port}/", secret=Secret(secret)),),
            daemon=DaemonConfig(grace=2),
            supply=supply or SupplyConfig(),
        )
        stop = asyncio.Event()
        file.write_text(json.dumps({"mcpServers": {"notes": NOTES}}))
        daemon = asyncio.create_task(run(settings, stop=stop, signals=False))
        try:
            yield Running(settings, file, receiver, daemon)
        finally:
            stop.set()
            async with asyncio.timeout(20):
                assert await daemon == 0


def rules(alert: dict[str, Any]) -> set[str]:
    return {finding["rule"] for finding in alert["data"]["findings"]}


async def test_an_entry_that_comes_is_told_and_resolved_when_it_goes(tmp_path: Path) -> None:
    async with running(tmp_path) as daemon:
        await daemon.approve()

        daemon.write(notes=NOTES, helper={"command": "sh", "args": ["-c", "true"]})
        opened = await daemon.alert()
        daemon.write(notes=NOTES)
        resolved = await daemon.alert()

    assert (opened["type"], opened["data"]["server"]) == ("driftwatch.alert.opened", "host")
    assert "entry-added" in rules(opened)
    assert resolved["type"] == "driftwatch.alert.resolved"


async def test_an_entry_whose_command_is_swapped_under_its_name_is_high(tmp_path: Path) -> None:
    async with running(tmp_path) as daemon:
        await daemon.approve()

        daemon.write(notes={"command": "sh", "args": ["-c", "true"]})
        alert = await daemon.alert()

    assert alert["data"]["severity"] == "high"


async def test_a_file_that_is_gone_or_half_written_is_told_as_such_and_removes_nothing(tmp_path: Path) -> None:
    async with running(tmp_path) as daemon:
        await daemon.approve()

        daemon.file.write_text('{"mcpServers": {"no')
        opened = await daemon.alert()
        daemon.file.unlink()
        await daemon.until(lambda world: "no-file" in world.store.state("host").last_outcome)
        with World.open(daemon.settings) as world:
            drift, findings = world.store.open_alert("host", AlertKind.DRIFT), world.store.findings("host")
        daemon.write(notes=NOTES)
        resolved = await daemon.alert()

    assert (opened["type"], opened["data"]["kind"]) == ("driftwatch.alert.opened", "health")
    assert (drift, findings) == (None, ())
    assert resolved["type"] == "driftwatch.alert.resolved"


async def test_an_unchanged_file_costs_a_row_and_nothing_else(tmp_path: Path) -> None:
    async with running(tmp_path) as daemon:
        await daemon.approve()
        await daemon.until(lambda world: world.store.state("host").looks >= 5)
        with World.open(daemon.settings) as world:
            counts, sightings = world.store.counts(), world.store.sightings("host")

    assert (counts.snapshots, len(sightings)) == (1, 1)


async def test_an_advisory_about_an_approved_entry_is_told_without_any_change(tmp_path: Path) -> None:
    registry = RegistryServer({"/npm/notes-mcp": packument("1.2.0"), "/osv/v1/query": {}})
    async with served(registry) as port:
        base = f"http://127.0.0.1:{port}"
        supply = SupplyConfig(enabled=True, npm=f"{base}/npm", osv=f"{base}/osv", interval=0.5)
        async with running(tmp_path, supply) as daemon:
            await daemon.approve()
            await daemon.until(lambda world: world.store.package_news())

            registry.pages["/osv/v1/query"] = {"vulns": [vulnerability("MAL-2026-1")]}
            opened = await daemon.alert()
            registry.pages["/osv/v1/query"] = {}
            resolved = await daemon.alert()

    assert (opened["data"]["severity"], rules(opened)) == ("high", {"advisory-published"})
    assert resolved["type"] == "driftwatch.alert.resolved"


async def test_registries_that_fail_disturb_no_look(tmp_path: Path) -> None:
    supply = SupplyConfig(enabled=True, npm="http://127.0.0.1:1", osv="http://127.0.0.1:1", interval=0.5)
    async with running(tmp_path, supply) as daemon:
        await daemon.approve()
        await daemon.until(lambda world: any(news.trouble for news in world.store.package_news().values()))
        looks = 0
        with World.open(daemon.settings) as world:
            looks = world.store.state("host").looks
        await daemon.until(lambda world: world.store.state("host").looks > looks + 3)
        with World.open(daemon.settings) as world:
            assert world.store.state("host").failures == 0
