from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from driftwatch.config.identities import IdentityConfig
from driftwatch.config.schema import DaemonConfig, ServerConfig, Settings
from driftwatch.model import Actor, Era, Outcome, Refused, Unreachable
from driftwatch.review.audit import note_configuration
from driftwatch.run.held import Held
from driftwatch.run.looks import Looks
from driftwatch.run.wiring import World
from driftwatch.store.store import Store
from driftwatch.watch.check import Checker
from driftwatch.watch.fetch.base import Fetcher
from driftwatch.watch.fetch.listen import McpListener
from tests.fakes import FakeSession, FrozenClock, ScriptedFetcher, listed, tool

DAEMON = Actor("", "daemon")


def server(name: str, host: str = "mcp.example.com") -> ServerConfig:
    return ServerConfig(name=name, transport="http", url=f"https://{host}/{name}", rehearse=False)


def looking(
    folder: Path, outcomes: Iterable[Outcome], *servers: ServerConfig
) -> AbstractContextManager[tuple[Looks, World]]:
    return looking_by(folder, ScriptedFetcher(outcomes), *servers)


@contextmanager
def looking_by(
    folder: Path, fetcher: Fetcher, *servers: ServerConfig, uptime: Callable[[], float] = time.monotonic
) -> Iterator[tuple[Looks, World]]:
    clock = FrozenClock()
    settings = Settings(
        database_url=f"sqlite:///{folder / 'driftwatch.db'}", servers=servers, daemon=DaemonConfig(per_host=1)
    )
    store = Store.open(settings.database_url, clock=clock)
    checker = Checker(store=store, fetcher=fetcher, settings=Settings(), clock=clock, jitter=lambda: 0.0)
    world = World(settings, store, fetcher, McpListener(), checker, clock)
    with world:
        yield Looks(world, queued=lambda: None, listens=lambda _: None, uptime=uptime), world


BUSY = Refused("rate-limited", "429", status=429, retry_after=100)


def holding(outcome: Outcome) -> Held:
    return Held(FakeSession(outcome), renew=lambda: None)


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


@pytest.mark.parametrize(
    ("change", "due"),
    [
        (lambda made: made, set()),
        (lambda made: _with(made, "one", tls_pin=("sha256/" + "A" * 43 + "=",)), {"one"}),
        (lambda made: _with(made, "two", url="https://mcp.example.com/2"), {"two"}),
        (lambda made: _with(made, "two", identities=("other",)), {"two"}),
        (lambda made: made.model_copy(update={"daemon": DaemonConfig(per_host=2)}), set()),
        (
            lambda made: made.model_copy(update={"identities": (IdentityConfig(name="cursor", era=Era.MODERN),)}),
            {"one"},
        ),
    ],
)
async def test_what_is_configured_otherwise_than_at_its_last_look_is_due_at_once_after_a_start(
    tmp_path: Path, change: Callable[[Settings], Settings], due: set[str]
) -> None:
    one, two = server("one").model_copy(update={"identities": ("cursor",)}), server("two")
    with looking(tmp_path, [listed(tool())] * 2, one, two) as (_, world):
        note_configuration(world.store, world.settings, by=DAEMON)
        plain = world.settings.model_copy(update={"servers": (server("one"), server("two"))})
        for name in ("one", "two"):
            await Looks(replace(world, settings=plain), queued=lambda: None, listens=lambda _: None).look(server(name))
        world.clock.forward(60)
        changed = replace(world, settings=change(world.settings))
        note_configuration(world.store, changed.settings, by=DAEMON)
        again = Looks(changed, queued=lambda: None, listens=lambda _: None)

        again.start()

        soon = world.clock() + timedelta(seconds=6)
        planned = {each.name for each in (one, two) if (at := again.due(each)) is not None and at <= soon}
        await again.stop(0)
    assert planned == due


def _with(made: Settings, name: str, **update: object) -> Settings:
    servers = (one.model_copy(update=update) if one.name == name else one for one in made.servers)
    return made.model_copy(update={"servers": tuple(servers)})


async def test_an_outage_of_one_server_pauses_nothing(tmp_path: Path) -> None:
    one, two = server("one"), server("two")
    with looking(tmp_path, [Unreachable("connect", "refused"), listed(tool())], one, two) as (looks, world):
        await looks.look(one)
        await looks.look(two)

        assert world.store.state("two").last_digest


async def test_looks_that_queue_behind_a_refusal_leave_the_host_alone_too(tmp_path: Path) -> None:
    asked, answer = asyncio.Event(), asyncio.Event()

    class Slow(ScriptedFetcher):
        async def fetch(self, server: ServerConfig, *, era: Era | None) -> Outcome:
            asked.set()
            await answer.wait()
            return await super().fetch(server, era=era)

    servers = [server(name) for name in ("one", "two", "three")]
    fetcher = Slow([BUSY])
    with looking_by(tmp_path, fetcher, *servers) as (looks, _):
        async with asyncio.timeout(10), asyncio.TaskGroup() as group:
            for each in servers:
                group.create_task(looks.look(each))
            await asked.wait()
            answer.set()

    assert len(fetcher.eras) == 1


async def test_a_look_on_notice_does_not_put_off_the_fresh_look_that_is_planned(tmp_path: Path) -> None:
    one = server("one")
    shown = listed(tool())

    with looking(tmp_path, [shown], one) as (looks, world):
        await looks.look(one)
        planned = looks.due(one)
        looks.hold(one, holding(shown))
        world.clock.forward(60)  # type: ignore[attr-defined]
        await looks.look(one, noticed=True)

        assert world.store.state("one").looks == 2
        assert looks.due(one) == planned


async def test_a_look_on_notice_that_fails_brings_the_next_look_nearer(tmp_path: Path) -> None:
    one = server("one")

    with looking(tmp_path, [listed(tool())], one) as (looks, world):
        await looks.look(one)
        looks.hold(one, holding(Unreachable("closed-early", "gone")))
        await looks.look(one, noticed=True)

        due = looks.due(one)
        assert due is not None
        assert due <= world.clock() + timedelta(seconds=1.1 * one.interval.floor)


async def test_a_clock_that_is_set_back_does_not_put_off_the_looks(tmp_path: Path) -> None:
    one, two = server("one"), server("two", host="busy.example.com")
    with looking(tmp_path, [listed(tool()), BUSY], one, two) as (looks, world):
        await looks.look(one)
        await looks.look(two)

        world.clock.forward(-86_400)  # type: ignore[attr-defined]
        looks.mind_the_clock()

        due = looks.due(one)
        assert due is not None
        assert due <= world.clock() + timedelta(seconds=1.1 * one.interval.default)
        assert 0 < looks.pause_left(two) <= 100


TELLING = {"capabilities": {"tools": {"listChanged": True}}}
BEFORE, AFTER = listed(tool(), **TELLING), listed(tool(), tool("get_note"), **TELLING)


async def noticed(folder: Path, *, told: bool, looks_before: int) -> bool | None:
    """Look at a server whose list changes while a session is held, and give what is kept about the notice."""
    one = server("one")
    with looking(folder, [BEFORE, *[BEFORE] * looks_before, AFTER], one) as (looks, world):
        await looks.look(one)
        held = Held(FakeSession(AFTER), renew=lambda: None, grace=0.01)
        looks.hold(one, held)
        for _ in range(looks_before):
            await looks.look(one)
        if told:
            held.notice()
        await looks.look(one)

        arrival = world.store.sightings("one")[-1].arrival
        assert arrival is not None
        return arrival.noticed


@pytest.mark.parametrize("ahead", [timedelta(hours=6), timedelta(days=40), timedelta(days=20 * 365)], ids=str)
async def test_a_clock_that_jumps_ahead_or_a_machine_that_slept_leaves_the_looks_due_and_the_next_ones_near(
    tmp_path: Path, ahead: timedelta
) -> None:
    one, two = server("one"), server("two", host="busy.example.com")
    with looking(tmp_path, [listed(tool()), BUSY, listed(tool())], one, two) as (looks, world):
        await looks.look(one)
        await looks.look(two)
        planned = looks.due(one)

        world.clock.forward(ahead.total_seconds())  # type: ignore[attr-defined]
        looks.mind_the_clock()

        assert looks.due(one) == planned
        assert planned is not None
        assert planned < world.clock()
        assert looks.pause_left(two) <= 0
        await looks.look(one)
        due = looks.due(one)
        assert due is not None
        assert world.clock() < due <= world.clock() + timedelta(seconds=1.1 * one.interval.default)
        assert world.store.state("one").last_look_at == world.clock()


async def test_a_change_that_a_held_session_gave_notice_of_is_kept_as_noticed(tmp_path: Path) -> None:
    assert await noticed(tmp_path, told=True, looks_before=1) is True


async def test_a_change_that_a_held_session_was_silent_about_is_kept_as_silent(tmp_path: Path) -> None:
    assert await noticed(tmp_path, told=False, looks_before=1) is False


async def test_a_session_that_is_younger_than_the_last_look_says_nothing_about_the_change(tmp_path: Path) -> None:
    assert await noticed(tmp_path, told=False, looks_before=0) is None


async def test_a_look_that_is_asked_for_right_after_another_one_waits_for_a_breath(tmp_path: Path) -> None:
    one = server("one")
    with looking(tmp_path, [listed(tool())], one) as (looks, world):
        looks.start()
        await looks.look(one)
        looks.soon("one")

        assert looks.due(one) == world.clock() + timedelta(seconds=5)
        await looks.stop(1)


async def test_a_look_that_is_asked_for_while_another_one_runs_is_not_forgotten(tmp_path: Path) -> None:
    one = server("one")

    class Meanwhile:
        async def fetch(self, *_: object, **__: object) -> Outcome:
            looks.soon("one")
            return listed(tool())

    with looking_by(tmp_path, Meanwhile(), one) as (looks, world):
        await looks.look(one)

        assert looks.due(one) == world.clock() + timedelta(seconds=5)


async def test_a_look_that_somebody_asks_for_comes_at_once(tmp_path: Path) -> None:
    one, off = server("one"), server("off").model_copy(update={"enabled": False})
    with looking(tmp_path, [listed(tool())], one, off) as (looks, world):
        looks.start()
        await looks.look(one)
        planned = looks.due(one)
        world.clock.forward(5)
        for name in ("one", "off", "nobody"):
            looks.soon(name)

        assert (planned, looks.due(one), looks.due(off)) == (
            world.store.state("one").next_look_at,
            world.clock(),
            None,
        )
        await looks.stop(1)


async def test_a_scheduler_that_works_turns_whether_there_is_something_to_look_at_or_not(tmp_path: Path) -> None:
    with looking(tmp_path, []) as (looks, _):
        looks.start()

        async with asyncio.timeout(20):
            await looks.turns()

        await looks.stop(1)


async def test_looks_that_neither_end_nor_begin_any_more_are_no_turn(tmp_path: Path) -> None:
    uptime = [0.0]
    begun = asyncio.Event()

    class Silent:
        async def fetch(self, *_: object, **__: object) -> Outcome:
            begun.set()
            await asyncio.Event().wait()
            raise AssertionError

    with looking_by(tmp_path, Silent(), server("one"), uptime=lambda: uptime[0]) as (looks, _):
        looks.start()
        looks.soon("one")
        async with asyncio.timeout(20):
            await begun.wait()
            uptime[0] = 10 * 120 + 300
            await looks.turns()
            uptime[0] += 1
            with pytest.raises(TimeoutError, match="looks hang"):
                await looks.turns()

        await looks.stop(0)
