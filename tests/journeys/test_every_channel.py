"""A server turns and turns back, and people hear of each once on every channel, whatever happens in between.

The daemon is a real one in a process of its own, with one channel of every kind; the destinations are those of `town`.
"""

from __future__ import annotations

import asyncio
import os
import random
import resource
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import pytest
from daemons import Daemon, end, kill, start, until
from town import LOSES, REFUSES, TAKES, Town, town

from driftwatch.config.load import load
from driftwatch.config.schema import Settings
from driftwatch.model import AlertKind, DeliveryState
from driftwatch.review.approve import approve
from driftwatch.run.stage import served
from driftwatch.run.wiring import World
from driftwatch.watch.fetch.turning import APPROVED, STEPS, TurningServer
from tests import zygote
from tests.fakes import person

pytestmark = pytest.mark.processes

SERVER = "notes"
KILLS = 5
"""Kills while the server has turned, and again while it has turned back."""


@dataclass
class Watched:
    """A server that turns, the destinations, and the daemon that watches the one and tells the others."""

    server: TurningServer
    town: Town
    config: Path
    settings: Settings
    daemon: Daemon | None = field(default=None)

    @property
    def pid(self) -> int:
        assert self.daemon is not None
        return self.daemon.pid

    async def start(self) -> None:
        self.daemon = await start(self.config, self.town.environment, python=zygote.python_with_apprise())

    async def kill(self) -> None:
        assert self.daemon is not None
        await kill(self.daemon)

    async def end(self) -> None:
        assert self.daemon is not None
        await end(self.daemon)

    async def until(self, holds: Callable[[World], object], what: str) -> None:
        await until(self.settings, holds, what, patience=120)

    async def told(self, *words: str) -> None:
        """Wait until everybody was told just this, and the daemon knows that it is done."""
        wanted = self.town.everywhere(*words)
        await self.until(lambda _: self.town.told(SERVER) == wanted, f"{words} on every channel")
        await self.until(lambda world: not unsent(world), "an empty outbox")

    async def approve(self) -> None:
        await self.until(lambda world: world.store.state(SERVER).last_digest, "the first look")
        with World.open(self.settings) as world:
            sam, now = person("sam"), datetime.now(UTC)
            approve(world.store, self.settings, SERVER, digest=None, by=sam, note="read", now=now)


def unsent(world: World) -> list[str]:
    return [one.id for one in world.store.deliveries(limit=1_000) if one.state is not DeliveryState.DELIVERED]


def is_open(world: World) -> bool:
    return world.store.open_alert(SERVER, AlertKind.DRIFT) is not None


@asynccontextmanager
async def watched(folder: Path, database: Path) -> AsyncIterator[Watched]:
    server = TurningServer(name=SERVER)
    async with served(server.app) as port, town(folder / "town") as built:
        lines = [
            *("[database]", f'url = "sqlite:///{database}"', "[daemon]", "min_notice_gap = 0.1"),
            *("[defaults]", "interval = {default = 2, floor = 1, ceiling = 4}"),
            *(f"[servers.{SERVER}]", "rehearse = false", f'url = "http://127.0.0.1:{port}/mcp"', *built.tables()),
        ]
        config = folder / "driftwatch.toml"
        config.write_text("\n".join(lines), encoding="utf-8")
        settings = load(config, dict(os.environ))
        scene = Watched(server, built, config, settings)
        await scene.start()
        try:
            await scene.approve()
            yield scene
        finally:
            if scene.daemon is not None and scene.daemon.returncode is None:
                await scene.kill()


async def test_everybody_hears_once_of_a_turn_and_once_of_its_end_with_a_restart_between(tmp_path: Path) -> None:
    async with watched(tmp_path, tmp_path / "driftwatch.db") as scene:
        await scene.server.turn(STEPS[0].tools)
        await scene.told("opened")
        await scene.end()
        await scene.start()
        await scene.server.turn(APPROVED.tools)
        await scene.told("opened", "resolved")
        await scene.end()

        assert scene.town.told(SERVER) == scene.town.everywhere("opened", "resolved")
        assert scene.town.repeats() == 0


async def test_everybody_hears_of_each_once_through_kills_and_destinations_that_refuse_and_lose_answers(
    tmp_path: Path,
) -> None:
    chance = random.Random(20261130)
    async with watched(tmp_path, tmp_path / "driftwatch.db") as scene:
        await scene.town.close()
        for place in scene.town.places.values():
            place.moods = deque(chance.choice((TAKES, REFUSES, LOSES)) for _ in range(4))
            place.moods[0] = LOSES
        await scene.town.open()

        for tools, came in ((STEPS[0].tools, is_open), (APPROVED.tools, lambda world: not is_open(world))):
            await scene.server.turn(tools)
            for _ in range(KILLS):
                await asyncio.sleep(chance.uniform(0.0, 2.5))  # the moment of the kill is the point, not a wait
                await scene.kill()
                await scene.start()
            await scene.until(came, "what the server shows to be written down")
        await scene.told("opened", "resolved")
        await scene.end()

        assert scene.town.told(SERVER) == scene.town.everywhere("opened", "resolved")
        assert scene.town.repeats() > 0


@pytest.mark.parametrize("kind", ["webhook", "email"])
async def test_who_was_told_in_the_moment_of_a_kill_is_told_again_under_the_same_id(tmp_path: Path, kind: str) -> None:
    async with watched(tmp_path, tmp_path / "driftwatch.db") as scene:
        place = scene.town.places[kind]
        place.on_arrival = lambda: os.kill(scene.pid, 9)
        await scene.server.turn(STEPS[0].tools)
        assert scene.daemon is not None
        await scene.daemon.wait()
        await scene.start()
        await scene.told("opened")

        assert len(place.taken) == 2
        assert len(place.once()) == 1


class Limit:
    """A limit on how large a file of the daemon may become: nothing that it writes gets onto the disk."""

    def __init__(self, folder: Path) -> None:
        self.database = folder / "driftwatch.db"

    def fill(self, daemon: int) -> None:
        resource.prlimit(daemon, resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))

    def heal(self, daemon: int) -> None:
        resource.prlimit(daemon, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


async def test_nothing_is_lost_and_nothing_told_twice_when_the_disk_is_full_for_a_while(tmp_path: Path) -> None:
    disk = Limit(tmp_path)
    async with watched(tmp_path, disk.database) as scene:
        disk.fill(scene.pid)
        looks = scene.server.listed
        await scene.server.turn(STEPS[0].tools)
        await scene.until(lambda _: scene.server.listed >= looks + 3, "looks that cannot be written down")
        early = scene.town.told(SERVER)
        disk.heal(scene.pid)
        await scene.told("opened")

        # Now it fills up in the moment in which a message is out and not written down yet.
        hook = scene.town.places["webhook"]
        hook.on_arrival = lambda: disk.fill(scene.pid)
        await scene.server.turn(APPROVED.tools)
        await scene.until(lambda _: "resolved" in hook.told(SERVER), "the end of the alert")
        await scene.until(lambda _: scene.server.listed >= looks + 8, "some time")
        disk.heal(scene.pid)
        await scene.told("opened", "resolved")
        await scene.end()

        assert early == scene.town.everywhere()
        assert scene.town.told(SERVER) == scene.town.everywhere("opened", "resolved")
        assert scene.town.repeats() > 0
