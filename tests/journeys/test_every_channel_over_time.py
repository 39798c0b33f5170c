"""Every destination is down for an hour, and the clock is set back and forward: people still hear of each thing once.

Looks, upkeep and deliveries are those of the daemon, taken step by step on a clock of our own. What the channels
themselves do goes by the real clock, as the destinations do.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from town import REFUSES, Town, town

from driftwatch.config.channels import AppriseConfig
from driftwatch.config.load import load
from driftwatch.model import AlertState, DeliveryState
from driftwatch.review.approve import approve
from driftwatch.run.stage import served
from driftwatch.run.wiring import World
from driftwatch.tell.channels.apprise import Apprise
from driftwatch.tell.deliver import LEASE, Deliverer
from driftwatch.tell.upkeep import Upkeep
from driftwatch.watch.fetch.turning import APPROVED, STEPS, TurningServer
from tests import zygote
from tests.fakes import FrozenClock, person

SERVER = "notes"
STEP = 120.0
HOUR = range(30)
"""So many steps."""

DAY = 86_400.0


@dataclass
class Stepped:
    """A daemon's work, done in steps on a clock that obeys."""

    world: World
    clock: FrozenClock
    upkeep: Upkeep
    deliverer: Deliverer
    server: TurningServer
    town: Town

    async def step(self, seconds: float = STEP) -> None:
        """Let time pass, then do everything that is due."""
        self.clock.forward(seconds)
        await self.world.checker.check(self.world.settings.server(SERVER))
        self.upkeep.turn(self.clock())
        await self.deliverer.run_due()

    async def turn(self, tools: Sequence[dict[str, Any]]) -> None:
        await self.server.turn(tools)
        await self.step(1)

    async def settle(self) -> timedelta:
        """Step until nothing waits any more; gives how long that took."""
        began = self.clock()
        while self.waiting():
            await self.step()
            assert self.clock() - began < timedelta(hours=2)
        return self.clock() - began

    def waiting(self) -> list[str]:
        return [one.id for one in self.world.store.deliveries(state=DeliveryState.PENDING, limit=1_000)]

    def about_channels(self) -> set[tuple[str, ...]]:
        """Give what anybody was told about a channel that takes no messages, if anything."""
        told = (words for about in self.town.places for words in self.town.told(about).values())
        return {tuple(words) for words in told if words}


@asynccontextmanager
async def stepped(folder: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Stepped]:
    server, clock = TurningServer(name=SERVER), FrozenClock(datetime.now(UTC))
    async with served(server.app) as port, town(folder / "town") as built:
        lines = [f"[servers.{SERVER}]", "rehearse = false", f'url = "http://127.0.0.1:{port}/mcp"', *built.tables()]
        config = folder / "driftwatch.toml"
        config.write_text("\n".join(lines), encoding="utf-8")
        for name, value in built.environment.items():
            monkeypatch.setenv(name, value)
        settings = load(config, dict(os.environ))
        with World.open(settings, clock=clock) as world:
            upkeep = Upkeep(world.store, settings, started=clock())
            async with world.channels() as channels:
                # The same program as the product's own, started from what is loaded already.
                loaded = Apprise(
                    next(one for one in settings.channels if isinstance(one, AppriseConfig)),
                    python=zygote.standing_for_apprise(),
                )
                channels[loaded.name] = loaded
                scene = Stepped(world, clock, upkeep, world.deliverer(channels), server, built)
                await scene.step()
                approve(world.store, settings, SERVER, digest=None, by=person("sam"), note="read", now=clock())
                yield scene


async def test_after_an_hour_in_which_nobody_could_be_told_everybody_hears_of_the_turn_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with stepped(tmp_path, monkeypatch) as scene:
        await scene.town.close()
        await scene.turn(STEPS[0].tools)
        for _ in HOUR:
            await scene.step()
        during = scene.town.told(SERVER)
        await scene.town.open()
        late = await scene.settle()
        after = scene.town.told(SERVER)
        await scene.turn(APPROVED.tools)

        assert during == scene.town.everywhere()
        assert after == scene.town.everywhere("opened")
        assert late <= timedelta(hours=1)
        assert scene.about_channels() == {("opened", "resolved")}
        assert scene.town.told(SERVER) == scene.town.everywhere("opened", "resolved")


async def test_a_turn_and_its_end_within_the_hour_are_told_in_order_and_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with stepped(tmp_path, monkeypatch) as scene:
        await scene.town.close()
        await scene.turn(STEPS[0].tools)
        for _ in HOUR[:15]:
            await scene.step()
        await scene.server.turn(APPROVED.tools)
        for _ in HOUR[15:]:
            await scene.step()
        await scene.town.open()
        await scene.settle()
        await scene.step()

        ended = {one.state for one in scene.world.store.alerts()}
        assert scene.town.told(SERVER) == scene.town.everywhere("opened", "resolved")
        assert ended == {AlertState.RESOLVED}
        assert scene.about_channels() == {("opened", "resolved")}


def without_reminders(built: Town) -> dict[str, list[str]]:
    """Give what people were told but for reminders: where the clock says that a day is over, they are due."""
    return {kind: [word for word in words if word != "reminded"] for kind, words in built.told(SERVER).items()}


@pytest.mark.parametrize(("first", "then"), [(-DAY, DAY), (DAY, -DAY)], ids=["back-and-right", "ahead-and-right"])
async def test_a_clock_that_is_a_day_off_for_a_while_keeps_nothing_back_and_tells_nothing_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, first: float, then: float
) -> None:
    async with stepped(tmp_path, monkeypatch) as scene:
        await scene.town.close()
        for place in scene.town.places.values():
            place.moods = deque([REFUSES, REFUSES])
        await scene.town.open()
        await scene.turn(STEPS[0].tools)
        await scene.step(first)
        await scene.step()
        await scene.step()
        in_between = without_reminders(scene.town)
        # A sender that has just taken all of it, and dies.
        await scene.server.turn(APPROVED.tools)
        await scene.world.checker.check(scene.world.settings.server(SERVER))
        taken = scene.world.store.claim_deliveries(now=scene.clock(), lease=LEASE, limit=100)
        await scene.step(then)
        await scene.step()

        assert in_between == scene.town.everywhere("opened")
        assert len(taken) >= len(scene.town.places)
        assert scene.waiting() == []
        assert without_reminders(scene.town) == scene.town.everywhere("opened", "resolved")
