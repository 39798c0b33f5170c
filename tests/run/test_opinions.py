"""What a second opinion is owed on is asked again beside the looks, and its troubles disturb nothing."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from driftwatch.config.opinion import OpinionConfig
from driftwatch.config.schema import Settings
from driftwatch.model import KeptOpinion, Opinion, Passage
from driftwatch.run.opinions import catch_up, keep_catching_up
from driftwatch.run.wiring import World
from driftwatch.watch.opinion.question import key_of
from tests.fakes import FrozenClock
from tests.servers.model_endpoint import Endpoint, Page, endpoint, harmless

ASKED = Passage(("Lists notes.",))
KEY = key_of(ASKED, "small")


def settings(folder: Path, asked: Endpoint, **options: Any) -> Settings:
    config = OpinionConfig(**{"enabled": True, "url": asked.url, "model": "small", **options})
    return Settings(database_url=f"sqlite:///{folder}/driftwatch.db", second_opinion=config)


def owe(world: World, clock: FrozenClock, *, key: str = KEY) -> None:
    none = Opinion("small", trouble="no answer in time")
    world.store.record_opinions([KeptOpinion(key, none, clock(), clock(), ASKED, ("notes",), 1)])


async def test_a_daemon_asks_again_until_it_is_told_to_end(tmp_path: Path) -> None:
    clock, loop, came = FrozenClock(), asyncio.get_running_loop(), asyncio.Event()

    def answer(_: dict[str, Any]) -> Page:
        loop.call_soon_threadsafe(came.set)
        return harmless()

    with endpoint(answer) as model, World.open(settings(tmp_path, model), clock=clock) as world:
        owe(world, clock)
        task = asyncio.create_task(keep_catching_up(world))
        async with asyncio.timeout(30):
            await came.wait()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    assert len(model.asked) == 1


async def test_an_answer_that_comes_later_is_kept(tmp_path: Path) -> None:
    clock = FrozenClock()
    with endpoint(lambda _: harmless()) as model, World.open(settings(tmp_path, model), clock=clock) as world:
        owe(world, clock)

        assert [await catch_up(world), await catch_up(world)] == [1, 0]
        assert world.store.opinions([KEY])[KEY].opinion.injection is False


async def test_a_question_to_another_model_is_given_up_without_being_asked(tmp_path: Path) -> None:
    clock = FrozenClock()
    with endpoint(lambda _: harmless()) as model, World.open(settings(tmp_path, model), clock=clock) as world:
        owe(world, clock, key=key_of(ASKED, "another"))
        await catch_up(world)

        assert world.store.owed_opinions(clock(), limit=9) == []
        assert model.asked == []


async def test_a_question_is_given_up_after_so_many_times_without_an_answer(tmp_path: Path) -> None:
    clock, waits = FrozenClock(), []
    with (
        endpoint(lambda _: (500, b"")) as model,
        World.open(settings(tmp_path, model), clock=clock) as world,
    ):
        owe(world, clock)
        for _ in range(10):
            await catch_up(world)
            again_at = world.store.opinions([KEY])[KEY].again_at
            waits.append((again_at - clock()).total_seconds() / 60 if again_at else 0)
            clock.forward(86_400)

    assert waits == [20, 40, 80, 160, 320, 640, 0, 0, 0, 0]
    assert len(model.asked) == 7


async def test_while_it_is_off_nothing_is_asked(tmp_path: Path) -> None:
    clock = FrozenClock()
    with (
        endpoint(lambda _: harmless()) as model,
        World.open(settings(tmp_path, model, enabled=False), clock=clock) as world,
    ):
        owe(world, clock)
        await keep_catching_up(world)

        assert await catch_up(world) == 0
    assert model.asked == []
