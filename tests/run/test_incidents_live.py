"""The change shapes that need a running server: real ones on loopback, looked at by the real fetcher.

The others are in `tests/judge/test_incidents.py`; a server with two faces is in `test_cloaking.py`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from driftwatch.config.channels import WebhookConfig
from driftwatch.config.isolation import SandboxConfig
from driftwatch.config.schema import ServerConfig, Settings
from driftwatch.config.secret import Secret
from driftwatch.model import AlertKind, BaselineState, EventKind, Kind
from driftwatch.review.approve import approve
from driftwatch.run.wiring import World, utc_now
from driftwatch.store.store import Store
from driftwatch.watch.check import CheckCode, CheckResult
from tests.fakes import person
from tests.servers.over_http import HttpServer
from tests.servers.over_stdio import command
from tests.servers.scripts import POISON, READ, WRITE, paged, tool

LIMITS = (Path(__file__).parents[2] / "docs" / "limits.md").read_text(encoding="utf-8")
HOOK = WebhookConfig(
    name="hook",
    url="https://alerts.example.com/",
    secret=Secret("whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="),
)


class Watch:
    """One world that watches one server."""

    def __init__(self, folder: Path) -> None:
        self.url = f"sqlite:///{folder / 'driftwatch.db'}"
        self.world: World | None = None

    def over(self, server: ServerConfig) -> World:
        """Open the world, as a process would that starts."""
        self.close()
        self.world = World.open(Settings(database_url=self.url, servers=(server,), channels=(HOOK,)))
        return self.world

    def close(self) -> None:
        """Close the world, as a process would that ends."""
        if self.world is not None:
            self.world.__exit__(None, None, None)
        self.world = None


@pytest.fixture
def watch(tmp_path: Path) -> Iterator[Watch]:
    made = Watch(tmp_path)
    yield made
    made.close()


async def _look(world: World) -> CheckResult:
    return await world.checker.check(world.settings.servers[0])


def _remote(server: HttpServer) -> ServerConfig:
    return ServerConfig(name="watched", url=server.url)


def _bad(result: CheckResult) -> list[str]:
    return [one.rule for one in result.findings if one.severity >= "high"]


@pytest.mark.parametrize("approved", [False, True])
async def test_a_sleeper_that_wakes_at_its_second_start_is_seen_also_when_only_the_first_was_read(
    approved: bool, watch: Watch, tmp_path: Path
) -> None:
    program, args = command("honest", "sleeps")
    env = {"STATE": Secret(str(tmp_path / "state")), "PYTHONDONTWRITEBYTECODE": Secret("1")}
    world = watch.over(
        ServerConfig(name="watched", command=program, args=args, env=env, sandbox=SandboxConfig(kind="none"))
    )
    first = await _look(world)
    if approved:
        approve(world.store, world.settings, "watched", digest=None, by=person("ann"), note="", now=utc_now())

    second = await _look(world)

    assert _bad(first) == []
    assert "text-injection" in _bad(second)
    assert second.event is EventKind.OPENED


async def test_a_flip_after_some_calls_is_a_documented_miss_for_a_poller_and_seen_in_the_session_that_calls(
    watch: Watch,
) -> None:
    async with HttpServer("flips-after-calls") as server:
        world = watch.over(_remote(server))
        polled = [await _look(world) for _ in range(6)]
        asked = server.methods()
        for number in range(3):
            await _call(server, number)
        agent = await _look(world)

    assert [_bad(one) for one in polled] == [[]] * 6
    assert "tools/call" not in asked
    assert "text-injection" in _bad(agent)
    assert "A list that flips after a number of calls is not seen by polling" in " ".join(LIMITS.split())


async def _call(server: HttpServer, number: int) -> None:
    """Call a tool, as an agent in the same session would."""
    body = {"jsonrpc": "2.0", "id": f"call-{number}", "method": "tools/call", "params": {"name": "read"}}
    async with httpx.AsyncClient() as agent:
        await agent.post(server.url, json=body)


async def test_a_list_that_changes_with_a_proper_notice_is_held_against_the_first_one_seen(watch: Watch) -> None:
    async with HttpServer("listens") as server:
        world = watch.over(_remote(server))
        first = await _look(world)

        server.turn(tool("read", description=POISON), WRITE)
        turned = await _look(world)
        again = await _look(world)

    assert (first.code, turned.event) == (CheckCode.FIRST, EventKind.OPENED)
    assert "text-injection" in _bad(turned)
    assert [one.baseline.digest if one.baseline else "" for one in (turned, again)] == [first.snapshot_digest] * 2
    assert again.baseline is not None
    assert again.baseline.state is BaselineState.PROVISIONAL
    assert _bad(again) == _bad(turned)


async def test_no_tool_is_called_and_no_prompt_or_resource_is_fetched(watch: Watch) -> None:
    async with HttpServer("full") as server:
        await _look(watch.over(_remote(server)))

    assert {one for one in server.methods() if "/list" not in one} <= {"server/discover"}


async def test_pages_that_are_cut_elsewhere_are_no_change(watch: Watch) -> None:
    async with HttpServer("full") as server:
        world = watch.over(_remote(server))
        first = await _look(world)
        one, two = ({"uri": f"file:///{name}", "name": name} for name in "ab")
        whole = {"ttlMs": 4000, "cacheScope": "public"}
        server.script.lists["resources/list"] = paged("resources", {None: {"resources": [one, two], **whole}})

        second = await _look(world)

    assert second.snapshot_digest == first.snapshot_digest
    assert [one for one in second.findings if one.severity > "info"] == []


async def test_what_is_told_rests_on_what_is_already_on_the_disk(watch: Watch) -> None:
    async with HttpServer() as server:
        await _look(watch.over(_remote(server)))
        world = watch.over(_remote(server))
        server.turn(tool("read", description=POISON), WRITE)

        turned = await _look(world)

    # Another process, while the first one still runs and has sent nothing.
    with Store.open(watch.url, clock=utc_now) as store:
        baseline, deliveries = store.baseline("watched"), store.deliveries()
        alert = store.open_alert("watched", AlertKind.DRIFT)
        assert baseline is not None
        kept = store.snapshot(baseline.digest)
        seen = store.snapshot(turned.snapshot_digest)
    assert alert is not None
    assert kept is not None
    assert seen is not None
    assert [one.raw for one in kept.of(Kind.TOOL)] == [READ, WRITE]
    assert [(one.event, one.attempts) for one in deliveries] == [(EventKind.OPENED, 0)]
    assert POISON[:20] in json.dumps([one.raw for one in seen.items])


async def test_a_flip_and_a_flip_back_between_two_looks_leave_no_trace_and_the_documentation_says_so(
    watch: Watch,
) -> None:
    async with HttpServer() as server:
        world = watch.over(_remote(server))
        await _look(world)
        server.turn(tool("read", description=POISON), WRITE)
        server.turn(READ, WRITE)

        result = await _look(world)

    assert _bad(result) == []
    assert "turns and turns back within it leaves no trace" in " ".join(LIMITS.split())
