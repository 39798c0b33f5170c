"""Another configuration for a daemon that runs: what goes on, what ends, and that a wrong one changes nothing."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest
from structlog.testing import capture_logs

from driftwatch.config.channels import AppriseConfig, ChannelConfig, WebhookConfig
from driftwatch.config.policy import PolicyConfig
from driftwatch.config.retention import RetentionConfig
from driftwatch.config.schema import DaemonConfig, Intervals, ServerConfig, Settings, Timeouts
from driftwatch.config.secret import Secret
from driftwatch.config.web import WebConfig
from driftwatch.errors import ConfigError
from driftwatch.model import Action
from driftwatch.review.approve import approve
from driftwatch.run.daemon import run
from driftwatch.run.demo import Receiver, new_secret
from driftwatch.run.reload import Reading
from driftwatch.run.stage import served
from driftwatch.run.wiring import World, utc_now
from driftwatch.store.audit import AuditWanted
from driftwatch.store.holding import Reload, holder_of
from driftwatch.watch.fetch.turning import STEPS, TurningServer
from tests.fakes import person
from tests.servers.over_http import HttpServer

SLOW = Intervals(default=300, floor=0.1, ceiling=600)


@dataclass
class Found:
    """The configuration that a daemon finds when it reads anew, and those that it took."""

    settings: Settings
    trouble: Exception | None = None
    before: Callable[[], object] = bool
    adopted: list[Settings] = field(default_factory=list)

    def read(self) -> Settings:
        self.before()
        if self.trouble is not None:
            raise self.trouble
        return self.settings


@dataclass
class Running:
    """A daemon at work."""

    found: Found
    logged: list[Any]
    daemon: asyncio.Task[int]
    again: asyncio.Event
    database: str = ""

    def __post_init__(self) -> None:
        self.database = self.found.settings.database_url

    @property
    def settings(self) -> Settings:
        return self.found.settings

    async def reload(self, **update: Any) -> Reload:
        """Change the configuration, have it read, and give how that went."""
        self.found.settings = self.settings.model_copy(update=update)
        before = self.outcome.done
        self.again.set()
        await self.until(lambda: self.outcome.done > before)
        return self.outcome

    @property
    def outcome(self) -> Reload:
        holder = holder_of(self.database)
        assert holder is not None
        return holder.reload

    async def until(self, holds: Callable[[], object]) -> None:
        async with asyncio.timeout(20):
            while not holds():
                assert not self.daemon.done(), "the daemon ended"
                await asyncio.sleep(0.01)

    def said(self, action: str, **more: Any) -> list[dict[str, Any]]:
        return [line for line in self.logged if {**line, **more} == line and line.get("action") == action]


@asynccontextmanager
async def running(folder: Path, *servers: ServerConfig, **more: Any) -> AsyncIterator[Running]:
    settings = Settings(
        database_url=f"sqlite:///{folder / 'driftwatch.db'}",
        servers=servers,
        **{"daemon": DaemonConfig(min_notice_gap=0.05, grace=1), **more},
    )
    stop, again = asyncio.Event(), asyncio.Event()
    with capture_logs() as logged:
        found = Found(settings)
        reading = Reading(found.read, adopted=lambda _, now: found.adopted.append(now))
        task = asyncio.create_task(run(settings, stop=stop, signals=False, reading=reading, again=again))
        made = Running(found, logged, task, again)
        try:
            await made.until(lambda: made.said("start") and holder_of(settings.database_url))
            yield made
        finally:
            stop.set()
            async with asyncio.timeout(20):
                assert await made.daemon == 0


def http_server(name: str, port: int, **fields: Any) -> ServerConfig:
    url = f"http://127.0.0.1:{port}/mcp"
    return ServerConfig(name=name, transport="http", url=url, interval=SLOW, rehearse=False, **fields)


def hook(name: str, port: int, secret: str) -> WebhookConfig:
    return WebhookConfig(
        name=name, kind="webhook", url=f"http://127.0.0.1:{port}/", secret=Secret(secret), min_severity="low"
    )


def approved(settings: Settings, name: str) -> None:
    with World.open(settings) as world:
        approve(world.store, settings, name, digest=None, by=person("test"), note="", now=utc_now())


def looked(settings: Settings, name: str) -> bool:
    with World.open(settings) as world:
        return bool(world.store.state(name).last_digest)


async def test_what_stays_goes_on_what_comes_is_looked_at_and_what_goes_ends(tmp_path: Path) -> None:
    stays, goes, comes = TurningServer(name="stays"), TurningServer(name="goes"), TurningServer(name="comes")
    secret = new_secret()
    receiver = Receiver(secret)
    async with served(stays.app) as one, served(goes.app) as two, served(comes.app) as three, served(receiver) as port:
        first = (http_server("stays", one), http_server("goes", two))
        async with running(tmp_path, *first, channels=(hook("hook", port, secret),)) as daemon:
            for name in ("stays", "goes"):
                await daemon.until(lambda name=name: daemon.said("listen", server=name))  # type: ignore[misc]
                await daemon.until(lambda name=name: looked(daemon.settings, name))  # type: ignore[misc]
                approved(daemon.settings, name)
            await goes.turn(STEPS[0].tools)
            async with asyncio.timeout(20):
                opened = await receiver.received.get()

            second = (first[0].model_copy(update={"labels": {"team": "web"}}), http_server("comes", three))
            how = await daemon.reload(servers=second, retention=RetentionConfig(looks_count=5000))
            async with asyncio.timeout(20):
                ended = await receiver.received.get()
            await daemon.until(lambda: looked(daemon.settings, "comes"))
            await stays.turn(STEPS[0].tools)
            async with asyncio.timeout(20):
                told = await receiver.received.get()
            with World.open(daemon.settings) as world:
                noted = world.store.audit(AuditWanted(action=Action.CONFIGURATION_CHANGED.value), limit=5)

    assert (opened["data"]["server"], ended["data"]["server"]) == ("goes", "goes")
    assert ended["type"] == "driftwatch.alert.resolved"
    assert (told["type"], told["data"]["server"]) == ("driftwatch.alert.opened", "stays")
    assert len(daemon.said("listen", server="stays")) == 1, "the held session was let go"
    assert how.code == 0
    assert how.words == (
        "The new configuration is in force: 1 server more (comes), 1 server gone (goes), "
        "1 server configured otherwise (stays), [retention]."
    )
    assert daemon.found.adopted == [daemon.settings]
    assert "servers.comes" in noted[0].details["changed"]


async def test_reloads_while_looks_run_lose_none_of_them(tmp_path: Path) -> None:
    turning = TurningServer()
    async with served(turning.app) as port:
        servers = tuple(http_server(f"s{number}", port, notices=False) for number in range(24))
        async with running(tmp_path, *servers) as daemon:
            codes = []
            for number in range(6):
                some = servers if number % 2 else servers[:-4]
                daemons = DaemonConfig(grace=1, concurrency=2 + number, per_host=1 + number)
                codes.append((await daemon.reload(servers=some, daemon=daemons)).code)
            with World.open(daemon.settings) as world:
                await daemon.until(lambda: all(state.last_digest for state in world.store.states().values()))
                await daemon.until(lambda: len(world.store.states()) == 24)
                alerts = world.store.alerts(stands=True, limit=10)

    assert codes == [0] * 6
    assert not alerts
    assert not daemon.said("look-lost")


async def test_a_look_that_outlives_its_server_leaves_no_alert_behind(tmp_path: Path) -> None:
    patience = Timeouts(connect=2, request=2, start=2, look=2)
    async with HttpServer(fault="hangs") as bad:
        slow = http_server("bad", bad.port, alert_after=1, timeout=patience)
        async with running(tmp_path, slow) as daemon:
            await daemon.until(lambda: any(task.get_name() == "look bad" for task in asyncio.all_tasks()))
            how = await daemon.reload(servers=())
            with World.open(daemon.settings) as world:
                before = world.store.state("bad").failures
                await daemon.until(lambda: world.store.state("bad").failures)
                await daemon.until(lambda: not world.store.alerts(stands=True, limit=10))
                ended = world.store.alerts(limit=10)

    assert how.words == "The new configuration is in force: 1 server gone (bad)."
    assert before == 0
    assert [one.server for one in ended] == ["bad"]


async def test_messages_for_a_channel_that_goes_are_named(tmp_path: Path) -> None:
    turning = TurningServer()
    with taken_port() as nobody:
        there = nobody.getsockname()[1]
    async with served(turning.app) as port:
        gone = (hook("ops", there, new_secret()),)
        async with running(tmp_path, http_server("notes", port), channels=gone) as daemon:
            await daemon.until(lambda: daemon.said("listen", server="notes"))
            await daemon.until(lambda: looked(daemon.settings, "notes"))
            approved(daemon.settings, "notes")
            await turning.turn(STEPS[0].tools)
            await daemon.until(lambda: daemon.said("delivery-retried"))
            how = await daemon.reload(channels=())

    assert how.words == (
        "The new configuration is in force: 1 channel gone (ops). 1 message for ops, which is configured no more, "
        "will be given up in an hour unless it comes back."
    )
    assert daemon.said("reload-left", channel="ops", count=1)


def taken_port() -> socket.socket:
    return socket.create_server(("127.0.0.1", 0))


@pytest.mark.parametrize("wrong", ["file", "channel", "port", "open", "bug"])
async def test_with_a_configuration_that_cannot_work_the_one_before_stays_in_force(tmp_path: Path, wrong: str) -> None:
    turning = TurningServer()
    secret = new_secret()
    receiver = Receiver(secret)
    with taken_port() as taken:
        async with (
            served(turning.app) as port,
            served(receiver) as there,
            running(tmp_path, http_server("notes", port), channels=(hook("hook", there, secret),)) as daemon,
        ):
            await daemon.until(lambda: daemon.said("listen", server="notes"))
            await daemon.until(lambda: looked(daemon.settings, "notes"))
            approved(daemon.settings, "notes")
            right = daemon.settings
            apprise = AppriseConfig(name="chat", kind="apprise", url=Secret("nosuch://secret-4711"))
            web = WebConfig(listen=f"127.0.0.1:{taken.getsockname()[1]}")
            update: dict[str, Any] = {"servers": ()}
            other = {
                "channel": {"channels": (apprise,)},
                "port": {"web": web},
                "open": {"web": WebConfig(listen="0.0.0.0:0")},
            }
            update |= other.get(wrong, {})
            if wrong in {"file", "bug"}:
                daemon.found.trouble = ConfigError("broken.") if wrong == "file" else ValueError("secret-4711")
            how = await daemon.reload(**update)

            await turning.turn(STEPS[0].tools)
            async with asyncio.timeout(20):
                alert = await receiver.received.get()
            daemon.found.trouble = None
            after = await daemon.reload(**dict(right))

    said = {
        "file": (3, "broken."),
        "channel": (3, "channels.chat.url: Apprise knows no such service"),
        "port": (3, "The pages cannot listen at"),
        "open": (3, "there is neither a user with a password nor a token"),
        "bug": (70, "driftwatch itself failed: ValueError"),
    }[wrong]
    assert how.code == said[0]
    assert said[1] in how.words
    assert alert["data"]["server"] == "notes"
    assert "secret-4711" not in f"{how.words}{[line for line in daemon.logged if 'exc_info' not in line]}"
    assert (after.code, after.words) == (0, "Nothing in force has changed.")
    assert daemon.said("reload-failed")[0]["log_level"] == "error"


def tally() -> tuple[int, int, int]:
    """Count what a reload could leave behind: descriptors, tasks, threads.

    Left aside are threads that wait for work, of which more come until each pool is full, and the connections to the
    database that such threads share: `connections`.
    """
    threads = [one for one in threading.enumerate() if not one.name.startswith(("asyncio_", "check_"))]
    return len(opened()) - len(connections()), len(asyncio.all_tasks()), len(threads)


def opened() -> list[str]:
    """Give what the descriptors of this process lead to; one that is closed meanwhile is none."""
    names = []
    for number in os.listdir("/proc/self/fd"):
        with contextlib.suppress(FileNotFoundError):
            names.append(os.readlink(f"/proc/self/fd/{number}"))
    return names


def connections() -> list[str]:
    """Give the descriptors of connections to the database."""
    return [name for name in opened() if name.endswith((".db", ".db-wal"))]


async def test_ten_reloads_leave_nothing_behind(tmp_path: Path) -> None:
    stays, turns = TurningServer(name="stays"), TurningServer(name="turns")
    secret = new_secret()
    receiver = Receiver(secret)
    async with served(stays.app) as one, served(turns.app) as two, served(receiver) as port:
        both = (http_server("stays", one), http_server("turns", two))
        channels: tuple[ChannelConfig, ...] = (hook("kept", port, secret),)
        places = [WebConfig(listen="127.0.0.1:0"), WebConfig(listen="localhost:0", hosts=("driftwatch.example",))]
        more = {"servers": both, "channels": (*channels, hook("more", port, secret)), "web": places[1]}
        less = {"servers": both[:1], "channels": channels, "web": places[0]}
        async with running(tmp_path, *both[:1], channels=channels, web=places[0]) as daemon:
            await daemon.until(lambda: daemon.said("listen", server="stays") and daemon.said("web"))
            counted = []
            for number in range(6):
                await daemon.reload(**more)
                await daemon.until(lambda number=number: len(daemon.said("listen", server="turns")) > number)  # type: ignore[misc]
                await daemon.reload(**less)
                await daemon.until(lambda number=number: len(daemon.said("web")) == 2 * number + 3)  # type: ignore[misc]
                await daemon.until(lambda: not any(task.get_name() == "listen turns" for task in asyncio.all_tasks()))
                await daemon.until(lambda: counted == [] or tally() <= counted[0])
                counted.append(tally())
            streams = len(daemon.said("listen", server="stays"))
            shared = len(connections()), 2 * (threading.active_count() + 1)

    assert shared[0] <= shared[1]
    assert len(counted) == 6
    assert streams == 1


def answers(address: str) -> bool:
    host, _, port = address.rpartition(":")
    with socket.socket() as client:
        return client.connect_ex((host, int(port))) == 0


async def test_pages_move_with_the_configuration_and_who_reads_them_stays_signed_in(tmp_path: Path) -> None:
    async with running(tmp_path, web=WebConfig(listen="127.0.0.1:0")) as daemon:
        await daemon.until(lambda: daemon.said("web"))
        first = daemon.said("web")[0]["address"]
        async with httpx.AsyncClient() as client:
            before = (await client.get(f"http://{first}/sign-in", headers={"Host": "dw.example"})).status_code
            await daemon.reload(web=WebConfig(listen="127.0.0.1:0", hosts=("dw.example",)))
            known = (await client.get(f"http://{first}/sign-in", headers={"Host": "dw.example"})).status_code
            await daemon.reload(web=WebConfig(listen="localhost:0"))
            second = daemon.said("web")[1]["address"]
            moved = (await client.get(f"http://{second}/sign-in")).status_code
            await daemon.reload(web=WebConfig(enabled=False))
            await daemon.until(lambda: not answers(first) and not answers(second))

    assert (before, known, moved) == (421, 200, 200)
    assert len(daemon.said("web")) == 2


async def test_what_a_reload_does_not_change_is_named_each_time(tmp_path: Path) -> None:
    async with running(tmp_path, policy=PolicyConfig()) as daemon:
        elsewhere = f"sqlite:///{tmp_path / 'other.db'}"
        first = await daemon.reload(database_url=elsewhere)
        second = await daemon.reload(daemon=DaemonConfig(concurrency=3, grace=1))

    assert first.words.startswith("Nothing in force has changed. database.url takes effect at the next start: ")
    assert second.words.startswith("The new configuration is in force: [daemon]. database.url takes effect at the next")
    assert not (tmp_path / "other.db").exists()


async def test_what_is_asked_for_while_a_reload_is_made_is_done_once_more_after_it(tmp_path: Path) -> None:
    async with running(tmp_path) as daemon:
        reading, may = threading.Event(), threading.Event()

        def slowly() -> None:
            reading.set()
            assert may.wait(20)

        daemon.found.before = slowly
        daemon.again.set()
        await daemon.until(lambda: reading.is_set() and not daemon.again.is_set())
        for _ in range(5):
            daemon.again.set()
        began = daemon.outcome
        may.set()
        await daemon.until(lambda: daemon.outcome.done == 2)

    assert (began.begun, began.done) == (1, 0)
    assert len(daemon.said("reload")) == 2
