"""The daemon looks again by itself at what nobody approved: the first list at once, others once an hour."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from driftwatch.config.identities import IdentityConfig
from driftwatch.config.inventory import InventoryConfig, WatchedFile
from driftwatch.config.schema import ServerConfig, Settings
from driftwatch.model import AsClient, Era, Outcome, Refused, Unreachable
from driftwatch.review.approve import approve
from driftwatch.run.held import Held
from driftwatch.run.looks import Looks
from driftwatch.run.wiring import World
from driftwatch.store.store import Store
from driftwatch.watch.check import Checker
from driftwatch.watch.fetch.listen import McpListener
from driftwatch.watch.rehearsal import may_be_due
from driftwatch.watch.result import CheckCode, CheckResult
from tests.blank import blank
from tests.fakes import FakeSession, FrozenClock, listed, person, tool

SERVER = ServerConfig(name="notes", url="https://mcp.example.com/mcp")
GOOD = listed(tool())
OTHER = listed(tool(), tool("get_note"))


class Asked:
    """A server that notes who asks; `show` says what each look is shown, by its number."""

    def __init__(self) -> None:
        self.show: Callable[[int], Outcome] = lambda _: GOOD
        self.by: list[str] = []

    async def fetch(
        self,
        server: ServerConfig,  # noqa: ARG002 - the port has it
        *,
        era: Era | None,  # noqa: ARG002
        identity: IdentityConfig | None = None,
    ) -> Outcome:
        self.by.append("-" if identity is None or identity.client_name is None else identity.client_name)
        return self.show(len(self.by))


@contextmanager
def looking(folder: Path, **fields: object) -> Iterator[tuple[Looks, World, Asked, FrozenClock]]:
    clock, asked = FrozenClock(), Asked()
    server = SERVER.model_copy(update=fields)
    settings = Settings(database_url=blank(folder / "driftwatch.db"), servers=(server,))
    store = Store.open(settings.database_url, clock=clock)
    checker = Checker(store=store, fetcher=asked, settings=settings, clock=clock, jitter=lambda: 0.0)
    with World(settings, store, asked, McpListener(), checker, clock) as world:
        yield Looks(world, queued=lambda: None, listens=lambda _: None), world, asked, clock


async def _looked(looks: Looks, world: World, asked: Asked) -> list[str]:
    """Look once, let what follows from it end, and give who asked."""
    asked.by.clear()
    await looks.look(world.settings.servers[0])
    await _over()
    return list(asked.by)


async def _over() -> None:
    """Wait until no look runs."""
    while running := [one for one in asyncio.all_tasks() if one.get_name() == "look notes"]:
        await asyncio.wait(running)


async def test_the_first_list_is_looked_at_again_at_once_and_then_left_alone(tmp_path: Path) -> None:
    with looking(tmp_path) as (looks, world, asked, clock):
        first = await _looked(looks, world, asked)
        clock.forward(300)
        second = await _looked(looks, world, asked)

        (seen,) = world.store.rehearsals("notes")
    assert first == ["-", "-", "claude-code"]
    assert second == ["-"]
    assert (seen.looks, seen.as_client, seen.other) == (3, AsClient.SAME, "")


async def test_another_list_after_an_approval_is_looked_at_again_and_an_approved_one_is_not(tmp_path: Path) -> None:
    with looking(tmp_path, rehearse=False) as (looks, world, asked, clock):
        before = await _looked(looks, world, asked)
        approve(world.store, world.settings, "notes", digest=None, by=person(), note="", now=clock())
    with looking(tmp_path) as (looks, world, asked, clock):
        same = await _looked(looks, world, asked)
        asked.show = lambda _: OTHER
        clock.forward(300)
        other = await _looked(looks, world, asked)

    assert before == same == ["-"]
    assert other == ["-", "-", "claude-code"]


async def test_a_server_that_is_never_the_same_is_looked_at_again_once_an_hour(tmp_path: Path) -> None:
    numbers = iter(range(1000))
    with looking(tmp_path) as (looks, world, asked, clock):
        asked.show = lambda _: listed(tool(description=f"There are {next(numbers)} notes."))
        counts = []
        for minutes in (0, 20, 39, 2):
            clock.forward(60 * minutes)
            counts.append(len(await _looked(looks, world, asked)))

    assert counts[0] > 1
    assert counts[1:3] == [1, 1]
    assert counts[3] > 1


async def test_a_failed_second_look_is_tried_again_after_an_hour(tmp_path: Path) -> None:
    down = Unreachable("connect", "nobody answers")
    with looking(tmp_path) as (looks, world, asked, clock):
        asked.show = lambda number: GOOD if number == 1 else down
        first = await _looked(looks, world, asked)
        asked.show = lambda _: GOOD
        clock.forward(600)
        soon = await _looked(looks, world, asked)
        (failed,) = world.store.rehearsals("notes")
        clock.forward(3600)
        later = await _looked(looks, world, asked)
        (seen,) = world.store.rehearsals("notes")

    assert (first, soon, later) == (["-", "-"], ["-"], ["-", "-", "claude-code"])
    assert (failed.looks, failed.failures, failed.detail) == (1, 1, "connect: nobody answers")
    assert (seen.is_same, seen.failures) == (True, 0)


async def test_a_name_that_is_not_let_in_is_no_reason_to_call_anything_the_same(tmp_path: Path) -> None:
    with looking(tmp_path) as (looks, world, asked, _):
        asked.show = lambda number: GOOD if number < 3 else Refused("forbidden", "no such client", 403)
        await _looked(looks, world, asked)
        (seen,) = world.store.rehearsals("notes")

    assert (seen.looks, seen.as_client, seen.failures) == (2, AsClient.FAILED, 1)
    assert seen.detail == "forbidden: no such client"


async def test_a_person_can_have_it_looked_at_again_at_any_time(tmp_path: Path) -> None:
    with looking(tmp_path, rehearse=False) as (looks, world, asked, _):
        first = await _looked(looks, world, asked)
        for _ in range(3):
            looks.again("notes")
        looks.again("nobody")
        await _over()

        assert first == ["-"]
        assert asked.by == ["-", "-", "claude-code"]
        assert [one.looks for one in world.store.rehearsals("notes")] == [3]


async def test_an_identity_of_its_own_without_a_credential_is_taken_for_the_other_name(tmp_path: Path) -> None:
    with looking(tmp_path, identities=("cursor",), cloaking_period=1e9) as (looks, world, asked, _):
        asked_by = await _looked(looks, world, asked)

        assert asked_by[-1] == "cursor-vscode"
        assert [face.identity for face in world.store.faces("notes")] == ["cursor"]


async def test_a_held_session_that_shows_a_difference_still_is_not_overruled_by_looking_again(tmp_path: Path) -> None:
    with looking(tmp_path, rehearse=False) as (looks, world, asked, clock):
        await _looked(looks, world, asked)
        approve(world.store, world.settings, "notes", digest=None, by=person(), note="", now=clock())
    with looking(tmp_path) as (looks, world, asked, clock):
        server = world.settings.servers[0]
        looks.hold(server, Held(FakeSession(OTHER), renew=lambda: None))
        await looks.look(server, noticed=True)
        await _over()
        shown, (seen,) = world.store.state("notes").last_digest, world.store.rehearsals("notes")
        approved = world.store.baseline("notes")

    assert approved is not None
    # The agent's kind of session shows it, a new one does not: both are said, and the difference stands.
    assert (seen.digest, seen.other, seen.looks) == (shown, approved.digest, 1)
    assert shown != approved.digest


@pytest.mark.parametrize(
    ("server", "code", "due"),
    [
        (SERVER, CheckCode.FIRST, True),
        (SERVER, CheckCode.FAILED, False),
        (SERVER.model_copy(update={"rehearse": False}), CheckCode.FIRST, False),
        (WatchedFile.of(InventoryConfig(name="notes", file="/hosts.json")), CheckCode.FIRST, False),
    ],
)
def test_what_is_no_list_of_a_server_or_is_switched_off_is_never_due(
    server: ServerConfig, code: CheckCode, due: bool
) -> None:
    result = CheckResult("notes", code, GOOD, snapshot_digest="sha256:1")

    assert may_be_due(server, result) is due
