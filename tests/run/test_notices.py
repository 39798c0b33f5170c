"""Held streams and scheduled looks of a daemon at work, with a fetcher and a listener that do as they are told."""

# ruff: noqa: ARG002 - a port is implemented with all of its arguments
from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from dataclasses import replace
from pathlib import Path

from driftwatch.config.schema import DaemonConfig, Intervals, ServerConfig, Settings
from driftwatch.model import Era, Outcome, Refused
from driftwatch.run.daemon import serve
from driftwatch.run.wiring import World, utc_now
from driftwatch.store.store import Store
from driftwatch.watch.check import Checker
from driftwatch.watch.fetch.base import Fetcher, HeldSession, ListenEnd, Listener
from tests.fakes import FakeSession, ScriptedFetcher, listed, tool

SERVER = ServerConfig(
    name="notes",
    transport="http",
    url="https://mcp.example.com/mcp",
    interval=Intervals(default=0.1, floor=0.05, ceiling=2),
    rehearse=False,
)
LISTENS = replace(listed(tool()), listens=True)


class Quiet:
    """A listener whose streams stand and say nothing; the first ones end as scripted."""

    def __init__(self, *ends: ListenEnd | BaseException) -> None:
        self.ends = list(ends)
        self.again = asyncio.Event()

    async def listen(
        self,
        server: ServerConfig,
        *,
        era: Era | None,
        on_ready: Callable[[HeldSession], None],
        on_notice: Callable[[], None],
    ) -> ListenEnd:
        if self.ends:
            end = self.ends.pop(0)
            if isinstance(end, BaseException):
                raise end
            return end
        self.again.set()
        await asyncio.Event().wait()
        raise AssertionError("nothing ends this stream")


@asynccontextmanager
async def serving(folder: Path, fetcher: Fetcher, listener: Listener) -> AsyncIterator[asyncio.Event]:
    """Run a daemon and give what stops it; it must have ended well soon after."""
    settings = Settings(
        database_url=f"sqlite:///{folder / 'driftwatch.db'}", servers=(SERVER,), daemon=DaemonConfig(grace=2)
    )
    with Store.open(settings.database_url, clock=utc_now) as store:
        checker = Checker(store=store, fetcher=fetcher, settings=Settings(), clock=utc_now, jitter=lambda: 0.0)
        world = World(settings, store, fetcher, listener, checker, utc_now)
        stop = asyncio.Event()
        daemon = asyncio.create_task(serve(world, stop))
        try:
            async with asyncio.timeout(15):
                yield stop
        finally:
            stop.set()
            async with asyncio.timeout(15):
                await daemon


async def test_a_look_that_ends_while_the_daemon_stops_does_not_begin_to_listen(tmp_path: Path) -> None:
    began, answer = asyncio.Event(), asyncio.Event()

    class Slow:
        async def fetch(self, server: ServerConfig, *, era: Era | None) -> Outcome:
            began.set()
            await answer.wait()
            return LISTENS

    listener = Quiet()

    async with serving(tmp_path, Slow(), listener) as stop:
        await began.wait()
        stop.set()
        await asyncio.sleep(0)
        answer.set()

    assert not listener.again.is_set()


async def test_a_stray_cancellation_in_one_look_does_not_end_the_looking(tmp_path: Path) -> None:
    again = asyncio.Event()

    class Stray:
        looks = 0

        async def fetch(self, server: ServerConfig, *, era: Era | None) -> Outcome:
            self.looks += 1
            if self.looks == 1:
                raise asyncio.CancelledError
            again.set()
            return listed(tool())

    async with serving(tmp_path, Stray(), Quiet()):
        await again.wait()


async def test_a_stray_cancellation_in_a_stream_does_not_end_the_listening(tmp_path: Path) -> None:
    listener = Quiet(asyncio.CancelledError())

    async with serving(tmp_path, ScriptedFetcher([LISTENS]), listener):
        await listener.again.wait()


async def test_a_stream_that_is_refused_for_too_many_requests_pauses_the_host_for_looks_too(tmp_path: Path) -> None:
    busy = Refused("rate-limited", "429", status=429, retry_after=1)
    listener = Quiet(ListenEnd("failed", "429", failure=busy))
    fetcher = ScriptedFetcher([LISTENS])

    async with serving(tmp_path, fetcher, listener):
        await listener.again.wait()
        looks = len(fetcher.eras)

    assert looks <= 2


async def test_trouble_with_the_database_does_not_end_the_listening(tmp_path: Path) -> None:
    def rename(old: str, new: str) -> None:
        with closing(sqlite3.connect(tmp_path / "driftwatch.db", timeout=10)) as connection:
            connection.execute(f"ALTER TABLE {old} RENAME TO {new}")

    class Troubled(Quiet):
        async def listen(
            self,
            server: ServerConfig,
            *,
            era: Era | None,
            on_ready: Callable[[HeldSession], None],
            on_notice: Callable[[], None],
        ) -> ListenEnd:
            if self.ends:
                rename("servers", "away")
                # The first try to listen again comes within a second, and fails.
                asyncio.get_running_loop().call_later(1.5, rename, "away", "servers")
            return await super().listen(server, era=era, on_ready=on_ready, on_notice=on_notice)

    listener = Troubled(ListenEnd("lost", "gone"))

    async with serving(tmp_path, ScriptedFetcher([LISTENS]), listener):
        await listener.again.wait()


async def test_a_notice_on_the_stream_is_kept_with_the_list_that_it_was_about(tmp_path: Path) -> None:
    telling = {"capabilities": {"tools": {"listChanged": True}}}
    before, after = (replace(listed(*tools, **telling), listens=True) for tools in ([tool()], [tool(), tool("other")]))
    asked, asked_again = asyncio.Event(), asyncio.Event()
    began: asyncio.Queue[None] = asyncio.Queue()

    class Session(FakeSession):
        async def fetch(self) -> Outcome:
            if self.outcome is after:
                asked.set()
            return await super().fetch()

    class Fetching(ScriptedFetcher):
        async def fetch(self, server: ServerConfig, *, era: Era | None) -> Outcome:
            began.put_nowait(None)
            if asked.is_set():
                # Looks at one server come one after the other: the one on notice is written down by now.
                asked_again.set()
            return await super().fetch(server, era=era)

    session, fetcher = Session(before), Fetching([before])

    class Telling:
        async def listen(
            self,
            server: ServerConfig,
            *,
            era: Era | None,
            on_ready: Callable[[HeldSession], None],
            on_notice: Callable[[], None],
        ) -> ListenEnd:
            on_ready(session)
            while not began.empty():
                began.get_nowait()
            # The look that comes next may have begun before this session stood; the one after it knows of it.
            for _ in range(2):
                await began.get()
            session.outcome = after
            fetcher.outcomes[0] = after
            on_notice()
            await asyncio.Event().wait()
            raise AssertionError("nothing ends this stream")

    async with serving(tmp_path, fetcher, Telling()):
        await asked_again.wait()

    with Store.open(f"sqlite:///{tmp_path / 'driftwatch.db'}", clock=utc_now) as store:
        arrival = store.sightings("notes")[-1].arrival
    assert arrival is not None
    assert arrival.noticed is True
